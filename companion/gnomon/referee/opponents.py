"""Parse the settings of an engine that plays a side, and tell whose turn it is and what it has announced.

The settings stand among a game's settings but do not belong to its rules. `opponent` is a level of Gnomon's own
engine, from 1 to as many as the game has, or the name of an engine that was plugged in; `opponent_plays` the seat that
it plays, the second one if nobody says, or `all`, an exhibition, of which `second_opponent` may be another engine for
every second seat; `opponent_hands` for how many seconds its turn waits for the hands, where sand runs; and
`opponent_clock` whether a match clock stands meanwhile, where none does, or runs on.

`opponent=another-board` is somebody who plays at another board: `opponent_code` is the code by which one board has
invited the other, and `opponent_guest` says that this one was invited.

An engine has no hands: its turn is announced, and people make it (`_announced_turns`). So is what it does while a
person is on turn, as to turn the 15-second glass of TAMSK.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from gnomon.referee.effects import Effect, Sound, Tune
from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import TurnEntered
from gnomon.referee.game import ANOTHER_BOARD, Announced, Game, GameT, Judged, Opponent, Ply
from gnomon.referee.judgement import Repair
from gnomon.referee.replacement import replace
from gnomon.refusals import statement
from gnomon.rules.protocol import NATURE, OVER, Rules, RulesError, SettingsError
from gnomon.rules.registry import kind_of
from gnomon.timekeeping.instants import SECOND, Duration, Instant, parse_seconds

OPPONENT: Final = "opponent"
PLAYS: Final = "opponent_plays"
HANDS: Final = "opponent_hands"
CLOCK: Final = "opponent_clock"
OTHER: Final = "second_opponent"
CODE: Final = "opponent_code"
GUEST: Final = "opponent_guest"
OPPONENT_SETTINGS: Final = (OPPONENT, PLAYS, HANDS, CLOCK, OTHER, CODE, GUEST)
WARNINGS: Final = "warnings"
"""The setting of a game whose players want to be warned of blunders."""
HELP: Final = "help"
"""The setting of a game whose players want to be told of good turns while they make theirs."""

NOBODY: Final = "none"
EVERY_SEAT: Final = "all"
HANDS_USUAL: Final = Duration(5 * SECOND)
"""A practised hand needs three to five seconds for a glass and its ring."""
NOT_ANNOUNCED: Final = "not_announced"
"""The code of a turn that is not the one which the engine has announced."""
WHO: Final = "Gnomon"
STANDS: Final = "stands"
"""The match clock while hands make the turn of an engine, unless somebody wants it to run."""
RUNS: Final = "runs"

_LONGEST_HANDS: Final = Duration(60 * SECOND)
_TWO: Final = 2
_CODE: Final = re.compile(r"[A-HJ-NP-Z]{6}")  # no I and no O, which are read as digits
_BLANKS: Final = str.maketrans("", "", " -\u2013")
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


def split_opponent(settings: Mapping[str, object]) -> tuple[dict[str, object], dict[str, object]]:
    """The settings without those of engines, and those: of an opponent, and how one warns and helps."""
    of_engines = {*OPPONENT_SETTINGS, WARNINGS, HELP}
    others = {name: value for name, value in settings.items() if name not in of_engines}
    return others, {name: value for name, value in settings.items() if name in of_engines}


def opponent_of(settings: Mapping[str, object], rules: Rules[Any, Any]) -> Opponent | None:
    """The engine that plays a side, or None where only people play. Raises SettingsError with one sentence."""
    engine = str(settings.get(OPPONENT, NOBODY)).strip()
    if engine == NOBODY:
        alone = next((name for name in settings if name not in {OPPONENT, WARNINGS, HELP}), None)
        if alone is not None:
            raise SettingsError(statement("told.setting.opponent.alone", setting=alone))
        return None
    if rules.ends_by_press:
        raise SettingsError(statement("told.setting.opponent.clock"))
    seats = tuple(rules.seats)
    side = str(settings.get(PLAYS, seats[1])).strip()
    if engine == ANOTHER_BOARD:
        return _another_board(settings, rules, side)
    apart = next((name for name in (CODE, GUEST) if name in settings), None)
    if apart is not None:
        raise SettingsError(statement("told.setting.distance.alone", setting=apart))
    _check_engine(OPPONENT, engine, rules)
    if side not in {*seats, EVERY_SEAT}:
        raise SettingsError(
            statement("told.setting.one_of", setting=PLAYS, choices=(*seats, EVERY_SEAT), value=side[:40])
        )
    second = str(settings.get(OTHER, "")).strip()
    if second:
        _check_engine(OTHER, second, rules)
        if side != EVERY_SEAT:
            raise SettingsError(statement("told.setting.opponent.second", setting=OTHER))
    clock = str(settings.get(CLOCK, STANDS)).strip()
    if clock not in {STANDS, RUNS}:
        raise SettingsError(statement("told.setting.one_of", setting=CLOCK, choices=(STANDS, RUNS), value=clock[:40]))
    plays = seats if side == EVERY_SEAT else (side,)
    return Opponent(engine, plays, _parse_hands(settings.get(HANDS)), second, is_timed=clock == RUNS)


def _another_board(settings: Mapping[str, object], rules: Rules[Any, Any], side: str) -> Opponent:
    """Somebody at another board. Raises SettingsError for what cannot be played between two boards."""
    seats = tuple(rules.seats)
    if not kind_of(rules.name).plays_apart or len(seats) != _TWO:
        raise SettingsError(statement("told.setting.distance.game", game=rules.name))
    if not rules.plays_apart:
        raise SettingsError(statement("told.setting.distance.settings", game=rules.name))
    if OTHER in settings:
        raise SettingsError(statement("told.setting.opponent.second", setting=OTHER))
    if CLOCK in settings:
        raise SettingsError(statement("told.setting.opponent.engine", setting=CLOCK))
    if side not in seats:
        raise SettingsError(statement("told.setting.one_of", setting=PLAYS, choices=seats, value=side[:40]))
    code = str(settings.get(CODE, "")).upper().translate(_BLANKS)
    if code and not _CODE.fullmatch(code):
        raise SettingsError(statement("told.setting.distance.code", value=code[:40]))
    guest = str(settings.get(GUEST, "no")).strip()
    if guest not in {"yes", "no"}:
        raise SettingsError(statement("told.setting.one_of", setting=GUEST, choices=("yes", "no"), value=guest[:40]))
    hands = _parse_hands(settings.get(HANDS))
    return Opponent(ANOTHER_BOARD, (side,), hands, code=code, is_guest=guest == "yes")


def names_with(opponent: Opponent | None, names: Mapping[str, str]) -> Mapping[str, str]:
    """The names of the people, and the name of the engine for a player without one because an engine plays."""
    if opponent is None:
        return names
    if opponent.is_distant:
        return names
    return {seat: opponent.at(seat).name for seat in opponent.seats} | {
        player: name for player, name in names.items() if name
    }


def _check_engine(setting: str, engine: str, rules: Rules[Any, Any]) -> None:
    """Raise SettingsError for what is neither a level of the game nor the name of an engine."""
    is_level = engine.isascii() and engine.isdecimal()
    levels = kind_of(rules.name).levels
    if (is_level and not 1 <= int(engine[:4]) <= levels) or not _NAME.fullmatch(engine):
        raise SettingsError(statement("told.setting.opponent", setting=setting, most=levels, value=engine[:40]))


def _parse_hands(value: object) -> Duration:
    if value is None:
        return HANDS_USUAL
    try:
        hands = parse_seconds(str(value))
    except ValueError as error:
        raise SettingsError(statement("told.setting.opponent.hands", value=str(value)[:40])) from error
    if hands > _LONGEST_HANDS:
        raise SettingsError(statement("told.setting.opponent.hands", value=str(value)[:40]))
    return hands


# Whose turn it is


def is_engines_turn(game: Game) -> bool:
    """Whether the engine is to act; nature's turns are carried out by people."""
    return game.turn not in {NATURE, OVER} and plays_as(game, game.turn, game.position)


