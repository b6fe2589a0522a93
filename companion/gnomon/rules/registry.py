"""The only place that knows which games there are."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from gnomon.rules.protocol import Rules, SettingsError
from gnomon.rules.tamsk import Tamsk

Settings = Mapping[str, object]

GAMES: Final[Mapping[str, Callable[[Settings], Rules[Any, Any]]]] = {
    Tamsk.name: Tamsk.from_settings,
}


def rules_of(game: str, settings: Settings) -> Rules[Any, Any]:
    """The rules of a game by name. Raises SettingsError with one sentence for an unknown game or setting."""
    maker = GAMES.get(game)
    if maker is None:
        message = f"there is no game {game!r}; the games are {', '.join(sorted(GAMES))}"
        raise SettingsError(message)
    return maker(settings)
