"""Look up a game by name: those of Gnomon, and those that other distributions bring.

A distribution brings a game by an entry point of the group `gnomon.games`: its name is that of the game, and it means
the game's `GameKind`. They are looked for when a name is none of Gnomon's own, or when all games are listed.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from gnomon.refusals import Statement, statement
from gnomon.rules.kinds import GameKind, load
from gnomon.rules.protocol import Rules, SettingsError
from gnomon.words import Folder, WordsError, add_part, unregister

GAMES: Final[Mapping[str, str]] = {
    "tamsk": "gnomon.games.tamsk:KIND",
    "tayu": "gnomon.games.tayu:KIND",
    "tabik": "gnomon.games.tabik:KIND",
    "tau": "gnomon.games.tau:KIND",
    "twenty-squares": "gnomon.games.twenty_squares:KIND",
}
"""Those of Gnomon; `games` lists them all."""

BARE_CLOCK: Final = "clock"
"""What is played under the bare match clock: any game, by rules that nobody here knows. It is none of the games."""

GROUP: Final = "gnomon.games"
_WORDS: Final = "words"
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")  # it is a part of addresses, and of the keys of words


class _Others(NamedTuple):
    """What other distributions bring: the games, their folders, and what is wrong with those that cannot be played."""

    kinds: Mapping[str, GameKind]
    folders: Mapping[str, Folder]
    faults: Mapping[str, Statement]


def games() -> tuple[str, ...]:
    """Every game that can be played: those of Gnomon, then those of other distributions in the order of their names."""
    return (*GAMES, *_others().kinds)


def find_game(text: str) -> str:
    """The game that somebody means by `TAMSK` or `Twenty squares`; empty for one that nobody here knows."""
    name = "-".join(text.casefold().split())
    return name if name in games() else ""


def faults() -> tuple[Statement, ...]:
    """What is wrong with the games of other distributions that cannot be played, each in one sentence."""
    return tuple(_others().faults.values())


def kind_of(game: str) -> GameKind:
    """What a game tells of itself. Raises SettingsError with one sentence for an unknown game, or a broken one."""
    if game in GAMES or game == BARE_CLOCK:
        own: GameKind = load(GAMES.get(game, "gnomon.games.clock:KIND"))
        return own
    others = _others()
    if game in others.kinds:
        return others.kinds[game]
    unknown = statement("told.host.no_game", game=game, games=sorted(games()))
    raise SettingsError(others.faults.get(game, unknown))


def rules_of(game: str, settings: Mapping[str, object]) -> Rules[Any, Any]:
    """The rules of a game by name. Raises SettingsError with one sentence for an unknown game or setting."""
    rules: Rules[Any, Any] = kind_of(game).rules_of(settings)
    return rules


def folder_of(game: str) -> Folder | None:
    """What lies beside the KIND of a game that another distribution brings; None for any other."""
    return None if game in GAMES else _others().folders.get(game)


def look_again() -> None:
    """Forget which games other distributions bring: the next who asks finds those that are there then."""
    for folder in _others().folders.values():
        unregister(folder / _WORDS)
    _others.cache_clear()


@cache
def _others() -> _Others:
    # It costs more than the rest of the core together, and at a board with Gnomon's own games nobody asks.
    from importlib.metadata import entry_points  # noqa: PLC0415 - start-up does not pay for it

    kinds: dict[str, GameKind] = {}
    wrong: dict[str, Statement] = {}
    folders: dict[str, Folder] = {}
    found = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
    named = [entry.name for entry in found]
    for entry in found:
        name, brought_by = entry.name, entry.dist.name if entry.dist is not None else "?"
        if name in GAMES or name == BARE_CLOCK:
            wrong[f"{name} {brought_by}"] = statement("told.games.own", game=name, distribution=brought_by)
        elif named.count(name) > 1:
            several = sorted(each.dist.name for each in found if each.name == name and each.dist is not None)
            wrong[name] = statement("told.games.doubled", game=name, distributions=several)
        else:
            try:
                kinds[name], folders[name] = _load_game(name, entry.value)
            except Exception as error:  # noqa: BLE001 - another's module fails in any way, and the other games go on
                why = " ".join(f"{type(error).__name__}: {error}".split())
                wrong[name] = statement("told.games.broken", game=name, distribution=brought_by, text=why)
    return _Others(kinds, folders, wrong)


def _load_game(name: str, part: str) -> tuple[GameKind, Folder]:
    """A game of another distribution, and the folder of its KIND, where its words are."""
    from importlib.resources import files  # noqa: PLC0415 - as above

    kind = load(part)
    if not isinstance(kind, GameKind) or kind.name != name or not _NAME.fullmatch(name):
        message = f"{part} is no GameKind of the name {name!r}, which is of small letters, digits and single hyphens"
        raise ValueError(message)
    folder: Folder = files(part.partition(":")[0])
    if not (folder / _WORDS).is_dir():
        message = f"there are no words beside {part}"
        raise WordsError(message)
    add_part(folder / _WORDS)
    return kind, folder