def turns_to_take_back(game: Game) -> int:
    """How many turns lie between the present and the last one that a person chose, it included; 0 where none did.

    A turn that a board with sensors rules by itself is none: it would be ruled again at once.
    """
    for count, ply in enumerate(reversed(game.plies), 1):
        is_persons = ply.player != NATURE and not plays_as(game, ply.player, ply.before)
        if is_persons and not (game.board.is_sensed and is_forced(game, ply)):
            return count
    return 0


def is_forced(game: Game, ply: Ply) -> bool:
    """Whether the rules left no choice: such a turn, a pass or a lost one, is ruled by itself."""
    rules = game.rules
    moves = [move for move in rules.legal_moves(ply.before) if rules.is_turn(move)]
    return len(moves) == 1 and bool(rules.text(ply.before, moves[0]) == ply.text)


def is_carried_out_in_time(game: Game) -> bool:
    """Whether an announced turn waits for the hands only as long as was agreed: sand runs (decision 31).

    Or another board plays, where a match clock runs: nobody gains time by being slow with the other's turn.
    """
    is_clocked = game.clock is not None and game.opponent is not None and game.opponent.is_distant
    return is_clocked or game.rules.deadline(game.position) is not None


def counts_at(game: Game) -> Instant | None:
    """Game time at which the announced turn counts even if no hand has made it; None: it waits for the hands."""
    told = game.announced
    if told is None or game.opponent is None or not is_carried_out_in_time(game):
        return None
    return Instant(told.when + game.opponent.hands)


