"""Look up the rules of a game by name, importing them on demand."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from gnomon.games.protocol import Rules, SettingsError

# By the game's name: the module and the class of its rules, which has a class method `from_settings`.
GAMES: Final[Mapping[str, tuple[str, str]]] = {
    "tamsk": ("gnomon.games.tamsk.rules", "Tamsk"),
    "tayu": ("gnomon.games.tayu.rules", "Tayu"),
    "tabik": ("gnomon.games.tabik.rules", "Tabik"),
    "tau": ("gnomon.games.tau.rules", "Tau"),
    "twenty-squares": ("gnomon.games.twenty_squares.rules", "TwentySquares"),
}

BARE_CLOCK: Final = "clock"
"""What is played under the bare match clock: any game, by rules that nobody here knows. It is none of the games."""

_FREE: Final = ("gnomon.games.clock.rules", "Free")


def rules_of(game: str, settings: Mapping[str, object]) -> Rules[Any, Any]:
    """The rules of a game by name. Raises SettingsError with one sentence for an unknown game or setting."""
    if game not in GAMES and game != BARE_CLOCK:
        message = f"there is no game {game!r}; the games are {', '.join(sorted(GAMES))}"
        raise SettingsError(message)
    module, maker = GAMES.get(game, _FREE)
    rules: Rules[Any, Any] = getattr(import_module(module), maker).from_settings(settings)
    return rules
