"""`veridical config`: every setting, its value, and where it comes from."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import options
from ..output import show, show_json

if TYPE_CHECKING:
    from ...graph.settings import Settings

_SECRET_WORDS = ("key", "token", "secret", "password")


def config(data: options.Data = None, as_json: options.Json = False, verbose: options.Verbose = False) -> None:
    """Show every setting and where it comes from."""
    from ..opening import load_settings
    from ..rendering.settings import settings_page

    rows = describe(load_settings(data), data)
    if as_json:
        show_json({"settings": rows})
    else:
        show(settings_page(rows))


def describe(settings: "Settings", data: Path | None) -> list[dict[str, Any]]:
    """One row per setting: name, value (secrets masked), origin, environment variable, description."""
    from ...graph.settings import FILE_NAME

    file = settings.data_dir / FILE_NAME
    in_file = _names_in(file)
    rows = []
    for name, field in type(settings).model_fields.items():
        variable = f"VERIDICAL_{name.upper()}"
        if name == "data_dir" and data is not None and os.environ.get(variable) != str(data):
            origin = "--data"
        elif variable in os.environ:
            origin = variable
        else:
            origin = FILE_NAME if name in in_file else "default"
        rows.append(
            {
                "name": name,
                "value": _shown(name, getattr(settings, name)),
                "origin": origin,
                "variable": variable,
                "description": field.description or "",
            }
        )
    return rows


def _names_in(file: Path) -> set[str]:
    import tomllib

    return set(tomllib.loads(file.read_text(encoding="utf-8"))) if file.is_file() else set()


def _shown(name: str, value: object) -> object:
    from pydantic import SecretStr

    from ..opening import without_password

    if any(word in name for word in _SECRET_WORDS):
        return "********" if value else ""
    if isinstance(value, SecretStr):
        return without_password(value.get_secret_value())
    return str(value) if isinstance(value, Path) else value
