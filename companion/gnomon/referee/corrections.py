"""Apply manual corrections to a game on the sensors of its board, each an event with who and why.

All corrections are checked alike, and one that is refused leaves the game unchanged.
"""

from dataclasses import replace
from typing import assert_never

from gnomon.games.protocol import Outcome, RulesError
from gnomon.games.tamsk.rules import BOARD, PLAYERS, Move, Position
from gnomon.referee import clock_rulings, remarks
from gnomon.referee.acceptance import Judged, accept, entered, follow_up, nothing_to_deny, ruled
from gnomon.referee.correction_words import what
from gnomon.referee.difference import repairs
from gnomon.referee.effects import Effect
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
from gnomon.referee.explain import explain
from gnomon.referee.fifteen_second_glass import accept_after_timer
from gnomon.referee.game import Game
from gnomon.referee.judge import BY_HAND, TAKE_BACK, TIMER_FIRST, YES, judge, refuse
from gnomon.referee.judgement import Judgement, Phase
from gnomon.referee.remarks import CorrectionError
from gnomon.referee.rulings import Corrected, GameOver, GamePaused, GameResumed, Righted, TurnRuled
from gnomon.referee.sand_by_eye import WHICH_STOPPED, agreed, declared
from gnomon.referee.sand_rulings import time_passes
from gnomon.referee.time_adjustment import with_less, with_more
from gnomon.referee.turn_insertion import inserted
from gnomon.referee.undo import newest, remembered
from gnomon.referee.verdicts import Agreed, InHand, MayGoOn, Wrong
from gnomon.timekeeping.instants import Instant

__all__ = ["CorrectionError", "answered", "corrected", "paused", "resumed"]

_NOT_UNDONE = (Paused, Resumed, Adjourned, CorrectionUndone)
"""Pausing and resuming undo each other, and what was undone is entered again."""


def corrected(game: Game, event: Correction) -> Judged:
    """The game put right by hand. Raises CorrectionError, and the game stands as it was."""
    try:
        return _corrected(game, event)
    except CorrectionError:
        raise
    except RulesError as error:
        raise CorrectionError(str(error)) from error


def paused(game: Game, at: Instant) -> Judged:
    """The game stopped: sand stands still from here."""
    return ruled(replace(game, paused_at=at), GamePaused(at))


def resumed(game: Game, at: Instant) -> Judged:
    """The game going on; what the board shows is judged afresh, with new patience."""
    if game.paused_at is None:
        message = "the game is not paused"
        raise CorrectionError(message)
    standstill = game.standstill + at - game.paused_at
    game = replace(game, paused_at=None, standstill=standstill, calm_since=at, resumed_at=at, adjourned=False)
    return ruled(game, GameResumed(at))


def answered(game: Game, choice: str, at: Instant) -> Judged:
    """The question answered with one of its choices."""
    question = game.question
    if question is None and remarks.was_asked(game, choice):
        return game, ()  # the board has answered it meanwhile
    if question is None or choice not in question.asked.choices:
        message = f"nothing was asked that {choice!r} answers"
        raise CorrectionError(message)
    if question.asked.question == WHICH_STOPPED:
        return agreed(game, question, choice)
    game = replace(game, question=None)
    if question.asked.question != TAKE_BACK:
        made = question.turns[question.asked.choices.index(choice)]._replace(at=at)
        timer_first = question.asked.question == TIMER_FIRST and choice == YES
        return accept_after_timer(game, made) if timer_first else accept(game, made)
    if choice == YES:
        game, said = ruled(game, Righted(at))
        game, effects = _void(game, question.back, at, give_back=True)
        return game, said + effects
    verdict = explain(game.scene(), at)
    if isinstance(verdict, Wrong):
        return refuse(game, verdict)
    return game, ()


def _corrected(game: Game, event: Correction) -> Judged:
    at = event.at
    said: tuple[Effect, ...] = ()
    if game.paused_at is None and game.outcome is None:
        known = game.game_time(game.known_until(at))
        game, said = time_passes(game, known)
        game, effects = clock_rulings.time_passes(game, known)
        said += effects
    before = game
    game, effects = ruled(game, Corrected(at, what(event), event.who, event.why))
    said += effects
    game, effects = _applied(game, event)
    said += effects
    game = _with_the_mover(game, at)
    if not isinstance(event, _NOT_UNDONE):
        game = remembered(before, game, what(event), at)
    is_said_only = isinstance(event, Claimed) and game.position is before.position
    if is_said_only or isinstance(event, Paused | Adjourned | NoteTaken | ResultDeclared | ClockCorrected):
        return game, said
    strictly = isinstance(event, TurnsVoided | PositionRestored | CorrectionUndone)
    game, effects = _guide(replace(game, calm_since=at), at, strictly=strictly)
    return game, said + effects


