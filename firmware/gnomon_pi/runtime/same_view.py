"""Compare two games by the fields that views read, to avoid redrawing what looks alike."""

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import Final

from gnomon.referee.game import Game

_VISIBLE: Final[dict[type[Game], Callable[[Game], tuple[object, ...]]]] = {}
"""What views may read of a game, by its class."""


def look_alike(before: Game | None, after: Game | None) -> bool:
    """Whether no view can tell two games apart: most edges change nothing yet but what the debouncer knows."""
    if before is None or after is None or type(before) is not type(after):
        return before is after
    kind = type(before)
    visible = _VISIBLE.get(kind) or _VISIBLE.setdefault(kind, _visible(kind))
    return all(one is other for one, other in zip(visible(before), visible(after), strict=True))


def _visible(kind: type[Game]) -> Callable[[Game], tuple[object, ...]]:
    """What views may read of a game."""
    return attrgetter(*(field.name for field in fields(kind) if field.name != "debouncer"))
