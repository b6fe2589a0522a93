"""Parse the `info` lines of an engine, and skip what does not follow the protocol."""

from collections.abc import Mapping
from contextlib import suppress
from itertools import pairwise
from typing import Final, NamedTuple

from gnomon.engines.protocol import Score
from gnomon.timekeeping.instants import Duration, parse_seconds

_MOST_MOVES: Final = 200  # of a line that is expected: each is kept as a text of its own


class Info(NamedTuple):
    """What an engine tells of its search in one line; `line` begins with the move that is told of."""

    line: tuple[str, ...]
    score: Score | None
    depth: int
    nodes: int
    rank: int
    wait: Duration = Duration(0)


def read_info(line: str) -> Info | None:
    """What a line `info … pv …` tells; None for any other."""
    head, found, tail = line.partition(" pv ")
    if not found or " string " in head:
        return None
    words = head.split()
    said = dict(pairwise(words))
    score = _read_score(said, proven="proven" in words)
    depth, nodes, rank = (
        _whole(said.get(name, ""), usual) for name, usual in (("depth", 0), ("nodes", 0), ("multipv", 1))
    )
    return Info(
        tuple(tail.split(maxsplit=_MOST_MOVES)[:_MOST_MOVES]),
        score,
        depth,
        nodes,
        rank,
        read_duration(said.get("wait", "")),
    )


def _read_score(said: Mapping[str, str], *, proven: bool) -> Score | None:
    with suppress(ValueError):
        margin = float(said["margin"]) if "margin" in said else None
        if "chance" in said:
            return Score(min(1.0, max(0.0, float(said["chance"]))), margin, proven)
        if "mate" in said:
            return Score(0.0 if said["mate"].startswith("-") else 1.0, margin, proven=True)
        if "cp" in said:
            return Score(1 / (1 + 10 ** (-max(-4000, min(4000, int(said["cp"]))) / 400)), margin, proven)
    return None


def _whole(text: str, usual: int) -> int:
    return int(text[:18]) if text.isdecimal() and text.isascii() else usual


def read_duration(text: str) -> Duration:
    """The seconds that a text names; none for anything else."""
    with suppress(ValueError):
        return parse_seconds(text)
    return Duration(0)
