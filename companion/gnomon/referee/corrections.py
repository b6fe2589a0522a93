"""Apply manual corrections to a game, whatever is played: each an event with who and why.

All corrections are checked alike, and one that is refused leaves the game unchanged. What a correction means to the
board it is asked of its `Board`: a turn that is entered, what is set on one board alone, where the board has to be
guided afterwards.
"""

from typing import Final, assert_never

from gnomon.referee import clock_rulings, events
from gnomon.referee._correction_words import FLAG, what
from gnomon.referee.announcements import announce
from gnomon.referee.distance import check_between_boards, take_turn, with_name
from gnomon.referee.draws import AGREED, answer_draw, offer_draw
from gnomon.referee.effects import Sound, Tune
from gnomon.referee.errors import CorrectionError
from gnomon.referee.game import Game, GameT, Judged, Ply
from gnomon.referee.help import help_player
from gnomon.referee.judgement import Judgement, Phase
from gnomon.referee.match_clock import MatchClock
from gnomon.referee.opponents import announce_turn, check_entered, is_announced
from gnomon.referee.player_roles import actor, side_of
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import Corrected, GameOver, GamePaused, GameResumed, QuestionAsked
from gnomon.referee.undo import newest, remember
from gnomon.referee.warnings import warn
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import GAME_OVER, Outcome, RulesError
from gnomon.timekeeping.instants import Instant

_SILENT: Final = (
    events.MoveAnnounced,
    events.TurnArrived,
    events.PlayerNamed,
    events.PlayerWarned,
    events.PlayerHelped,
)
"""What is no correction of anything: it is neither announced nor undone."""
_NOT_UNDONE: Final = (events.Paused, events.Resumed, events.Adjourned, events.CorrectionUndone)
"""Pausing and resuming undo each other, and what was undone is entered again."""


def correct(game: GameT, event: events.Correction) -> Judged[GameT]:
    """The game put right by hand. Raises CorrectionError, and the game stands as it was."""
    try:
        return _correct(game, event)
    except CorrectionError:
        raise
    except RulesError as error:
        raise CorrectionError(error) from error


def arbiter_pressed(game: GameT, at: Instant) -> Judged[GameT]:
    """The game after the arbiter's button: stopped, or going on again."""
    if game.outcome is not None:
        return game, ()
    return _pause(game, at) if game.paused_at is None else _resume(game, at)


def answer(game: GameT, choice: str, at: Instant) -> Judged[GameT]:
    """The game after the question that is open was answered. Raises CorrectionError for what answers nothing."""
    question = game.question
    if question is None and _was_asked(game, choice):
        return game, ()  # the board has answered it meanwhile
    if question is None or choice not in question.asked.choices:
        raise CorrectionError(statement("told.nothing_asked", choice=choice))
    return game.board.answer(game, question, choice, at)


def void_turns(game: GameT, count: int, at: Instant, *, give_back: bool) -> Judged[GameT]:
    """The game without its last turns, their time given back or not. Raises CorrectionError."""
    if not 1 <= count <= len(game.plies):
        if len(game.plies) == 1:
            raise CorrectionError(statement("told.to_void.one", count=count))
        raise CorrectionError(statement("told.to_void", plies=len(game.plies), count=count))
    ply = game.plies[-count]
    stopped_at = at if game.paused_at is None else game.paused_at
    game = replace(
        game,
        position=ply.before,
        plies=game.plies[:-count],
        standstill=stopped_at - ply.when if give_back else game.standstill,
        arrived_at=None if give_back else game.arrived_at,  # what is given back includes the time of the hands
        clock=_clock_before(game, ply, at, give_back=give_back),
        declared=None,
        chooser=None,
        question=None,
        judgement=Judgement(Phase.AGREED),
    )
    return game.board.reset(game, ply, at)


def _correct(game: GameT, event: events.Correction) -> Judged[GameT]:
    at = event.at
    game, said = _known_until(game, at)
    before = game
    check_between_boards(game, event)
    if isinstance(event, _SILENT):
        game, effects = _apply(game, event)
        return game, said + effects
    is_play = game.board.is_play(event) or is_announced(game, event)
    if not is_play:
        game, effects = announce(game, Corrected(at, what(event), event.who, event.why))
        said += effects
    game, effects = _apply(game, event)
    said += effects
    if game.board.turn_presses:
        game = _with_the_mover(game, at)
    if not is_play and not isinstance(event, _NOT_UNDONE):
        game = remember(before, game, what(event), at)
    if isinstance(event, events.DrawOffered | events.DrawAnswered):
        return game, said  # nothing has changed on the board, and a turn that is under way goes on
    game, effects = game.board.guide(game, before, event)
    return game, said + effects


