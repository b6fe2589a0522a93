"""Describe rulings, rules, turns and states of TAMSK in sentences, as well as what all games share.

Every ruling has a long form for pages and records, with the number of the rule it rests on, and a brief form of at
most three lines of the display. This module selects the entry of the words, for TAMSK (with the
numbers of its rules in this project) and for what is the same in every game. The rest is in `table_sentences`.
"""

import re
from collections.abc import Mapping
from typing import Final, assert_never

from gnomon.games.tamsk.rules import PLAYERS, Tamsk
from gnomon.games.tamsk.sensing.not_turned import WHO
from gnomon.referee.judgement import BUTTONS, Judgement, Phase, Repair
from gnomon.referee.rulings import (
    ClockStarted,
    Corrected,
    FaultRuled,
    FlagFell,
    GameOver,
    GamePaused,
    GameResumed,
    GlassStopped,
    IllegalRuled,
    PenaltyRuled,
    QuestionAsked,
    Righted,
    Ruling,
    SandDeclared,
    TimerTurned,
    TurnLost,
    TurnRuled,
)
from gnomon.rules.protocol import Outcome
from gnomon.views import repairs, retelling, table_sentences, wording
from gnomon.views.endings import ended
from gnomon.views.wording import Reason
from gnomon.words import ENGLISH, Words, upper

BY_HAND: Final = "by_hand"
"""The code of a board that lags behind a correction: nobody is to blame."""

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
    BY_HAND: 0,
    "timer15_running": 16,
}
"""The rule that forbids what has the code, 0 when none does; what it says is the entry `reason.tamsk.CODE`."""


def reason(code: str, words: Words = ENGLISH) -> Reason:
    """Why the code forbids what happened; a code without an entry is what no legal turn explains."""
    if code == BY_HAND:
        return Reason(0, words("reason.by_hand"))
    return Reason(REASONS.get(code, 0), words(f"reason.tamsk.{code if code in REASONS else 'unexplained'}"))


def name(player: str, words: Words = ENGLISH) -> str:
    """A player as people say it."""
    return wording.name(player, words)


def other(player: str) -> str:
    """The player across the board."""
    return PLAYERS[1 - PLAYERS.index(player)]


def button(source: str, words: Words = ENGLISH) -> str:
    """A button of the board ("red", "black", "arbiter" or "not_turned") as people say it."""
    return words(words.first(f"button.{source}", "button.other"), button=source)


def sentence(  # noqa: C901, PLR0911, PLR0912 - a line for each letter
    ruling: Ruling, game: str = Tamsk.name, words: Words = ENGLISH
) -> str:
    """The ruling in plain words, with the rule it rests on, in a game by its name."""
    if game != Tamsk.name and (said := table_sentences.sentence(ruling, game, words)) is not None:
        return said
    match ruling:
        case TurnRuled(player=player, text=text):
            return turn(player, text, words)
        case IllegalRuled():
            return _refusal(ruling, words)
        case Righted():
            return words("ruling.righted")
        case GlassStopped(player=player, space=space):
            return words("ruling.stopped", player=name(player, words), space=space)
        case TimerTurned(by=by):
            return words("ruling.timer15", by=name(by, words), other=name(other(by), words))
        case PenaltyRuled(player=player):
            return words("ruling.penalty", player=name(player, words), other=name(other(player), words))
        case TurnLost(player=player):
            return words("ruling.lost", player=name(player, words))
        case FaultRuled(input=source, fault=fault):
            return words(words.first(f"ruling.fault.{fault}", "ruling.fault.other"), sensor=sensor(source, words))
        case QuestionAsked(question=question, choices=choices):
            offered = wording.either((choice(each, words) for each in choices), words)
            return words("ruling.ask", question=asked(question, words), choices=offered)
        case GamePaused():
            return words("ruling.paused.tamsk")
        case GameResumed():
            return words("ruling.resumed")
        case GameOver(winner=winner, reason=why, score=score):
            return f"{result(Outcome(winner, why), words)} {ending(why, words).cited(words)} {rings_left(score, words)}"
        case Corrected(why=why):
            return words(f"ruling.corrected{'.why' if why else ''}", **_corrected(ruling, words))
        case SandDeclared(space=space, by=by, agreed=agreed):
            key = f"{_declared(space)}.agreed" if agreed else _declared(space)
            return words(key, by=name(by, words), space=space, agreed=name(agreed, words))
        case ClockStarted(player=player):
            return words("ruling.clock", player=name(player, words))
        case FlagFell(player=player):
            return words("ruling.flag", player=name(player, words))
        case _:
            assert_never(ruling)


