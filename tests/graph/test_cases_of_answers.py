"""Faults that users of other memory systems report: what is answered, without a model, in both languages."""

import threading
from collections.abc import Callable

import pytest

from tests.graph.talk import abstains, items
from veridical.graph import VeridicalGraph
from veridical.nodes.contract import Context, Resources

Say = Callable[..., str]


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
