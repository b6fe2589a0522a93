"""Describe manual corrections in plain words, without who made them and why."""

from collections.abc import Mapping
from typing import Final, assert_never

from gnomon.referee.events import (
    Adjourned,
    Claimed,
    ClockCorrected,
    ClockPressed,
    Correction,
    CorrectionUndone,
    GlassPlaced,
    InputTrusted,
    NoteTaken,
    Paused,
    PenaltySet,
    PositionRestored,
    QuestionAnswered,
    ResultDeclared,
    Resumed,
    RingsSet,
    SandSet,
    StopDeclared,
    TimeGiven,
    TimeTaken,
    TurnEntered,
    TurnInserted,
    TurnSet,
    TurnsVoided,
)
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import SECOND, seconds

_ABANDONED: Final = "game abandoned, no result"
_DIAL: Final = "clock."
_FORMER: Final[Mapping[str, str]] = {"result declared: draw, abandoned": _ABANDONED}
"""What was written down before 0.2, and what it is now."""


def current(what: str) -> str:
    """The words of today for what an older journal or bundle says was done; others as they are."""
    return _FORMER.get(what, what)


def what(event: Correction) -> str:  # noqa: C901, PLR0911, PLR0912 - one sentence for each correction
    """The correction in plain words."""
    match event:
        case Paused():
            return "game paused"
        case Resumed():
            return "game resumed"
        case TurnEntered(text=text):
            return f"turn {text} entered"
        case TurnsVoided(count=count, give_back=give_back):
            return f"last {count} turn(s) voided, {_back(give_back=give_back)}"
        case SandSet(space=space, remaining=remaining):
            return f"sand of {space} set to {seconds(remaining)} s"
        case RingsSet(space=space, count=count, player=player):
            return f"rings on {space} set to {count}, from {player}'s holder"
        case TurnSet(player=player):
            return f"turn given to {player}"
        case ResultDeclared(winner=winner, reason=reason) if Outcome(winner, reason).is_void:
            return _ABANDONED
        case ResultDeclared(winner=winner, reason=reason):
            return f"result declared: {winner or 'draw'}, {reason}"
        case QuestionAnswered(choice=choice):
            return f"answered {choice}"
        case InputTrusted(input=name):
            return f"input {name} trusted again"
        case StopDeclared(space=space):
            return f"{space} said to have run out"
        case GlassPlaced(origin=origin, target=target, turned=turned):
            over = "turned over" if turned else "not turned over"
            return f"glass on {origin} {over}" if origin == target else f"glass of {origin} placed on {target}, {over}"
        case TimeGiven(to=to, amount=amount) if to.startswith(_DIAL):
            return f"{seconds(amount)} s given to {to.removeprefix(_DIAL)} on the clock"
        case TimeTaken(of=of, amount=amount) if of.startswith(_DIAL):
            return f"{seconds(amount)} s taken from {of.removeprefix(_DIAL)} on the clock"
        case TimeGiven(to=to, amount=amount):
            return f"{seconds(amount)} s given to {to}"
        case TimeTaken(of=of, amount=amount):
            return f"{seconds(amount)} s taken from {of}"
        case PenaltySet(due=due):
            return f"second ring {'allowed' if due else 'not allowed'} this turn"
        case TurnInserted(number=number, text=text):
            return f"turn {text} inserted as number {number}"
        case PositionRestored(turns=turns, give_back=give_back):
            return f"position after turn {turns} restored, {_back(give_back=give_back)}"
        case Claimed(player=player, claim=claim, upheld=upheld):
            return f"claim of {player} {'upheld' if upheld else 'not upheld'}: {claim}"
        case NoteTaken(text=text, took=took):
            return f"note: {text}" + (f", {took // SECOND // 60}:{took // SECOND % 60:02} min" if took else "")
        case Adjourned():
            return "game adjourned"
        case ClockPressed(player=player):
            return f"clock pressed for {player}"
        case ClockCorrected(player=player):
            return f"clock of {player} set: {_set(event)}"
        case CorrectionUndone():
            return "last correction undone"
        case _:
            assert_never(event)


def _set(event: ClockCorrected) -> str:
    """What is set of a clock, as settings are written: the same in every language."""
    time = None if event.time is None else seconds(event.time)
    parts = {"time": time, "moves": event.moves, "period": event.period, "spells": event.spells}
    return " ".join(f"{name}={value}" for name, value in parts.items() if value is not None)


def _back(*, give_back: bool) -> str:
    return f"time {'' if give_back else 'not '}given back"
