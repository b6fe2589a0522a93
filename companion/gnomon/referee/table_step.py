"""Step a game at a table: moves entered, picked or read, and the arbiter's corrections."""

from dataclasses import replace
from typing import Final, assert_never

from gnomon.games.clock.rules import Free
from gnomon.games.protocol import Outcome, RulesError
from gnomon.referee import clock_rulings, remarks
from gnomon.referee.chooser import Chooser
from gnomon.referee.correction_words import what
from gnomon.referee.corrections import CorrectionError
from gnomon.referee.debounce import SETTLING, Change
from gnomon.referee.effects import Announce, Effect
from gnomon.referee.events import (
    Adjourned,
    Claimed,
    ClockCorrected,
    ClockPressed,
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
from gnomon.referee.match_clock import MatchClock
from gnomon.referee.player_roles import actor, side_of
from gnomon.referee.rulings import Corrected, FaultRuled, GameOver, GamePaused, GameResumed
from gnomon.referee.table_game import (
    ARBITER,
    BACK,
    CLOCK_BUTTONS,
    ENTER,
    NEXT,
    PREVIOUS,
    TABLE_BUTTONS,
    TableGame,
    TablePly,
)
from gnomon.referee.table_ruling import TableJudged, enter, ruled
from gnomon.referee.tayu_judge import believe, believes_by_itself, guided, judge_squares, rules_of_squares
from gnomon.referee.undo import newest, remembered
from gnomon.timekeeping.instants import Instant

_BUTTONS: Final = frozenset({*TABLE_BUTTONS, *CLOCK_BUTTONS})

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
            if believes_by_itself(game):
                game = replace(game, quiet={**game.quiet, event.input: event.at})
        else:
            debouncer = game.debouncer.edge(event.at, event.input, value=event.value, uncertainty=event.uncertainty)
        return replace(game, debouncer=debouncer), said
    game, said = _until(game, Instant(event.at + 1))
    if game.paused_at is None:
        game, effects = clock_rulings.time_passes(game, game.game_time(event.at))
        said += effects
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


def foreseen_table(game: TableGame) -> TableGame:
    """The game as the board shows it now, before all that it shows is evidence: for pages, not for rulings."""
    debouncer, changes = game.debouncer.released()
    rules = rules_of_squares(game)
    if not changes or rules is None:
        return game
    coming = replace(game, debouncer=debouncer)
    for change in changes:
        if change.input not in _BUTTONS:
            coming, _ = _changed(coming, change)
    coming, _ = judge_squares(coming, rules, coming.calm_since)
    return replace(coming, rulings=game.rulings)


def _until(game: TableGame, end: Instant) -> TableJudged:
    said: tuple[Effect, ...] = ()
    while (due := game.deadline()) is not None and due < end:
        game, effects = _due(game, due)
        said += effects
    return game, said


def _due(game: TableGame, now: Instant) -> TableJudged:
    debouncer, settled = game.debouncer.settle(now)
    game = replace(game, debouncer=debouncer)
    said: tuple[Effect, ...] = ()
    for fault in settled.chattering:
        game = replace(game, quarantined=(*game.quarantined, *fault.inputs))
        if believes_by_itself(game):
            game = replace(game, quiet={**game.quiet, **dict.fromkeys(fault.inputs, fault.at)})
        game, effects = ruled(game, FaultRuled(fault.at, fault.input, "chatter"))
        said += effects
    quiet = game.believes_at()
    if quiet is not None and quiet <= now:
        game = believe(game, now)
    for change in settled.changes:
        game, effects = _changed(game, change)
        said += effects
    game, effects = _judged(replace(game, review_at=None), now)
    said += effects
    if game.paused_at is None:
        game, effects = clock_rulings.time_passes(game, Instant(game.game_time(now) - SETTLING))
        said += effects
    return game, said


def _changed(game: TableGame, change: Change) -> TableJudged:
    shown = game.shown | {change.input} if change.value else game.shown - {change.input}
    game = replace(game, shown=shown)
    if change.input in _BUTTONS:
        return _pressed(game, change) if change.value else (game, ())
    return replace(game, calm_since=Instant(max(change.at, game.calm_since))), ()


def _judged(game: TableGame, now: Instant) -> TableJudged:
    """What the board's own sensors show, where it has any."""
    rules = rules_of_squares(game)
    return (game, ()) if rules is None else judge_squares(game, rules, now)


def _pressed(game: TableGame, change: Change) -> TableJudged:
    """A button went down: a player's own, the arbiter's, or one of the four that pick a move."""
    at, when = change.at, Instant(game.game_time(change.at) - change.uncertainty)
    said: tuple[Effect, ...] = ()
    if game.paused_at is None:
        game, said = clock_rulings.time_passes(game, when)
    if game.outcome is not None:
        return game, said
    if change.input in CLOCK_BUTTONS:
        game, effects = clock_rulings.pressed(game, CLOCK_BUTTONS.index(change.input), at, when)
    elif change.input == ARBITER:
        game, effects = _paused(game, at) if game.paused_at is None else _resumed(game, at)
    elif game.paused_at is not None or isinstance(game.rules, Free):
        effects = ()
    else:
        game, effects = _picked(game, change.input, at, when)
    return game, said + effects


def _picked(game: TableGame, button: str, at: Instant, when: Instant) -> TableJudged:
    """One of the four buttons that pick a move went down."""
    if game.chooser is None:
        # The first press only shows where the cursor stands: no move is made by a hand that rests on a button.
        texts = game.texts() if game.question is None else game.question.asked.choices
        return replace(game, chooser=Chooser.among(texts)), ()
    chooser = game.chooser
    picked = {NEXT: chooser.next, PREVIOUS: chooser.previous, ENTER: chooser.entered, BACK: chooser.back}[button]()
    if button == BACK and picked == chooser:
        return replace(game, chooser=None), ()
    if button == ENTER and picked.chosen is not None:
        return enter(game, picked.chosen, at, when)
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
    if isinstance(event, TurnEntered | ClockPressed):  # so a game at a table is played
        return judged
    judged = _noted(judged, event, what(event))
    if isinstance(event, Paused | Resumed | Adjourned | CorrectionUndone):
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
        case Claimed(player=player, claim=claim, upheld=upheld):
            remarks.check_player(game, player)
            is_won = claim == remarks.FLAG and upheld and game.clock is not None
            return clock_rulings.claimed_flag(game, player, at) if is_won else (game, ())
        case ClockPressed(player=player):
            return clock_rulings.pressed_by_hand(game, player, at)
        case ClockCorrected():
            return clock_rulings.corrected(game, event), ()
        case TurnSet(player=player) if game.clock is not None:
            return clock_rulings.handed_to(game, player, at), ()
        case TimeGiven(to=whose, amount=amount) if game.clock is not None:
            return clock_rulings.given(game, whose, amount, at), ()
        case TimeTaken(of=whose, amount=amount) if game.clock is not None:
            return clock_rulings.given(game, whose, -amount, at), ()
        case NoteTaken(text=text):
            remarks.check_note(text)
            return game, ()
        case InputTrusted(input=name):
            if name not in game.quarantined:
                message = f"{name} is not quarantined"
                raise CorrectionError(message)
            shown = game.shown | {name} if name in game.debouncer.on else game.shown - {name}
            quarantined = tuple(other for other in game.quarantined if other != name)
            quiet = {other: at for other, at in game.quiet.items() if other != name}
            return replace(game, quarantined=quarantined, quiet=quiet, shown=shown), ()
        case QuestionAnswered(choice=choice):
            if game.question is None and remarks.was_asked(game, choice):
                return game, ()  # the board has answered it meanwhile
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
        clock=before.clock,
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
        there = "is 1 turn" if len(game.plies) == 1 else f"are {len(game.plies)} turns"
        message = f"there {there} to void, not {count}"
        raise CorrectionError(message)
    ply = game.plies[-count]
    stopped_at = at if game.paused_at is None else game.paused_at
    return replace(
        game,
        position=ply.before,
        plies=game.plies[:-count],
        standstill=stopped_at - ply.when if give_back else game.standstill,
        clock=_clock_before(game, ply, at, give_back=give_back),
        declared=None,
        chooser=None,
        question=None,
        judgement=Judgement(Phase.AGREED),
    ), ()


def _clock_before(game: TableGame, ply: TablePly, at: Instant, *, give_back: bool) -> MatchClock | None:
    """The match clock when a ply and all after it are voided: as it was then, or as it is with the turn handed back."""
    match, behind, rules = game.clock, ply.clock, game.rules
    if match is None or behind is None or give_back:
        return behind
    side = side_of(rules, match.teams, ply.before, actor(rules, ply.before))
    return match.taken_back(behind, side, game.game_time(at))


def _declared(game: TableGame, winner: str | None, reason: str, at: Instant) -> TableJudged:
    if winner is not None and winner not in game.rules.players:
        message = f"{winner!r} does not play: the winner is {', '.join(game.rules.players)} or nobody"
        raise CorrectionError(message)
    clock = None if game.clock is None else game.clock.stopped(game.game_time(at))
    game = replace(game, declared=Outcome(winner, reason), chooser=None, question=None, clock=clock)
    return ruled(game, GameOver(at, winner, reason, game.rules.score(game.position)))
