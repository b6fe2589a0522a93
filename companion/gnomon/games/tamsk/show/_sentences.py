"""Describe in sentences what only TAMSK has: its turns, and what is ruled by its glasses.

The numbers are those of its rules in this project.
"""

import re
from collections.abc import Mapping
from typing import Final

from gnomon.games.tamsk.rules import PLAYERS
from gnomon.games.tamsk.sensing.inputs import TIMER
from gnomon.referee.rulings import GlassStopped, PenaltyRuled, Ruling, SandDeclared, TimerTurned, TurnLost
from gnomon.views.phrases import name
from gnomon.words import ENGLISH, Words

REASONS: Final[Mapping[str, int]] = {
    "not_adjacent": 1,
    "occupied": 1,
    "not_yours": 1,
    "not_your_turn": 1,
    "ring_elsewhere": 2,
    "two_rings": 2,
    "ring_removed": 2,
    "in_the_air": 1,
    "no_glass": 1,
    "blocked": 1,
    "must_pass": 8,
    "must_move": 6,
    "first_ring": 18,
    "turn_lost": 19,
    "not_lost": 19,
    "no_move": 16,
    "ring_due": 0,
    "not_full": 4,
    "full": 4,
    "no_ring": 8,
    "not_turned": 10,
    "must_be_another_glass": 11,
    "stopped_glass": 12,
    "timer15_running": 16,
}
"""The rule that forbids what has the code, 0 when none does; what it says is the entry `reason.tamsk.CODE`."""


ENDINGS: Final = {"fewest_rings": 7, "last_running_glass": 15, "draw": 7, "stall": 9, "full_space": 5}
_TURN: Final = re.compile(
    r"(?:\+(?P<before>[A-G][1-7]),)?(?P<origin>[A-G][1-7])-(?P<target>[A-G][1-7])(?P<ring>[x=]?)"
    r"(?:,\+(?P<free>[A-G][1-7]))?"
)
_LIFTED: Final = re.compile("lift:([A-G][1-7])")
_TIMER_TURNED: Final = "flip15"
_PENALTY_ALONE: Final = re.compile(r"\+([A-G][1-7])")
_RINGS: Final = {"": "turn.tamsk.ring", "x": "turn.tamsk.ring.full", "=": "turn.tamsk.ring.none"}
_FORCED: Final = frozenset({"pass", "lost"})
_BRIEF_RINGS: Final = {"": "turn.tamsk.brief.ring", "x": "turn.tamsk.brief.full"}


def ruling_sentence(said: Ruling, words: Words, *, at_length: bool) -> str:
    """A ruling by the glasses, in plain words or in few; empty for every other."""
    brief = "" if at_length else ".brief"
    match said:
        case GlassStopped(player=player, space=space):
            return words(f"ruling.tamsk.stopped{brief}", player=name(player, words), space=space)
        case TimerTurned(by=by):
            return words(f"ruling.tamsk.timer15{brief}", by=name(by, words), other=name(_other(by), words))
        case PenaltyRuled(player=player):
            return words(f"ruling.tamsk.penalty{brief}", player=name(player, words), other=name(_other(player), words))
        case TurnLost(player=player):
            return words(f"ruling.tamsk.lost{brief}", player=name(player, words))
        case SandDeclared(space=space, by=by, agreed=agreed):
            what = "timer15" if space == TIMER else "glass"
            how = ".agreed" if agreed and at_length else brief
            key = f"ruling.tamsk.declared.{what}{how}"
            return words(key, by=name(by, words), space=space, agreed=name(agreed, words))
        case _:
            return ""


def turn(player: str, text: str, words: Words) -> str:
    """A turn in canonical text, in plain words; text of another grammar is given as it stands."""
    who = name(player, words)
    if alone := _PENALTY_ALONE.fullmatch(text):
        return words("turn.tamsk.penalty", player=who, space=alone[1])
    if text == _TIMER_TURNED:
        return words("turn.tamsk.flip15", player=who)
    if lifted := _LIFTED.fullmatch(text):
        return words("turn.tamsk.lift", player=who, space=lifted[1])
    found = _TURN.fullmatch(text)
    if found is None:
        return words(f"turn.tamsk.{text}" if text in _FORCED else "turn.other", player=who, text=text)
    more = "_".join(part for part in ("before", "free") if found[part])
    return words(
        f"turn.tamsk.move.{more}" if more else "turn.tamsk.move",
        player=who,
        other=name(_other(player), words) if player in PLAYERS else "",
        before=found["before"],
        origin=found["origin"],
        target=found["target"],
        ring=words(_RINGS[found["ring"]]),
        free=found["free"],
    )


def brief_turn(player: str, text: str, words: Words) -> str:
    """A turn in few words: its canonical text where that speaks for itself."""
    return words("turn.other", player=name(player, words), text=_brief(text, words))


def _brief(text: str, words: Words) -> str:
    found = _TURN.fullmatch(text)
    if found is None:
        return words(f"turn.tamsk.brief.{text}") if text in _FORCED else text
    before, origin, target, ring, free = found.group("before", "origin", "target", "ring", "free")
    rings = words(_BRIEF_RINGS[ring]) if ring in _BRIEF_RINGS else ""
    rings += "".join(words("turn.tamsk.brief.more", space=space) for space in (before, free) if space)
    return words("turn.tamsk.brief.move", origin=origin, target=target, rings=rings)


def rings_left(score: Mapping[str, int], words: Words = ENGLISH) -> str:
    """The score in words."""
    players = [player for player in PLAYERS if player in score]
    points = [words("score.player", player=name(player, words), points=score[player]) for player in players]
    return words("score.tamsk", score=", ".join(points))


def _other(player: str) -> str:
    """The player across the board."""
    return PLAYERS[1 - PLAYERS.index(player)]
