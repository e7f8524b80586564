"""The residue scan can fail: what is planted is found, in every kind of file and in every form."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.memory.forgetting.forms import forms, writings
from veridical.memory.forgetting.needles import Needles
from veridical.memory.forgetting.phrases import Phrase
from veridical.memory.forgetting.scan import scan_files, scan_terms
from veridical.memory.retrieval.namespaces import TURNS

from .conftest import holding

TOLD = "My access code is zorblax-48215, by 魑魅燚."


def in_a_file(form: str):
    def plant(folder: Path) -> str:
        octets = json.dumps("the code zorblax-48215, by 魑魅燚").encode() if form == "json" else TOLD.encode(form)
        (folder / "left.bin").write_bytes(b"\x00\x01" + octets + b"\xff")
        return "left.bin"

    return plant


def in_a_table(folder: Path) -> str:
    with closing(sqlite3.connect(folder / "veridical.db")) as connection, connection:
        connection.execute("INSERT INTO meta VALUES ('note', 'it was zorblax-48215')")
    return "veridical.db"


def in_chroma(folder: Path) -> str:
    (folder / "chroma" / "index-0").mkdir(parents=True)
    (folder / "chroma" / "index-0" / "data_level0.bin").write_bytes(b"\x00" * 100 + "by 魑魅燚".encode())
    return "chroma/index-0/data_level0.bin"


PLANTS = [in_a_file("utf-8"), in_a_file("utf-16-le"), in_a_file("utf-16-be"), in_a_file("json"), in_a_table, in_chroma]


@pytest.mark.requirement("FORGET-RESIDUE", "C34")
@pytest.mark.parametrize("plant", PLANTS, ids=["utf-8", "utf-16-le", "utf-16-be", "json", "table", "chroma"])
def test_planted_residue_is_found_with_its_file_and_its_turn(world, plant):
    world.say(TOLD)
    file = plant(world.folder)
    report = world.forget("turn", "t1")
    assert not report.clean
    assert {(place.file, place.turn) for place in report.residue} == {(file, "t1")}
    assert file in [scanned.file for scanned in report.scanned]
    assert "zorblax" not in json.dumps(report.document())


@pytest.mark.requirement("FORGET-RESIDUE", "C35")
def test_what_is_left_in_another_thread_of_the_user_goes_with_its_checkpoints(world):
    world.say("My favourite colour is green.", session="other")
    world.say(TOLD)
    with world.saver.cursor() as cursor:
        cursor.execute("UPDATE checkpoints SET metadata = ? WHERE thread_id = 'ann/other'", (TOLD.encode(),))
    report = world.forget("turn", "t3")
    assert report.clean
    assert sorted(report.threads) == ["ann/other", "ann/s1"]
    assert holding(world.folder, "zorblax", "魑魅") == []


@pytest.mark.requirement("FORGET-RESIDUE", "C34")
def test_a_term_that_only_the_index_still_lists_is_found(world):
    world.say("My landlord is Quillfeather.")
    table = TURNS.table_of("ann")
    with closing(sqlite3.connect(world.folder / "veridical.db")) as connection, connection:
        connection.execute(f"DELETE FROM {table}_content")
    phrases = [Phrase("Quillfeather", "t1", "word")]
    assert len(scan_terms(world.memory.database, "ann", phrases)) == 1
    assert scan_terms(world.memory.database, "ann", [Phrase("Nightjar", "t1", "word")]) == []
    assert scan_terms(world.memory.database, "nobody", phrases) == []


@pytest.mark.requirement("FORGET-RESIDUE")
def test_what_others_say_too_and_what_the_program_says_itself_is_no_residue(world):
    world.say("The budget of Apollo is 48,500 dollars.", user="bob")
    world.say("The budget of Apollo is 48,500 dollars.")
    world.say("Who is its manager?")
    world.say("Who is its manager?", user="bob")
    report = world.forget("all")
    assert report.clean
    assert holding(world.folder, "48,500") == ["checkpoints.db", "veridical.db"]


@pytest.mark.requirement("FORGET-RESIDUE")
@given(
    st.lists(st.binary(min_size=4, max_size=9), min_size=1, max_size=6, unique=True),
    st.binary(max_size=60),
    st.binary(max_size=60),
)
def test_a_needle_is_found_wherever_it_stands(tmp_path_factory, needles, before, after):
    path = tmp_path_factory.mktemp("file") / "data"
    data = before + needles[0] + after
    path.write_bytes(data)
    expected = {
        (index, offset)
        for index, needle in enumerate(needles)
        for offset in range(len(data))
        if data.startswith(needle, offset) and not needle.isdigit()
    }
    found = {tuple(place) for place in Needles(needles).in_file(path) if not needles[place.needle].isdigit()}
    assert found == expected


@pytest.mark.requirement("FORGET-RESIDUE")
def test_a_needle_across_two_pieces_of_a_file_is_found_once(tmp_path, monkeypatch):
    monkeypatch.setattr("veridical.memory.forgetting.needles._CHUNK", 8)
    (tmp_path / "data").write_bytes(b"....zorblax-48215...zorblax-48215.")
    found = [place.offset for place in Needles([b"zorblax-48215"]).in_file(tmp_path / "data")]
    assert found == [4, 20]


@pytest.mark.requirement("FORGET-RESIDUE")
def test_digits_within_a_longer_number_or_an_id_are_none_of_it(tmp_path):
    phrase = Phrase("48215", "t1", "telling", (("as it was said", "48215"),))
    (tmp_path / "data").write_bytes(b'"score": 0.48215, "id": "a48215f", 148215 482150')
    assert scan_files(tmp_path, [phrase])[1] == []
    (tmp_path / "data").write_bytes(b'"code": "48215"')
    assert len(scan_files(tmp_path, [phrase])[1]) == 1


def test_every_form_of_a_text_is_named():
    assert writings("我的花名") == {"as it was said": "我的花名", "folded": "我的花名", "as indexed": "我 的 花 名"}
    assert set(forms("魑魅", "folded").values()) == {
        "folded",
        "folded, JSON escapes",
        "folded, UTF-16",
        "folded, UTF-16 BE",
    }


@pytest.mark.requirement("FORGET-RESIDUE")
def test_words_of_the_same_stems_that_stay_are_no_residue(world):
    world.say("We wanted dancing lessons in Oslo.")
    world.say("I want dance lesson number 7.")
    assert world.forget("turn", "t3").clean