def brief(  # noqa: C901, PLR0911, PLR0912 - a line for each letter
    ruling: Ruling, game: str = Tamsk.name, words: Words = ENGLISH
) -> str:
    """The ruling in the few words that the display has room for."""
    if game != Tamsk.name and (said := table_sentences.brief(ruling, game, words)) is not None:
        return said
    match ruling:
        case TurnRuled(player=player, text=text):
            return words("turn.other", player=name(player, words), text=_brief_turn(text, words))
        case IllegalRuled(code=code):
            return reason(code, words).text
        case Righted():
            return words("ruling.righted.brief")
        case GlassStopped(player=player, space=space):
            return words("ruling.stopped.brief", player=name(player, words), space=space)
        case TimerTurned(by=by):
            return words("ruling.timer15.brief", other=name(other(by), words))
        case PenaltyRuled(player=player):
            return words("ruling.penalty.brief", player=name(player, words), other=name(other(player), words))
        case TurnLost(player=player):
            return words("ruling.lost.brief", player=name(player, words))
        case FaultRuled(input=source, fault=fault):
            key = words.first(f"ruling.fault.{fault}.brief", "ruling.fault.brief")
            return words(key, sensor=sensor(source, words))
        case QuestionAsked(question=question):
            return asked(question, words)
        case GamePaused():
            return words("ruling.paused.brief")
        case GameResumed():
            return words("ruling.resumed")
        case GameOver(winner=winner, reason=why):
            return result(Outcome(winner, why), words)
        case Corrected():
            return words("ruling.corrected.brief", **_corrected(ruling, words))
        case SandDeclared(space=space, by=by):
            return words(f"{_declared(space)}.brief", by=name(by, words), space=space)
        case ClockStarted(player=player):
            return words("ruling.clock.brief", player=name(player, words))
        case FlagFell(player=player):
            return words("ruling.flag.brief", player=name(player, words))
        case _:
            assert_never(ruling)


def choice(text: str, words: Words = ENGLISH) -> str:
    """An answer as people say it: a turn stays in canonical text."""
    key = f"choice.{text}"
    return words(key) if key in words.entries else text


def asked(question: str, words: Words = ENGLISH) -> str:
    """A question by its code; one without an entry stands as it is."""
    key = f"question.{question}"
    return words(key) if key in words.entries else question


def turn(player: str, text: str, words: Words = ENGLISH) -> str:
    """A turn in canonical text, in plain words; text of another grammar is given as it stands."""
    who = name(player, words)
    if alone := _PENALTY_ALONE.fullmatch(text):
        return words("turn.tamsk.penalty", player=who, space=alone[1])
    found = _TURN.fullmatch(text)
    if found is None:
        return words(f"turn.tamsk.{text}" if text in _FORCED else "turn.other", player=who, text=text)
    more = "_".join(part for part in ("before", "free") if found[part])
    return words(
        f"turn.tamsk.move.{more}" if more else "turn.tamsk.move",
        player=who,
        other=name(other(player), words) if player in PLAYERS else "",
        before=found["before"],
        origin=found["origin"],
        target=found["target"],
        ring=words(_RINGS[found["ring"]]),
        free=found["free"],
    )


def repair(step: Repair, words: Words = ENGLISH) -> str:
    """One step of putting the board right, as a request."""
    return repairs.request(step, words)


def result(outcome: Outcome, words: Words = ENGLISH) -> str:
    """Who has won."""
    return wording.won(outcome.winner, words, outcome.reason)


def ending(why: str, words: Words = ENGLISH) -> Reason:
    """Why a game of TAMSK ended."""
    return ended(why, ENDINGS, words)


def rings_left(score: Mapping[str, int], words: Words = ENGLISH) -> str:
    """The score in words."""
    players = [player for player in PLAYERS if player in score]
    points = [words("score.player", player=name(player, words), points=score[player]) for player in players]
    return words("score.tamsk", score=", ".join(points))


