"""What a configuration opens, and what it says when it cannot."""

from pathlib import Path

import pytest

from veridical.graph import Settings, open_resources
from veridical.graph.models import open_models
from veridical.memory.errors import BadInput, StoreError


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize(
    ("model", "says"),
    [
        ("openai:gpt-5-mini", "OPENAI_API_KEY"),
        ("something", "provider:model"),
        ("nowhere:model", "provider:model"),
        ("anthropic:claude", "pip install langchain-anthropic"),
    ],
)
def test_a_model_that_cannot_be_opened_says_what_is_missing(model: str, says: str):
    with pytest.raises(BadInput, match=says):
        open_models(Settings(model=model))


def test_without_a_model_the_floor_does_everything():
    assert open_models(Settings()) is None


def test_a_cheaper_model_rewrites_and_another_compresses_where_they_are_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    models = open_models(Settings(model="openai:a", rewrite_model="openai:b", compress_model="openai:c"))
    assert models is not None
    assert (models.answer.name, models.rewrite.name) == ("openai:a", "openai:b")
    assert models.compress is not None


@pytest.mark.requirement("CONFIG")
def test_the_environment_outranks_the_file_and_the_call_outranks_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "settings.toml").write_text("limit = 7\nbuffer = 6\nsummary_after = 5\n", encoding="utf-8")
    monkeypatch.setenv("VERIDICAL_BUFFER", "16")
    monkeypatch.setenv("VERIDICAL_SUMMARY_AFTER", "15")
    settings = Settings(data_dir=tmp_path, summary_after=25)
    assert (settings.limit, settings.buffer, settings.summary_after) == (7, 16, 25)


def test_the_data_folder_is_made_for_its_owner_only(tmp_path: Path):
    with open_resources(Settings(data_dir=tmp_path / "data", embeddings="hashing:64")):
        assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
def test_a_folder_that_is_a_file_is_said_so(tmp_path: Path):
    (tmp_path / "data").write_text("", encoding="utf-8")
    with (
        pytest.raises(StoreError, match="choose another with --data"),
        open_resources(Settings(data_dir=tmp_path / "data", embeddings="hashing:64")),
    ):
        pass


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
def test_a_pinned_prompt_that_does_not_exist_is_said_before_the_first_turn(tmp_path: Path):
    settings = Settings(data_dir=tmp_path / "data", embeddings="hashing:64", prompts={"answer": 99})
    with pytest.raises(BadInput, match="prompts list"), open_resources(settings):
        pass
