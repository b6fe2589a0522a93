"""Tell whether two games look alike: most edges change nothing yet but what the debouncer knows."""

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter, is_
from typing import Final

from gnomon.referee.debounce import Change
from gnomon.referee.game import Game

_VISIBLE: Final[dict[type[Game], Callable[[Game], tuple[object, ...]]]] = {}
"""What views may read of a game, by its class."""


def coming_changes(game: Game | None) -> tuple[Change, ...]:
    """The changes of the board that are no evidence yet, but show already."""
    return () if game is None else game.debouncer.pending_changes()


def look_alike(before: Game | None, after: Game | None) -> bool:
    """Whether no view can tell two games apart."""
    if before is after:
        return True
    if before is None or after is None or type(before) is not type(after):
        return False
    kind = type(before)
    visible = _VISIBLE.get(kind) or _VISIBLE.setdefault(kind, _visible(kind))
    return all(map(is_, visible(before), visible(after)))


def _visible(kind: type[Game]) -> Callable[[Game], tuple[object, ...]]:
    """What views may read of a game."""
    return attrgetter(*(field.name for field in fields(kind) if field.name != "debouncer"))
