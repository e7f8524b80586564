"""What a domain says: entities by their names, parts that are left out while a slot is not known, moments as dates."""

import re

import pytest

from veridical.intents.loading import shipped
from veridical.intents.phrases import pattern_of

ORDERS, CONTRACTS, EVENTS = (shipped().by_id[name] for name in ("orders", "contract_review", "scheduling"))


@pytest.mark.parametrize(
    ("domain", "entity", "english", "chinese"),
    [
        (ORDERS, "order:a17", "order #A17", "订单 #A17"),
        (ORDERS, "order", "the order", "订单"),
        (CONTRACTS, "contract:a", "contract A", "A合同"),
        (CONTRACTS, "contract:采购", "contract 采购", "采购合同"),
        (EVENTS, "event:李经理", "the appointment “李经理”", "「李经理」的安排"),
    ],
)
def test_an_entity_is_called_by_its_name(domain, entity, english, chinese):
    assert (domain.entity_label(entity, "en"), domain.entity_label(entity, "zh")) == (english, chinese)


def test_a_part_in_brackets_is_left_out_while_its_slot_is_not_known_or_as_it_was():
    todo = ORDERS.states["shipping_update"].todo
    assert ORDERS.rendered(todo, "order:7", {"shipping_preference": "original"}).en == "change the delivery of order #7"
    known = ORDERS.rendered(todo, "order:7", {"shipping_preference": "sf"})
    assert (known.en, known.zh) == ("change the delivery of order #7: SF", "修改订单 #7 的配送：顺丰")


@pytest.mark.parametrize(
    ("moment", "shown"),
    [("2026-03-05T00:00:00+08:00", "2026-03-05"), ("2026-03-05T15:30:00+08:00", "2026-03-05 15:30")],
)
def test_a_moment_is_shown_as_a_date_with_the_time_of_day_where_there_is_one(moment, shown):
    todo = EVENTS.rendered(EVENTS.states["schedule_move"].todo, "event:anna", {"when": moment})
    assert todo.en == f"move the appointment “anna” to {shown}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("transfer it", True),
        ("ok, transfer it", True),
        ("great. transfer it", True),
        ("how about a transfer", False),
        ("好，transfer", True),
    ],
)
def test_a_trigger_after_a_caret_counts_only_where_a_clause_begins(text, found):
    assert bool(re.search(pattern_of("^transfer", "en", {}), text)) is found


def test_what_follows_a_gap_begins_at_a_word():
    pattern = re.compile(pattern_of("find ... (more|other)", "en", {}))
    assert pattern.search("find me some more")
    assert not pattern.search("find restaurants in livermore")
    assert not pattern.search("find my mother")
