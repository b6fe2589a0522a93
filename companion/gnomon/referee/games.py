"""The only place that knows which referee a game has: on the sensors of its board, or at a table."""

from collections.abc import Mapping
from dataclasses import replace

from gnomon.referee.effects import Effect
from gnomon.referee.events import Event
from gnomon.referee.game import Game, new_game
from gnomon.referee.judgement import Temperament
from gnomon.referee.people import people
from gnomon.referee.step import step
from gnomon.referee.table_game import TABLE_BUTTONS, TableGame
from gnomon.referee.table_step import step_table
from gnomon.referee.tamsk_inputs import TWO_POLES, Sensing
from gnomon.referee.tayu_judge import square_inputs
from gnomon.rules.protocol import SettingsError
from gnomon.rules.registry import rules_of
from gnomon.rules.tamsk import Tamsk
from gnomon.rules.tayu import Tayu

AnyGame = Game | TableGame


def begin(  # noqa: PLR0913 - a game has so many sides, and all but two have a default
    name: str,
    settings: Mapping[str, object],
    temperament: Temperament = Temperament.ASSISTANT,
    *,
    board: str = "",
    players: Mapping[str, str] | None = None,
    sensing: Sensing = TWO_POLES,
) -> AnyGame:
    """A game at board time 0: on `board` (tamsk or tayu, with its sensors), or at a table without any.

    `players` are the people's names by the players of the rules, as far as they are known; `sensing` is what the
    sensors of the TAMSK board tell of a glass.

    Raises SettingsError for an unknown game, a setting it refuses, and a board on which it is not played.
    """
    rules = rules_of(name, settings)
    if isinstance(rules, Tamsk):
        if board not in ("", rules.name):
            message = "tamsk is played on its own board"
            raise SettingsError(message)
        return replace(new_game(rules, temperament, sensing), people=people(players or {}))
    if board == Tamsk.name:
        message = f"{name} is not played on the tamsk board"
        raise SettingsError(message)
    if board == "tayu" and not isinstance(rules, Tayu):
        message = f"{name} is not played on the tayu board"
        raise SettingsError(message)
    inputs = frozenset(TABLE_BUTTONS)
    if board == "tayu" and isinstance(rules, Tayu):
        inputs |= square_inputs(rules)
    seated = people(players or {})
    return TableGame(rules, rules.start(), inputs=inputs, temperament=temperament, people=seated)


def inputs_of(game: AnyGame) -> frozenset[str]:
    """Every input of the board on which the game is played."""
    return game.sensing.inputs if isinstance(game, Game) else game.inputs


def sensing_of(game: AnyGame) -> Sensing:
    """What the sensors of the TAMSK board tell of a glass; at a table nothing hangs on it."""
    return game.sensing if isinstance(game, Game) else TWO_POLES


def tell(game: AnyGame, event: Event) -> tuple[AnyGame, tuple[Effect, ...]]:
    """The game after an event, and the orders that follow from it.

    Raises ValueError for an input that the board does not have, and CorrectionError for a correction that cannot be.
    """
    return step(game, event) if isinstance(game, Game) else step_table(game, event)
