"""Real statutes and a real policy in all their versions: what was in force is told exactly, by number, date and version.

What is right is read from the files themselves, by their headings and the words 第…条 alone.
"""

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.source import ROOT
from veridical.memory.clauses.telling import Report, report_of
from veridical.memory.clauses.understanding import asked_clauses
from veridical.memory.knowledge.reading import read_document
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.store import Memory

DATA = Path(os.environ.get("VERIDICAL_EVAL_DATA") or ROOT.parent / "shared" / "data")
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
LAWS = ("会计法", "反垄断法", "消费者权益保护法")
pytestmark = pytest.mark.skipif(
    not (DATA / "laws_zh").is_dir(), reason=f"the evaluation data is not at {DATA}: set VERIDICAL_EVAL_DATA"
)


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with Memory(tmp_path_factory.mktemp("real") / "data", open_embedder("hashing:64")) as opened:
        files = [*(DATA / "laws_zh").glob("*法*.md"), *(DATA / "versioned_policies").glob("cancellation__*.md")]
        for path in sorted(files):
            opened.knowledge.add("ann", read_document(path), now=NOW)
        yield opened


def told(memory: Memory, question: str) -> Report:
    condition = asked_clauses(memory, "ann", "", question, now=NOW, time_zone="UTC")
    assert condition is not None, question
    return report_of(memory, "ann", condition)


def text_of(report: Report) -> list[str]:
    """The lines of the one clause that is quoted."""
    (clause,) = report.clauses
    return lines(clause.text)


def lines(text: str) -> list[str]:
    """The lines of a text without what only sets them: blanks, and the marks of headings."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def articles(path: Path) -> dict[str, list[str]]:
    """Every article of a statute with its lines, as the file has them."""
    body = path.read_text(encoding="utf-8").partition("<!-- INFO END -->")[2]
    found: dict[str, list[str]] = {}
    label = ""
    for line in lines(body):
        begins = re.match(r"(第[一二三四五六七八九十百零]+条)\s", line)
        if line.startswith("#"):
            label = ""
        elif begins:
            label = begins[1]
            found[label] = []
        if label:
            found[label].append(line)
    return found


def sections(path: Path) -> list[list[str]]:
    """The sections of the policy with their lines."""
    body = re.split(r"^## .*$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return [lines(section) for section in body]


def policies() -> list[tuple[str, str, Path]]:
    """Label, date and file of every version of the policy, in their order."""
    files = sorted((DATA / "versioned_policies").glob("cancellation__*.md"))
    return [(path.name.split("__")[1], path.name.split("__")[2], path) for path in files]


def versions(law: str) -> list[tuple[str, Path]]:
    files = sorted((DATA / "laws_zh").glob(f"{law}(*.md"))
    return [(path.stem.partition("(")[2].rstrip(")"), path) for path in files]


@pytest.mark.requirement("CLAUSES-IN-FORCE")
@pytest.mark.parametrize("law", LAWS)
def test_every_article_of_every_version_is_told_by_year_by_date_and_by_version(memory: Memory, law: str):
    asked = 0
    known = versions(law)
    ends = [*(label for label, _ in known[1:]), "2026-01-01"]
    for (label, path), until in zip(known, ends, strict=True):
        year = int(label[:4])
        # A statute may hold only from a later day on; by the end of the next year each of these does.
        years = range(year + 1, int(until[:4]))
        for place, (article, right) in enumerate(articles(path).items()):
            forms = [
                f"{law}{year}年版{article}",
                f"{label}版{law}{article}",
                f"{years[place % len(years)]}年的{law}{article}",
            ]
            for question in (*forms, f"{law}{article}在{years[-1]}年5月1日怎么规定"):
                assert text_of(told(memory, question)) == right, question
                asked += 1
    assert asked > 150


@pytest.mark.requirement("CLAUSES-IN-FORCE")
@pytest.mark.parametrize("law", LAWS)
def test_every_article_in_force_is_told_without_a_date(memory: Memory, law: str):
    _, path = versions(law)[-1]
    for article, right in articles(path).items():
        for question in (f"《{law}》{article}", f"请问{law}{article}怎么说的"):
            assert text_of(told(memory, question)) == right, question


@pytest.mark.requirement("CLAUSES-IN-FORCE")
def test_every_section_of_every_version_of_the_policy_is_told_by_version_and_by_date(memory: Memory):
    every = policies()
    last_of_day = {date: path for _, date, path in every}
    for label, _, path in every:
        for number, right in enumerate(sections(path), start=1):
            question = f"section {number} of the cancellation policy, version {label[1:]}"
            assert text_of(told(memory, question)) == right, question
    for date, path in last_of_day.items():
        for number, right in enumerate(sections(path), start=1):
            question = f"What did section {number} of the cancellation policy say on {date}?"
            assert text_of(told(memory, question)) == right, question


@pytest.mark.requirement("CLAUSES-MISSING", "CLAUSES-IN-FORCE")
@pytest.mark.parametrize("law", LAWS)
def test_articles_and_times_that_are_not_there_are_never_answered_by_others(memory: Memory, law: str):
    count = len(articles(versions(law)[-1][1]))
    for number in (count + 1, count + 7, 200):
        report = told(memory, f"{law}第{number}条")
        assert (report.condition.trouble, report.clauses) == ("no_clause", ())
    for year in (1995, 2001):
        report = told(memory, f"{year}年的{law}第一条")
        assert (report.condition.trouble, report.clauses) == ("no_version", ())
    before = told(memory, "What did section 1 of the cancellation policy say in 2018?")
    assert before.condition.trouble == "no_version"


@pytest.mark.requirement("CLAUSES-IN-FORCE")
@pytest.mark.parametrize("law", ["会计法", "反垄断法"])
def test_an_article_whose_text_moved_is_found_under_its_new_number(memory: Memory, law: str):
    (_, old), (_, new) = versions(law)
    bodies = {"\n".join(right).removeprefix(article).strip(): article for article, right in articles(new).items()}
    moved = 0
    for article, right in articles(old).items():
        now = bodies.get("\n".join(right).removeprefix(article).strip())
        if now is None:
            continue
        report = told(memory, f"旧{law}{article}现在是第几条")
        (line,) = report.traced
        assert [one.label for one in line.elsewhere] == [now], article
        assert line.alike == {one.number for one in line.elsewhere}
        moved += now != article
    assert moved > 0 or law == "会计法"
