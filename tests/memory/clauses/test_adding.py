"""Documents of clauses in the store: joined to their versions, placed in time, found by number, and gone with them."""

import itertools
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from veridical.memory.bundles import export_bundle, import_bundle
from veridical.memory.clauses.adding import Given
from veridical.memory.clauses.records import Clause, ClauseNumber
from veridical.memory.clauses.rows import clauses_in_chunks, families, find_clauses, lineage_of
from veridical.memory.doctor import examine
from veridical.memory.forgetting import What, forget
from veridical.memory.knowledge.reading import read_document
from veridical.memory.records import Query, RecallFilter
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.storage.database import FILE_NAME
from veridical.memory.storage.tables import clauses
from veridical.memory.store import Memory

from ..knowledge.pdf import write_pdf
from .conftest import START, Add

STATUTE = "# 养猫法\n\n第一条　为了养猫，制定本法。\n\n第二条　养猫人应当{}。\n\n不得虐猫。\n\n第三条　本法自公布之日起施行。\n"
DEAL = "# Service Agreement\n\n1. Work\n\n1.1 The Provider cleans.\n1.2 {}\n\n2. Payment\n\nFees are due in {} days.\n"
OLD, NEW, LAST = ("养猫法(2001-05-01).md", "养猫法(2011-05-01).md", "养猫法(2021-05-01).md")


def versions(memory: Memory, user: str = "ann") -> dict[str, list[tuple[str, str, str | None]]]:
    """Every document of clauses, with label, beginning and end of each version."""
    with memory.database.read() as connection:
        return {
            family.key: [
                (
                    one.version_label,
                    f"{one.valid_from:%Y-%m-%d}",
                    None if one.valid_to is None else f"{one.valid_to:%Y-%m-%d}",
                )
                for one in family.versions
            ]
            for family in families(connection, user)
        }


def found(memory: Memory, key: str, moment: datetime, at: ClauseNumber, *, children: bool = False) -> list[Clause]:
    with memory.database.read() as connection:
        (family,) = [one for one in families(connection, "ann") if one.key == key]
        version = family.in_force(moment)
        return [] if version is None else find_clauses(connection, "ann", [version.number], at, with_children=children)


@pytest.mark.requirement("CLAUSES-VERSIONS")
@pytest.mark.parametrize("order", list(itertools.permutations([(OLD, "喂食"), (NEW, "免疫"), (LAST, "登记")])))
def test_any_order_of_adding_gives_the_same_versions_and_the_text_in_force(
    memory: Memory, add: Add, order: tuple[tuple[str, str], ...]
):
    for name, duty in order:
        add(name, STATUTE.format(duty))
    assert versions(memory) == {
        "养猫法": [
            ("2001-05-01", "2001-05-01", "2011-05-01"),
            ("2011-05-01", "2011-05-01", "2021-05-01"),
            ("2021-05-01", "2021-05-01", None),
        ]
    }
    for year, duty in ((2005, "喂食"), (2015, "免疫"), (2025, "登记")):
        (clause,) = [
            one
            for one in found(memory, "养猫法", datetime(year, 1, 1, tzinfo=UTC), ClauseNumber((2,)))
            if one.unit == "clause"
        ]
        assert clause.text == f"第二条　养猫人应当{duty}。\n\n不得虐猫。"
        assert clause.clause_id == "STATUTE_GENERAL_2"
    assert found(memory, "养猫法", datetime(2000, 1, 1, tzinfo=UTC), ClauseNumber((2,))) == []
    assert examine(memory.database, embedder="hashing:64", index=memory.vectors).healthy


@pytest.mark.requirement("CLAUSES-VERSIONS")
def test_two_contracts_of_one_title_stay_apart(memory: Memory, add: Add):
    add("Contract A v1.0.md", DEAL.format("The Client pays.", 30))
    add("Contract B v1.0.md", DEAL.format("The Client pays.", 60))
    add("Contract A v1.1.md", DEAL.format("The Client pays.", 14), day=1)
    assert {key: [label for label, *_ in held] for key, held in versions(memory).items()} == {
        "CONTRACT_A": ["v1.0", "v1.1"],
        "CONTRACT_B": ["v1.0"],
    }