def _known_until(game: GameT, at: Instant) -> Judged[GameT]:
    """The game with what time has decided before somebody spoke at board time `at`."""
    if game.paused_at is not None or game.outcome is not None:
        return game, ()
    known = game.game_time(game.known_until(at))
    if game.is_elsewhere:
        return game, ()
    game, said = game.board.time_passes(game, known)
    game, effects = clock_rulings.time_passes(game, known)
    return game, said + effects


def _apply(game: GameT, event: events.Correction) -> Judged[GameT]:  # noqa: C901, PLR0911, PLR0912 - one case for each correction
    """The game with what a correction says of it."""
    at = event.at
    match event:
        case events.Paused():
            if game.paused_at is not None:
                raise CorrectionError(statement("told.paused_already"))
            return _pause(game, at)
        case events.Resumed():
            return _resume(game, at)
        case events.Adjourned():
            return _adjourn(game, at)
        case events.TurnEntered(text=text):
            check_entered(game, event)
            return game.board.enter(game, text, at)
        case events.TurnInserted(number=number, text=text):
            is_next = number == len(game.plies) + 1
            return game.board.enter(game, text, at) if is_next else game.board.insert(game, number, text, at)
        case events.TurnsVoided(count=count, give_back=give_back):
            return void_turns(game, count, at, give_back=give_back)
        case events.PositionRestored(turns=turns, give_back=give_back):
            _check_turns(game, turns)
            return void_turns(game, len(game.plies) - turns, at, give_back=give_back)
        case events.ResultDeclared(winner=winner, reason=reason):
            return _declare(game, winner, reason, at)
        case events.Claimed(player=player, claim=claim, upheld=upheld):
            _check_player(game, player)
            return game.board.claim_flag(game, player, at) if claim == FLAG and upheld else (game, ())
        case events.TimeGiven(to=to, amount=amount) if to.startswith(clock_rulings.DIAL):
            return clock_rulings.give_time(game, to, amount, at), ()
        case events.TimeTaken(of=of, amount=amount) if of.startswith(clock_rulings.DIAL):
            return clock_rulings.give_time(game, of, -amount, at), ()
        case events.ClockCorrected():
            return clock_rulings.correct_clock(game, event), ()
        case events.ClockPressed(player=player):
            if game.board.turn_presses:
                raise CorrectionError(statement("told.clock.by_itself", game=game.rules.name.upper()))
            return clock_rulings.pressed_by_hand(game, player, at)
        case events.NoteTaken(text=text):
            if not text.strip():
                raise CorrectionError(statement("told.correction.note"))
            return game, ()
        case events.QuestionAnswered(choice=choice):
            return answer(game, choice, at)
        case events.InputTrusted(input=name):
            return _trust(game, name), ()
        case events.OpponentLeft():
            return replace(game, opponent=None, announced=None), ()
        case events.MoveAnnounced(text=text):
            return announce_turn(game, text, at)
        case events.TurnArrived(text=text, when=when):
            return take_turn(game, text, when, at)
        case events.PlayerNamed(player=player, name=name):
            return with_name(game, player, name), ()
        case events.PlayerWarned(text=text, why=why):
            told = why if isinstance(why, Statement) else Statement.plain(why)
            return warn(game, text, told, at), (Sound(Tune.QUESTION),)
        case events.PlayerHelped(held=held, fits=fits, why=why):
            told = why if isinstance(why, Statement) else Statement.plain(why)
            return help_player(game, held, told, at, fits=fits), ()
        case events.DrawOffered(player=player):
            return offer_draw(game, player, at), (Sound(Tune.QUESTION),)
        case events.DrawAnswered(player=player, accepted=accepted):
            game = answer_draw(game, player, at)
            return _declare(game, None, AGREED, at) if accepted else (game, ())
        case events.CorrectionUndone():
            return _undo(game, at)
        case (
            events.SandSet()
            | events.RingsSet()
            | events.TurnSet()
            | events.StopDeclared()
            | events.GlassPlaced()
            | events.PenaltySet()
            | events.TimeGiven()
            | events.TimeTaken()
        ):
            return game.board.correct(game, event)
        case _:
            assert_never(event)


