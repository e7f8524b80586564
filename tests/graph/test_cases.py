"""Faults that users of other memory systems report, tried on the whole graph, without a model, in both languages."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from veridical.graph import VeridicalGraph, recall
from veridical.memory.records import Item
from veridical.memory.storage.items import list_items
from veridical.nodes.contract import Context, Resources

Say = Callable[..., str]
ABSTAINS = ("can't confirm", "无法确认")


def items(resources: Resources, user: str = "ann", **conditions: Any) -> list[Item]:
    with resources.memory.database.read() as connection:
        return list_items(connection, user, **conditions)


def values(resources: Resources, user: str = "ann") -> set[tuple[str, str]]:
    return {(item.value, item.polarity) for item in items(resources, user) if item.kind != "question"}


def abstains(answer: str) -> bool:
    return any(words in answer for words in ABSTAINS)


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


@pytest.mark.requirement("C32", "P6")
def test_users_whose_ids_resemble_each_other_are_never_mixed(say: Say):
    users = ["a", "ab", "a_b", "a-b", "%", "a@b.example", "a.b", "用户"]
    for number, user in enumerate(users):
        say(f"My locker code is {number}{number}{number}.", user=user, session=f"of {user}")
    for number, user in enumerate(users):
        answer = say("What is my locker code?", user=user, session=f"of {user}")
        assert f"{number}{number}{number}" in answer
        assert "[t1]" in answer


@pytest.mark.requirement("C36")
def test_concurrent_terminals_lose_nothing_and_see_no_error(graph: VeridicalGraph, resources: Resources):
    faults: list[BaseException] = []

    def talk(terminal: int) -> None:
        try:
            for number in range(6):
                text = f"Terminal {terminal} notes code {terminal}{number}." if number % 2 else "What is the code?"
                graph.invoke({"messages": [("user", text)]}, context=Context(user_id="ann", session_id=f"s{terminal}"))
        except BaseException as fault:  # noqa: BLE001 - whatever it is, the test must show it
            faults.append(fault)

    threads = [threading.Thread(target=talk, args=(terminal,)) for terminal in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert sum(len(resources.memory.opening("ann", f"s{terminal}", 100)) for terminal in range(8)) == 8 * 6 * 2


@pytest.mark.requirement("C39")
@pytest.mark.parametrize(
    ("errands", "done", "asked", "second"),
    [
        (
            "Please call the client at 3 pm, send the minutes to 张工, and look up trains Beijing–Shanghai next week.",
            "I've done the first one.",
            "and the second?",
            "send the minutes to 张工",
        ),
        (
            "I need to buy milk, return the drill to Omar, and water the plants.",
            "The milk is bought.",
            "What was the second thing?",
            "return the drill to Omar",
        ),
        (
            "下午三点给客户打电话，把会议纪要发给张工，查一下下周北京到上海的火车。",
            "第一件办完了。",
            "好的，那第二条呢",
            "把会议纪要发给张工",
        ),
        ("我要去银行取钱，给妈妈寄快递，还要修自行车。", "钱取好了。", "第二件事是什么？", "给妈妈寄快递"),
    ],
)
def test_the_second_of_several_errands_is_quoted(say: Say, errands: str, done: str, asked: str, second: str):
    say(errands)
    say(done)
    assert second in say(asked)


@pytest.mark.requirement("C41")
@pytest.mark.parametrize(
    ("said", "asked", "found"),
    [
        ("费用定为5万。", "预算是多少？", "5万"),
        ("The cost was fixed at 50,000 euros.", "What's the budget?", "50,000"),
        ("Plan A costs 5,000 and plan B costs 8,000.", "How much is the pricier one?", "8,000"),
        ("方案A报价3万，方案B报价5万。", "更贵的那个是多少钱？", "5万"),
        ("My physician is Dr. Osei.", "Who is my doctor?", "Osei"),
        ("我老婆叫小芳。", "我妻子叫什么名字？", "小芳"),
    ],
)
def test_a_question_in_other_words_finds_what_was_said(say: Say, said: str, asked: str, found: str):
    say(said)
    assert found in say(asked)


@pytest.mark.requirement("C41")
@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("The kick-off of Apollo is on Monday.", "Yesterday we settled the budget, how much was it?"),
        ("阿波罗周一启动。", "昨天我们定了预算，是多少来着？"),
        ("The final budget of Apollo is 48,500 dollars.", "Who is its project manager?"),
        ("阿波罗的最终预算是48500美元。", "它的项目经理是谁？"),
        ("My sister lives in Oslo.", "Where does my brother live?"),
        ("我姐姐住在南京。", "我哥哥住在哪里？"),
        ("I bought a kayak in May.", "How much did the kayak cost?"),
    ],
)
def test_what_was_never_stated_stays_unknown(say: Say, said: str, asked: str):
    say(said)
    assert abstains(say(asked))


@pytest.mark.requirement("C42")
@pytest.mark.parametrize(
    ("company", "fruit", "about_company", "about_fruit", "price", "dish"),
    [
        (
            "苹果公司的股价昨天涨到230美元。",
            "苹果派的食谱要用三个苹果和肉桂。",
            "苹果公司的股价是多少？",
            "苹果派的食谱用什么？",
            "230",
            "肉桂",
        ),
        (
            "Apple's share price rose to 230 dollars.",
            "My apple pie recipe needs three apples and cinnamon.",
            "What is Apple's share price?",
            "What does my apple pie recipe need?",
            "230",
            "cinnamon",
        ),
    ],
)
def test_a_company_is_no_evidence_about_the_fruit(
    say: Say, company: str, fruit: str, about_company: str, about_fruit: str, price: str, dish: str
):
    say(company, user="trader", session="1")
    assert abstains(say(about_fruit, user="trader", session="1"))
    say(fruit, user="cook", session="2")
    assert abstains(say(about_company, user="cook", session="2"))
    assert price in say(about_company, user="trader", session="1")
    assert dish in say(about_fruit, user="cook", session="2")


@pytest.mark.requirement("C43")
@pytest.mark.parametrize(
    ("told", "asked"),
    [
        (
            (
                "First we tried the vendor portal, but it was too slow.",
                "Then we tried the manual export, but it lost rows.",
                "So in the end we decided to build our own importer.",
            ),
            "Why did we decide to build our own importer?",
        ),
        (
            ("一开始我们用供应商的门户，但是太慢了。", "后来改用手工导出，又丢数据。", "所以最后决定自己写导入程序。"),
            "为什么决定自己写导入程序？",
        ),
    ],
)
def test_asked_for_reasons_the_order_told_is_the_order_that_happened(say: Say, told: tuple[str, ...], asked: str):
    for text in told:
        say(text)
    answer = say(asked)
    places = [answer.find(text.rstrip(".。")) for text in told]
    assert -1 not in places
    assert places == sorted(places)


@pytest.mark.requirement("C44", "P3")
@pytest.mark.parametrize(
    "said", ["Nice weather today!", "It's so hot outside.", "今天天气真好", "哈哈，真有意思", "Good morning!"]
)
def test_small_talk_is_kept_as_a_turn_and_yields_no_item(say: Say, resources: Resources, said: str):
    say(said)
    assert resources.memory.opening("ann", "s1", 1)[0].text == said
    assert items(resources, live_only=False) == []
