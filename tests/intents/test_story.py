"""An order through a change of mind and back, word for word in both languages, and what is left of it."""

from collections.abc import Callable

import pytest

from veridical.memory.storage.intents import open_intents

from .conftest import Talk

STORIES = {
    "en": (
        "Track my order #12345.",
        "If it hasn't shipped, can I cancel?",
        "Never mind, ship it by SF.",
        "Wait, keep the original plan.",
        "No, do ship it by SF after all.",
    ),
    "zh": (
        "帮我查一下订单12345。",
        "如果还没发货，能取消吗？",
        "算了，改成顺丰发吧。",
        "等等，还是按原计划发吧。",
        "不，还是改成顺丰发吧。",
    ),
}
ORDER = "order:12345"


def told(talk: Talk, language: str, turns: int) -> None:
    for line in STORIES[language][:turns]:
        talk.say(line)


@pytest.mark.requirement("INTENT-ROLLBACK", "INTENT-TODOS")
@pytest.mark.parametrize("language", STORIES)
def test_the_story_ends_in_the_original_plan(talk: Talk, language: str):
    query, cancel, ship, back, again = STORIES[language]
    (looked,) = talk.say(query)
    assert (looked.kind, looked.entity, looked.to_state) == ("step", ORDER, "order_query")
    (asked,) = talk.say(cancel)
    assert (asked.to_state, asked.tentative, asked.guard.holds) == ("order_cancel", True, "unknown")
    assert talk.todos() == []
    (shipped,) = talk.say(ship)
    assert (shipped.to_state, shipped.slots[0].value) == ("shipping_update", "sf")
    (todo,) = talk.todos()
    assert talk.intent(ORDER).slots["shipping_preference"] == "sf"
    (restored,) = talk.say(back)
    assert (restored.kind, restored.whole, restored.to_state) == ("undone", True, "order_query")
    assert restored.restored["shipping_preference"] == "original"
    assert "original" in restored.reply.en
    assert "原来的" in restored.reply.zh
    assert (talk.todos(), talk.intent(ORDER).slots["shipping_preference"]) == ([], "original")
    closed = {item.quote: item.closed_by for item in talk.items(live=False) if item.kind == "todo"}
    assert closed[todo] == "retraction"
    talk.say(again)
    assert (talk.intent(ORDER).state, len(talk.todos())) == ("shipping_update", 1)


@pytest.mark.requirement("INTENT-ROLLBACK")
@pytest.mark.parametrize("language", STORIES)
def test_the_facts_of_undone_steps_are_retracted_and_stay_visible(talk: Talk, language: str):
    told(talk, language, 3)
    (fact,) = [it for it in talk.items() if it.attribute == "shipping_preference" and it.normal == "sf"]
    told_back = talk.say(STORIES[language][3])[0]
    assert fact.number in told_back.retracted
    facts = {it.number: it for it in talk.items(live=False) if it.attribute == "shipping_preference"}
    assert facts[fact.number].closed_by == "retraction"
    (now,) = [it for it in facts.values() if it.live]
    assert now.normal == "original"


@pytest.mark.requirement("INTENT-STEPS", "P1")
@pytest.mark.parametrize("language", STORIES)
def test_every_row_quotes_its_turn_exactly(talk: Talk, language: str):
    told(talk, language, 5)
    rows = talk.rows(ORDER)
    turns = talk.memory.turns("ann", {row.turn for row in rows})
    assert [row.kind for row in rows] == ["step", "step", "step", "undone", "step"]
    for row in rows:
        assert turns[row.turn].text[row.start : row.end] == row.quote
        for slot in row.slots:
            assert turns[slot.turn].text[slot.start : slot.end] == slot.quote


