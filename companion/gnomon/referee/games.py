"""Begin any game and pass events to its referee, on the sensors of its board or at a table."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gnomon.games.clock.rules import Free
from gnomon.games.protocol import Rules, SettingsError
from gnomon.games.registry import rules_of
from gnomon.games.tamsk.rules import Tamsk
from gnomon.games.tayu.rules import Tayu
from gnomon.referee.clock_settings import parted, terms_of
from gnomon.referee.debounce import Debouncer
from gnomon.referee.effects import Effect
from gnomon.referee.events import Event
from gnomon.referee.game import Game, new_game
from gnomon.referee.judgement import Temperament
from gnomon.referee.match_clock import MatchClock
from gnomon.referee.people import people
from gnomon.referee.player_roles import teams
from gnomon.referee.step import foreseen, step
from gnomon.referee.table_game import CLOCK_BUTTONS, TABLE_BUTTONS, TableGame
from gnomon.referee.table_step import foreseen_table, step_table
from gnomon.referee.tamsk_inputs import TWO_POLES, Sensing
from gnomon.referee.tayu_judge import square_inputs

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

    Among the settings those of a match clock may stand. `players` are the people's names by the players of the rules,
    as far as they are known; `sensing` is what the sensors of the TAMSK board tell of a glass.

    Raises SettingsError for an unknown game, a setting it refuses, and a board on which it is not played.
    """
    of_rules, of_clock = parted(settings)
    rules = rules_of(name, of_rules)
    clock = _clock(rules, of_clock)
    if isinstance(rules, Tamsk):
        if board not in ("", rules.name):
            message = "tamsk is played on its own board"
            raise SettingsError(message)
        return replace(new_game(rules, temperament, sensing), people=people(players or {}), clock=clock)
    if board == Tamsk.name:
        message = f"{name} is not played on the tamsk board"
        raise SettingsError(message)
    if board == "tayu" and not isinstance(rules, Tayu):
        message = f"{name} is not played on the tayu board"
        raise SettingsError(message)
    inputs = frozenset(TABLE_BUTTONS)
    if board == "tayu" and isinstance(rules, Tayu):
        inputs |= square_inputs(rules)
    if clock is not None:
        inputs |= frozenset(CLOCK_BUTTONS)
    seated = people(players or {})
    debouncer = Debouncer(frozenset(), evidence=sensing.evidence)
    return TableGame(
        rules, rules.start(), debouncer, inputs=inputs, temperament=temperament, people=seated, clock=clock
    )


def _clock(rules: Rules[Any, Any], settings: Mapping[str, object]) -> MatchClock | None:
    terms = terms_of(settings)
    if terms is None and isinstance(rules, Free):
        message = "say the time control of the clock, such as clock=25+10 or the name of a preset, as clock=club"
        raise SettingsError(message)
    if terms is not None and terms.by_button and isinstance(rules, Tamsk):
        message = "TAMSK is played with press=turn: a turn ends with its ring or the player's button, and so presses"
        raise SettingsError(message)
    return None if terms is None else MatchClock.of(terms, teams(rules))


def inputs_of(game: AnyGame) -> frozenset[str]:
    """Every input of the board on which the game is played."""
    return game.sensing.inputs if isinstance(game, Game) else game.inputs


def sensing_of(game: AnyGame) -> Sensing:
    """What the sensors of the TAMSK board tell of a glass, and at every board what is asked before a ruling."""
    return game.sensing if isinstance(game, Game) else TWO_POLES._replace(evidence=game.debouncer.evidence)


def foresee(game: AnyGame) -> AnyGame:
    """The game as people are shown it: what the board shows is in it before it is evidence."""
    return foreseen(game) if isinstance(game, Game) else foreseen_table(game)


def tell(game: AnyGame, event: Event) -> tuple[AnyGame, tuple[Effect, ...]]:
    """The game after an event, and the orders that follow from it.

    Raises ValueError for an input that the board does not have, and CorrectionError for a correction that cannot be.
    """
    return step(game, event) if isinstance(game, Game) else step_table(game, event)