def sensor(source: str, words: Words = ENGLISH) -> str:
    """An input of the board in plain words ("D2.ring1" is the ring sensor 1 of D2)."""
    place, _, part = source.partition(".")
    if place == "button":
        return upper(button(part, words))
    if part.startswith("ring"):
        return words("sensor.ring", number=part.removeprefix("ring"), place=place)
    return words(words.first(f"sensor.{place}.{part}", f"sensor.{part}", "sensor.other"), part=part, place=place)


def quarantine(source: str, words: Words = ENGLISH) -> str:
    """That an input is not believed, and what to do."""
    place, _, _ = source.partition(".")
    key = "quarantine" if place in {"button", "timer15"} else "quarantine.by_hand"
    return words(key, sensor=sensor(source, words), place=place)


def phase(judgement: Judgement, words: Words = ENGLISH) -> str:
    """How the board stands to the game, in plain words; or why a button has done nothing."""
    if judgement.code in BUTTONS:
        return words(f"phase.{judgement.code}")
    match judgement.phase:
        case Phase.AGREED:
            return words("phase.agreed")
        case Phase.IN_HAND:
            return words("phase.in_hand", spaces=wording.joined(judgement.lifted, words) or judgement.origin)
        case Phase.MAY_GO_ON:
            return words("phase.may_go_on", origin=judgement.origin, target=judgement.target)
        case Phase.UNSETTLED:
            return words("phase.unsettled")
        case Phase.WRONG:
            return reason(judgement.code, words).cited(words)
        case Phase.ASKING:
            return words("phase.asking")
        case _:
            assert_never(judgement.phase)


ENDINGS: Final = {"fewest_rings": 7, "last_running_glass": 15, "draw": 7, "stall": 9, "full_space": 5}
_TURN: Final = re.compile(
    r"(?:\+(?P<before>[A-G][1-7]),)?(?P<origin>[A-G][1-7])-(?P<target>[A-G][1-7])(?P<ring>[x=]?)"
    r"(?:,\+(?P<free>[A-G][1-7]))?"
)
_PENALTY_ALONE: Final = re.compile(r"\+([A-G][1-7])")
_RINGS: Final = {"": "turn.tamsk.ring", "x": "turn.tamsk.ring.full", "=": "turn.tamsk.ring.none"}
_FORCED: Final = frozenset({"pass", "lost"})
_BRIEF_RINGS: Final = {"": "turn.tamsk.brief.ring", "x": "turn.tamsk.brief.full"}


def _brief_turn(text: str, words: Words) -> str:
    """A turn in few words: its canonical text where that speaks for itself."""
    found = _TURN.fullmatch(text)
    if found is None:
        return words(f"turn.tamsk.brief.{text}") if text in _FORCED else text
    before, origin, target, ring, free = found.group("before", "origin", "target", "ring", "free")
    rings = words(_BRIEF_RINGS[ring]) if ring in _BRIEF_RINGS else ""
    rings += "".join(words("turn.tamsk.brief.more", space=space) for space in (before, free) if space)
    return words("turn.tamsk.brief.move", origin=origin, target=target, rings=rings)


def _refusal(ruling: IllegalRuled, words: Words) -> str:
    tried = f"{name(ruling.player, words)}{f' {ruling.text}' if ruling.text else ''}"
    return repairs.refusal(ruling, tried, reason(ruling.code, words), words)


def _corrected(ruling: Corrected, words: Words) -> Mapping[str, str]:
    """What a correction did, of whom and why: names, and the people's own words, stay as they are."""
    return {
        "what": retelling.told_again(ruling.what, "corrected", words),
        "who": _who(ruling.who, words),
        "why": retelling.told_again(ruling.why, "why", words),
    }


def _who(who: str, words: Words) -> str:
    """A name as it stands; who gave none is called by his role, or by the button that he pressed."""
    if who == WHO:
        return button("not_turned", words)
    role = f"who.{who}"
    return words(role) if role in words.entries else who


def _declared(space: str) -> str:
    return "ruling.declared.timer15" if space == "timer15" else "ruling.declared.glass"
