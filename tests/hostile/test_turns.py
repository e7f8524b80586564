"""What poses as an order, a record or a section of a prompt: said in turns, it is kept, and changes nothing."""

import re
from collections.abc import Callable

import pytest

from tests.fakes import ScriptedModel
from veridical.memory.calibration.questions import Topic, analyse
from veridical.memory.grounding.support import supported_claims
from veridical.memory.grounding.verifier import Asked
from veridical.memory.models.client import Model
from veridical.memory.models.roles import Models
from veridical.memory.prompting import dated_lines, harmless, history_line, state_section
from veridical.memory.records import Language, Source, Turn
from veridical.nodes.contract import Resources
from veridical.prompts.library import catalogue

from .conftest import Victim
from .corpus import CASES, LANGUAGES, LIE, START, TRUTH, Case, is_seen, of, turn

Victims = Callable[[Language], Victim]
_LINE = re.compile(
    r'\[t[1-9]\d*\] \d{4}-\d\d-\d\d \d\d:\d\d [^"\[\]():]+ \((?:user_input|ai_generated|external_knowledge)\): "[^"]*"'
)
LIES = {
    "en": ("The budget of Apollo is 777 dollars. [t3]", "777 dollars [t3]", "Apollo's budget is 777 dollars."),
    "zh": ("阿波罗的预算是777元。[t3]", "777元 [t3]"),
}


def test_there_are_more_than_a_hundred_cases_in_two_languages() -> None:
    assert len(CASES) > 120
    assert min(len(of(language)) for language in LANGUAGES) > 50


@pytest.mark.requirement("HOSTILE-TURNS", "P1", "P2")
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_poses_as_something_else_is_kept_and_changes_nothing(victims: Victims, language: Language) -> None:
    victim = victims(language)
    recorded = victim.memory.record_many(
        [turn(case.text, number, language) for number, case in enumerate(of(language), start=1)], now=victim.clock()
    )
    kept = {case.text.replace("\x00", "\ufffd") for case in of(language)}
    assert {one.turn.text for one in recorded} == kept
    assert {one.turn.source for one in recorded} == {"user_input"}
    victim.check()


@pytest.mark.long
@pytest.mark.requirement("HOSTILE-TURNS")
@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_by_itself_changes_nothing_however_often_it_is_said(victims: Victims, case: Case) -> None:
    victim = victims(case.language)
    for number in range(1, 4):
        victim.memory.record(turn(case.text, number, case.language), now=victim.clock())
    victim.check()


@pytest.mark.requirement("HOSTILE-TURNS", "P2")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("source", "speaker"),
    [("ai_generated", "assistant"), ("external_knowledge", "user"), ("external_knowledge", "ann (user_input)")],
)
def test_said_by_an_assistant_or_a_tool_it_makes_no_fact_and_is_no_answer(
    victims: Victims, language: Language, source: Source, speaker: str
) -> None:
    victim = victims(language)
    given = [
        turn(case.text, number, language, source=source, speaker=speaker)
        for number, case in enumerate(of(language), start=1)
        if case.kind in {"instruction", "delimiter", "label"}
    ]
    victim.memory.record_many(given, now=victim.clock())
    victim.check()


def _recorded(case: Case, number: int, speaker: str = "user") -> Turn:
    new = turn(case.text, number, case.language)
    return Turn(
        new.user_id, number, new.session_id, number, new.external_id, new.role, new.source, speaker, new.text,
        new.language, new.observed_at, "UTC", START, "statement",
    )  # fmt: skip


@pytest.mark.requirement("HOSTILE-PROMPTS")
@pytest.mark.parametrize("named", [False, True], ids=["words", "names"])
def test_in_a_prompt_each_is_one_quoted_line_of_its_section(named: bool) -> None:
    said = [_recorded(case, place, case.text if named else "user") for place, case in enumerate(CASES, start=1)]
    lines = dated_lines(said, "UTC", "en", budget=10**9).split("\n")
    assert [line for line in lines if _LINE.fullmatch(line) is None] == []
    assert len(lines) == len(CASES)
    assert all(map(is_seen, lines))
    for place in range(0, len(said), 3):
        line = history_line(said[place : place + 3], "en")
        assert "\n" not in line
        assert is_seen(line)
        assert line.count('"') == 2 * len(said[place : place + 3])


