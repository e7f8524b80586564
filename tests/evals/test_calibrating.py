"""Settings fitted on labelled questions, and what is promised of them."""

import tomllib
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from veridical.evals.calibrating import calibrate, calibrated_document, write_settings
from veridical.evals.records import Dataset, Dialogue, Question
from veridical.evals.rehearsing import asked_afterwards, rehearsal
from veridical.graph import Settings
from veridical.graph.resources import DEFAULT_WEIGHTS
from veridical.memory.errors import BadFile, BadInput
from veridical.memory.ingestion.utterances import Utterance

pytestmark = pytest.mark.requirement("EVAL-CALIBRATE")

BEGUN = datetime(2024, 3, 1, 9, tzinfo=UTC)
FILLER = tuple(f"turn {place}" for place in range(40))


@dataclass
class Imagined:
    """A question whose gold turn comes the earlier, the nearer the weights are to what suits its dialogue."""

    dialogue: str
    question: Question
    suits: float
    sure: float
    refused: bool = False
    asked: list = field(default_factory=list)

    def ranking(self, weights):
        self.asked.append(tuple(weights.values()))
        place = min(int(12 * abs(weights["lexical"] / DEFAULT_WEIGHTS["lexical"] - self.suits)), 30)
        return [*FILLER[:place], *self.question.gold, *FILLER[place:]][:20]

    def judged(self, weights):
        return {"confidence": self.sure, "kept": self.ranking(weights)}

    def confidence(self, judged):
        return judged["confidence"]

    def refuses(self, judged):
        return self.refused

    def results(self, judged):
        return judged["kept"]


def imagined(*, suits=2.0, dialogues=6, each=10, clear=True):
    """Questions of which every fifth is unanswerable; `clear` ones are told apart by the confidence."""
    made = []
    for dialogue in range(dialogues):
        for number in range(each):
            answerable = number % 5 != 0
            gold = (f"gold {number}",) if answerable else ()
            asked = Question(f"d{dialogue}q{number}", "?", BEGUN, "fact", gold=gold, answerable=answerable)
            confidence = (0.6 if answerable or not clear else 0.3) + number / 100
            wanted = suits(dialogue) if callable(suits) else suits
            made.append(Imagined(f"d{dialogue}", asked, wanted, confidence))
    return made


def figure(calibrated, name):
    return next(figure for figure in calibrated.figures if figure.name.startswith(name))


@pytest.fixture
def settings(tmp_path):
    return Settings(data_dir=tmp_path)


def test_weights_that_gain_everywhere_are_fitted(settings):
    calibrated = calibrate(imagined(), settings, fitted=["lexical", "session"])
    assert calibrated.weights == {"lexical": pytest.approx(2 * DEFAULT_WEIGHTS["lexical"])}
    gained = figure(calibrated, "mean recall of the ranking")
    assert (gained.default, gained.fitted) == (pytest.approx(1 / 3), 1.0)
    assert gained.low > 0
    assert (calibrated.folds, calibrated.dialogues, calibrated.questions) == (5, 6, 60)


def test_weights_that_suit_some_conversations_and_harm_others_are_not_written(settings):
    calibrated = calibrate(imagined(suits=lambda dialogue: 2.0 if dialogue % 2 else 0.25), settings, fitted=["lexical"])
    assert calibrated.weights == {}
    assert figure(calibrated, "mean recall of the ranking").low <= 0
    assert any("may be luck" in note for note in calibrated.notes)


def test_a_ranking_that_was_tried_is_not_made_again(settings):
    questions = imagined()
    calibrate(questions, settings, fitted=["lexical"])
    tried = [weights for weights in questions[1].asked if weights]
    # Once for each weight that was tried, and once more where the rules judge the ranking that was chosen.
    assert len(tried) == len(set(tried)) + 1


def test_the_threshold_is_measured_on_conversations_that_its_fit_did_not_see(settings):
    questions = imagined(suits=1.0)
    for one in questions:
        if one.dialogue == "d0":
            one.sure -= 0.4
    calibrated = calibrate(questions, settings, fitted=["lexical"])
    # d0 and d5 are held out together: the threshold of the others refuses all of d0, and of d5 what has no answer.
    # Each other fit sees d0, whose answerable questions would be too many to refuse: it refuses nothing elsewhere.
    assert figure(calibrated, "refused of the answerable").fitted == pytest.approx(8 / 48)
    assert figure(calibrated, "refused of the unanswerable").fitted == pytest.approx(4 / 12)


def test_a_clear_confidence_gives_a_threshold_between_the_kinds(settings):
    calibrated = calibrate(imagined(suits=1.0), settings, fitted=["lexical"])
    assert 0.35 < calibrated.threshold <= 0.65
    assert figure(calibrated, "AUC of the confidence").default == 1.0


