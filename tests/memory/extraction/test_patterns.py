"""The tables of patterns hold together."""

import pytest

from veridical.memory.extraction.patterns import expand, table

from . import test_facts, test_plans, test_preferences, test_updates

TABLES = {
    "en": [
        "predicates", "copulas", "inverse_copulas", "preferences", "events", "plans", "todos", "imperatives", "completions",
        "retractions", "decisions", "options", "option_lists", "implied",
    ],
    "zh": [
        "predicates", "copulas", "inverse_copulas", "preferences", "plans", "todos", "imperatives", "completions",
        "retractions", "decisions", "options", "option_lists", "implied",
    ],
}  # fmt: skip
SENTENCES = [
    *(case[0] for case in test_facts.FACTS),
    *test_facts.UNRELATED,
    *(case[0] for case in test_preferences.POLARITIES),
    *test_updates.RED,
    *test_updates.HONG,
    *(case[0] for case in test_plans.ERRANDS),
]


@pytest.mark.parametrize(
    ("language", "name"), [(language, name) for language, names in TABLES.items() for name in names]
)
def test_a_rule_matches_no_text_without_the_words_that_it_needs(language, name):
    for rule in table(language, name):
        for text in SENTENCES:
            folded = text.lower()
            assert (rule.pattern.search(folded) is None) == (rule.search(folded) is None), (rule.pattern.pattern, text)


GROUPS = {
    "predicates": {"subject"},
    "copulas": {"subject", "value"},
    "inverse_copulas": {"subject", "value"},
    "preferences": {"value"},
    "events": {"subject", "value"},
    "plans": {"subject", "value"},
    "todos": {"value"},
    "imperatives": {"value"},
    "decisions": {"value"},
    "options": {"option", "rest"},
    "option_lists": {"value"},
    "implied": {"new"},
}


@pytest.mark.parametrize(
    ("language", "name"), [(language, name) for language, names in TABLES.items() for name in names]
)
def test_a_rule_has_the_groups_that_its_reader_asks_for(language, name):
    for rule in table(language, name):
        groups = set(rule.pattern.groupindex)
        assert groups >= GROUPS.get(name, set()), rule.pattern.pattern
        if name == "predicates":
            assert groups & {"value", "of"}, rule.pattern.pattern


def test_an_unknown_fragment_is_an_error():
    with pytest.raises(KeyError):
        expand("en", "{no_such_fragment}")
