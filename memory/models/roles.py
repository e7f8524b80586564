"""Which model does what."""

from dataclasses import dataclass

from .client import Model


@dataclass(frozen=True, slots=True)
class Models:
    """The models of one configuration. Where there are none, the floor does everything."""

    answer: Model
    rewrite: Model
    """A cheaper one may do; by default it is the one that answers."""
    compress: Model | None = None
    """Without one the floor chooses the sentences, which costs no call."""
