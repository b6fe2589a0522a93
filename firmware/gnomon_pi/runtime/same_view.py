"""Compare two games by the fields that views read, to avoid redrawing what looks alike."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Final, get_args

from gnomon.referee.games import AnyGame


def look_alike(before: AnyGame | None, after: AnyGame | None) -> bool:
    """Whether no view can tell two games apart: most edges change nothing yet but what the debouncer knows."""
    if before is None or after is None or type(before) is not type(after):
        return before is after
    visible = _VISIBLE[type(before)]
    return all(one is other for one, other in zip(visible(before), visible(after), strict=True))


def _visible(kind: type[AnyGame]) -> Callable[[AnyGame], tuple[object, ...]]:
    """What views may read of a game."""
    return attrgetter(*(field.name for field in fields(kind) if field.name != "debouncer"))


_VISIBLE: Final[Mapping[type[AnyGame], Callable[[AnyGame], tuple[object, ...]]]] = {
    kind: _visible(kind) for kind in get_args(AnyGame)
}
