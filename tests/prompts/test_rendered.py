"""Every rendered prompt equals its golden file: a change of wording is seen before it is released."""

from pathlib import Path

import pytest

from veridical.prompts.library import Prompt, catalogue

# Those of one part are sentences for people, made from values: they have tests of their own.
PROMPTS = [prompt for prompt in catalogue() if len(prompt.parts) > 1]
GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.requirement("PROMPTS-GOLDEN")
@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda one: f"{one.ref.name}-v{one.ref.version}-{one.language}")
def test_a_rendered_prompt_equals_its_golden_file(prompt: Prompt, request: pytest.FixtureRequest):
    messages = prompt.messages(**{name: f"<{name}>" for name in prompt.variables})
    text = "\n".join(f"[{message.type}]\n{message.text}" for message in messages) + "\n"
    path = GOLDEN / f"{prompt.ref.name}.v{prompt.ref.version}.{prompt.language}.txt"
    if request.config.getoption("update_golden"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
