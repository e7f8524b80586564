"""How a prompt is named wherever it took part."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PromptRef:
    """Which prompt took part: its name, its version, and the SHA-256 of its file (hexadecimal)."""

    name: str
    version: int
    sha256: str
