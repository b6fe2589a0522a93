"""Rule by the match clock: fallen flags, presses of the players' own buttons, and clock corrections.

A press counts from its stamp. What time has decided up to that stamp is ruled first, so a press one microsecond
before the flag is in time, and one at the flag is not.
"""

from typing import Final

from gnomon.referee.announcements import announce
from gnomon.referee.effects import Effect, Sound, Tune
from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import ClockCorrected
from gnomon.referee.game import Game, GameT, Judged
from gnomon.referee.judgement import Temperament
from gnomon.referee.match_clock import MatchClock
from gnomon.referee.player_roles import actor, side_of
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import ClockStarted, FlagFell, GameOver
from gnomon.refusals import statement
from gnomon.rules.protocol import GAME_OVER, Outcome
from gnomon.timekeeping.clocks import ClockError
from gnomon.timekeeping.corrections import ClockCorrection
from gnomon.timekeeping.instants import Instant

FLAG: Final = "flag"
"""Why a game ended in which a flag fell."""

DIAL: Final = "clock."
"""What stands before a player who is given time on the match clock, not in their glasses."""


def time_passes(game: GameT, when: Instant) -> Judged[GameT]:
    """The game when everything has been ruled that the match clock decides up to and including game time `when`.

    While an input moves that began to move before, nothing is: it may be a press in time. So it is while a turn may
    lie on the board that only has to be looked at long enough, and while another board has the turn: it rules there.
    """
    said: tuple[Effect, ...] = ()
    if game.is_elsewhere:
        return game, said
    while (match := game.clock) is not None and game.outcome is None and match.is_ripe(game.rest, when):
        due = match.due()
        if due is not None and due == match.flags_at():
            game, effects = _flag_fell(game, match, due)
        else:
            game, effects = replace(game, clock=match.with_warning()), (Sound(Tune.LOW_TIME),)
        said += effects
    return game, said


def press_clock(game: GameT, side: int, at: Instant, when: Instant) -> Judged[GameT]:
    """The game after a player's own button went down at board time `at`; `when` is the game time that is granted.

    A button that may not be pressed now is ignored, with a short sound.
    """
    if game.paused_at is not None:
        return game, _wrong(game)
    match = dial(game)
    if not match.has_started:
        # Of an unknown game nobody knows who begins: a press starts the other's time, as on every chess clock.
        return start_clock(replace(game, position=game.rules.handed_to(game.position, 1 - side)), at, when)
    if game.rules.ends_by_press:
        if match.clock.at(when).runs != side:
            return game, _wrong(game)
        (press,) = game.rules.entries(game.position)
        return game.board.enter(game, press, at, when)
    after = match.press_button(side, when)
    return (game, _wrong(game)) if after is None else (replace(game, clock=after), ())


def start_clock(game: GameT, at: Instant, when: Instant) -> Judged[GameT]:
    """The game with its clock started: the player who is to begin thinks, no matter who pressed."""
    match = dial(game)
    side = 1 if side_of(game.rules, match.teams, game.position, actor(game.rules, game.position)) == 1 else 0
    game = replace(game, clock=match.start(side, when))
    return announce(game, ClockStarted(at, player_on(game, side)))


def at_rest(game: GameT) -> GameT:
    """The game with its clock stopped if it is over, as of its end."""
    match = game.clock
    if match is None or game.outcome is None or match.clock.side is None or match.clock.is_paused:
        return game
    ended = next(ruling.at for ruling in reversed(game.rulings) if isinstance(ruling, GameOver))
    return replace(game, clock=match.stop(game.game_time(ended)))


def pressed_by_hand(game: GameT, player: str, at: Instant) -> Judged[GameT]:
    """The game after a press for a player on a page. Raises CorrectionError when it cannot be pressed now."""
    side = _side(game, player)
    game.check_goes_on()
    after, said = press_clock(game, side, at, game.game_time(at))
    if after is game:
        raise CorrectionError(statement("told.clock.not_running", player=player))
    return after, said