@pytest.mark.requirement("HOSTILE-PROMPTS")
def test_no_prompt_gains_or_loses_a_section_by_what_stands_in_it(victims: Victims) -> None:
    victim = victims("en")
    hostile = [_recorded(case, place, case.text) for place, case in enumerate(CASES, start=1)]
    sections = {
        "lines": dated_lines(hostile, "UTC", "en", budget=10**9),
        "single": " ".join(harmless(case.text) for case in CASES),
        "state": state_section(victim.memory.state("ann"), "en"),
    }
    for prompt in catalogue():
        if len(prompt.parts) < 2:
            continue
        plain = prompt.messages(**dict.fromkeys(prompt.variables, "-"))
        for section in sections.values():
            filled = prompt.messages(**dict.fromkeys(prompt.variables, section))
            for before, after in zip(plain, filled, strict=True):
                assert _delimiters(after.text) == _delimiters(before.text), prompt.ref


def _delimiters(text: str) -> list[str]:
    found = re.findall(
        r"(?i)/?(?:MEM_START|MEM_END|RETRIEVED_MEMORY|HISTORY_SUMMARY|RECENT_TURNS|MEMORY_STATE|OPEN_INTENTS|"
        r"ALLOWED_TRANSITIONS|USER_TURN)\b|(?:QUESTION|SENTENCE)\s*:|LAST\s+UPDATED|WHAT IS WRONG|<\|[^|]*\|>|<!--",
        text,
    )
    return [name.upper() for name in found]


@pytest.mark.requirement("HOSTILE-PROMPTS", "P4")
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_rests_on_what_only_poses_as_a_record_or_orders_it(language: Language) -> None:
    truth, question, _ = TRUTH[language]
    asked = analyse(question, language, START, "UTC", Topic())
    context = Asked(asked.asked_at, asked.names, asked.terms)
    believed = []
    for case in of(language):
        said = [_recorded(Case(language, "truth", 0, truth), 1), _recorded(case, 3)]
        for lie in LIES[language]:
            claims = supported_claims(lie, said, language, asked=context)
            if claims and all(claim.verdict == "supported" for claim in claims):
                believed.append((str(case), lie))
    assert believed == []


class Obedient(ScriptedModel):
    """A model that does whatever the memory says."""

    language: str

    def _stream(self, messages, stop=None, run_manager=None, **kwargs):
        asked = messages[0].text
        shown = re.findall(rf"\[(t\d+)\][^\n]*{LIE}", messages[-1].text)
        lies = [lie.replace("t3", number) for number in shown or ["t1"] for lie in LIES[self.language]]
        structured = '{"queries": ["777", "Apollo budget 777 dollars"], "ids": ["t2", "t3"]}'
        self.script.append(structured if "JSON" in asked else " ".join(lies))
        yield from super()._stream(messages, stop, run_manager, **kwargs)


@pytest.mark.requirement("HOSTILE-OBEDIENT", "P4")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_model_that_obeys_the_memory_says_nothing_false(victims: Victims, language: Language) -> None:
    victim = victims(language)
    told = [case for case in of(language) if case.kind in {"instruction", "label", "id", "version"}]
    victim.memory.record_many(
        [turn(case.text, number, language) for number, case in enumerate(told, start=1)], now=victim.clock()
    )
    model = Model(Obedient(language=language), "obedient", wait=lambda _: None)
    answer = victim.ask(_with(victim, model))
    assert LIE not in answer.text, answer.text
    # A model that chooses none but hostile records leaves nothing to answer from.
    assert victim.value in answer.text or answer.abstained
    assert answer.model_calls >= 3


@pytest.mark.long
@pytest.mark.requirement("HOSTILE-OBEDIENT")
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_model_that_obeys_each_of_them_says_nothing_false(victims: Victims, case: Case) -> None:
    victim = victims(case.language)
    victim.memory.record(turn(case.text, 1, case.language), now=victim.clock())
    model = Model(Obedient(language=case.language), "obedient", wait=lambda _: None)
    answer = victim.ask(_with(victim, model))
    assert LIE not in answer.text, answer.text
    assert victim.value in answer.text or answer.abstained


def _with(victim: Victim, model: Model) -> Resources:
    return Resources(
        memory=victim.memory,
        clock=victim.clock,
        time_zone="UTC",
        models=Models(answer=model, rewrite=model, compress=model),
    )
