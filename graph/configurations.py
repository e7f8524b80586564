"""Live comparison: every user is given one configuration, always the same, and every answer says which."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from ..memory.errors import BadInput
from ..nodes.contract import Resources
from .build import build_graph
from .guard import VeridicalGraph
from .models import check_prompts
from .resources import weights_of
from .settings import Configuration

DEFAULT = "default"
"""What everybody has who is given no other."""


def check_configurations(configurations: Mapping[str, Configuration]) -> None:
    """Raise BadInput where the shares are more than everybody, or a configuration names what does not exist."""
    if sum(one.share for one in configurations.values()) > 1 or DEFAULT in configurations:
        message = (
            f"The shares in the setting configurations exceed 1 together, or one is called {DEFAULT!r}: correct it."
        )
        raise BadInput(message)
    for one in configurations.values():
        check_prompts(one.prompts)
        weights_of(one.weights)


def assigned(user_id: str, configurations: Mapping[str, Configuration]) -> str:
    """The configuration of a user, by a hash of their id: the same in every process and after every restart."""
    place = int.from_bytes(hashlib.sha256(f"configuration of {user_id}".encode()).digest()[:8]) / (1 << 64)
    for name, one in sorted(configurations.items()):
        if place < one.share:
            return name
        place -= one.share
    return DEFAULT


class Assignment:
    """Which graph answers whom."""

    def __init__(self, graph: VeridicalGraph, configurations: Mapping[str, Configuration]) -> None:
        """Build a graph for each configuration beside the one that everybody else has.

        Raises:
            BadInput: the shares are more than everybody, or a configuration names what does not exist.
        """
        check_configurations(configurations)
        self._configurations = configurations
        saver = graph.checkpointer
        self._graphs = {
            name: build_graph(configured(graph.resources, name, one), checkpointer=saver)
            for name, one in configurations.items()
        }
        # Where nothing is compared, answers need no name of a configuration.
        rest = replace(graph.resources, configuration=DEFAULT)
        self._graphs[DEFAULT] = build_graph(rest, checkpointer=saver) if configurations else graph

    def of(self, user_id: str) -> VeridicalGraph:
        """The graph that answers a user, always the same."""
        return self._graphs[assigned(user_id, self._configurations)]


def configured(resources: Resources, name: str, configuration: Configuration) -> Resources:
    """The resources as a configuration has them."""
    return replace(
        resources,
        configuration=name,
        prompts={**resources.prompts, **configuration.prompts},
        weights=weights_of(configuration.weights) if configuration.weights else resources.weights,
        threshold=resources.threshold if configuration.threshold is None else configuration.threshold,
    )