def _applied(game: Game, event: Correction) -> Judged:  # noqa: C901, PLR0911, PLR0912 - one case for each correction
    """The game with what a correction says of it."""
    at = event.at
    match event:
        case Paused():
            if game.paused_at is not None:
                message = "the game is paused already"
                raise CorrectionError(message)
            return paused(game, at)
        case Resumed():
            return resumed(game, at)
        case Adjourned():
            remarks.check_adjourning(game)
            game, effects = (game, ()) if game.paused_at is not None else paused(game, at)
            return replace(game, adjourned=True), effects
        case TurnEntered(text=text):
            return _enter(game, text, at)
        case TurnInserted(number=number, text=text):
            return _insert(game, number, text, at)
        case TurnsVoided(count=count, give_back=give_back):
            return _void(game, count, at, give_back=give_back)
        case PositionRestored(turns=turns, give_back=give_back):
            remarks.check_turns(game, turns)
            return _void(game, len(game.plies) - turns, at, give_back=give_back)
        case SandSet(space=space, remaining=remaining):
            position = _now(game, at)
            glass = space if space == "timer15" else _glass(position, space)
            return _set(game, game.rules.with_sand(position, glass, remaining), at)
        case TimeGiven(to=to, amount=amount) if to.startswith(clock_rulings.DIAL):
            return clock_rulings.given(game, to, amount, at), ()
        case TimeTaken(of=of, amount=amount) if of.startswith(clock_rulings.DIAL):
            return clock_rulings.given(game, of, -amount, at), ()
        case ClockCorrected():
            return clock_rulings.corrected(game, event), ()
        case ClockPressed():
            message = "a turn of TAMSK presses the clock by itself: enter the turn"
            raise CorrectionError(message)
        case TimeGiven(to=to, amount=amount):
            return _set(game, with_more(game.rules, _now(game, at), to, amount), at)
        case TimeTaken(of=of, amount=amount):
            return _set(game, with_less(game.rules, _now(game, at), of, amount), at)
        case RingsSet(space=space, count=count, player=player):
            return _set(game, game.rules.with_rings(_now(game, at), _space(space), count, player), at)
        case GlassPlaced(origin=origin, target=target, turned=turned):
            return _place(game, origin, target, at, turned=turned)
        case TurnSet(player=player):
            return _set(game, game.rules.with_turn(_now(game, at), player), at)
        case PenaltySet(due=due):
            return _set(game, game.rules.with_penalty(_now(game, at), due=due), at)
        case Claimed(player=player, claim=claim, upheld=upheld):
            remarks.check_player(game, player)
            if claim != remarks.FLAG or not upheld or PLAYERS[game.position.mover] == player:
                return game, ()
            return _set(game, game.rules.with_turn(_now(game, at), player), at)
        case NoteTaken(text=text):
            remarks.check_note(text)
            return game, ()
        case ResultDeclared(winner=winner, reason=reason):
            return _declare(game, winner, reason, at)
        case QuestionAnswered(choice=choice):
            return answered(game, choice, at)
        case InputTrusted(input=name):
            return _trust(game, name), ()
        case StopDeclared(space=space, who=who):
            return declared(game, space, at, who)
        case CorrectionUndone():
            return _undo(game, at)
        case _:
            assert_never(event)


def _with_the_mover(game: Game, at: Instant) -> Game:
    """The game with the time of the player on turn running, whatever was corrected."""
    match, mover = game.clock, game.position.mover
    if match is None or not match.has_started or match.clock.side == mover or game.outcome is not None:
        return game
    return replace(game, clock=match.handed_to(mover, game.game_time(at)))


def _now(game: Game, at: Instant) -> Position:
    """The position at that time, as if no turn were under way."""
    position = game.position if game.position.lifted < 0 else game.rules.put_back(game.position)
    return game.rules.elapse(position, game.game_time(at))


def _space(name: str) -> int:
    space = BOARD.index.get(name)
    if space is None:
        message = f"there is no space {name!r} on the board"
        raise CorrectionError(message)
    return space


def _enter(game: Game, text: str, at: Instant) -> Judged:
    if game.declared is not None:
        message = "the result has been declared; void a turn to play on"
        raise CorrectionError(message)
    before = _now(game, at)
    move = game.rules.parse(before, text)
    if not game.rules.is_turn(move):
        message = f"{text} is no whole turn"
        raise CorrectionError(message)
    position = game.rules.play(before, move)
    old = game.poles
    game = replace(game, poles=_poles_after(game, before, move))
    return follow_up(*entered(game, before, position, game.rules.text(before, move), at, before.now, old))