@pytest.mark.requirement("CLAUSES-VERSIONS")
def test_what_the_user_says_of_a_file_outranks_what_is_read(memory: Memory, add: Add):
    given = Given(
        name="Contract A",
        label="v7",
        valid_from=datetime(2020, 1, 1, tzinfo=UTC),
        valid_to=datetime(2021, 1, 1, tzinfo=UTC),
    )
    add("scan.md", DEAL.format("The Client pays.", 30), given=given)
    add("Contract A v8.md", DEAL.format("The Client pays.", 14), day=1)
    assert versions(memory) == {"CONTRACT_A": [("v7", "2020-01-01", "2021-01-01"), ("v8", "2026-03-03", None)]}


@pytest.mark.requirement("CLAUSES-VERSIONS")
def test_a_series_of_policies_stays_one_though_titles_change_and_headings_come_and_go(memory: Memory, add: Add):
    add("privacy__v001__2019-09-16__a1b2c3d4.md", "# Privacy policy\n\nHello.\n\n## Who\n\nWe.\n\n## What\n\nLittle.\n")
    add("privacy__v002__2020-09-16__33277450.md", "# How we keep quiet\n\nWe keep quiet.\n\nAlways.\n")
    add("privacy__v003__2021-09-16__deadbeef.md", "# Privacy\n\n## Who\n\nWe.\n\n## Where\n\nHere.\n")
    assert [label for label, *_ in versions(memory)["PRIVACY_POLICY"]] == ["v001", "v002", "v003"]
    (whole,) = find_all(memory, "privacy__v002__2020-09-16__33277450.md")
    assert (whole.at.parts, whole.text) == ((0,), "We keep quiet.\n\nAlways.")


@pytest.mark.requirement("CLAUSES-VERSIONS", "KNOWLEDGE-VERSIONS")
def test_the_same_version_again_is_a_no_op_and_a_given_day_corrects_it(memory: Memory, add: Add):
    first = add(OLD, STATUTE.format("喂食"))
    again = add(OLD, STATUTE.format("喂食"), day=1)
    assert (again.known, again.document, again.clauses) == (True, first.document, 3)
    since = datetime(2002, 1, 1, tzinfo=UTC)
    dated = add(OLD, STATUTE.format("喂食"), day=1, given=Given(valid_from=since))
    assert (dated.known, dated.document.valid_from, dated.document.dated_by) == (True, since, "given")


@pytest.mark.requirement("CLAUSES-VERSIONS")
def test_removing_a_version_lets_the_one_before_it_hold_again(memory: Memory, add: Add):
    add(OLD, STATUTE.format("喂食"))
    newer = add(NEW, STATUTE.format("免疫"))
    memory.knowledge.remove("ann", newer.document.id, now=START + timedelta(days=1))
    assert versions(memory) == {"养猫法": [("2001-05-01", "2001-05-01", None)]}
    assert examine(memory.database, embedder="hashing:64", index=memory.vectors).healthy


@pytest.mark.requirement("CLAUSES-CUT")
def test_clauses_are_found_by_columns_with_what_is_below_them_and_nothing_beside(memory: Memory, add: Add):
    text = (
        "# Contract\n\n5. Fees\n\n5.1 One.\n5.2 Two:\n(a) first;\n(b) second.\n\n5A. Tax\n\nNone.\n\n6. Law\n\nNone.\n"
    )
    add(
        "contract_x.md",
        "# Contract\n\n1. A\n\nB.\n\n2. C\n\nD.\n\n3. E\n\nF.\n\n4. G\n\nH.\n\n" + text.partition("\n\n")[2],
    )

    def texts(at: ClauseNumber, *, children: bool = False) -> list[str]:
        moment = START + timedelta(days=1)
        (key,) = versions(memory)
        return [one.at.text for one in found(memory, key, moment, at, children=children)]

    assert texts(ClauseNumber((5,))) == ["5"]
    assert texts(ClauseNumber((5,)), children=True) == ["5", "5.1", "5.2", "5.2.1", "5.2.2"]
    assert texts(ClauseNumber((5, 2)), children=True) == ["5.2", "5.2.1", "5.2.2"]
    assert texts(ClauseNumber((5,), 1001), children=True) == ["5-1"]
    assert texts(ClauseNumber((50,)), children=True) == []


