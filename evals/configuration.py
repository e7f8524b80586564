"""What is measured: the settings of the product, and a hash that changes with whatever could change a result."""

import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tomllib import loads
from typing import Any

from pydantic import ValidationError

from .. import __version__
from ..graph.settings import Settings, wrong_setting
from ..memory.errors import BadInput

PRESETS: Mapping[str, Mapping[str, int]] = {
    "declaration": {"answer": 1},
    "anchors": {"answer": 2},
    "state": {"answer": 3},
}
"""Pinned prompts by the way in which they ask a model to remember."""

_PRODUCT = ("prompts", "memory", "intents", "nodes", "graph")
_READ = {".py", ".yaml", ".md", ".json"}
_FORM_OF_ROWS = 1
"""Counted up when a row of measurements holds something else than before."""
_NOT_MEASURED = {"data_dir", "database_url", "chroma_url"}


@dataclass(frozen=True, slots=True)
class Configuration:
    """What a run is made with."""

    settings: Settings
    ks: tuple[int, ...] = (3, 5, 10, 20)
    ask: bool = True
    baselines: bool = False

    @property
    def limit(self) -> int:
        """How many results are retrieved: the rankings do not depend on it, so once is enough."""
        return max(self.ks)

    @property
    def hash(self) -> str:
        """Changes with the settings, with what is measured, and with the code of the product."""
        parts = [self.measured_settings(), self.limit, self.ask, self.baselines, _FORM_OF_ROWS, code_hash()]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]

    def measured_settings(self) -> dict[str, Any]:
        """The settings that count for results."""
        return self.settings.model_dump(mode="json", exclude=_NOT_MEASURED)

    def document(self, conversations: Sequence[int] | None) -> dict[str, Any]:
        """The configuration as the document of a run says it."""
        settings = self.measured_settings()
        return {
            "veridical": __version__,
            "embeddings": settings["embeddings"],
            "model": settings["model"],
            "limit": self.limit,
            "ks": list(self.ks),
            "prompts": settings["prompts"],
            "settings": settings,
            "hash": self.hash,
            "conversations": None if conversations is None else list(conversations),
        }


@functools.cache
def code_hash() -> str:
    """A hash of the product's code, lexicons and prompts: what was measured with other code is measured again."""
    root = Path(__file__).parent.parent
    digest = hashlib.sha256(__version__.encode())
    for folder in _PRODUCT:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in _READ and path.is_file():
                digest.update(path.relative_to(root).as_posix().encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


def read_settings(file: Path | None, preset: str | None, folder: Path) -> Settings:
    """The settings of a run: a settings file as the product reads it, else the environment and the defaults.

    Args:
        file: a ``settings.toml``; what it says goes before the environment.
        preset: a name in ``PRESETS``, which goes before the file.
        folder: the data folder, in which no settings are looked for.

    Raises:
        BadInput: the file cannot be read, or a setting is wrong.
    """
    given: dict[str, Any] = {}
    if file is not None:
        try:
            given = loads(file.read_text(encoding="utf-8"))
        except (ValueError, RecursionError, OSError) as error:
            message = f"{file} cannot be read as settings ({error}): give a TOML file such as settings.toml."
            raise BadInput(message) from error
    if preset is not None:
        given["prompts"] = {**given.get("prompts", {}), **PRESETS[preset]}
    try:
        return Settings(**(given | {"data_dir": folder}))
    except ValidationError as error:
        raise wrong_setting(error, lambda _: str(file or "the environment")) from error
