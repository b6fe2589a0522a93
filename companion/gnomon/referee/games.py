"""Begin any game and pass events to its referee, on the sensors of its board or at a table."""

from collections.abc import Mapping
from typing import Any, Final

from gnomon.referee.clock_settings import split_settings, terms_of
from gnomon.referee.debounce import CALM, Debouncer
from gnomon.referee.evidence import BY_POLES, Sensing
from gnomon.referee.exercises import exercise_of, split_exercise
from gnomon.referee.game import Game
from gnomon.referee.help import parse_help
from gnomon.referee.judgement import Temperament
from gnomon.referee.match_clock import MatchClock
from gnomon.referee.opponents import names_with, opponent_of, split_opponent
from gnomon.referee.people import people
from gnomon.referee.player_roles import teams
from gnomon.referee.replacement import replace
from gnomon.referee.setup import GameSetup
from gnomon.referee.step import step as tell
from gnomon.referee.table import TABLE, TABLE_BUTTONS, Table
from gnomon.referee.warnings import are_warnings_wanted
from gnomon.refusals import statement
from gnomon.rules.bids import digits
from gnomon.rules.kinds import load
from gnomon.rules.protocol import Rules, SettingsError
from gnomon.rules.registry import kind_of
from gnomon.timekeeping.instants import Instant

__all__ = ["begin", "foresee", "game_of", "tell"]

_TEMPERAMENTS: Final = tuple(each.value for each in Temperament)


def begin(  # noqa: PLR0913 - for scripts, which name what they want; inside we hand a setup over
    game: str,
    settings: Mapping[str, object],
    temperament: Temperament = Temperament.ASSISTANT,
    *,
    board: str = "",
    players: Mapping[str, str] | None = None,
    sensing: Sensing = BY_POLES,
) -> Game:
    """A new game at board time 0, by the fields of its `GameSetup`. Raises SettingsError as `new_game` does."""
    return new_game(GameSetup(game, settings, temperament, players or {}, board), sensing)


def new_game(setup: GameSetup, sensing: Sensing = BY_POLES) -> Game:
    """A new game at board time 0.

    Raises SettingsError as `game_of` does, and for names of players whom the rules do not have: the person who asks for
    the game has misspelt them. `game_of` leaves such names alone, because a journal may hold some.
    """
    made = game_of(setup, sensing)
    if unknown := [each for each in setup.players if each not in made.rules.players]:
        raise SettingsError(
            statement("told.host.players", unknown=unknown, game=made.rules.name, known=[*made.rules.players])
        )
    return made


def game_of(setup: GameSetup, sensing: Sensing = BY_POLES) -> Game:
    """A game at board time 0: on the setup's board with its sensors, or at a table without any.

    `sensing` is what the sensors of the board tell. Raises SettingsError for an unknown game, temperament or setting,
    and for a board on which it is not played.
    """
    name, temperament = setup.game, _temperament(setup.temperament)
    others, of_exercise = split_exercise(setup.settings)
    others, of_opponent = split_opponent(others)
    of_rules, of_clock = split_settings(others)
    kind = kind_of(name)
    rules = kind.rules_of(of_rules)
    board = setup.board or kind.own_board
    if kind.own_board and board != kind.own_board:
        raise SettingsError(statement("told.host.its_board", game=name))
    if board not in kind.boards and board not in {"", TABLE}:
        raise SettingsError(statement("told.host.other_board", game=name, board=board))
    start = load(kind.boards[board]) if board in kind.boards else _at_table
    game: Game = start(rules, sensing=sensing)
    clock = _clock(game, of_clock)
    on_board = game.board if clock is None else game.board.with_clock()
    opponent = opponent_of(of_opponent, rules)
    exercise = exercise_of(of_exercise, of_opponent, rules)
    helped, is_distant = parse_help(of_opponent), opponent is not None and opponent.is_distant
    names = people(names_with(opponent, setup.players))
    given = tuple((each, digits(value) if isinstance(value, int) else str(value)) for each, value in of_rules.items())
    return replace(
        game,
        board=on_board,
        temperament=temperament,
        people=names,
        clock=clock,
        given=given,
        opponent=opponent,
        exercise=exercise,
        warns=are_warnings_wanted(of_opponent) and not rules.ends_by_press and exercise is None,
        help=helped if not rules.ends_by_press and exercise is None and not is_distant else "",
    )


def _temperament(value: str) -> Temperament:
    if value not in _TEMPERAMENTS:
        raise SettingsError(statement("told.host.temperament", value=value[:40], known=_TEMPERAMENTS))
    return Temperament(value)


def foresee(game: Game) -> Game:
    """The game as people are shown it: what the board shows is in it before it is evidence."""
    shown: Game = game.board.foresee(game)
    if shown.announced is not None and len(shown.plies) != len(game.plies):
        return replace(shown, announced=None)  # a turn has been made since: as for `hold_to_announcement`
    return shown


def let_rest(game: Game, at: Instant) -> Game:
    """The game with what has come to rest by an instant, to be foreseen; itself where that would be a ruling."""
    if not game.debouncer.bursts:
        return game
    debouncer, settled = game.debouncer.settle(at)
    return game if any(settled) or debouncer.waiting == game.debouncer.waiting else replace(game, debouncer=debouncer)


def rests_at(game: Game, now: Instant) -> Instant | None:
    """When the next input comes to rest if no edge follows; None where nothing moves, or it is at rest already."""
    calm = (Instant(burst.last + CALM) for burst in game.debouncer.bursts.values())
    return min((at for at in calm if at > now), default=None)


def _at_table(rules: Rules[Any, Any], sensing: Sensing) -> Game:
    debouncer = Debouncer(frozenset(), evidence=sensing.evidence)
    return Game(rules, rules.start(), debouncer, frozenset(), Table(frozenset(TABLE_BUTTONS)), sensing=sensing)


def _clock(game: Game, settings: Mapping[str, object]) -> MatchClock | None:
    terms = terms_of(settings)
    if terms is None and game.rules.ends_by_press:
        raise SettingsError(statement("told.setting.clock.which"))
    if terms is not None and terms.by_button and game.board.turn_presses:
        raise SettingsError(statement("told.setting.clock.by_turn", game=game.rules.name.upper()))
    return None if terms is None else MatchClock.of(terms, teams(game.rules))
