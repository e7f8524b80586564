"""What is a wish and what is none: commands, questions whether it may be, denials, reports, guesses, other people."""

import pytest

from .conftest import Talk

FIRM = [
    ("Please cancel order 5.", "order_cancel"),
    ("I'd like to cancel order 5.", "order_cancel"),
    ("Can you cancel order 5 for me?", "order_cancel"),
    ("Do cancel order 5 for me, would you?", "order_cancel"),
    ("If it hasn't shipped, please cancel order 5.", "order_cancel"),
    ("I want order 5 cancelled.", "order_cancel"),
    ("Ship order 5 by UPS instead.", "shipping_update"),
    ("Change the delivery of order 5 to FedEx.", "shipping_update"),
    ("I want to return order 5.", "order_return"),
    ("请取消订单5。", "order_cancel"),
    ("帮我把订单5取消了。", "order_cancel"),
    ("能帮我取消订单5吗？", "order_cancel"),
    ("如果还没发货，就把订单5取消吧。", "order_cancel"),
    ("订单5不要了。", "order_cancel"),
    ("订单5改用顺丰发。", "shipping_update"),
    ("訂單5改成順豐。", "shipping_update"),
    ("订单5我想退货。", "order_return"),
    ("Where is order 5?", "order_query"),
    ("订单5到哪了？", "order_query"),
]
ASKED = [
    "Can I cancel order 5?",
    "Is it still possible to cancel order 5?",
    "I was wondering if I could cancel order 5.",
    "How can I cancel order 5?",
    "Could order 5 be cancelled?",
    "订单5能取消吗？",
    "订单5还来得及取消吗？",
    "可不可以取消订单5？",
    "没发货的话订单5能不能取消？",
    "订单5怎么取消？",
]
NONE = [
    "Don't cancel order 5.",
    "I'm not asking you to cancel order 5.",
    "No, don't cancel it.",
    "There is no need to cancel order 5.",
    "Did I say that I wanted to cancel order 5?",
    "Was order 5 cancelled?",
    "I had an order 5 that was cancelled.",
    "We cancelled order 5 last week.",
    "I wanted to cancel order 5, but then I kept it.",
    "If I cancel order 5, do I get my money back?",
    "If I had cancelled order 5 I would be rich.",
    "Maybe I'll cancel order 5.",
    "I'm thinking about whether to cancel order 5.",
    "Should I cancel order 5?",
    "My sister wants to cancel her order 5.",
    "He cancelled his order 5.",
    "Bob asked them to cancel his order 5.",
    "Remind me to cancel order 5 tomorrow.",
    "Cancel my gym membership.",
    "Please cancel my flight to Rome.",
    "What is the weather like?",
    "My budget is 500 dollars.",
    "不是要取消订单5。",
    "订单5别取消。",
    "不用取消订单5。",
    "我说过要取消订单5吗？",
    "我上周取消了订单5。",
    "订单5被取消过。",
    "如果我取消订单5，会退款吗？",
    "要是当初取消了订单5就好了。",
    "我在考虑要不要取消订单5。",
    "订单5可能会取消。",
    "我妹妹想取消她的订单5。",
    "他把他的订单5取消了。",
    "明天提醒我取消订单5。",
    "帮我取消健身房的会员。",
    "今天天气怎么样？",
    "我的预算是五百块。",
]


@pytest.mark.requirement("INTENT-STEPS")
@pytest.mark.parametrize(("words", "state"), FIRM)
def test_a_wish_takes_its_step(talk: Talk, words: str, state: str):
    (step,) = talk.say(words)
    assert (step.kind, step.entity, step.to_state, step.tentative) == ("step", "order:5", state, False)
    assert len(talk.todos()) == (state != "order_query")


@pytest.mark.requirement("INTENT-STEPS", "INTENT-TODOS")
@pytest.mark.parametrize("words", ASKED)
def test_a_question_whether_it_may_be_leaves_no_todo(talk: Talk, words: str):
    (step,) = talk.say(words)
    assert (step.entity, step.to_state, step.tentative) == ("order:5", "order_cancel", True)
    assert [it for it in talk.items() if it.entity == "order:5" and it.kind == "todo"] == []


@pytest.mark.requirement("INTENT-NO-WISH")
@pytest.mark.parametrize("words", NONE)
def test_what_is_no_wish_moves_nothing(talk: Talk, words: str):
    assert talk.say(words) == ()
    assert talk.states() == {}


@pytest.mark.requirement("INTENT-NO-WISH")
@pytest.mark.parametrize("words", NONE)
def test_nor_does_it_move_an_order_that_is_being_looked_after(talk: Talk, words: str):
    talk.say("Where is order 5?")
    talk.say(words)
    assert talk.states() == {"order:5": "order_query"}


