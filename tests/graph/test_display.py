"""What a notebook shows of states, evidence and traces, and the state that nodes are tried on."""

import re
from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest
from langgraph.runtime import Runtime

from veridical.graph import Context, sample_state, show
from veridical.memory.errors import BadInput
from veridical.memory.records import Evidence, Span
from veridical.nodes.answer import answer

pytestmark = pytest.mark.requirement("NOTEBOOK-DISPLAY")


class Reading(HTMLParser):
    """The elements and the text of a piece of HTML; every element that needs it is closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        assert {name for name, _ in attrs} <= {"style"}
        if tag != "br":
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += f"{data} "


def read(value, memory=None) -> Reading:
    return Reading(show(value, memory)._repr_html_())


@pytest.mark.parametrize(("language", "value"), [("en", "48,500 dollars"), ("zh", "48,500元")])
def test_a_sample_state_is_what_a_node_finds_and_shows_its_quotations(resources, language, value):
    state = sample_state(resources, language=language)
    shown = read(state, resources.memory)
    for name in ("question", "queries", "filter", "kept", "evidence", "quotation", "turn"):
        assert re.search(rf"\b{name}\b", shown.text), name
    assert value in shown.text.partition("quotation")[2]
    context = Context(user_id="sample", session_id=state["turn"].session_id)
    assert value in answer(state, Runtime(context=context), resources=resources)["answer"].text


def test_a_node_that_a_turn_does_not_come_by_is_named_with_those_that_it_does(resources):
    for name in ("summarize", "nothing"):
        with pytest.raises(BadInput, match=rf"{name}.*perceive, route, rewrite"):
            sample_state(resources, before=name)


def test_a_trace_and_the_memory_state_are_tables(graph, resources, say):
    say("The budget of Apollo is 48,500 dollars.")
    say("What is the budget of Apollo?")
    trace = read(resources.memory.answer("ann"))
    assert {"table", "tr", "td", "th"} <= trace.elements
    assert trace.text.count("48,500 dollars") >= 3
    assert "current_facts" in read(resources.memory.state("ann")).text


def test_whatever_a_text_contains_is_shown_as_text():
    hostile = '<script>alert("x")</script>\u202e<img src=x onerror=alert(1)>\nnext'
    value = {
        hostile: [hostile, {"a": hostile}],
        "list": [{hostile: hostile}],
        "evidence": [Evidence(1, Span(0, 2), 0.5)],
    }
    shown = read(value)
    assert shown.elements <= {"table", "tr", "td", "th", "bdi", "br"}
    assert shown.text.count('alert("x")') == 5


def test_long_lists_are_cut_and_plain_values_are_short():
    assert "… 70 more" in read(list(range(100))).text
    moment = datetime(2026, 3, 2, 9, tzinfo=UTC)
    shown = read({"at": moment, "score": 0.123456, "ms": 2512.7, "nothing": None, "none": []})
    assert shown.text.split() == ["at", "2026-03-02", "09:00:00+00:00", "score", "0.123", "ms", "2,513"]
    assert repr(show(1)) == "1"
