"""Statutes and a policy in dated versions: on every day each clause reads as the version of that day has it.

What is right is read from the files by their names, their lines and their headings, and not by the code under test.
"""

import os
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from tests.source import ROOT
from veridical.memory.clauses.lineage import changes
from veridical.memory.clauses.records import Clause
from veridical.memory.clauses.rows import Family, families, find_clauses
from veridical.memory.knowledge.reading import read_document
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.store import Memory

DATA = Path(os.environ.get("VERIDICAL_EVAL_DATA") or ROOT.parent / "shared" / "data")
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
ARTICLE = re.compile(r"第([一二三四五六七八九十百零]+)条(?:之[一二三四五六七八九十]+)?(?=[\s\u3000])")
CHAPTER = re.compile(r"#|第[一二三四五六七八九十百零]+[编章节]")
IN_NAME = re.compile(r"(\d{4}-\d\d-\d\d)")
COMMENCES = re.compile(r"本法自(\d{4})年(\d{1,2})月(\d{1,2})日起施行")
pytestmark = [
    pytest.mark.requirement("CLAUSES-IN-FORCE"),
    pytest.mark.skipif(
        not ((DATA / "laws_zh").is_dir() and (DATA / "versioned_policies").is_dir()),
        reason=f"the evaluation data is not at {DATA}: set VERIDICAL_EVAL_DATA",
    ),
]


def statutes() -> list[Path]:
    return sorted(path for path in (DATA / "laws_zh").glob("*.md") if IN_NAME.search(path.name))


def policies() -> list[Path]:
    return sorted(path for path in (DATA / "versioned_policies").glob("*.md") if IN_NAME.search(path.name))


@pytest.fixture(scope="module", params=["in order", "backwards"])
def memory(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """All files, added in the order of their versions and the other way round."""
    files = [*statutes(), *policies()]
    with Memory(tmp_path_factory.mktemp("public") / "data", open_embedder("hashing:16")) as opened:
        for path in files if request.param == "in order" else files[::-1]:
            opened.knowledge.add("ann", read_document(path), now=NOW)
        yield opened


def begins(path: Path) -> date:
    """The day in a file's name, or a later one on which the text says that it takes effect."""
    named = date.fromisoformat(IN_NAME.search(path.name)[1])
    stated = [date(*map(int, found)) for found in COMMENCES.findall(path.read_text(encoding="utf-8"))]
    return max([named, *stated])


def bare(text: str) -> str:
    """A text without blanks."""
    return re.sub(r"\s+", "", text)


def articles_of(path: Path) -> dict[str, str]:
    """Every article by its label, without blanks."""
    found: dict[str, str] = {}
    label = ""
    for line in path.read_text(encoding="utf-8").partition("<!-- INFO END -->")[2].splitlines():
        begun = ARTICLE.match(line)
        label = begun[0] if begun else "" if CHAPTER.match(line) else label
        if label:
            found[label] = found.get(label, "") + bare(line)
    return found


def sections_of(path: Path) -> dict[str, str]:
    """What stands under each heading of the second level, without blanks and without the marks of headings."""
    _, *sections = re.split(r"^## +", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {head.strip(): bare(body) for head, _, body in (section.partition("\n") for section in sections)}


def family_of(memory: Memory, path: Path) -> Family:
    with memory.database.read() as connection:
        (family,) = [
            one for one in families(connection, "ann") if path.name in {version.name for version in one.versions}
        ]
    return family


def held_on(memory: Memory, family: Family, day: date) -> list[Clause] | None:
    """The clauses in force at noon of a day."""
    version = family.in_force(datetime(day.year, day.month, day.day, 12, tzinfo=UTC))
    if version is None:
        return None
    with memory.database.read() as connection:
        return find_clauses(connection, "ann", [version.number], unit="clause")


def series(files: list[Path]) -> list[list[Path]]:
    """The files of each document in the order of their versions."""
    grouped: dict[str, list[Path]] = {}
    for path in files:
        grouped.setdefault(re.split(r"[(_]", path.name)[0], []).append(path)
    return list(grouped.values())


def days(versions: list[Path]) -> list[tuple[date, Path | None]]:
    """Days around every change and between, with the file that is in force then: the last of those that have begun."""
    starts = sorted({begins(path) for path in versions})
    asked = {start + timedelta(days=shift) for start in starts for shift in (-1, 0, 1)} | {date(2026, 1, 1)}
    asked |= {one + (other - one) / 2 for one, other in pairwise(starts)}
    return [(day, next((path for path in versions[::-1] if begins(path) <= day), None)) for day in sorted(asked)]


def test_every_article_of_every_statute_reads_as_on_the_day(memory: Memory):
    checked = 0
    for versions in series(statutes()):
        family = family_of(memory, versions[0])
        assert [version.name for version in family.versions] == [path.name for path in versions]
        for day, path in days(versions):
            held = held_on(memory, family, day)
            if path is None:
                assert held is None, (family.key, day)
                continue
            assert held is not None, (family.key, day)
            assert {one.label: bare(one.text) for one in held} == articles_of(path), (family.key, day)
            checked += len(held)
    assert checked > 500


def test_every_section_of_the_policy_reads_as_on_the_day(memory: Memory):
    checked = 0
    for versions in series(policies()):
        family = family_of(memory, versions[0])
        assert [version.name for version in family.versions] == [path.name for path in versions]
        for day, path in days(versions):
            held = held_on(memory, family, day)
            if path is None:
                assert held is None, day
                continue
            assert held is not None, day
            sections = [one for one in held if one.at.parts != (0,)]
            assert {one.heading: bare(one.text) for one in sections} == sections_of(path), (day, path.name)
            (intro,) = [one for one in held if one.at.parts == (0,)]
            assert bare(intro.text) in bare(path.read_text(encoding="utf-8").partition("## ")[0])
            checked += len(held)
    assert checked > 100


@pytest.mark.requirement("CLAUSES-LINEAGE")
def test_an_article_that_kept_its_text_keeps_its_lineage_under_any_number(memory: Memory):
    moved = 0
    for versions in (one for one in series(statutes()) if len(one) > 1):
        family = family_of(memory, versions[0])
        with memory.database.read() as connection:
            sides = [find_clauses(connection, "ann", [version.number], unit="clause") for version in family.versions]
        found = changes(*sides[:2])
        paired = {(pair.old.label, pair.new.label) for pair in found.pairs}
        bodies = [
            {label: text.removeprefix(label) for label, text in articles_of(path).items()} for path in versions[:2]
        ]
        by_text = {text: label for label, text in bodies[1].items()}
        for label, text in bodies[0].items():
            if text in by_text:
                assert (label, by_text[text]) in paired
                moved += label != by_text[text]
        assert len(found.pairs) + len(found.removed) == len(bodies[0])
        assert len(found.pairs) + len(found.added) == len(bodies[1])
    assert moved >= 31