@pytest.mark.requirement("INTENT-ROLLBACK")
@pytest.mark.parametrize(
    "words",
    [
        "No, don't cancel it after all.",
        "I don't want to cancel it any more.",
        "Cancel the cancellation.",
        "还是别取消了。",
        "不取消了。",
        "取消刚才的取消。",
        "刚才的取消作废。",
    ],
)
def test_a_step_that_is_not_wanted_any_more_is_taken_back(talk: Talk, words: str):
    talk.say("Cancel order 5.")
    talk.say(words)
    assert (talk.states(), talk.todos()) == ({}, [])


@pytest.mark.requirement("INTENT-NO-WISH", "INTENT-STEPS")
@pytest.mark.parametrize(
    ("question", "answer", "firm"),
    [
        ("Shall I cancel order 5?", "Yes, please do.", True),
        ("Shall I cancel order 5?", "No, leave it.", None),
        ("Is there anything else?", "Yes.", False),
        ("Is there anything else?", "No.", False),
        ("要我取消订单5吗？", "好的，麻烦了。", True),
        ("要我取消订单5吗？", "先不用了。", None),
        ("还有别的事吗？", "没有了。", False),
    ],
)
def test_yes_and_no_answer_what_the_assistant_asked_and_nothing_else(
    talk: Talk, question: str, answer: str, firm: bool | None
):
    talk.say("Can I cancel order 5?")
    talk.hear(question)
    talk.say(answer)
    assert talk.states() == ({} if firm is None else {"order:5": "order_cancel"})
    assert len(talk.todos()) == (firm is True)


@pytest.mark.requirement("INTENT-NO-WISH")
@pytest.mark.parametrize("answer", ["Yes.", "Sure, go ahead.", "好的。", "No."])
def test_a_bare_answer_takes_no_step_that_nobody_asked_for(talk: Talk, answer: str):
    talk.say("Where is order 5?")
    talk.hear("Shall I cancel it?")
    talk.say(answer)
    assert talk.states() == {"order:5": "order_query"}


@pytest.mark.requirement("INTENT-ROLLBACK")
@pytest.mark.parametrize(
    ("wish", "question", "answer"),
    [
        ("Cancel order 5.", "Are you sure you want to cancel order 5?", "No."),
        ("取消订单5。", "您确定要取消订单5吗？", "不，别取消。"),
    ],
)
def test_a_no_to_being_asked_once_more_takes_it_back(talk: Talk, wish: str, question: str, answer: str):
    talk.say(wish)
    talk.hear(question)
    talk.say(answer)
    assert (talk.states(), talk.todos()) == ({}, [])


@pytest.mark.requirement("INTENT-ROLLBACK")
@pytest.mark.parametrize("words", ["Restore order 5.", "还原订单5。", "恢复订单5吧。", "Put it back the way it was."])
def test_restoring_needs_no_more_than_the_word(talk: Talk, words: str):
    talk.say("Cancel order 5.")
    talk.say(words)
    assert talk.states() == {}


@pytest.mark.requirement("INTENT-ENTITIES")
@pytest.mark.parametrize(
    ("lines", "cancelled"),
    [
        (("I have two orders, #881 and #882.", "Cancel the first one, please."), {"order:881"}),
        (("I have orders 881 and 882.", "Cancel both of them."), {"order:881", "order:882"}),
        (("Keep order 881 and cancel order 882.",), {"order:882"}),
        (("我有两个订单，881和882。", "第一个帮我取消掉。"), {"order:881"}),
        (("订单881和882都取消吧。",), {"order:881", "order:882"}),
        (("订单881留着，订单882取消。",), {"order:882"}),
    ],
)
def test_several_are_told_apart_by_list_place_and_exception(talk: Talk, lines: tuple[str, ...], cancelled: set[str]):
    for line in lines:
        talk.say(line)
    assert talk.states() == dict.fromkeys(cancelled, "order_cancel")


@pytest.mark.requirement("INTENT-STEPS")
@pytest.mark.parametrize(
    ("first", "then"),
    [("Ship order 5 by DHL.", "No, wait. FedEx."), ("订单5发京东。", "不对，还是顺丰。")],
)
def test_another_value_in_a_few_words_corrects_the_last(talk: Talk, first: str, then: str):
    talk.say(first)
    talk.say(then)
    assert talk.intent("order:5").slots["shipping_preference"] in {"fedex", "sf"}
    assert len(talk.todos()) == 1


@pytest.mark.requirement("INTENT-ENTITIES")
@pytest.mark.parametrize("words", ["And order 6?", "What about order 6?", "那订单6呢？"])
def test_the_same_is_looked_up_for_another(talk: Talk, words: str):
    talk.say("Where is order 5?")
    talk.say(words)
    assert talk.states() == {"order:5": "order_query", "order:6": "order_query"}
