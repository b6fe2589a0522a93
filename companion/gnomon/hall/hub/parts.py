"""Divide the boards of a hall among its hubs by their names, with patterns such as `a*`."""

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase

from gnomon.hall.hub.hub import HubTerms


def with_part(terms: HubTerms, patterns: Sequence[str] = (), *, only_pages: bool = False) -> HubTerms:
    """What a process does that hears and serves the boards of some patterns, or of all without one.

    One for pages hears every board, and serves none.
    """
    if only_pages:
        return terms._replace(has_recorders=True, has_others=True, serves=_nothing)
    if not patterns:
        return terms
    part = named_by(patterns)
    return terms._replace(has_others=True, hears=part, serves=part)


def _nothing(_: str) -> bool:
    return False


def named_by(patterns: Sequence[str]) -> Callable[[str], bool]:
    """Whether a board's name matches one of the patterns."""

    def is_named(board: str) -> bool:
        return any(fnmatchcase(board, pattern) for pattern in patterns)

    return is_named
