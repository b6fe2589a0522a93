"""The only way in which a game at a table changes: moves entered, picked or read, and the arbiter's corrections."""

from dataclasses import replace
from typing import Final, assert_never

from gnomon.referee import remarks
from gnomon.referee.chooser import Chooser
from gnomon.referee.correction_words import what
from gnomon.referee.corrections import CorrectionError
from gnomon.referee.debounce import Change
from gnomon.referee.effects import Announce, Effect
from gnomon.referee.events import (
    Adjourned,
    Claimed,
    Correction,
    CorrectionUndone,
    DeadlineReached,
    Event,
    GlassPlaced,
    InputChanged,
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
from gnomon.referee.judgement import Judgement, Phase
from gnomon.referee.rulings import Corrected, FaultRuled, GameOver, GamePaused, GameResumed
from gnomon.referee.table_game import ARBITER, BACK, ENTER, NEXT, PREVIOUS, TABLE_BUTTONS, TableGame
from gnomon.referee.table_ruling import TableJudged, enter, ruled
from gnomon.referee.tayu_judge import guided, judge_squares, rules_of_squares
from gnomon.referee.undoing import newest, remembered
from gnomon.rules.protocol import Outcome, RulesError
from gnomon.timekeeping.instants import Instant

_MOVES_PIECES: Final = (TurnEntered, TurnsVoided, TurnInserted, PositionRestored, CorrectionUndone)
"""After these the board lags behind the game, and is guided to it."""


def step_table(game: TableGame, event: Event) -> TableJudged:
    """The game after an event, and the orders that follow from it.

    Raises ValueError for an input that the table does not have, and CorrectionError for what cannot be entered.
    """
    if isinstance(event, DeadlineReached):
        return _until(game, Instant(event.at + 1))
    if isinstance(event, InputChanged):
        if event.input not in game.inputs:
            message = f"the table has no input {event.input!r}"
            raise ValueError(message)
        game, said = _until(game, event.at)
        if event.input in game.quarantined:
            debouncer = game.debouncer.follow(event.input, value=event.value)
        else:
            debouncer = game.debouncer.edge(event.at, event.input, value=event.value, uncertainty=event.uncertainty)
        return replace(game, debouncer=debouncer), said
    game, said = _until(game, Instant(event.at + 1))
    try:
        game, effects = _corrected(game, event)
    except CorrectionError:
        raise
    except RulesError as error:
        raise CorrectionError(str(error)) from error
    said += effects
    game = replace(game, calm_since=event.at)
    rules = rules_of_squares(game)
    if rules is not None and isinstance(event, _MOVES_PIECES):
        return guided(game, rules), said
    game, effects = _judged(game, event.at)
    return game, said + effects


def _until(game: TableGame, end: Instant) -> TableJudged:
    said: tuple[Effect, ...] = ()
    while (due := game.deadline()) is not None and due < end:
        game, effects = _due(game, due)
        said += effects
    return game, said


def _due(game: TableGame, now: Instant) -> TableJudged:
    debouncer, settled = game.debouncer.settle(now)
    game = replace(game, debouncer=debouncer, review_at=None)
    said: tuple[Effect, ...] = ()
    for at, name in settled.chattering:
        game = replace(game, quarantined=(*game.quarantined, name))
        game, effects = ruled(game, FaultRuled(at, name, "chatter"))
        said += effects
    for change in settled.changes:
        game, effects = _changed(game, change)
        said += effects
    game, effects = _judged(game, now)
    return game, said + effects


def _changed(game: TableGame, change: Change) -> TableJudged:
    shown = game.shown | {change.input} if change.value else game.shown - {change.input}
    game = replace(game, shown=shown)
    if change.input in TABLE_BUTTONS:
        return _pressed(game, change.input, change.at) if change.value else (game, ())
    return replace(game, calm_since=Instant(max(change.at, game.calm_since))), ()


def _judged(game: TableGame, now: Instant) -> TableJudged:
    """What the board's own sensors show, where it has any."""
    rules = rules_of_squares(game)
    return (game, ()) if rules is None else judge_squares(game, rules, now)


def _pressed(game: TableGame, button: str, at: Instant) -> TableJudged:
    """A button went down: the arbiter's, or one of the four that pick a move."""
    if game.outcome is not None:
        return game, ()
    if button == ARBITER:
        return _paused(game, at) if game.paused_at is None else _resumed(game, at)
    if game.paused_at is not None:
        return game, ()
    if game.chooser is None:
        # The first press only shows where the cursor stands: no move is made by a hand that rests on a button.
        texts = game.texts() if game.question is None else game.question.asked.choices
        return replace(game, chooser=Chooser.among(texts)), ()
    chooser = game.chooser
    picked = {NEXT: chooser.next, PREVIOUS: chooser.previous, ENTER: chooser.entered, BACK: chooser.back}[button]()
    if button == BACK and picked == chooser:
        return replace(game, chooser=None), ()
    if button == ENTER and picked.chosen is not None:
        return enter(game, picked.chosen, at)
    return replace(game, chooser=picked), ()


def _paused(game: TableGame, at: Instant) -> TableJudged:
    return ruled(replace(game, paused_at=at), GamePaused(at))


def _resumed(game: TableGame, at: Instant) -> TableJudged:
    if game.paused_at is None:
        message = "the game is not paused"
        raise CorrectionError(message)
    standstill = game.standstill + at - game.paused_at
    return ruled(replace(game, paused_at=None, standstill=standstill, calm_since=at, adjourned=False), GameResumed(at))


def _corrected(game: TableGame, event: Correction) -> TableJudged:
    judged = _applied(game, event)
    if not isinstance(event, TurnEntered):  # a turn is how a game at a table is played
        judged = _noted(judged, event, what(event))
    if isinstance(event, Paused | Resumed | Adjourned | CorrectionUndone | TurnEntered):
        return judged
    return remembered(game, judged[0], what(event), event.at), judged[1]


def _applied(game: TableGame, event: Correction) -> TableJudged:  # noqa: C901, PLR0911, PLR0912 - one case for each
    at = event.at
    match event:
        case TurnEntered(text=text):
            return enter(game, text, at)
        case Paused():
            if game.paused_at is not None:
                message = "the game is paused already"
                raise CorrectionError(message)
            return _paused(game, at)
        case Resumed():
            return _resumed(game, at)
        case Adjourned():
            remarks.check_adjourning(game)
            game, said = (game, ()) if game.paused_at is not None else _paused(game, at)
            return replace(game, adjourned=True), said
        case TurnsVoided(count=count, give_back=give_back):
            return _voided(game, count, at, give_back=give_back)
        case PositionRestored(turns=turns, give_back=give_back):
            remarks.check_turns(game, turns)
            return _voided(game, len(game.plies) - turns, at, give_back=give_back)
        case TurnInserted(number=number, text=text):
            # Without sensors no move is made that is not entered: one is missing only where all after it are wrong too.
            if number != len(game.plies) + 1:
                message = f"the next move is number {len(game.plies) + 1}: restore the position before {number} first"
                raise CorrectionError(message)
            return enter(game, text, at)
        case ResultDeclared(winner=winner, reason=reason):
            return _declared(game, winner, reason, at)
        case Claimed(player=player):
            remarks.check_player(game, player)
            return game, ()
        case NoteTaken(text=text):
            remarks.check_note(text)
            return game, ()
        case InputTrusted(input=name):
            if name not in game.quarantined:
                message = f"{name} is not quarantined"
                raise CorrectionError(message)
            return replace(game, quarantined=tuple(other for other in game.quarantined if other != name)), ()
        case QuestionAnswered(choice=choice):
            if game.question is None or choice not in game.question.asked.choices:
                message = f"nothing was asked that {choice!r} answers"
                raise CorrectionError(message)
            return enter(game, choice, at)
        case CorrectionUndone():
            return _undone(game)
        case SandSet() | RingsSet() | TurnSet() | StopDeclared() | GlassPlaced() | TimeGiven() | TimeTaken():
            raise CorrectionError(_nothing_to_set(game))
        case PenaltySet():
            raise CorrectionError(_nothing_to_set(game))
        case _:
            assert_never(event)


def _nothing_to_set(game: TableGame) -> str:
    return f"{game.rules.name} has nothing that this correction could set: void turns and enter others"


def _undone(game: TableGame) -> TableJudged:
    made = remarks.undoable(newest(game))
    before: TableGame = made.before
    return replace(
        game,
        position=before.position,
        plies=before.plies,
        declared=before.declared,
        standstill=game.standstill - made.given_back,
        undoable=game.undoable[:-1],
        chooser=None,
        question=None,
        judgement=Judgement(Phase.AGREED),
    ), ()


def _noted(judged: TableJudged, event: Correction, done: str) -> TableJudged:
    """The correction, with who made it and why before whatever it led to."""
    game, said = judged
    note = Corrected(event.at, done, event.who, event.why)
    rulings = game.rulings
    new = len([effect for effect in said if isinstance(effect, Announce)])
    rulings = (*rulings[: len(rulings) - new], note, *rulings[len(rulings) - new :])
    return replace(game, rulings=rulings), (Announce(note), *said)


def _voided(game: TableGame, count: int, at: Instant, *, give_back: bool) -> TableJudged:
    if not 1 <= count <= len(game.plies):
        message = f"there are {len(game.plies)} turns to void, not {count}"
        raise CorrectionError(message)
    ply = game.plies[-count]
    stopped_at = at if game.paused_at is None else game.paused_at
    return replace(
        game,
        position=ply.before,
        plies=game.plies[:-count],
        standstill=stopped_at - ply.when if give_back else game.standstill,
        declared=None,
        chooser=None,
        question=None,
        judgement=Judgement(Phase.AGREED),
    ), ()


def _declared(game: TableGame, winner: str | None, reason: str, at: Instant) -> TableJudged:
    if winner is not None and winner not in game.rules.players:
        message = f"{winner!r} does not play: the winner is {', '.join(game.rules.players)} or nobody"
        raise CorrectionError(message)
    game = replace(game, declared=Outcome(winner, reason), chooser=None, question=None)
    return ruled(game, GameOver(at, winner, reason, game.rules.score(game.position)))
