"""The attribution score tells what is borne out from what is made up, by degrees."""

import pytest

from veridical.memory.grounding.attribution import attribution_score

EVIDENCE = "The ferry to Norderney takes 55 minutes and costs 26 euros."


def test_what_the_evidence_says_scores_one_and_what_it_does_not_scores_little():
    assert attribution_score(EVIDENCE, EVIDENCE) == 1.0
    assert attribution_score("My cousin collects vinyl records.", EVIDENCE) < 0.2
    assert attribution_score("", EVIDENCE) == 0.0


@pytest.mark.parametrize(
    ("truer", "falser"),
    [
        ("The ferry to Norderney takes 55 minutes.", "The ferry to Norderney takes 50 minutes."),
        ("The ferry costs 26 euros.", "I think the ferry costs 26 euros or more."),
        ("It takes 55 minutes to Norderney.", "It takes 55 minutes to Juist."),
    ],
)
def test_a_truer_sentence_scores_higher(truer: str, falser: str):
    assert attribution_score(truer, EVIDENCE) > attribution_score(falser, EVIDENCE)


def test_chinese_is_scored_alike():
    evidence = "去诺德奈的渡船要五十五分钟，票价26欧元。"
    assert attribution_score("渡船票价26欧元。", evidence) > attribution_score("渡船票价36欧元。", evidence) > 0.3
