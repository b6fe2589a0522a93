"""Read the files that plug in engines of other authors: `engines.d/NAME.toml`."""

import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NoReturn

from gnomon.bounded_toml import TomlBoundsError, TOMLDecodeError, parse_toml
from gnomon.refusals import Refusal, Statement, statement
from gnomon.rules.registry import games

FOLDER: Final = "engines.d"
VARIABLE: Final = "GNOMON_ENGINES"
"""The variable of the environment that names another folder, for commands as for boards."""
MEMORY: Final = 1024
"""How many MiB an engine may take where its file says nothing."""
PATIENCE: Final = 60
"""For how many seconds an answer without a limit of time is waited for where its file says nothing."""
_LARGEST: Final = 1 << 16
_MOST_MEMORY: Final = 1 << 20
_MOST_PATIENCE: Final = 86_400
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_AT_LINE: Final = re.compile(r"(.*) \(at line (\d+), column \d+\)")
_KEYS: Final = ("command", "games", "memory", "patience", "options")


class PluginError(Refusal, ValueError):
    """A file of an engine cannot be used; its words name the file and the line."""


@dataclass(frozen=True, slots=True)
class EnginePlugin:
    """A program that plays: how it is started, which games it plays, and what it is told at first.

    `memory` is in MiB, and `patience` in seconds; 0 MiB is no limit. It runs in `folder`, or where Gnomon does.
    """

    name: str
    command: tuple[str, ...]
    games: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    memory: int = MEMORY
    patience: int = PATIENCE
    folder: Path | None = None


def own_plugin(game: str, options: Mapping[str, str] | None = None) -> EnginePlugin:
    """Gnomon's own engine for a game, as a program."""
    return EnginePlugin("Gnomon", own_command("engine", game), (game,), dict(options or {}))


def own_command(*arguments: str) -> tuple[str, ...]:
    """The command `gnomon` with its arguments, by the interpreter that runs this."""
    program = "import sys; sys.argv[0] = 'gnomon'; from gnomon.cli import main; main()"
    return (sys.executable, "-c", program, *arguments)


def plugin_folders(environment: Mapping[str, str]) -> Sequence[Path]:
    """Where the files are looked for: the machine's own folder, and after it that of the person who runs this.

    If the environment names a folder, it is looked for there alone.
    """
    if named := environment.get(VARIABLE):
        return (Path(named),)
    given = environment.get("XDG_CONFIG_HOME") or ""
    base = Path(given) if Path(given).is_absolute() else Path.home() / ".config"
    return Path("/etc/gnomon") / FOLDER, base / "gnomon" / FOLDER


def read_plugins(folders: Sequence[Path]) -> tuple[Mapping[str, EnginePlugin], Sequence[PluginError]]:
    """The engines of some folders by name, of two of one name the later one, and what is wrong with the others."""
    found: dict[str, EnginePlugin] = {}
    wrong: list[PluginError] = []
    for path in (path for folder in folders for path in sorted(folder.glob("*.toml"))):
        try:
            found[path.stem] = read_plugin(path)
        except PluginError as error:
            wrong.append(error)
    return found, wrong


def read_plugin(path: Path) -> EnginePlugin:
    """The engine of one file. Raises PluginError."""
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise PluginError(statement("engine.file.unreadable", file=str(path), why=error.strerror)) from error
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise _mistake(path, data[: error.start].count(b"\n") + 1, statement("engine.file.utf8")) from error
    if len(data) > _LARGEST:
        raise _mistake(path, 1, statement("engine.file.large", number=_LARGEST))
    try:
        table = parse_toml(text)
    except TOMLDecodeError as error:
        match = _AT_LINE.fullmatch(str(error))
        line = int(match[2]) if match else text.count("\n") + 1
        raise _mistake(path, line, statement("engine.file.toml", text=match[1] if match else str(error))) from error
    except TomlBoundsError as error:
        raise _mistake(path, 1, statement("engine.file.bounds")) from error
    return _PluginReader(path, text, table).plugin()


def _mistake(path: Path, line: int, why: Statement) -> PluginError:
    return PluginError(statement("engine.file.wrong", file=str(path), line=line, why=why))


class _PluginReader:
    """One file, and how its values are checked."""

    def __init__(self, path: Path, text: str, table: Mapping[str, object]) -> None:
        self._path = path
        self._text = text
        self._table = table

    def plugin(self) -> EnginePlugin:
        """What the file says. Raises PluginError."""
        name = self._path.stem
        if not _NAME.fullmatch(name):
            raise _mistake(self._path, 1, statement("engine.file.name", text=name))
        if name.isdecimal():
            raise _mistake(self._path, 1, statement("engine.file.level", text=name))
        for key in self._table:
            if key not in _KEYS:
                self._refuse(key, statement("engine.file.key", key=key, known=_KEYS))
        return EnginePlugin(
            name,
            self._command(),
            self._games(),
            self._options(),
            self._number("memory", MEMORY, _MOST_MEMORY),
            self._number("patience", PATIENCE, _MOST_PATIENCE),
            self._path.parent.absolute(),
        )

    def _command(self) -> tuple[str, ...]:
        words = self._words("command")
        if not words:
            self._refuse("command", statement("engine.file.command"))
        program = words[0]
        # A path is meant from the file's own folder, and a bare name is looked for as a shell does.
        found = shutil.which(str(self._path.parent.absolute() / program) if "/" in program else program)
        if found is None:
            self._refuse("command", statement("engine.file.program", text=program))
        return (found, *words[1:])

    def _games(self) -> tuple[str, ...]:
        words = self._words("games")
        if not words:
            self._refuse("games", statement("engine.file.games"))
        for game in words:
            if game not in games():
                self._refuse("games", statement("told.host.no_game", game=game, games=sorted(games())))
        return words

    def _options(self) -> Mapping[str, str]:
        options = self._table.get("options", {})
        if not isinstance(options, dict):
            self._refuse("options", statement("engine.file.table", key="options"))
        read = {}
        for name, value in options.items():
            if not isinstance(value, str | int | float):
                self._refuse(name, statement("engine.file.option", key=name))
            text = str(value).lower() if isinstance(value, bool) else str(value)
            if not {"name", "value"}.isdisjoint(name.split()) or not (name + text).isprintable() or not name.strip():
                self._refuse(name, statement("engine.file.letters", key=name))
            read[name] = text
        return read

    def _words(self, key: str) -> tuple[str, ...]:
        words = self._table.get(key, [])
        if not isinstance(words, list) or not all(isinstance(word, str) and "\0" not in word for word in words):
            self._refuse(key, statement("engine.file.words", key=key))
        return tuple(words)

    def _number(self, key: str, usual: int, most: int) -> int:
        number = self._table.get(key, usual)
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= most:
            self._refuse(key, statement("engine.file.number", key=key, most=most))
        return number

    def _refuse(self, key: str, why: Statement) -> NoReturn:
        """Raise PluginError for a key, with the line where it stands; where it is missing, with the first one."""
        said = re.compile(rf"""\s*(?:\[\s*)?["']?{re.escape(key)}["']?\s*[\]=.]""")
        lines = (number for number, line in enumerate(self._text.splitlines(), 1) if said.match(line))
        raise _mistake(self._path, next(lines, 1), why)