def _poles_after(game: Game, before: Position, move: Move) -> tuple[int, ...]:
    """A glass that moves is turned (rule 10), at level 1 as it pleases."""
    if move.kind != "turn" or game.rules.settings.level == 1:
        return game.poles
    glass = before.glasses.index(move.origin)
    return (*game.poles[:glass], 1 - game.poles[glass], *game.poles[glass + 1 :])


def _insert(game: Game, number: int, text: str, at: Instant) -> Judged:
    if number == len(game.plies) + 1:
        return _enter(game, text, at)
    game = inserted(game, number, text)
    ply = game.plies[number - 1]
    game, said = ruled(game, TurnRuled(at, ply.player, ply.text))
    game, effects = _set(game, _now(game, at), at)
    return game, said + effects


def _glass(position: Position, space: str) -> int:
    glass = position.glass_on(_space(space))
    if glass == -1:
        message = f"no glass stands on {space} in the game"
        raise CorrectionError(message)
    return glass


def _place(game: Game, origin: str, target: str, at: Instant, *, turned: bool) -> Judged:
    """A glass stands elsewhere, or the other way up, than the game has it."""
    position = _now(game, at)
    glass = _glass(position, origin)
    poles = game.poles
    if turned:
        poles = (*poles[:glass], 1 - poles[glass], *poles[glass + 1 :])
    elif origin == target:
        message = f"the glass on {origin} stands there already: say where it stands, or that it is turned over"
        raise CorrectionError(message)
    position = game.rules.with_glass(position, glass, _space(target), turned=turned)
    return _set(replace(game, poles=poles), position, at)


def _undo(game: Game, at: Instant) -> Judged:
    """The game as it would stand without the newest correction, time included."""
    made = remarks.undoable(newest(game))
    before: Game = made.before
    game = replace(
        game,
        position=before.position,
        poles=before.poles,
        plies=before.plies,
        declared=before.declared,
        told=before.told,
        standstill=game.standstill - made.given_back,
        clock=before.clock,
        undoable=game.undoable[:-1],
        under_way=None,
        question=None,
        turn_began=at,
    )
    return time_passes(game, game.game_time(at))


def _void(game: Game, count: int, at: Instant, *, give_back: bool) -> Judged:
    if not 1 <= count <= len(game.plies):
        there = "is 1 turn" if len(game.plies) == 1 else f"are {len(game.plies)} turns"
        message = f"there {there} to void, not {count}"
        raise CorrectionError(message)
    ply = game.plies[-count]
    when = ply.when if give_back else game.game_time(at)
    stopped_at = at if game.paused_at is None else game.paused_at
    clock = ply.clock
    if clock is not None and game.clock is not None and not give_back:
        clock = game.clock.taken_back(clock, ply.before.mover, when)
    game = replace(
        game,
        clock=clock,
        position=ply.before,
        poles=ply.poles,
        plies=game.plies[:-count],
        standstill=stopped_at - when,
        told=when,
        declared=None,
        under_way=None,
        question=None,
        turn_began=at,
        calm_since=at,
        trust=nothing_to_deny(game.trust),
    )
    position = _now(game, at)
    return follow_up(replace(game, position=position), (), at)


def _set(game: Game, position: Position, at: Instant) -> Judged:
    game = replace(
        game,
        position=position,
        under_way=None,
        question=None,
        told=position.now,
        turn_began=at,
        trust=nothing_to_deny(game.trust),
    )
    return follow_up(game, (), at)


def _declare(game: Game, winner: str | None, reason: str, at: Instant) -> Judged:
    if winner is not None and winner not in PLAYERS:
        message = f"{winner!r} does not play: the winner is red, black or nobody"
        raise CorrectionError(message)
    game = replace(game, declared=Outcome(winner, reason), under_way=None, question=None)
    return ruled(game, GameOver(at, winner, reason, game.rules.score(game.position)))


def _trust(game: Game, name: str) -> Game:
    if name not in game.quarantined:
        message = f"{name} is not quarantined"
        raise CorrectionError(message)
    shown = game.shown | {name} if name in game.debouncer.on else game.shown - {name}
    quarantined = tuple(other for other in game.quarantined if other != name)
    quiet = {other: last for other, last in game.quiet.items() if other != name}
    return replace(game, quarantined=quarantined, quiet=quiet, shown=shown)


def _guide(game: Game, at: Instant, *, strictly: bool) -> Judged:
    """After a correction the board may lag behind the game: then the lights guide it there, and nobody is to blame.

    A voided turn that still stands on the board must come off before anything else counts.
    """
    if game.outcome is not None:
        return game, ()
    fits = (Agreed,) if strictly else (Agreed, MayGoOn, InHand)
    game = replace(game, judgement=Judgement(Phase.AGREED))
    if not isinstance(explain(game.scene(), at), fits):
        game = replace(game, judgement=Judgement(Phase.WRONG, repairs=repairs(game.scene()), code=BY_HAND))
    return judge(game, at)