@pytest.mark.requirement("INTENT-ROLLBACK")
@pytest.mark.parametrize(
    ("undo", "redo"), [("Undo that.", "Undo the undo."), ("撤销", "撤销刚才的撤销"), ("当我没说", "重做")]
)
def test_undoing_an_undo_restores_todo_slots_and_facts(talk: Talk, undo: str, redo: str):
    told(talk, "en", 3)
    before, todos = talk.intent(ORDER), talk.todos()
    talk.say(undo)
    assert (talk.intent(ORDER).state, talk.todos()) == ("order_cancel", [])
    (again,) = talk.say(redo)
    after = talk.intent(ORDER)
    assert (again.kind, after.state, after.slots, talk.todos()) == ("redone", before.state, before.slots, todos)
    assert [it.normal for it in talk.items() if it.attribute == "shipping_preference"] == ["sf"]


@pytest.mark.requirement("INTENT-ROLLBACK")
@pytest.mark.parametrize("words", ["Never mind.", "算了。", "Take that back.", "当我没说。"])
def test_never_mind_goes_back_one_step_only(talk: Talk, words: str):
    talk.say("Ship order 7 by SF.")
    talk.say("Add a second charger to order 7.")
    talk.say(words)
    assert talk.states() == {"order:7": "shipping_update"}
    assert len(talk.todos()) == 1


@pytest.mark.requirement("INTENT-ROLLBACK", "INTENT-TODOS")
def test_a_looking_step_in_between_does_not_hide_what_was_changed(talk: Talk):
    talk.say("Ship order 7 by SF.")
    talk.say("Add a second charger to order 7.")
    (restored,) = talk.say("Please keep everything as originally planned.")
    assert (len(restored.steps), talk.todos(), talk.states()) == (2, [], {})


@pytest.mark.requirement("INTENT-GUARDS")
@pytest.mark.parametrize(
    ("news", "wish"),
    [("Order 31 has already been shipped.", "Cancel it."), ("订单31已经发货了。", "那帮我取消吧。")],
)
def test_a_refusal_explains_itself_and_changes_nothing(talk: Talk, news: str, wish: str):
    talk.say(news)
    before = (talk.intent("order:31"), talk.items(live=False))
    (refused,) = talk.say(wish)
    assert (refused.kind, refused.guard.holds, refused.guard.value) == ("refused", "no", "shipped")
    assert "#31" in refused.reply.en
    assert "#31" in refused.reply.zh
    after = talk.intent("order:31")
    assert (after.state, after.slots, after.left) == (before[0].state, before[0].slots, {})
    assert [it for it in talk.items(live=False) if it.kind == "todo" and it.entity == "order:31"] == []
    assert [row.kind for row in talk.rows("order:31")] == ["noted", "refused"]


@pytest.mark.requirement("INTENT-GUARDS")
def test_what_the_host_knows_guards_as_well(talk: Talk):
    talk.say("Where is order 31?")
    with talk.memory.database.write() as connection:
        noted = talk.intents.note(
            connection, "ann", "order:31", "shipping_state", "shipped", session_id="s", now=talk.time
        )
        again = talk.intents.note(
            connection, "ann", "order:31", "shipping_state", "shipped", session_id="s", now=talk.time
        )
    assert (noted.kind, again) == ("noted", None)
    assert talk.say("Cancel it.")[0].kind == "refused"


@pytest.mark.requirement("INTENT-ENTITIES")
@pytest.mark.parametrize(
    "lines",
    [
        ("Cancel order #12345.", "Ship order #12346 by SF.", "Never mind order 12345."),
        ("取消订单12345。", "订单12346改成顺丰。", "订单12345当我没说。"),
        ("Cancel order #12345 and ship order #12346 by SF.", "Undo that for 12345."),
        ("订单12345取消，订单12346改成顺丰。", "12345的撤销一下"),
    ],
)
def test_two_orders_are_kept_apart(talk: Talk, lines: tuple[str, ...]):
    for line in lines:
        talk.say(line)
    assert talk.states() == {"order:12346": "shipping_update"}
    assert len(talk.todos()) == 1


@pytest.mark.requirement("INTENT-ENTITIES")
def test_the_last_one_talked_about_is_meant(talk: Talk):
    talk.say("Where is order 100?")
    talk.say("Where is order 200?")
    talk.say("Cancel it.")
    assert talk.states() == {"order:100": "order_query", "order:200": "order_cancel"}
    talk.say("Cancel the other one.")
    assert talk.states() == {"order:100": "order_cancel", "order:200": "order_cancel"}


