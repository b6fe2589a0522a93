"""Divide the boards of a hall among its hubs by their names, with patterns such as `a*`."""

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase

from gnomon.hall.hub.hub import BOARDS, HubTerms


def hub_terms(
    *,
    most: int = BOARDS,
    has_recorders: bool = False,
    has_others: bool = False,
    only_pages: bool = False,
    patterns: Sequence[str] = (),
) -> HubTerms:
    """What a process does that hears and serves the boards of some patterns, or of all without one.

    One for pages hears every board, and serves none.
    """
    part = named_by(patterns) if patterns else None
    return HubTerms(
        most=most,
        has_recorders=has_recorders or only_pages,
        has_others=has_others or only_pages or bool(patterns),
        hears=part,
        serves=(lambda _: False) if only_pages else part,
    )


def named_by(patterns: Sequence[str]) -> Callable[[str], bool]:
    """Whether a board's name matches one of the patterns."""

    def is_named(board: str) -> bool:
        return any(fnmatchcase(board, pattern) for pattern in patterns)

    return is_named
