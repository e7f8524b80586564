"""BEGIN and TIAGE are read as published, and what is measured on them is what was asked for."""

import json
from pathlib import Path

import pytest

from veridical.evals.configuration import Configuration, read_settings
from veridical.evals.datasets import begin, tiage
from veridical.evals.labelled import attribution_document, overlap, shift_document
from veridical.evals.records import Source
from veridical.memory.errors import BadFile

pytestmark = pytest.mark.requirement("EVAL-DATASETS")
HEADER = "model_name\tknowledge\tmessage\tresponse\tbegin_label"
ROWS = [
    "x\tThe ferry takes 55 minutes.\thm\tThe ferry takes 55 minutes.\tFully attributable",
    'x\tThe ferry takes 55 minutes.\thm\tI said "maybe it flies.\t Not fully attributable',
]


@pytest.fixture
def configuration(monkeypatch):
    monkeypatch.setenv("VERIDICAL_EMBEDDINGS", "hashing:64")
    return Configuration(read_settings(None, None, Path("nowhere")))


def tsv(tmp_path, *rows, header=HEADER):
    path = tmp_path / "begin.tsv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_responses_come_with_their_knowledge_and_label(tmp_path):
    pairs = begin.load(Source(tsv(tmp_path, *ROWS)))
    assert [pair.attributable for pair in pairs] == [True, False]
    assert pairs[1].response == 'I said "maybe it flies.'
    assert begin.load(Source(tmp_path, limit=1)) == pairs[:1]


def test_attribution_is_measured_beside_the_overlap_of_words(tmp_path, configuration):
    document = attribution_document(Source(tsv(tmp_path, *ROWS)), configuration, tmp_path)
    assert document["metrics"] == {"pairs": 2, "attributable": 1, "auc": 1.0, "overlap_auc": 1.0}
    assert overlap("the red ferry", "a ferry") == 0.5


def test_a_wrong_table_is_told_with_its_line(tmp_path):
    with pytest.raises(BadFile, match="line 3: 'begin_label' is 'perhaps'"):
        begin.load(Source(tsv(tmp_path, ROWS[0], "x\ta\tb\tc\tperhaps")))
    with pytest.raises(BadFile, match="line 1: the column 'knowledge' is missing"):
        begin.load(Source(tsv(tmp_path, header="a\tb")))


def chats(tmp_path, content):
    path = tmp_path / "tiage.json"
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return path


def test_the_turns_of_a_chat_come_with_their_shifts(tmp_path):
    path = chats(tmp_path, {"1": [["hi", "-1"], ["dogs are fun", "0"], ["taxes are due", "1"]]})
    (chat,) = tiage.load(Source(path))
    assert chat.shifts == (False, True)
    assert len(chat.texts) == 3


def test_shifts_are_measured_beside_the_distance_of_embeddings(tmp_path, configuration):
    talk = [["the grey dog barks", "-1"], ["the grey dog barks loudly", "0"], ["quarterly taxes fall due", "1"]]
    document = shift_document(Source(chats(tmp_path, {"1": talk, "2": talk})), configuration, tmp_path)
    metrics = document["metrics"]
    assert (metrics["turns"], metrics["shifts"]) == (4, 2)
    assert metrics["distance_f1"] == 1.0
    assert 0.0 <= metrics["f1"] <= 1.0


def test_a_wrong_chat_is_told_with_its_line(tmp_path):
    with pytest.raises(BadFile, match="line 1: turn 1 of dialogue '1'"):
        tiage.load(Source(chats(tmp_path, {"1": [["hi", "7"]]})))