@pytest.mark.requirement("CLAUSES-CUT")
def test_a_clause_is_an_exact_slice_of_the_chunk_that_holds_it(memory: Memory, add: Add):
    added = add(OLD, STATUTE.format("喂食"))
    with memory.database.read() as connection:
        held = clauses_in_chunks(connection, "ann", added.chunks)
    for chunk, inside in held.items():
        text = memory.turns("ann", [-chunk])[-chunk].text
        for clause in inside:
            assert clause.span_in_chunk.cut(text) == clause.text
            assert clause.text
    assert [one.at.text for one in held[added.chunks[1]]] == ["2", "2.1", "2.2"]


@pytest.mark.requirement("CLAUSES-LINEAGE")
def test_a_clause_keeps_its_lineage_when_a_version_comes_in_between(memory: Memory, add: Add):
    add(OLD, STATUTE.format("喂食"))
    add(
        LAST,
        STATUTE.format("登记")
        .replace("第三条", "第四条")
        .replace("第二条", "第三条")
        .replace("第一条　", "第一条　总则。\n\n第二条　", 1),
    )
    add(NEW, STATUTE.format("免疫"))
    with memory.database.read() as connection:
        (clause,) = [one for one in find_all(memory, OLD) if one.at.parts == (2,)]
        told = [(one.version, one.at.text) for one in lineage_of(connection, "ann", [clause.lineage])]
    assert told == [("2001-05-01", "2"), ("2011-05-01", "2"), ("2021-05-01", "3")]


def find_all(memory: Memory, name: str, user: str = "ann") -> list[Clause]:
    """The clauses of a file, without paragraphs and items."""
    with memory.database.read() as connection:
        (document,) = [one for family in families(connection, user) for one in family.versions if one.name == name]
        return find_clauses(connection, user, [document.number], unit="clause")


@pytest.mark.requirement("P6", "CLAUSES-VERSIONS")
def test_the_versions_of_one_user_are_none_of_anothers(memory: Memory, add: Add):
    add(OLD, STATUTE.format("喂食"))
    add(NEW, STATUTE.format("免疫"), user="bob")
    assert versions(memory) == {"养猫法": [("2001-05-01", "2001-05-01", None)]}
    assert versions(memory, "bob") == {"养猫法": [("2011-05-01", "2011-05-01", None)]}
    assert [one.number for one in find_all(memory, NEW, "bob")][:1] == [1]


@pytest.mark.requirement("CLAUSES-KEPT", "P8")
@pytest.mark.parametrize("all_documents", [False, True])
def test_no_text_and_no_heading_of_a_removed_document_is_left(memory: Memory, add: Add, *, all_documents: bool):
    add("zyx deal v1.md", "# Quokka Agreement\n\n1. Wombatism\n\nThe numbat is fed.\n\n2. Law\n\nNone.\n")
    if all_documents:
        report = forget(memory, None, "ann", What("source", ("external_knowledge",)), now=START + timedelta(days=1))
        assert (report.clean, report.documents) == (True, 1)
    else:
        memory.knowledge.remove("ann", "zyx deal v1.md", now=START + timedelta(days=1))
    with memory.database.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        assert connection.execute(clauses.select()).all() == []
    data = (memory.folder / FILE_NAME).read_bytes()
    assert not [word for word in (b"Quokka", b"QUOKKA", b"Wombatism", b"numbat") if word in data]
    assert examine(memory.database, embedder="hashing:64", index=memory.vectors).healthy
    assert [one.number for one in find_after(memory, add)] == [3, 4]


def find_after(memory: Memory, add: Add) -> list[Clause]:
    add("other deal v1.md", "# Contract\n\n1. Work\n\nIt is done.\n\n2. Law\n\nNone.\n", day=2)
    return find_all(memory, "other deal v1.md")


