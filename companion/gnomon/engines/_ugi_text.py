"""Parse the words of UGI commands, and format the answers to them."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log10
from typing import Any, Final, NoReturn

from gnomon.engines.move_list import MoveList
from gnomon.engines.protocol import Report, Score
from gnomon.refusals import Refusal
from gnomon.timekeeping.instants import MILLISECOND, Duration

_MOST_CP: Final = 3000
_SIDE_TOKENS: Final = ("p1time", "p2time", "p1inc", "p2inc")
_NUMBERS: Final = (*_SIDE_TOKENS, "movestogo", "movetime", "nodes", "depth")
_FLAGS: Final = ("infinite", "ponder", "offturn")
_LISTS: Final = ("searchmoves", "at", "hands", "sand", "sand15")
_LEAST: Final = Duration(20 * MILLISECOND)
_RESERVE: Final = Duration(30 * MILLISECOND)
_SHOWN: Final = 120


@dataclass
class GoWords:
    """The words of a `go` by what they say."""

    numbers: dict[str, int] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)
    lists: dict[str, list[str]] = field(default_factory=dict)


class CannotObeyError(ValueError):
    """A line that cannot be obeyed: what is answered to it, as a sentence."""


def refuse(message: str) -> NoReturn:
    """Say why a line cannot be obeyed. Raises CannotObeyError."""
    raise CannotObeyError(message)


def read_moves(line: MoveList, texts: Sequence[str]) -> Generator[str, None, Sequence[Any]]:
    """The moves to which a search is restricted; those that are not legal are told. Raises CannotObeyError."""
    moves = []
    for text in texts:
        try:
            moves.append(line.rules.parse(line.position, text))
        except Refusal as error:
            yield info(f"searchmoves {quote(text)}: {error}")
    if texts and not moves:
        refuse("none of searchmoves is legal")
    return moves


def read_go(words: Sequence[str]) -> Generator[str, None, GoWords]:
    """The words of a `go`: what is unknown is left out, and a number that is none is told."""
    asked = GoWords()
    inside: list[str] | None = None
    rest = iter(words)
    for word in rest:
        if word in _NUMBERS:
            inside = None
            number = next(rest, "")
            if number.lstrip("-").isdecimal() and number.isascii():
                asked.numbers[word] = max(0, int(number[:15]))
            else:
                yield info(f"{word} takes a whole number, not {quote(number) or 'nothing'}")
        elif word in _FLAGS:
            inside = None
            asked.flags.add(word)
        elif word in _LISTS:
            inside = asked.lists.setdefault(word, [])
        elif inside is not None:
            inside.append(word)
    return asked


def time_for_a_move(numbers: Mapping[str, int], *, is_first: bool) -> Duration | None:
    """How long to think: what `movetime` says, or a part of what is left on the clock; None: as long as it takes."""
    if "movetime" in numbers:
        return Duration(numbers["movetime"] * MILLISECOND)
    side = "p1" if is_first else "p2"
    if f"{side}time" not in numbers:
        return None
    left, gain = numbers[f"{side}time"] * MILLISECOND, numbers.get(f"{side}inc", 0) * MILLISECOND
    turns = min(20, numbers.get("movestogo") or 20)
    return Duration(max(_LEAST, min(left // turns + gain * 3 // 4, left // 2) - _RESERVE))


def least_of(*limits: int | None) -> int | None:
    return min((limit for limit in limits if limit is not None), default=None)


def restrict(report: Report, moves: Sequence[Any]) -> Report:
    """The report without moves that were not asked for, from an engine that has weighed them all the same."""
    if not moves:
        return report
    return report._replace(candidates=[each for each in report.candidates if each.move in moves])


def score_text(score: Score) -> str:
    """The score as UCI has it, in hundredths of a stone, which 400 times the logarithm of the odds stands for here.

    What follows is an addition: the chance itself, by how much, and whether it is certain.
    """
    chance = min(1.0, max(0.0, score.chance))
    if chance in {0.0, 1.0}:
        points = _MOST_CP if chance else -_MOST_CP
    else:
        points = max(-_MOST_CP, min(_MOST_CP, round(400 * log10(chance / (1 - chance)))))
    words = [f"score cp {points} chance {chance:.3f}"]
    if score.margin is not None:
        words += [f"margin {score.margin:+.1f}"]
    return " ".join((*words, "proven") if score.proven else words)


def info(told: str) -> str:
    """A sentence to the program at the other end, in one line of ASCII."""
    return "info string " + " ".join(told.encode("ascii", "backslashreplace").decode().split())


def quote(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...") if text else ""
