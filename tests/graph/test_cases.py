"""Faults that users of other memory systems report: what is remembered, without a model, in both languages."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.graph.talk import abstains, items, values
from veridical.graph import VeridicalGraph, recall
from veridical.nodes.contract import Context, Resources

Say = Callable[..., str]


@pytest.mark.requirement("C2", "P2")
@pytest.mark.parametrize("nickname", ["Captain Sparkle", "小太阳"])
def test_a_nickname_that_only_the_assistant_uses_never_becomes_a_fact(
    graph: VeridicalGraph, resources: Resources, nickname: str
):
    history: list[Any] = []
    for number in range(10):
        history.append(("user", f"Tell me about day {number}."))
        graph.invoke({"messages": history}, context=Context(user_id="ann", session_id="s"))
        history.append(("assistant", f"Of course, {nickname}! Your nickname is {nickname}."))
    answer = graph.invoke(
        {"messages": [*history, ("user", "What is my nickname?")]}, context=Context(user_id="ann", session_id="s")
    )["messages"][-1].text
    assert nickname not in answer
    assert not [item for item in items(resources, live_only=False) if nickname in item.quote]


@pytest.mark.requirement("C3", "P2")
@pytest.mark.parametrize(
    ("asked", "advice", "later"),
    [
        ("Which phone should I buy?", "Buy the Pixel 9.", "What phone do I own?"),
        ("Can you recommend a laptop?", "I recommend the XPS 13.", "Which laptop do I have?"),
        ("我该买哪款手机？", "买小米14吧。", "我用的是什么手机？"),
    ],
)
def test_what_the_assistant_recommended_is_not_what_the_user_owns(
    graph: VeridicalGraph, resources: Resources, asked: str, advice: str, later: str
):
    from veridical.memory.records import NewTurn

    context = Context(user_id="ann", session_id="s")
    graph.invoke({"messages": [("user", asked)]}, context=context)
    now = resources.clock()
    resources.memory.record(
        NewTurn("ann", "s", "advice", "assistant", "ai_generated", "assistant", advice, "en", now, "UTC", "statement"),
        now=now,
    )
    answer = graph.invoke({"messages": [("user", later)]}, context=context)["messages"][-1].text
    assert abstains(answer)
    assert {item.kind for item in items(resources, live_only=False)} <= {"question"}


@pytest.mark.requirement("C4")
@pytest.mark.parametrize(
    ("said", "asked", "right", "wrong"),
    [
        ("Maybe it's the DB that makes it slow... no, it was my parser.", "What made it slow?", "parser", "DB"),
        ("可能是网络的问题……不对，是我的代码写错了。", "问题的原因是什么？", "代码", "网络"),
    ],
)
def test_of_a_guess_and_its_correction_only_the_correction_is_live(
    say: Say, resources: Resources, said: str, asked: str, right: str, wrong: str
):
    say(said)
    assert not [value for value, _ in values(resources) if wrong in value]
    assert right in say(asked)


@pytest.mark.requirement("C6", "C22")
@pytest.mark.parametrize(
    ("said", "mine", "his", "me", "him"),
    [
        (
            "My name is Wang Muchen, my son is Wang Mingze.",
            "What's my name?",
            "What is my son's name?",
            "Muchen",
            "Mingze",
        ),
        (
            "I'm Elena Petrova and my daughter is called Sofia.",
            "What is my name?",
            "What's my daughter called?",
            "Elena",
            "Sofia",
        ),
        ("我叫王慕辰，我儿子叫王明泽。", "我叫什么？", "我儿子叫什么名字？", "王慕辰", "王明泽"),
        ("我名叫張偉，我太太叫李娜。", "我的名字是什么？", "我太太叫什么？", "張偉", "李娜"),
    ],
)
def test_two_names_in_one_sentence_go_to_the_right_person(say: Say, said: str, mine: str, his: str, me: str, him: str):
    say(said)
    assert me in say(mine)
    assert him in say(his)


@pytest.mark.requirement("C7")
def test_context_that_a_host_injects_is_not_attributed_to_the_user(say: Say, resources: Resources):
    say("[context] time zone: Asia/Tokyo; platform: iOS 19; locale: ja\nMy favourite tea is sencha.")
    assert "sencha" in say("What is my favourite tea?")
    assert not [value for value, _ in values(resources) if "Tokyo" in value or "iOS" in value]


@pytest.mark.requirement("C8")
@pytest.mark.parametrize(
    ("said", "offer", "asked"),
    [
        ("I may travel to Osaka next week.", "I'll book next week's flight to Osaka.", "Did I book a flight to Osaka?"),
        ("我下周可能去大阪出差。", "我来订下周去大阪的机票。", "我订了去大阪的机票吗？"),
    ],
)
def test_an_intention_and_an_offer_make_no_booking(
    graph: VeridicalGraph, resources: Resources, said: str, offer: str, asked: str
):
    history = [("user", said), ("assistant", offer), ("user", asked)]
    graph.invoke({"messages": history[:1]}, context=Context(user_id="ann", session_id="s"))
    answer = graph.invoke({"messages": history}, context=Context(user_id="ann", session_id="s"))["messages"][-1].text
    assert offer not in answer
    assert all(item.modality != "asserted" for item in items(resources) if item.kind in {"fact", "event", "decision"})
    assert not items(resources, kind="agreement")


@pytest.mark.requirement("C9", "C15")
@pytest.mark.parametrize(
    ("said", "asked", "wanted", "refused"),
    [
        ("客户拒绝了5000元的套餐，但对8000元的套餐表示感兴趣。", "客户拒绝了哪个套餐？", "8000", "5000"),
        (
            "The client rejected the 5,000 dollar package but was interested in the 8,000 dollar package.",
            "Which package did the client reject?",
            "8,000",
            "5,000",
        ),
    ],
)
def test_a_refusal_and_an_interest_in_one_sentence_both_survive(
    say: Say, resources: Resources, said: str, asked: str, wanted: str, refused: str
):
    say(said)
    polarity = {wanted: set(), refused: set()}
    for item in items(resources):
        for amount, found in polarity.items():
            if amount in item.value:
                found.add(item.polarity)
    assert polarity == {wanted: {"positive"}, refused: {"negative"}}
    assert refused in say(asked)


@pytest.mark.requirement("C10")
@pytest.mark.parametrize(
    "said",
    [
        "How is Redis? How is Kafka? How is RabbitMQ?",
        "What does the Basic plan cost? What does the Pro plan cost? And what about the Max plan?",
        "A方案怎么样？B方案怎么样？C方案怎么样？",
    ],
)
def test_asking_about_options_makes_questions_and_no_preference(say: Say, resources: Resources, said: str):
    say(said)
    found = items(resources, live_only=False)
    assert {item.kind for item in found} == {"question"}
    assert len(found) == 3


@pytest.mark.requirement("C11")
@pytest.mark.parametrize(
    ("first", "then", "asked", "before", "old", "new"),
    [
        (
            "I work at Acme.",
            "I work at Globex now.",
            "Where do I work?",
            "Where did I work before that?",
            "Acme",
            "Globex",
        ),
        ("I live in Lyon.", "I moved to Porto.", "Where do I live?", "And before that?", "Lyon", "Porto"),
        ("我在腾讯上班。", "我跳槽到字节跳动了。", "我在哪里上班？", "在那之前呢？", "腾讯", "字节跳动"),
        ("我住在成都。", "我搬到杭州了。", "我住在哪里？", "之前住在哪里？", "成都", "杭州"),
    ],
)
def test_now_before_and_as_of_are_told_apart(
    say: Say, clock: Any, first: str, then: str, asked: str, before: str, old: str, new: str
):
    say(first)
    between = clock.now
    clock.advance(days=30)
    say(then)
    clock.advance(days=30)
    current = say(asked)
    assert new in current
    assert old not in current
    assert old in say(before)
    past = say(asked, as_of=between, record=False)
    assert old in past
    assert new not in past


@pytest.mark.requirement("C11")
@pytest.mark.parametrize(
    ("told", "asked", "before"),
    [
        (("I live in Lyon.", "I moved to Porto.", "I moved to Turin."), "Where did I live before Porto?", "Lyon"),
        (("我住在成都。", "我搬到杭州了。", "我搬到苏州了。"), "搬到杭州之前我住哪？", "成都"),
    ],
)
def test_what_was_before_a_value_that_is_named_is_told(say: Say, told: tuple[str, ...], asked: str, before: str):
    for text in told:
        say(text)
    answer = say(asked)
    assert before in answer
    assert not any(text in answer for text in told[1:])


@pytest.mark.requirement("C12")
def test_fifty_unrelated_facts_invalidate_nothing(say: Say, resources: Resources):
    for number in range(25):
        say(f"The code of room {number} is {number + 100}.")
        say(f"第{number + 1}号柜子的密码是{number + 7000}。")
    assert not [item for item in items(resources, live_only=False, limit=500) if not item.live]


@pytest.mark.requirement("C13")
@pytest.mark.parametrize(
    ("say_it", "asked"),
    [
        ("The budget of Apollo is now {} dollars.", "What is the budget of Apollo?"),
        ("阿波罗的预算现在是{}元。", "阿波罗的预算是多少？"),
    ],
)
def test_among_ten_versions_the_live_one_is_found(say: Say, resources: Resources, clock: Any, say_it: str, asked: str):
    for number in range(1, 11):
        say(say_it.format(number * 1000 + 7))
        clock.advance(days=1)
    found = recall(resources, asked, Context(user_id="ann", limit=3))["results"]
    assert any("10007" in result["text"] for result in found)
    answer = say(asked)
    assert "10007" in answer
    assert "9007" not in answer


@pytest.mark.requirement("C14")
@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I love jazz.", "I hate jazz."),
        ("I like mornings.", "I don't like mornings anymore."),
        ("我喜欢爵士乐。", "我讨厌爵士乐。"),
        ("我爱吃香菜。", "我不爱吃香菜了。"),
    ],
)
def test_a_reversed_preference_leaves_one_live_row(say: Say, resources: Resources, first: str, then: str):
    say(first)
    say(then)
    live = [item for item in items(resources) if item.kind == "fact"]
    assert [item.polarity for item in live] == ["negative"]


@pytest.mark.requirement("C15")
@pytest.mark.parametrize(
    ("said", "polarity"),
    [
        ("I like coffee.", "positive"),
        ("I don't like coffee.", "negative"),
        ("I don't dislike coffee.", "positive"),
        ("I never eat meat.", "negative"),
        ("I can't stand loud music.", "negative"),
        ("It's not that I don't like opera.", "positive"),
        ("我喜欢咖啡。", "positive"),
        ("我不喜欢咖啡。", "negative"),
        ("我不是不喜欢咖啡。", "positive"),
        ("我从不吃肉。", "negative"),
        ("我不太喜欢吵闹的音乐。", "negative"),
        ("我没有不喜欢他。", "positive"),
    ],
)
def test_polarity_is_right(say: Say, resources: Resources, said: str, polarity: str):
    say(said)
    assert [item.polarity for item in items(resources) if item.kind == "fact"] == [polarity]


@pytest.mark.requirement("C17")
@pytest.mark.parametrize(
    ("first", "then", "asked", "old", "new"),
    [
        ("数据库用 PostgreSQL。", "改用 MySQL 了。", "数据库用的是什么？", "PostgreSQL", "MySQL"),
        (
            "We use PostgreSQL as the database.",
            "We switched to MySQL.",
            "Which database do we use?",
            "PostgreSQL",
            "MySQL",
        ),
    ],
)
def test_a_replaced_choice_is_a_recorded_conflict_and_the_new_one_is_live(
    say: Say, resources: Resources, first: str, then: str, asked: str, old: str, new: str
):
    say(first)
    say(then)
    conflicts = resources.memory.state("ann").conflicts
    assert len(conflicts) == 1
    answer = say(asked)
    assert new in answer
    assert old not in answer


@pytest.mark.requirement("C19")
@pytest.mark.parametrize(
    ("said", "asked"),
    [("上周去了北京。", "我什么时候去的北京？"), ("Last week I went to Beijing.", "When did I go to Beijing?")],
)
def test_relative_time_is_meant_from_when_it_was_said(
    say: Say, resources: Resources, clock: Any, said: str, asked: str
):
    clock.now = datetime(2024, 5, 15, 12, tzinfo=UTC)
    say(said)
    clock.now = datetime(2026, 5, 15, 12, tzinfo=UTC)
    assert "2024-05-15" in say(asked)
    (event,) = [item for item in items(resources) if item.kind != "question"]
    assert (event.valid_from.year, event.valid_from.month) == (2024, 5)
    assert 6 <= event.valid_from.day <= 12


@pytest.mark.requirement("C21")
@pytest.mark.parametrize("asked", ["What did I note yesterday?", "我昨天记了什么？"])
def test_yesterday_is_a_day_of_the_users_time_zone(say: Say, clock: Any, asked: str):
    for day, hour, minute, code in (
        (9, 23, 59, "A1"),
        (10, 0, 0, "B2"),
        (10, 12, 0, "C3"),
        (10, 23, 59, "D4"),
        (11, 0, 1, "E5"),
    ):
        # Shanghai is eight hours ahead of the clock.
        clock.now = datetime(2026, 6, day, hour, minute, tzinfo=UTC).astimezone(UTC).replace(tzinfo=UTC)
        clock.advance(hours=-8)
        say(f"The locker code is {code}." if "What" in asked else f"柜子的编号是{code}。", time_zone="Asia/Shanghai")
    clock.now = datetime(2026, 6, 11, 4, tzinfo=UTC)
    answer = say(asked, time_zone="Asia/Shanghai")
    assert [code for code in ("A1", "B2", "C3", "D4", "E5") if code in answer] == ["B2", "C3", "D4"]
