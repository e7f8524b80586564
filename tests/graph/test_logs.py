"""The log of a turn: lines with ids, times and failures, and no word of what was said."""

import io
import json
import logging
from collections.abc import Iterator
from dataclasses import replace

import pytest

from veridical.graph import Context, Resources, build_graph
from veridical.graph.logs import JsonLines, write_logs
from veridical.memory.models.client import Model
from veridical.memory.models.roles import Models

from ..fakes import ScriptedModel, StatusError

pytestmark = pytest.mark.requirement("LOGS-WITHOUT-TEXT")

SAID = ("The budget of Apollo is 48,500 dollars.", "阿波罗的负责人是王慕辰。")
ASKED = "What is the budget of Apollo?"
TEXTS = ("Apollo", "48,500", "budget", "王慕辰", "阿波罗", "ann@example.org", "secret prompt text", "99,999")


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What the process logs from debug on; afterwards the loggers are as before."""
    loggers = [logging.getLogger(name) for name in ("veridical", "uvicorn.error")]
    before = [(logger.level, list(logger.handlers)) for logger in loggers]
    stream = io.StringIO()
    write_logs("debug", stream)
    yield stream
    for logger, (level, handlers) in zip(loggers, before, strict=True):
        logger.setLevel(level)
        logger.handlers = handlers


def lines(log: io.StringIO) -> list[dict]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


def say(resources: Resources, *texts: str) -> None:
    graph = build_graph(resources)
    for text in texts:
        context = Context(user_id="ann@example.org", session_id="s1")
        graph.invoke({"messages": [("user", text)]}, context=context)


def test_each_step_is_a_line_with_whose_it_is_and_how_long_it_took(resources, log):
    say(resources, *SAID, ASKED)
    steps = [line for line in lines(log) if line["event"] == "step" and line.get("turn") == "t5"]
    assert [line["node"] for line in steps if line["node"] != "retrieve"] == [
        "perceive",
        "route",
        "rewrite",
        "calibrate",
        "compress",
        "answer",
    ]
    assert {(line["level"], line["session"], len(line["user"])) for line in steps} == {("debug", "s1", 16)}
    assert all(line["ms"] >= 0 for line in steps)
    (calibrated,) = [line for line in steps if line["node"] == "calibrate"]
    assert calibrated["kept"]


def test_each_turn_is_one_line_that_names_answer_evidence_and_prompts(resources, log):
    say(resources, *SAID, ASKED)
    answered = [line for line in lines(log) if line["event"] == "answered"]
    assert [(line["turn"], line["answer"], line["level"]) for line in answered] == [
        ("t1", "a1", "info"),
        ("t3", "a2", "info"),
        ("t5", "a3", "info"),
    ]
    assert answered[-1]["citations"] == ["t1"]
    assert answered[-1]["prompts"][0].startswith("floor_reply/v")


def test_a_call_that_failed_is_a_warning_that_names_the_step(resources, log):
    model = Model(ScriptedModel(script=[StatusError(401), StatusError(401)]), "scripted", wait=lambda _: None)
    say(replace(resources, models=Models(model, model, None)), ASKED)
    (answered,) = [line for line in lines(log) if line["event"] == "answered"]
    assert (answered["level"], answered["model_calls"][0]) == ("warning", "rewrite:rejected")


def test_no_word_of_a_turn_a_draft_or_an_error_is_logged(resources, log, caplog):
    caplog.set_level(logging.DEBUG, "veridical")
    draft = "The budget of Apollo is 99,999 dollars."
    failing = Model(ScriptedModel(script=[StatusError(401)] * 3), "scripted", wait=lambda _: None)
    drafting = Model(ScriptedModel(script=[draft] * 2), "scripted", wait=lambda _: None)
    say(replace(resources, models=Models(drafting, failing, None)), *SAID, ASKED)
    everything = log.getvalue() + "".join(f"{record.__dict__}" for record in caplog.records)
    assert len(lines(log)) > 15
    assert [text for text in TEXTS if text in everything] == []


def test_an_exception_is_logged_by_its_kind_and_its_place():
    with pytest.raises(ValueError, match="Apollo") as caught:
        raise ValueError(SAID[0])
    error = (caught.type, caught.value, caught.tb)
    record = logging.LogRecord("veridical.x", logging.ERROR, __file__, 1, "a %s\nfault", ("bad",), error)
    line = json.loads(JsonLines().format(record))
    assert (line["event"], line["error"]) == ("a bad fault", "ValueError")
    assert line["where"][0].startswith(__file__)
    assert "Apollo" not in json.dumps(line)


def test_a_level_is_changed_and_not_added(log):
    write_logs("warning", log)
    logging.getLogger("veridical.somewhere").info("not told")
    logging.getLogger("veridical.somewhere").warning("told once")
    assert [line["event"] for line in lines(log)] == ["told once"]