def test_what_the_rules_refuse_is_counted_with_what_the_threshold_refuses(settings):
    questions = imagined(suits=1.0)
    for one in questions:
        one.refused = not one.question.answerable and one.dialogue != "d1"
    calibrated = calibrate(questions, settings, fitted=["lexical"])
    refused = figure(calibrated, "refused of the unanswerable")
    assert (refused.default, refused.fitted) == (pytest.approx(10 / 12), pytest.approx(10 / 12))
    # The fits that saw d1 have a threshold, which refuses what is left.
    assert calibrated.threshold is not None
    for one in questions:
        one.refused = True
    assert any("more than the rules" in note for note in calibrate(questions, settings, fitted=["lexical"]).notes)


def test_without_unanswerable_questions_no_threshold_is_fitted(settings):
    questions = [one for one in imagined(suits=1.0) if one.question.answerable]
    calibrated = calibrate(questions, settings, fitted=["lexical"])
    assert calibrated.threshold is None
    assert "threshold" not in calibrated.settings()
    assert any(note.startswith("no threshold") for note in calibrated.notes)


def test_the_fewest_results_that_hold_the_evidence_are_kept(settings):
    # Gold stands at place 7 everywhere, and no weight can be fitted that would change it for the better.
    calibrated = calibrate(imagined(suits=1.5), settings, fitted=["session"])
    assert calibrated.limit == 8
    assert figure(calibrated, "results kept").fitted == 8.0
    assert figure(calibrated, "evidence among those kept").fitted == 1.0


def test_one_conversation_is_too_few(settings):
    with pytest.raises(BadInput, match="calibrate on two or more"):
        calibrate(imagined(dialogues=1), settings)
    with pytest.raises(BadInput, match="no weight 'loudness' to fit"):
        calibrate(imagined(), settings, fitted=["loudness"])


def test_the_file_is_read_by_the_settings(settings, tmp_path):
    calibrated = calibrate(imagined(), settings, fitted=["lexical"])
    path = tmp_path / "fitted.toml"
    write_settings(calibrated, path, origin="a test")
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    assert found == calibrated.settings() == calibrated_document(calibrated)["settings"]
    assert Settings(data_dir=tmp_path, **found).weights == calibrated.weights
    with pytest.raises(BadFile, match="exists already"):
        write_settings(calibrated, path, origin="a test")
    with pytest.raises(BadFile, match="There is no folder"):
        write_settings(calibrated, tmp_path / "nowhere" / "fitted.toml", origin="a test")


def told(name, asked_after):
    texts = ("The ferry leaves from pier nine.", "My umbrella is green.", "The choir meets on Thursdays.", "Goodbye!")
    said = [
        Utterance(f"{name}/session_1", f"{name}:{place}", "user", text, BEGUN + timedelta(minutes=place), "UTC")
        for place, text in enumerate(texts)
    ]
    asked = [
        Question(f"{name}-ferry", "Where does the ferry leave from?", BEGUN + asked_after, "fact", gold=(f"{name}:0",)),
        Question(
            f"{name}-early", "Which colour is my umbrella?", BEGUN + timedelta(minutes=1), "fact", gold=(f"{name}:1",)
        ),
    ]
    return Dialogue(name, said, asked)


def test_a_rehearsal_ranks_and_judges_what_a_recall_finds(tmp_path):
    settings = Settings(data_dir=tmp_path / "none", embeddings="hashing:256")
    dataset = Dataset("jsonl", [told("a", timedelta(hours=1)), told("b", timedelta(days=2))])
    with rehearsal(dataset, settings, tmp_path / "cache") as rehearsed:
        # What was asked in the middle of a dialogue is left out.
        assert [one.question.id for one in rehearsed] == ["a-ferry", "b-ferry"]
        for one in rehearsed:
            assert one.ranking(DEFAULT_WEIGHTS)[0] == one.question.gold[0]
            assert one.results(one.judged(DEFAULT_WEIGHTS)) == one.results(one.gathered.judged)
            assert one.results(one.gathered.judged)[0] == one.question.gold[0]


def test_a_limit_takes_questions_from_everywhere_among_them():
    asked = [Question(f"q{place}", "?", BEGUN + timedelta(days=1), "fact") for place in range(10)]
    dialogue = Dialogue("d", told("d", timedelta(hours=1)).utterances, asked)
    assert [question.id for question in asked_afterwards(dialogue, 4)] == ["q0", "q2", "q5", "q7"]
    assert len(asked_afterwards(dialogue, 20)) == len(asked_afterwards(dialogue)) == 10