def handed_to(game: GameT, player: str, at: Instant) -> GameT:
    """The game with that player thinking, as an arbiter wants it. Raises CorrectionError."""
    side, match = _side(game, player), dial(game)
    if match.clock.side == side:
        raise CorrectionError(statement("told.clock.to_move", player=player))
    position = game.rules.handed_to(game.position, side)
    return replace(game, position=position, clock=match.handed_to(side, game.game_time(at)))


def correct_clock(game: GameT, event: ClockCorrected) -> GameT:
    """The game with the clock set for one player. Raises CorrectionError for what cannot be."""
    side, match = _side(game, event.player), dial(game)
    wanted = ClockCorrection(event.time, event.moves, event.period, event.spells)
    try:
        after = match.correct(side, wanted, game.game_time(event.at))
    except ClockError as error:
        raise CorrectionError(error) from error
    return _going_on(game, after, event.at)


def give_time(game: GameT, whose: str, amount: int, at: Instant) -> GameT:
    """The game with more time on the clock of a player, or less when negative. Raises CorrectionError."""
    side, match = _side(game, whose.removeprefix(DIAL)), dial(game)
    if not amount:
        raise CorrectionError(statement("told.correction.no_time"))
    try:
        after = match.add_time(side, amount, game.game_time(at))
    except ClockError as error:
        raise CorrectionError(error) from error
    return _going_on(game, after, at)


def claimed_flag(game: GameT, player: str, at: Instant) -> Judged[GameT]:
    """The game won by a player who claims that the opponent's flag has fallen. Raises CorrectionError."""
    match = dial(game)
    if game.outcome is not None:
        raise CorrectionError(GAME_OVER)
    if match.flag is None or match.flag == _side(game, player):
        raise CorrectionError(statement("told.clock.no_flag", player=player))
    return _lose_on_time(game, match, 1 - match.flag, at, game.game_time(at))


def dial(game: Game) -> MatchClock:
    """The match clock of a game. Raises CorrectionError when it has none."""
    if game.clock is None:
        raise CorrectionError(statement("told.clock.none"))
    return game.clock


def player_on(game: Game, side: int) -> str:
    """A player of the rules on a side of the clock: who is to act, if they are of that side."""
    sides = dial(game).teams
    names = [name for name in game.rules.players if side_of(game.rules, sides, game.position, name) == side]
    acting = actor(game.rules, game.position)
    return acting if acting in names else names[-1]


def _flag_fell(game: GameT, match: MatchClock, due: Instant) -> Judged[GameT]:
    at = Instant(due + game.standstill)
    match = match.rule_flag(due)
    side = 0 if match.flag == 0 else 1
    game, said = announce(replace(game, clock=match), FlagFell(at, player_on(game, side)))
    if not match.terms.flag_ends:
        return game, said
    game, effects = _lose_on_time(game, match, 1 - side, at, due)
    return game, said + effects


def _lose_on_time(game: GameT, match: MatchClock, winner: int, at: Instant, when: Instant) -> Judged[GameT]:
    """The game decided by a flag at board time `at`, which is game time `when`."""
    won = player_on(game, winner)
    game = replace(game, declared=Outcome(won, FLAG), clock=match.stop(when))
    return announce(game, GameOver(at, won, FLAG, game.rules.score(game.position)))


def _going_on(game: GameT, match: MatchClock, at: Instant) -> GameT:
    """The game with a corrected clock: one that a flag had ended goes on when the flag stands again."""
    if game.declared is None or game.declared.reason != FLAG or match.flag is not None:
        return replace(game, clock=match)
    return replace(game, clock=match.going_on(game.game_time(at)), declared=None)


def _side(game: Game, player: str) -> int:
    side = side_of(game.rules, dial(game).teams, game.position, player)
    if side is None:
        raise CorrectionError(statement("told.clock.no_side", player=player, known=game.rules.players))
    return side


def _wrong(game: GameT) -> tuple[Effect, ...]:
    """The short sound of a button that may not be pressed now, unless the referee is silent."""
    return () if game.temperament is Temperament.SILENT else (Sound(Tune.WRONG_BUTTON),)
