"""The report: everything that a run has, nothing that it has not, and texts that stay texts."""

import re
from html.parser import HTMLParser

import pytest

from veridical.evals.report import charts, write_report
from veridical.evals.report.canvas import Scale, number_ticks
from veridical.evals.report.cases import worst_cases
from veridical.evals.report.figures import abstention, calibration, recall_rows
from veridical.memory.errors import BadInput

from .runs import run_document

pytestmark = pytest.mark.requirement("EVAL-REPORT")

EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>\"' {{ 7 * 7 }} \u202etxt\x1b[31m\udc80"
VOID = {"meta", "img", "link", "br", "input"}


class Page(HTMLParser):
    """The tags, attributes and headings of a page, and whether every tag is closed in order."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.headings, self.open = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "h2":
            self.headings.append(data.strip())


@pytest.fixture
def written(tmp_path):
    def write(document):
        path = tmp_path / "out.html"
        write_report(document, path)
        return path.read_text(encoding="utf-8")

    return write


def test_a_full_run_has_every_section(written):
    page = Page(written(run_document()))
    assert page.open == []
    assert page.headings == [
        "Recall", "Outcomes", "Abstention", "Calibration", "Latency", "Worst cases", "All figures", "Configuration",
    ]  # fmt: skip
    assert page.tags.count("svg") == 6


def test_what_was_not_measured_is_left_out(written):
    bare = run_document(metrics={"auc": 0.83, "pairs": 900}, questions=[])
    page = written(bare)
    assert Page(page).headings == ["All figures", "Configuration"]
    assert "0.830" in page
    assert ">900<" in page


def test_cases_that_are_told_one_by_one_say_what_failed(written):
    cases = [
        {"id": "one", "category": "c", "passed": True, "failures": []},
        {"id": "two", "category": "c", "passed": False, "failures": ["an old version is shown", EVIL]},
    ]
    page = written(run_document(metrics={"precision": 0.9, "cases": cases}, questions=[]))
    assert Page(page).headings[0] == "Cases"
    assert "an old version is shown, &lt;script&gt;" in page
    assert (page.count(">passed</b>"), page.count(">failed</b>")) == (1, 1)


def test_a_label_is_cut_to_its_room_and_whole_under_the_pointer():
    long = "Fuzzy matching and the guards of prefixes"
    drawn = charts.recall_chart([charts.Row(long, 3, {"5": 0.5}), charts.Row("问" * 20, 3, {"5": 1.0})], ["5"])
    assert f"Fuzzy matching and the guar…<title>{long}</title>" in drawn
    assert f"{'问' * 13}…<title>{'问' * 20}</title>" in drawn


def test_a_run_without_answers_still_shows_what_was_found(written):
    document = run_document()
    for row in document["questions"]:
        del row["answer"], row["confidence"], row["trace"], row["tokens"]
        row["answerable"] = True
    assert Page(written(document)).headings[:3] == ["Recall", "Latency", "Worst cases"]


def test_the_page_loads_and_runs_nothing(written):
    page = written(run_document())
    parsed = Page(page)
    assert not {"script", "link", "img", "iframe", "object"} & set(parsed.tags)
    assert not [name for name, _ in parsed.attributes if name in {"src", "href"} or name.startswith("on")]
    assert "url(" not in page
    assert "://" not in page
    assert "default-src 'none'" in page


def test_texts_of_a_run_are_shown_and_never_obeyed(written):
    document = run_document(dataset=EVIL)
    for row in document["questions"]:
        row |= {"id": f"{EVIL}{row['id']}", "category": EVIL, "language": EVIL, "text": EVIL, "dialogue": EVIL}
        row |= {"gold": [EVIL], "retrieved": [EVIL], "answers": [EVIL], "stale": [EVIL]}
        row["answer"] |= {"text": EVIL, "mode": EVIL, "citations": [{"external_id": EVIL, "quote": EVIL}]}
        row["trace"] = {
            "queries": [EVIL],
            "filter": {EVIL: [EVIL]},
            "kept": [{"external_id": EVIL, "speaker": EVIL, "text": EVIL}],
            "dropped": [{"external_id": EVIL, "rule": EVIL}],
            "chosen": [EVIL],
        }
    document["metrics"][EVIL] = 1.0
    document["config"][EVIL] = EVIL
    page = written(document)
    parsed = Page(page)
    assert not {"script", "img"} & set(parsed.tags)
    assert "{{ 7 * 7 }}" in page
    assert "49" not in re.findall(r">([^<]*)</h1>", page)[0]
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", page)


def test_a_page_that_cannot_be_written_is_one_sentence(tmp_path):
    with pytest.raises(BadInput, match="cannot be written"):
        write_report(run_document(), tmp_path / "nowhere" / "out.html")


def row(id, *, outcome, abstained=False, answerable=True, recall=1.0, confidence=0.5):
    return {
        "id": id,
        "answerable": answerable,
        "recall": {"5": recall / 2, "20": recall} if answerable else {},
        "confidence": confidence,
        "answer": {"outcome": outcome, "abstained": abstained, "text": "", "citations": []},
    }


def test_the_worst_cases_are_grouped_by_what_went_wrong():
    rows = [
        row("right", outcome="PASS"),
        row("refused rightly", outcome="PASS", abstained=True, answerable=False),
        row("stale", outcome="STALE"),
        row("invented", outcome="INVENTED"),
        row("doubtful invention", outcome="INVENTED", confidence=0.2),
        row("answered", outcome="INVENTED", answerable=False),
        row("refused", outcome="MISS", abstained=True),
        row("beside", outcome="MISS"),
        row("lost", outcome="MISS", recall=0.0),
        row("half", outcome="PASS", recall=0.5),
    ]
    assert [(group.title, [case["row"]["id"] for case in group.cases]) for group in worst_cases(rows)] == [
        ("Answered, though it cannot be known", ["answered"]),
        ("Invented", ["invented", "doubtful invention"]),
        ("Stale", ["stale"]),
        ("Refused, though the evidence was found", ["refused"]),
        ("Answered beside the point", ["beside"]),
        ("Not found", ["lost"]),
        ("Found in part", ["half"]),
    ]


def test_a_case_says_where_gold_stands_and_which_rule_dropped_it():
    failed = row("q", outcome="MISS") | {
        "gold": ["D1:2", "D1:9"],
        "retrieved": ["D3:1", "D1:2"],
        "texts": {"D1:2": "Mei: It is twelve."},
        "trace": {
            "dropped": [{"external_id": "D4:4", "rule": "relevance"}, {"external_id": "D1:9", "rule": "relevance"}]
        },
    }
    (case,) = worst_cases([failed])[0].cases
    assert case["gold"] == [("D1:2", 2, "Mei: It is twelve."), ("D1:9", None, "")]
    assert case["dropped"] == [{"rule": "relevance", "count": 2, "ids": [("D1:9", True), ("D4:4", False)]}]


def test_recall_is_averaged_by_kind():
    rows = [
        {"category": "1", "language": "en", "recall": {"5": 1.0}},
        {"category": "1", "language": "en", "recall": {"5": 0.0}},
        {"category": "4", "language": "en", "recall": {"5": 1.0}},
        {"category": "5", "language": "en", "recall": {}},
    ]
    assert [(row.label, row.questions, row.values) for row in recall_rows(rows, "locomo")] == [
        ("all questions", 3, {"5": pytest.approx(2 / 3)}),
        ("multi-hop", 2, {"5": 0.5}),
        ("single-hop", 1, {"5": 1.0}),
    ]


def test_the_abstention_curve_stops_at_fifteen_percent_false_refusals():
    rows = [{"answerable": True, "confidence": 0.3 + place / 100} for place in range(20)]
    rows += [{"answerable": False, "confidence": confidence} for confidence in (0.1, 0.315, 0.325, 0.9)]
    found = abstention(rows)
    assert found["at"] == (pytest.approx(0.15), 0.75)
    assert found["done"] is None
    assert abstention([row for row in rows if row["answerable"]]) is None


def test_calibration_puts_equal_confidences_into_one_bin():
    rows = [{"confidence": 0.2, "answerable": place % 2 == 0} for place in range(20)]
    rows += [{"confidence": 0.9, "answerable": True} for _ in range(20)]
    (bins,) = calibration(rows).values()
    assert [(bin.confidence, bin.share, bin.questions) for bin in bins] == [
        (pytest.approx(0.2), 0.5, 20),
        (pytest.approx(0.9), 1.0, 20),
    ]
    assert bins[0].low == pytest.approx(0.299, abs=0.001)
    assert bins[0].high == pytest.approx(0.701, abs=0.001)


def test_scales_keep_what_lies_outside_at_the_edge():
    scale = Scale(0.0, 10.0, 100.0, 0.0)
    assert (scale(5), scale(-1), scale(20)) == (50.0, 100.0, 0.0)
    assert [words for _, words in number_ticks(0.0, 46.0)] == ["0", "10", "20", "30", "40"]