def hands_left(game: Game, now: Instant) -> Duration | None:
    """For how long at board time `now` the announced turn still waits for hands; None: it waits for ever."""
    at, arrived = counts_at(game), game.arrived_at
    if at is None:
        return None
    if arrived is None or game.opponent is None:
        return Duration(at - game.game_time(now))
    # Game time stands until the turn of another board has been made.
    until = now if game.paused_at is None else min(now, game.paused_at)
    return Duration(arrived + game.opponent.hands - until)


def plays_as(game: Game, player: str, position: object) -> bool:
    """Whether an engine plays as that player in a position: it keeps its place when the two persons change sides."""
    opponent = game.opponent
    if opponent is None or player not in game.rules.players:
        return False
    return seat_at_table(game, player, position) in opponent.seats


def engine_on_turn(game: Game) -> Opponent | None:
    """The engine that is to act, as it plays that seat, or the other board; None where a person here or nature is."""
    if game.opponent is not None and game.opponent.is_distant:
        return game.opponent if game.is_elsewhere else None
    if game.opponent is None or not is_engines_turn(game):
        return None
    return game.opponent.at(seat_at_table(game, game.turn, game.position))


def player_off_turn(game: Game, at: Instant) -> str:
    """The player as whom an engine may do something at board time `at` though another is on turn; empty: nobody."""
    if game.opponent is None or game.outcome is not None or is_engines_turn(game) or not texts_off_turn(game, at):
        return ""
    players = (player for player in game.rules.players if player != game.turn)
    return next((player for player in players if plays_as(game, player, game.position)), "")


def texts_off_turn(game: Game, at: Instant) -> tuple[str, ...]:
    """What the player who is not on turn may do at board time `at`, in canonical text."""
    position = game.rules.elapse(game.position, game.game_time(at))
    return tuple(game.rules.text(position, move) for move in game.rules.off_turn(position))


def engine_that_acts(game: Game) -> Opponent | None:
    """The engine that is to act, or that has announced something though a person is on turn."""
    opponent, told = game.opponent, game.announced
    if opponent is None or told is None or is_engines_turn(game):
        return engine_on_turn(game)
    return opponent.at(seat_at_table(game, told.player, game.position))


def seat_at_table(game: Game, player: str, position: object) -> str:
    """The place where the person sat down who plays as somebody: the two may have changed sides since."""
    return game.seat_of(player, position)


# What is announced


def announce_turn(game: GameT, text: str, at: Instant) -> Judged[GameT]:
    """The game in which the engine has said what it plays. Raises CorrectionError for what it cannot play now."""
    if game.paused_at is not None:
        raise CorrectionError(statement("told.paused"))
    if is_engines_turn(game):
        position, player = game.rules.elapse(game.position, game.game_time(at)), game.turn
        text = game.rules.text(position, game.rules.parse(position, text))
    else:
        player = player_off_turn(game, at)
        if not player or text not in texts_off_turn(game, at):
            raise CorrectionError(statement("told.opponent.not_on_turn"))
    said: tuple[Effect, ...] = () if game.announced is not None else (Sound(Tune.QUESTION),)
    told = Announced(player, text, at, game.game_time(at))
    stands_from = at if _clock_stands(game) else game.arrived_at
    return replace(game, announced=told, arrived_at=stands_from, chooser=None), said


def _clock_stands(game: Game) -> bool:
    """Whether the match clock stands from the announcement of an engine until hands have made its turn.

    Sand cannot be stopped: where it runs, such a turn counts after a fixed time instead (decision 31).
    """
    if game.clock is None or game.opponent is None or game.arrived_at is not None or not is_engines_turn(game):
        return False
    return not game.opponent.is_timed and not is_carried_out_in_time(game)


def check_entered(game: Game, event: TurnEntered) -> None:
    """Raise CorrectionError for a turn that is entered while the engine is on turn, and is not the announced one."""
    if not is_engines_turn(game):
        return
    if game.announced is None:
        raise CorrectionError(statement("told.opponent.thinks"))
    if not is_announced(game, event):
        raise CorrectionError(statement("told.opponent.other", text=game.announced.text))


def is_announced(game: Game, event: object) -> bool:
    """Whether an event says that the announced turn has been made."""
    return isinstance(event, TurnEntered) and game.announced is not None and event.text == game.announced.text


def steps_due(game: Game) -> tuple[Repair, ...]:
    """What hands have yet to do for the turn that the engine has announced; none where no sensor shows the board."""
    told = game.announced
    if told is None:
        return ()
    try:
        steps: tuple[Repair, ...] = game.board.steps(game, told.text)
    except RulesError:
        return ()  # time has decided against it, and that is about to be ruled
    return steps
