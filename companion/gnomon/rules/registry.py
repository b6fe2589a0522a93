"""Look up a game by name: those of Gnomon, and those that other distributions bring."""

from collections.abc import Mapping
from typing import Any, Final

from gnomon.refusals import statement
from gnomon.rules.kinds import GameKind, load
from gnomon.rules.protocol import Rules, SettingsError

GAMES: Final[Mapping[str, str]] = {
    "tamsk": "gnomon.games.tamsk:KIND",
    "tayu": "gnomon.games.tayu:KIND",
    "tabik": "gnomon.games.tabik:KIND",
    "tau": "gnomon.games.tau:KIND",
    "twenty-squares": "gnomon.games.twenty_squares:KIND",
}

BARE_CLOCK: Final = "clock"
"""What is played under the bare match clock: any game, by rules that nobody here knows. It is none of the games."""


def kind_of(game: str) -> GameKind:
    """What a game tells of itself. Raises SettingsError with one sentence for an unknown game."""
    if game not in GAMES and game != BARE_CLOCK:
        raise SettingsError(statement("told.host.no_game", game=game, games=sorted(GAMES)))
    kind: GameKind = load(GAMES.get(game, "gnomon.games.clock:KIND"))
    return kind


def rules_of(game: str, settings: Mapping[str, object]) -> Rules[Any, Any]:
    """The rules of a game by name. Raises SettingsError with one sentence for an unknown game or setting."""
    rules: Rules[Any, Any] = kind_of(game).rules_of(settings)
    return rules
