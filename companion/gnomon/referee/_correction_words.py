"""State what manual corrections did, without who made them and why."""

from typing import Final, assert_never

from gnomon.referee import events
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import SECOND, seconds

FLAG: Final = "flag"
"""The claim that the opponent's time had run out first; any other claim is written down in the arbiter's words."""

_DIAL: Final = "clock."
_TIMER: Final = "timer15"


def what(event: events.Correction) -> Statement:  # noqa: C901, PLR0911, PLR0912 - one statement for each correction
    """What the correction did."""
    match event:
        case events.Paused():
            return statement("corrected.paused")
        case events.Resumed():
            return statement("corrected.resumed")
        case events.TurnEntered(text=text):
            return statement("corrected.entered", text=text)
        case events.TurnsVoided(count=1, give_back=give_back):
            return statement("corrected.voided.given_back.one" if give_back else "corrected.voided.kept.one")
        case events.TurnsVoided(count=count, give_back=give_back):
            return statement("corrected.voided.given_back" if give_back else "corrected.voided.kept", count=count)
        case events.SandSet(space=space, remaining=remaining):
            if space == _TIMER:
                return statement("corrected.sand.timer15", seconds=seconds(remaining))
            return statement("corrected.sand", space=space, seconds=seconds(remaining))
        case events.RingsSet(space=space, count=count, player=player):
            return statement("corrected.rings", space=space, count=count, player=player)
        case events.TurnSet(player=player):
            return statement("corrected.turn", player=player)
        case events.ResultDeclared(winner=winner, reason=reason) if Outcome(winner, reason).is_void:
            return statement("corrected.abandoned")
        case events.ResultDeclared(winner=winner, reason=reason):
            return statement("corrected.result", winner=winner or "draw", why=reason)
        case events.QuestionAnswered(choice=choice):
            return statement("corrected.answered", choice=choice)
        case events.InputTrusted(input=name):
            return statement("corrected.trusted", input=name)
        case events.StopDeclared(space=space):
            is_timer = space == _TIMER
            return statement("corrected.stopped.timer15") if is_timer else statement("corrected.stopped", space=space)
        case events.GlassPlaced():
            return _placement(event)
        case events.TimeGiven(to=to, amount=amount) if to.startswith(_DIAL):
            return statement("corrected.given.clock", seconds=seconds(amount), to=to.removeprefix(_DIAL))
        case events.TimeTaken(of=of, amount=amount) if of.startswith(_DIAL):
            return statement("corrected.taken.clock", seconds=seconds(amount), of=of.removeprefix(_DIAL))
        case events.TimeGiven(to=to, amount=amount):
            return statement("corrected.given", seconds=seconds(amount), to=to)
        case events.TimeTaken(of=of, amount=amount):
            return statement("corrected.taken", seconds=seconds(amount), of=of)
        case events.PenaltySet(due=due):
            return statement("corrected.penalty" if due else "corrected.no_penalty")
        case events.TurnInserted(number=number, text=text):
            return statement("corrected.inserted", text=text, number=number)
        case events.PositionRestored(turns=turns, give_back=give_back):
            return statement("corrected.restored.given_back" if give_back else "corrected.restored", turns=turns)
        case events.Claimed(player=player, claim=claim, upheld=upheld):
            if claim == FLAG:
                return statement("corrected.claim.flag.upheld" if upheld else "corrected.claim.flag", player=player)
            return statement("corrected.claim.upheld" if upheld else "corrected.claim", player=player, claim=claim)
        case events.NoteTaken(text=text, took=took):
            length = f", {took // SECOND // 60}:{took // SECOND % 60:02} min" if took else ""
            return statement("corrected.note", note=f"{text}{length}")
        case events.Adjourned():
            return statement("corrected.adjourned")
        case events.ClockPressed(player=player):
            return statement("corrected.clock.pressed", player=player)
        case events.ClockCorrected(player=player):
            return statement("corrected.clock", player=player, setting=_set(event))
        case events.MoveAnnounced(text=text):
            return statement("corrected.announced", text=text)
        case events.TurnArrived(text=text):
            return statement("corrected.arrived", text=text)
        case events.PlayerNamed(player=player, name=name):
            return statement("corrected.named", player=player, name=name)
        case events.OpponentLeft():
            return statement("corrected.opponent.left")
        case events.PlayerWarned(text=text):
            return statement("corrected.warned", text=text)
        case events.PlayerHelped(held=held):
            return statement("corrected.helped.held", held=held) if held else statement("corrected.helped")
        case events.DrawOffered(player=player):
            return statement("corrected.draw.offered", player=player)
        case events.DrawAnswered(accepted=accepted, player=player):
            return statement("corrected.draw.accepted" if accepted else "corrected.draw.declined", player=player)
        case events.CorrectionUndone():
            return statement("corrected.undone")
        case _:
            assert_never(event)


def _placement(event: events.GlassPlaced) -> Statement:
    if event.origin == event.target:
        return statement("corrected.turned" if event.turned else "corrected.not_turned", space=event.origin)
    return statement(
        "corrected.placed.turned" if event.turned else "corrected.placed", origin=event.origin, target=event.target
    )


def _set(event: events.ClockCorrected) -> str:
    """What is set of a clock, as settings are written: the same in every language."""
    time = None if event.time is None else seconds(event.time)
    parts = {"time": time, "moves": event.moves, "period": event.period, "spells": event.spells}
    return " ".join(f"{name}={value}" for name, value in parts.items() if value is not None)
