"""The only place where a person overrules the referee: each correction is an event with who and why, checked alike."""

from dataclasses import replace
from typing import assert_never

from gnomon.referee.accepting import Judged, accept, entered, follow_up, nothing_to_deny, ruled
from gnomon.referee.declaring import WHICH_STOPPED, agreed, declared
from gnomon.referee.difference import repairs
from gnomon.referee.effects import Effect
from gnomon.referee.events import (
    Correction,
    InputTrusted,
    Paused,
    QuestionAnswered,
    ResultDeclared,
    Resumed,
    RingsSet,
    SandSet,
    StopDeclared,
    TurnEntered,
    TurnSet,
    TurnsVoided,
)
from gnomon.referee.explain import explain
from gnomon.referee.game import Game
from gnomon.referee.judge import BY_HAND, TAKE_BACK, YES, judge, refuse
from gnomon.referee.judgement import Judgement, Phase
from gnomon.referee.rulings import Corrected, GameOver, GamePaused, GameResumed, Righted
from gnomon.referee.timed import time_passes
from gnomon.referee.verdicts import Agreed, InHand, MayGoOn, Wrong
from gnomon.rules.protocol import Outcome, RulesError
from gnomon.rules.tamsk import BOARD, PLAYERS, Move, Position
from gnomon.timekeeping.instants import Instant, seconds


class CorrectionError(RulesError):
    """The correction cannot be made; the game is as it was. The message is one sentence for the arbiter."""


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
    game = replace(game, paused_at=None, standstill=standstill, calm_since=at, resumed_at=at)
    return ruled(game, GameResumed(at))


def answered(game: Game, choice: str, at: Instant) -> Judged:
    """The question answered with one of its choices."""
    question = game.question
    if question is None or choice not in question.asked.choices:
        message = f"nothing was asked that {choice!r} answers"
        raise CorrectionError(message)
    if question.asked.question == WHICH_STOPPED:
        return agreed(game, question, choice)
    game = replace(game, question=None)
    if question.asked.question != TAKE_BACK:
        return accept(game, question.turns[question.asked.choices.index(choice)]._replace(at=at))
    if choice == YES:
        game, said = ruled(game, Righted(at))
        game, effects = _void(game, question.back, at, give_back=True)
        return game, said + effects
    verdict = explain(game.scene(), at)
    if isinstance(verdict, Wrong):
        return refuse(game, verdict)
    return game, ()


def _corrected(game: Game, event: Correction) -> Judged:  # noqa: C901, PLR0912 - one case for each correction
    at = event.at
    said: tuple[Effect, ...] = ()
    if game.paused_at is None and game.outcome is None:
        game, said = time_passes(game, game.game_time(at))
    game, effects = ruled(game, Corrected(at, _what(event), event.who, event.why))
    said += effects
    match event:
        case Paused():
            if game.paused_at is not None:
                message = "the game is paused already"
                raise CorrectionError(message)
            game, effects = paused(game, at)
            return game, said + effects
        case Resumed():
            game, effects = resumed(game, at)
        case TurnEntered(text=text):
            game, effects = _enter(game, text, at)
        case TurnsVoided(count=count, give_back=give_back):
            game, effects = _void(game, count, at, give_back=give_back)
        case SandSet(space=space, remaining=remaining):
            position = _now(game, at)
            glass = space if space == "timer15" else position.glass_on(_space(space))
            if glass == -1:
                message = f"no glass stands on {space} in the game"
                raise CorrectionError(message)
            game, effects = _set(game, game.rules.with_sand(position, glass, remaining), at)
        case RingsSet(space=space, count=count, player=player):
            game, effects = _set(game, game.rules.with_rings(_now(game, at), _space(space), count, player), at)
        case TurnSet(player=player):
            game, effects = _set(game, game.rules.with_turn(_now(game, at), player), at)
        case ResultDeclared(winner=winner, reason=reason):
            return _declare(game, winner, reason, at, said)
        case QuestionAnswered(choice=choice):
            game, effects = answered(game, choice, at)
        case InputTrusted(input=name):
            game, effects = _trust(game, name), ()
        case StopDeclared(space=space, who=who):
            game, effects = declared(game, space, at, who)
        case _:
            assert_never(event)
    said += effects
    game, effects = _guide(replace(game, calm_since=at), at, strictly=isinstance(event, TurnsVoided))
    return game, said + effects


def _what(event: Correction) -> str:  # noqa: C901, PLR0911 - one sentence for each correction
    """The correction in plain words."""
    match event:
        case Paused():
            return "game paused"
        case Resumed():
            return "game resumed"
        case TurnEntered(text=text):
            return f"turn {text} entered"
        case TurnsVoided(count=count, give_back=give_back):
            return f"last {count} turn(s) voided, time {'' if give_back else 'not '}given back"
        case SandSet(space=space, remaining=remaining):
            return f"sand of {space} set to {seconds(remaining)} s"
        case RingsSet(space=space, count=count, player=player):
            return f"rings on {space} set to {count}, from {player}'s holder"
        case TurnSet(player=player):
            return f"turn given to {player}"
        case ResultDeclared(winner=winner, reason=reason):
            return f"result declared: {winner or 'draw'}, {reason}"
        case QuestionAnswered(choice=choice):
            return f"answered {choice}"
        case InputTrusted(input=name):
            return f"input {name} trusted again"
        case StopDeclared(space=space):
            return f"{space} said to have run out"
        case _:
            assert_never(event)


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


def _void(game: Game, count: int, at: Instant, *, give_back: bool) -> Judged:
    if not 1 <= count <= len(game.plies):
        message = f"there are {len(game.plies)} turns to void, not {count}"
        raise CorrectionError(message)
    ply = game.plies[-count]
    when = ply.when if give_back else game.game_time(at)
    stopped_at = at if game.paused_at is None else game.paused_at
    game = replace(
        game,
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


def _declare(game: Game, winner: str | None, reason: str, at: Instant, said: tuple[Effect, ...]) -> Judged:
    if winner is not None and winner not in PLAYERS:
        message = f"{winner!r} does not play: the winner is red, black or nobody"
        raise CorrectionError(message)
    game = replace(game, declared=Outcome(winner, reason), under_way=None, question=None)
    game, effects = ruled(game, GameOver(at, winner, reason, game.rules.score(game.position)))
    return game, said + effects


def _trust(game: Game, name: str) -> Game:
    if name not in game.quarantined:
        message = f"{name} is not quarantined"
        raise CorrectionError(message)
    shown = game.shown | {name} if name in game.debouncer.on else game.shown - {name}
    quarantined = tuple(other for other in game.quarantined if other != name)
    return replace(game, quarantined=quarantined, shown=shown)


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