@pytest.mark.requirement("CLAUSES-KEPT", "EXPORT-LOSSLESS")
def test_clauses_travel_in_a_bundle_with_their_versions_and_lineages(memory: Memory, add: Add, tmp_path):
    add(OLD, STATUTE.format("喂食"))
    add(NEW, STATUTE.format("免疫"))
    export_bundle(memory.database, "ann", tmp_path / "ann.jsonl", now=START)
    with Memory(tmp_path / "other", open_embedder("hashing:64")) as other:
        import_bundle(other, "ann", tmp_path / "ann.jsonl", now=START)
        other.knowledge.embed("ann")
        assert versions(other) == versions(memory)
        for name in (OLD, NEW):
            assert find_all(other, name) == find_all(memory, name)
        assert examine(other.database, embedder="hashing:64", index=other.vectors).healthy


@pytest.mark.requirement("CLAUSES-KEPT", "DOCTOR")
@pytest.mark.parametrize(("column", "value"), [("start", 0), ("chunk", 99), ("label", "第九条")])
def test_the_doctor_finds_a_clause_that_is_not_where_it_says(memory: Memory, add: Add, column: str, value: object):
    add(OLD, STATUTE.format("喂食"))
    with memory.database.write() as connection:
        connection.execute(clauses.update().where(clauses.c.number == 2).values({column: value}))
    problems = examine(memory.database, embedder="hashing:64", index=memory.vectors).problems
    assert ("clauses", "clause2") in {(problem.check, problem.subject) for problem in problems}


@pytest.mark.requirement("KNOWLEDGE-VERSIONS", "AS-OF")
def test_a_search_finds_what_holds_now_and_not_what_has_ended_or_is_still_to_come(memory: Memory, add: Add):
    add("fees.md", "The quokka fee is ten.\n", given=Given(valid_to=datetime(2026, 6, 1, tzinfo=UTC)))
    add("dues.md", "The quokka due is nine.\n", given=Given(valid_from=datetime(2026, 9, 1, tzinfo=UTC)))

    def names(month: int) -> set[str]:
        now = datetime(2026, month, 1, tzinfo=UTC)
        hits = memory.knowledge.search("ann", 0, Query("quokka"), RecallFilter(), now=now)
        return {memory.turns("ann", [hit.turn])[hit.turn].speaker for hit in hits}

    assert [names(month) for month in (4, 7, 10)] == [{"fees.md"}, set(), {"dues.md"}]


@pytest.mark.requirement("CLAUSES-CUT", "KNOWLEDGE-ADD")
def test_a_contract_in_a_pdf_is_cut_though_its_lines_are_wrapped_and_its_pages_turned(memory: Memory, tmp_path: Path):
    first = [
        "Cleaning Agreement",
        "Version 2.1",
        "This Agreement is made on 1 May 2021 between Acme Ltd and Bolt GmbH.",
        "1. Work",
        "1.1 The Provider shall clean the whole office every week, as is set out in more detail in section",
        "2.1 and in the law.",
        "1.2 The Provider may use helpers, if the Client agrees to this in writing before they begin:",
        "(a) for the windows; and",
        "(b) for the roof.",
    ]
    second = [
        "2. Payment",
        "2.1 Fees are due within thirty days of the date of the invoice, which the Provider sends each",
        "month.",
    ]
    path = write_pdf(tmp_path / "Contract A.pdf", first, second)
    added = memory.knowledge.add("ann", read_document(path), now=START)
    assert (added.document.key, added.document.label, added.document.dated_by) == ("CONTRACT_A", "v2.1", "commencement")
    with memory.database.read() as connection:
        held = find_clauses(connection, "ann", [added.document.number])
    assert [one.at.text for one in held] == ["1", "1.1", "1.2", "1.2.1", "1.2.2", "2", "2.1"]
    texts = {one.at.text: one.text for one in held}
    assert texts["1.1"].endswith("in more detail in section 2.1 and in the law.")
    assert texts["2.1"] == (
        "2.1 Fees are due within thirty days of the date of the invoice, which the Provider sends each month."
    )
