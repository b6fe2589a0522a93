"""Check from the record of a game that every throw follows from the shares of both boards."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from gnomon.distance.shares import RevealedLink, SharedChance
from gnomon.referee.game import Game
from gnomon.rules.odds import pick
from gnomon.rules.protocol import NATURE

_TOLD: Final = re.compile(r"throw (\d{1,4}), links ([0-9a-f]{64}) ([0-9a-f]{64})")


class ThrowProof(Enum):
    """What the record says of a throw; its words are the entry `cli.throws.` and its value."""

    PROVEN = "proven"  # it follows from the shares of both boards, to which they had committed themselves before
    ALONE = "alone"  # by hand, or by one board alone: the people who were there are its witnesses
    WRONG = "wrong"  # it does not follow from the shares that stand beside it


class CheckedThrow(NamedTuple):
    """A throw or a draw: the number of its turn, what fell, and whether it is proven."""

    turn: int
    text: str
    proof: ThrowProof


@dataclass(frozen=True, slots=True)
class Anchors:
    """The ends of both boards' chains, as they were told before the game; empty where a board had none."""

    host: str = ""
    guest: str = ""


def check_throws(game: Game, reasons: Iterable[str], anchors: Anchors) -> list[CheckedThrow]:
    """Every throw and draw of a game, checked by the reasons that its record gives for turns."""
    found = [SharedChance(int(told[1]), told[2], told[3]) for told in map(_TOLD.search, reasons) if told is not None]
    chances = {chance.number_of_throw: chance for chance in found}
    throws = [(number, ply) for number, ply in enumerate(game.plies, 1) if game.rules.turn(ply.before) == NATURE]
    return [
        CheckedThrow(number, ply.text, _proof(game, ply.before, ply.text, chances.get(count), anchors))
        for count, (number, ply) in enumerate(throws, 1)
    ]


def anchors_in(notes: Iterable[Mapping[str, object]], *, is_guest: bool) -> Anchors:
    """Both anchors by the notes of one board on its game with another one; the last note says most."""
    own = other = ""
    for note in notes:
        own, other = str(note.get("own_anchor", own)), str(note.get("anchor", other))
    return Anchors(other, own) if is_guest else Anchors(own, other)


def _proof(game: Game, before: object, text: str, chance: SharedChance | None, anchors: Anchors) -> ThrowProof:
    if chance is None:
        return ThrowProof.ALONE
    number = chance.number_of_throw
    pairs = ((chance.host, anchors.host), (chance.guest, anchors.guest))
    are_theirs = all(RevealedLink(number, link).is_of(anchor) for link, anchor in pairs)
    fell = pick(game.rules, before, lambda bound: chance.below(bound, number))
    return ThrowProof.PROVEN if are_theirs and fell == text else ThrowProof.WRONG
