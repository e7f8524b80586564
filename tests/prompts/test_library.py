"""Templates are pinned, strict and hashed."""

import json
from importlib.resources import files

import pytest

from veridical.prompts.library import PromptError, digest, load

pytestmark = pytest.mark.requirement("PROMPTS-RELEASED")


def test_a_missing_variable_is_an_error_that_names_it():
    with pytest.raises(PromptError, match="reply"):
        load("floor_reply", "en").render()


def test_an_undeclared_variable_is_an_error_that_names_it():
    prompt = load("floor_reply", "en")
    with pytest.raises(PromptError, match="does not know surprise"):
        prompt.render(**dict.fromkeys(prompt.variables, ""), surprise=1)


@pytest.mark.parametrize(
    ("name", "language", "version"), [("nothing", "en", None), ("floor_reply", "xx", None), ("floor_reply", "en", 99)]
)
def test_an_unknown_template_is_an_error_that_names_it(name, language, version):
    with pytest.raises(PromptError, match=name):
        load(name, language, version)


def test_a_released_template_is_never_edited():
    root = files("veridical.prompts")
    released = json.loads((root / "released.json").read_text(encoding="utf-8"))
    assert released == {name: digest((root / name).read_text(encoding="utf-8")) for name in released}


def test_every_template_is_released_in_both_languages():
    root = files("veridical.prompts")
    released = json.loads((root / "released.json").read_text(encoding="utf-8"))
    shipped = {
        f"{folder.name}/{entry.name}"
        for folder in root.iterdir()
        if folder.is_dir()
        for entry in folder.iterdir()
        if entry.name.endswith(".md")
    }
    assert shipped == set(released)
    assert {name.replace(".en.", ".zh.") for name in shipped} == {
        name.replace(".en.", ".zh.") for name in shipped if ".zh." in name
    }
