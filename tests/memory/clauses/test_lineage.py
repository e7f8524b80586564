"""Which clause of one version is which of the next."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.memory.clauses.lineage import changes, lineages, match
from veridical.memory.clauses.records import Clause, ClauseNumber
from veridical.memory.clauses.splitting import digest
from veridical.memory.records import Span

START = datetime(2020, 1, 1, tzinfo=UTC)


def clause(number: int, at: int, said: str, lineage: int = 0, heading: str = "") -> Clause:
    text = f"第{at}条　{said}"
    return Clause(
        user_id="ann",
        number=number,
        document=number // 100,
        document_name="法.md",
        key="法",
        version="v1",
        entity_type="statute",
        category="GENERAL",
        at=ClauseNumber((at,)),
        unit="clause",
        label=f"第{at}条",
        heading=heading,
        chunk=number,
        span=Span(at * 1000, at * 1000 + len(text)),
        chunk_start=at * 1000,
        text=text,
        sha256=digest(heading + said),
        confidence=1.0,
        lineage=lineage or number,
        valid_from=START,
        valid_to=None,
        recorded_at=START,
    )


def version(document: int, *said: str) -> list[Clause]:
    """The articles of a version, numbered from 1."""
    return [clause(100 * document + at, at, text) for at, text in enumerate(said, start=1)]


def paired(older: list[Clause], newer: list[Clause]) -> dict[int, int]:
    return {pair.old.at.parts[0]: pair.new.at.parts[0] for pair in match(older, newer)}


A, B, C = "养猫人应当每日喂食。", "违反规定的处以罚款一百元。", "本法自公布之日起施行。"


@pytest.mark.requirement("CLAUSES-LINEAGE")
def test_a_clause_that_moved_is_followed_and_what_took_its_number_is_new():
    assert paired(version(1, A, B, C), version(2, "国家保护猫的健康。", A, B, C)) == {1: 2, 2: 3, 3: 4}


@pytest.mark.requirement("CLAUSES-LINEAGE")
def test_a_clause_that_was_reworded_and_moved_is_known_by_its_words():
    reworded = "养猫人应当每日喂食两次。"
    assert paired(version(1, A, B, C), version(2, "国家保护猫的健康。", reworded, B, C)) == {1: 2, 2: 3, 3: 4}


@pytest.mark.requirement("CLAUSES-LINEAGE")
def test_a_clause_that_was_rewritten_in_its_place_is_the_clause_it_was():
    assert paired(version(1, A, B, C), version(2, A, "另行规定。", C)) == {1: 1, 2: 2, 3: 3}


@pytest.mark.requirement("CLAUSES-LINEAGE")
def test_a_clause_that_was_extended_is_known_by_what_it_keeps():
    fine = "违反前条规定的，由主管部门处以罚款一百元。"
    longer = f"国务院主管全国的工作并且制定具体的办法和标准，报全国人大备案。{fine}情节严重的，没收全部所得，并予公告。"
    assert paired(version(1, A, fine, C), version(2, A, "猫有权利。", longer, C)) == {1: 1, 2: 3, 3: 4}


@pytest.mark.requirement("CLAUSES-LINEAGE")
def test_what_was_taken_out_of_a_clause_does_not_take_its_place():
    whole = "禁止经营者达成下列协议：固定价格、限制数量、分割市场、抵制交易、限制购买新技术。本法所称的协议，是指排除竞争的协议和其他决定。"
    kept, taken = (
        "禁止经营者达成下列协议：固定价格、限制数量、分割市场、抵制交易、限制购买新技术。",
        "本法所称的协议，是指排除竞争的协议和其他决定。",
    )
    assert paired(version(1, A, whole, C), version(2, A, taken, kept, C))[2] == 3


@pytest.mark.requirement("CLAUSES-LINEAGE")
def test_what_is_removed_or_new_is_paired_with_nothing():
    older, newer = version(1, A, B, C), version(2, A, C)
    assert paired(older, newer) == {1: 1, 3: 2}
    assert paired(newer, older) == {1: 1, 2: 3}


@pytest.mark.requirement("CLAUSES-LINEAGE")
def test_clauses_of_one_text_are_paired_by_number_and_then_in_order():
    gone = "（废止）"
    assert paired(version(1, gone, A, gone, B), version(2, gone, A, gone, B)) == {1: 1, 2: 2, 3: 3, 4: 4}
    assert paired(version(1, gone, gone), version(2, A, gone, gone)) == {1: 3, 2: 2}


@pytest.mark.requirement("CLAUSES-LINEAGE")
def test_a_heading_keeps_a_rewritten_section_that_moved_between_its_neighbours():
    older = [clause(101, 1, A, heading="Feeding"), clause(102, 2, B, heading="Fines")]
    newer = [clause(201, 1, "新的内容。", heading="Feeding"), clause(202, 2, B, heading="Fines")]
    assert paired(older, newer) == {1: 1, 2: 2}


@pytest.mark.requirement("CLAUSES-LINEAGE")
def test_what_returns_word_for_word_is_the_clause_that_it_was():
    versions = [version(1, A, B, C), version(2, A, C), version(3, A, B, C)]
    of = lineages(versions)
    assert (of[302], of[303]) == (102, 103)


@pytest.mark.requirement("CLAUSES-LINEAGE")
def test_changes_tell_added_removed_moved_changed_and_kept():
    older = version(1, A, B, C)
    newer = [
        clause(201, 1, A, 101),
        clause(202, 2, "全新。"),
        clause(203, 3, "本法自明年起施行。", 103),
        clause(204, 4, B, 102),
    ]
    found = changes(older, newer)
    assert [one.number for one in found.added] == [202]
    assert found.removed == ()
    assert [(pair.old.number, pair.new.number) for pair in found.moved] == [(102, 204)]
    assert [(pair.old.number, pair.new.number) for pair in found.changed] == [(103, 203)]
    assert [pair.new.number for pair in found.kept] == [201]
    assert [one.number for one in changes(newer, older).removed] == [202]


@given(st.permutations([A, B, C, "丁有权利。", "戊应当登记备案。"]))
def test_a_mere_new_order_loses_no_clause(order: list[str]):
    older, newer = version(1, A, B, C, "丁有权利。", "戊应当登记备案。"), version(2, *order)
    pairs = match(older, newer)
    assert len(pairs) == 5
    assert not any(pair.changed for pair in pairs)
    assert len({*lineages([older, newer]).values()}) == 5
