"""The only place that knows which games there are; a game's rules are imported when they are asked for."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from gnomon.rules.protocol import Rules, SettingsError

# By the game's name: the module and the class of its rules, which has a class method `from_settings`.
GAMES: Final[Mapping[str, tuple[str, str]]] = {
    "tamsk": ("gnomon.rules.tamsk", "Tamsk"),
    "tayu": ("gnomon.rules.tayu", "Tayu"),
    "tabik": ("gnomon.rules.tabik", "Tabik"),
    "tau": ("gnomon.rules.tau", "Tau"),
    "twenty-squares": ("gnomon.rules.twenty_squares", "TwentySquares"),
}

BARE_CLOCK: Final = "clock"
"""What is played under the bare match clock: any game, by rules that nobody here knows. It is none of the games."""

_FREE: Final = ("gnomon.rules.free", "Free")


def rules_of(game: str, settings: Mapping[str, object]) -> Rules[Any, Any]:
    """The rules of a game by name. Raises SettingsError with one sentence for an unknown game or setting."""
    if game not in GAMES and game != BARE_CLOCK:
        message = f"there is no game {game!r}; the games are {', '.join(sorted(GAMES))}"
        raise SettingsError(message)
    module, maker = GAMES.get(game, _FREE)
    rules: Rules[Any, Any] = getattr(import_module(module), maker).from_settings(settings)
    return rules