@pytest.mark.requirement("INTENT-UNCLEAR")
@pytest.mark.parametrize("answer", ["#200", "200", "The second one.", "第二个"])
def test_what_is_unclear_is_asked_and_the_answer_does_it(talk: Talk, answer: str):
    talk.say("Where is order 200?")
    talk.say("Where is order 100?")
    (asked,) = talk.say("Please cancel one of my orders.", session="later")
    assert (asked.kind, asked.asks.about, set(asked.asks.candidates)) == ("asked", "entity", {"order:100", "order:200"})
    assert "order_cancel" not in talk.states().values()
    talk.say(answer, session="later")
    assert talk.states() == {"order:100": "order_query", "order:200": "order_cancel"}


@pytest.mark.requirement("INTENT-ENTITIES")
def test_an_order_that_gets_its_number_later_is_the_same(talk: Talk):
    talk.say("I want to cancel my order.")
    assert talk.states() == {"order": "order_cancel"}
    talk.say("It's order #345.")
    assert talk.states() == {"order:345": "order_cancel"}
    assert len(talk.rows("order:345")) == 2


@pytest.mark.requirement("INTENT-STEPS", "P6")
def test_users_do_not_see_each_others_intents(talk: Talk):
    for user in ("a", "a_b", "a%"):
        talk.say(f"Cancel order {len(user)}.", user=user)
    assert [talk.states(user=user) for user in ("a", "a_b", "a%", "b")] == [
        {"order:1": "order_cancel"},
        {"order:3": "order_cancel"},
        {"order:2": "order_cancel"},
        {},
    ]


@pytest.mark.requirement("INTENT-STEPS")
def test_a_turn_that_is_settled_twice_changes_nothing(talk: Talk):
    turn = talk.record("Ship order 7 by SF.")
    proposed = talk.proposed(turn)
    assert talk.states() == {}
    with talk.memory.database.write() as connection:
        first = talk.intents.settle(connection, turn, proposed, now=talk.time)
    before = (talk.intent("order:7"), talk.rows("order:7"), talk.items(live=False))
    with talk.memory.database.write() as connection:
        again = talk.intents.settle(connection, turn, proposed, now=talk.time)
    assert again == first
    assert (talk.intent("order:7"), talk.rows("order:7"), talk.items(live=False)) == before


@pytest.mark.requirement("INTENT-TODOS")
def test_an_intent_is_open_until_its_todo_is_done(talk: Talk):
    def open_() -> list[str]:
        with talk.memory.database.read() as connection:
            return [it.entity for it in open_intents(connection, "ann")]

    talk.say("Ship order 7 by SF.")
    assert open_() == ["order:7"]
    talk.say("Done.")
    assert (talk.todos(), open_()) == ([], [])


@pytest.mark.requirement("INTENT-TODOS")
def test_another_value_replaces_the_todo_and_a_cancellation_voids_it(talk: Talk):
    talk.say("Ship order 7 by SF.")
    talk.say("No, by FedEx instead.")
    (todo,) = talk.todos()
    assert "FedEx" in todo
    talk.say("Cancel order 7.")
    assert talk.todos() == ["Cancel order 7"]
    talk.say("Undo that.")
    assert talk.todos() == [todo]


@pytest.mark.requirement("INTENT-STEPS")
def test_a_request_to_look_something_up_is_no_errand(talk: Talk):
    talk.say("帮我查一下订单12345。")
    assert talk.todos() == []


@pytest.mark.requirement("INTENT-STEPS")
def test_what_a_turn_did_is_told_the_same_afterwards(open_talk: Callable[..., Talk]):
    talk = open_talk()
    for line in STORIES["en"]:
        done = talk.say(line)
        with talk.memory.database.read() as connection:
            (last,) = {row.turn for row in talk.rows(ORDER) if row.number == done[-1].number}
            assert talk.intents.settled(connection, "ann", last) == done
