"""What begins an errand and what does not: talk about anything else, the assistant's plans, and a user's own domains."""

from dataclasses import replace
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from tests.graph.errands import GYM, Tell, errands, todos, trace
from veridical.graph import Context, Resources, VeridicalGraph, build_graph
from veridical.intents.loading import load_domains


@pytest.mark.requirement("INTENT-NO-WISH")
@pytest.mark.parametrize(
    "lines",
    [
        ("Rita's birthday is May 9.", "When is Rita's birthday?"),
        ("复试在下周二下午。", "复试是什么时候？"),
        ("I work at Globex now.", "Where do I work?"),
        ("上周我去了北京。", "我什么时候去的北京？"),
        ("Nice weather today!",),
        ("今天天气真好",),
    ],
)
def test_a_question_for_the_memory_and_small_talk_begin_no_errand(
    tell: Tell, resources: Resources, lines: tuple[str, ...]
):
    tell(*lines)
    assert errands(resources) == {}
    assert trace(resources)["intents"] is None


@pytest.mark.requirement("C8")
@pytest.mark.parametrize(
    ("said", "offered"),
    [("I may travel next week.", "I'll book next week's flight."), ("我下周可能去出差。", "那我就订下周的机票。")],
)
def test_what_only_the_assistant_plans_is_no_errand_of_the_users(
    graph: VeridicalGraph, resources: Resources, said: str, offered: str
):
    history = [HumanMessage(said), AIMessage(offered), HumanMessage("OK bye" if said.isascii() else "好的再见")]
    graph.invoke({"messages": history}, context=Context(user_id="ann", session_id="s"))
    assert errands(resources) == {}
    assert todos(resources) == []


@pytest.mark.requirement("INTENT-OWN-DOMAINS")
def test_a_users_own_domain_is_followed(resources: Resources, tmp_path: Path):
    (tmp_path / "gym.yaml").write_text(GYM, encoding="utf-8")
    own = replace(resources, domains=load_domains(tmp_path))
    context = Context(user_id="ann", session_id="s")
    answer = build_graph(own).invoke({"messages": [("user", "Please freeze membership A-77.")]}, context=context)[
        "answer"
    ]
    assert errands(resources)["membership:a-77"].state == "frozen"
    assert "Freeze membership #A-77" in answer.text


@pytest.mark.requirement("INTENT-NO-WISH")
@pytest.mark.parametrize(
    "line",
    [
        "I cancelled my gym last year.",
        "Add some salt to the soup.",
        "We moved in order to change our life.",
        "往汤里加点盐。",
        "我去年取消了健身卡。",
    ],
)
def test_words_of_change_alone_begin_no_errand(tell: Tell, resources: Resources, line: str):
    tell(line)
    assert errands(resources) == {}
