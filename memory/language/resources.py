"""Reading the lexicons: YAML files in ``lexicons/``, loaded once, on first use."""

import functools
from importlib import resources
from typing import Any

import yaml


@functools.cache
def load(name: str) -> dict[str, Any]:
    """The content of ``lexicons/<name>.yaml``, a mapping.

    Loaded with libyaml where the interpreter has it, because the tables are long.
    """
    # Relative to this package, so that it works both from a checkout and from an installed wheel.
    text = resources.files(__package__).joinpath("lexicons", f"{name}.yaml").read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    content: dict[str, Any] = yaml.load(text, Loader=loader)  # noqa: S506 - both loaders are the safe ones
    return content