def _pause(game: GameT, at: Instant) -> Judged[GameT]:
    """The game stopped: no time passes from here."""
    return announce(replace(game, paused_at=at), GamePaused(at))


def _resume(game: GameT, at: Instant) -> Judged[GameT]:
    """The game going on; what the board shows is judged afresh, with new patience."""
    if game.paused_at is None:
        raise CorrectionError(statement("told.not_paused"))
    stood = at - game.paused_at
    game = replace(
        game,
        paused_at=None,
        standstill=game.standstill + stood,
        arrived_at=None if game.arrived_at is None else Instant(game.arrived_at + stood),
        calm_since=at,
        resumed_at=at,
        adjourned=False,
    )
    return announce(game, GameResumed(at))


def _adjourn(game: GameT, at: Instant) -> Judged[GameT]:
    """The game put away unfinished."""
    if game.outcome is not None:
        raise CorrectionError(GAME_OVER)
    if game.adjourned:
        raise CorrectionError(statement("told.correction.adjourned"))
    game, said = (game, ()) if game.paused_at is not None else _pause(game, at)
    return replace(game, adjourned=True), said


def _declare(game: GameT, winner: str | None, reason: str, at: Instant) -> Judged[GameT]:
    if winner is not None and winner not in game.rules.players:
        raise CorrectionError(statement("told.no_winner", winner=winner, known=game.rules.players))
    # The clock stops here and not as the game is found to be over, or the result could not be undone.
    clock = None if game.clock is None else game.clock.stop(game.game_time(at))
    game = game.board.put_aside(game)
    game = replace(game, declared=Outcome(winner, reason), chooser=None, question=None, clock=clock)
    return announce(game, GameOver(at, winner, reason, game.rules.score(game.position)))


def _trust(game: GameT, name: str) -> GameT:
    """The game in which an input counts again as it stands now."""
    if name not in game.quarantined:
        raise CorrectionError(statement("told.not_quarantined", input=name))
    shown = game.shown | {name} if name in game.debouncer.on else game.shown - {name}
    quarantined = tuple(other for other in game.quarantined if other != name)
    quiet = {other: last for other, last in game.quiet.items() if other != name}
    return replace(game, quarantined=quarantined, quiet=quiet, shown=shown)


def _undo(game: GameT, at: Instant) -> Judged[GameT]:
    """The game as it would stand without the newest correction, time included."""
    made = newest(game)
    if made is None:
        raise CorrectionError(statement("told.correction.none"))
    before: GameT = made.before
    game = replace(
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
    )
    return game.board.undo(game, before, at)


def _with_the_mover(game: GameT, at: Instant) -> GameT:
    """The game with the time of the player on turn running, whatever was corrected."""
    match = game.clock
    if match is None or not match.has_started or game.outcome is not None:
        return game
    side = side_of(game.rules, match.teams, game.position, actor(game.rules, game.position))
    if side is None or match.clock.side == side:
        return game
    return replace(game, clock=match.handed_to(side, game.game_time(at)))


def _clock_before(game: Game, ply: Ply, at: Instant, *, give_back: bool) -> MatchClock | None:
    """The match clock when a ply and all after it are voided: as it was then, or as it is with the turn handed back."""
    match, behind, rules = game.clock, ply.clock, game.rules
    if match is None or behind is None or give_back:
        return behind
    side = side_of(rules, match.teams, ply.before, actor(rules, ply.before))
    return match.taken_back(behind, side, game.game_time(at))


def _check_turns(game: Game, turns: int) -> None:
    """Raise CorrectionError for a number of turns after which no earlier position stood."""
    if not 0 <= turns < len(game.plies):
        if len(game.plies) == 1:
            raise CorrectionError(statement("told.correction.turns.one", turns=turns))
        raise CorrectionError(statement("told.correction.turns", plies=len(game.plies), turns=turns))


def _check_player(game: Game, player: str) -> None:
    """Raise CorrectionError for somebody who does not play."""
    if player not in game.rules.players:
        raise CorrectionError(statement("told.correction.players", winner=player, known=game.rules.players))


def _was_asked(game: Game, choice: str) -> bool:
    """Whether the last question that the referee asked had that choice."""
    asked = next((ruling for ruling in reversed(game.rulings) if isinstance(ruling, QuestionAsked)), None)
    return asked is not None and choice in asked.choices
