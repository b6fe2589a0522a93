"""Run engines (`gnomon engine`): Gnomon's own for each game, behind a line protocol, and those of others."""

import os
from typing import TYPE_CHECKING, Any, ClassVar, Final

import click
from click.shell_completion import CompletionItem

from gnomon.cli import localized
from gnomon.cli._arguments import parse_settings
from gnomon.cli.command_group import CommandGroup
from gnomon.cli.words import CommandRefusedError, say_line
from gnomon.refusals import statement
from gnomon.rules.protocol import SettingsError
from gnomon.rules.registry import BARE_CLOCK, GAMES, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gnomon.engines.protocol import Engine
    from gnomon.engines.ugi import UgiSession
    from gnomon.rules.protocol import Rules
    from gnomon.timekeeping.instants import Instant

_COMMANDS: Final = "gnomon.cli.engine_commands"
_LONGEST_LINE: Final = 1 << 20
_BLOCK: Final = 1 << 16
_LOOK_EVERY: Final = 5_000  # µs between two looks at what has come in


class _EngineCommands(CommandGroup):
    """The commands about engines; any other name is that of a game."""

    FUNCTIONS: ClassVar = {
        "check": f"{_COMMANDS}.check:check_engine",
        "ladder": f"{_COMMANDS}.ladder:ladder_engines",
        "list": f"{_COMMANDS}.listing:list_engines",
        "luck": f"{_COMMANDS}.values:luck",
        "match": f"{_COMMANDS}.match:match_engines",
        "solve": f"{_COMMANDS}.solve:solve",
        "value": f"{_COMMANDS}.values:value",
    }

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or the engine of the game of that name; None where there is neither."""
        if cmd_name in self.FUNCTIONS:
            return super().get_command(ctx, cmd_name)
        try:
            kind_of(cmd_name)
        except SettingsError as error:
            if ctx.resilient_parsing:  # a shell completes behind a game that there is not
                return None
            raise CommandRefusedError(error) from error
        return localized.Command(
            cmd_name,
            callback=lambda **given: _serve(cmd_name, **given),
            params=_GAME_OPTIONS,
            help="command.engine.game",
        )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands and the games that begin so."""
        games = [CompletionItem(game) for game in GAMES if game.startswith(incomplete)]
        return [*super().shell_complete(ctx, incomplete), *games]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands into a help text, and which games there are."""
        super().format_commands(ctx, formatter)
        with localized.section(ctx, formatter, "usage.games"):
            formatter.write_text(", ".join(GAMES))


_GAME_OPTIONS: Final[list[click.Parameter]] = [
    localized.Option(["--set", "settings"], multiple=True, metavar="KEY=VALUE", help="option.set"),
]


@localized.group(cls=_EngineCommands, help="command.engine")
def engine() -> None:
    """Play against engines, and let engines play."""


def _serve(game: str, settings: tuple[str, ...]) -> None:
    from random import Random

    from gnomon.engines.ugi import UgiSession
    from gnomon.hall.clock import monotonic_now

    if game == BARE_CLOCK:
        raise CommandRefusedError(statement("cli.no_rules", game=game))

    def chance(seed: int) -> Random:
        return Random(seed) if seed else Random()  # noqa: S311 - the moves of a game are no secrets

    try:
        session = UgiSession(game, parse_settings(settings), chance, version=_version(), engine_for=engine_with_table)
    except SettingsError as error:
        raise CommandRefusedError(error) from error
    _Shell(session, monotonic_now).run()


class _Shell:
    """The session's streams: it reads what has come in without waiting while the engine thinks."""

    def __init__(self, session: "UgiSession", clock: "Callable[[], Instant]") -> None:
        import sys

        self._session = session
        self._clock = clock
        self._input = sys.stdin.buffer.fileno()
        self._output = sys.stdout
        self._rest = b""
        self._is_closed = False
        self._next_look = clock()

    def run(self) -> None:
        """Talk until the end."""
        import gc

        session = self._session
        while not session.is_over:
            if session.is_thinking:
                # To look for circles among a million nodes takes longer than a `stop` may wait; a search makes none.
                gc.disable()
                for line in session.search(self._look):
                    self._write((line,))
                gc.enable()
            elif self._is_closed:
                return
            else:
                self._read()

    def _look(self) -> "Instant":
        """Take in what has come, every few milliseconds; answers what time it is."""
        from select import select

        now = self._clock()
        if now >= self._next_look and not self._is_closed:
            while select([self._input], [], [], 0)[0] and self._read():
                pass
            now = self._clock()
            self._next_look = type(now)(now + _LOOK_EVERY)
        return now

    def _read(self) -> bool:
        """Take in a block; it waits for one, and answers False when none will follow."""
        import os

        block = os.read(self._input, _BLOCK)
        *lines, self._rest = (self._rest + block).split(b"\n")
        if not block:
            lines, self._rest, self._is_closed = [self._rest], b"", True
        elif len(self._rest) > _LONGEST_LINE:
            lines.append(b"?")  # it is dropped, and what follows up to the end of the line is read as another
            self._rest = b""
        for line in lines:
            if not self._session.is_over:
                self._write(self._session.receive(line.decode("utf-8", "replace"), self._clock()))
        if self._is_closed:
            self._session.hang_up()
        return not self._is_closed

    def _write(self, lines: "Sequence[str]") -> None:
        if lines:
            self._output.write("".join(f"{line}\n" for line in lines))
            self._output.flush()


def engine_with_table(rules: "Rules[Any, Any]") -> "Engine[Any]":
    """The engine of a game, with its table if it has been made; of a damaged one it says so, and plays without."""
    from gnomon.engines import engine_of
    from gnomon.engines.tables import TableError, tables_folder, with_table

    engine: Engine[Any] = engine_of(rules)
    try:
        return with_table(engine, tables_folder(os.environ))
    except TableError as error:
        click.echo(say_line(error), err=True)
        return engine


def _version() -> str:
    from importlib.metadata import version

    return version("gnomon")
