"""Define the `gnomond` command line, and assemble, run and stop the daemon."""

import asyncio
import gc
import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from secrets import randbits
from typing import TYPE_CHECKING, ClassVar, Final, NoReturn

import click
from click.core import ParameterSource

from gnomon.cli.command_group import CommandGroup
from gnomon.cli.game_choice import GameChoice
from gnomon.cli.lesson_folders import lessons_option
from gnomon.cli.words import command_words, language_option, say, say_line, words_option
from gnomon.records.folders import state_folder
from gnomon.records.journal import Journal, JournalInUseError
from gnomon.records.rescue import Rescue, open_or_rescue
from gnomon.records.store import JournalError
from gnomon.referee.clock_settings import split_settings
from gnomon.referee.exercises import split_exercise
from gnomon.referee.games import game_of
from gnomon.referee.judgement import Temperament
from gnomon.referee.opponents import split_opponent
from gnomon.referee.setup import GameSetup
from gnomon.refusals import Refusal, Statement, statement, statement_of
from gnomon.rules.protocol import RulesError
from gnomon.rules.registry import BARE_CLOCK, GAMES
from gnomon.web.server.signals import on_end
from gnomon_pi import config
from gnomon_pi.cli._web_options import PageError, PageOptions, door_of, front_options, page_of
from gnomon_pi.config.description import BOARDS, TABLE, TAMSK, TAYU, BoardDescription
from gnomon_pi.drivers.devices import open_devices
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.hall_link.options import HallLinkError, HallOptions, hall_options, in_the_hall
from gnomon_pi.runtime.calibration import NAME, with_nominal_durations
from gnomon_pi.runtime.clock import MachineWatch, Watch
from gnomon_pi.runtime.controller import ControllerError
from gnomon_pi.runtime.json_stream import Announcer
from gnomon_pi.runtime.mounts import MOUNTS, forgets
from gnomon_pi.runtime.process import (
    give_back_what_is_free,
    give_back_what_is_large,
    keep_one_heap,
    note_address,
    noted_address,
    notify,
)
from gnomon_pi.runtime.randomness import SYSTEM, SeededChance
from gnomon_pi.runtime.service import LATE, Orders, Parts, Service
from gnomon_pi.tools.safe_mode import reasons

if TYPE_CHECKING:
    from gnomon_pi.pages.server import PageServer, SimulationPages
    from gnomon_pi.simulated.autoplay import Playground
    from gnomon_pi.simulated.remote_control import RemoteControl

SEED_BITS: Final = 32
LEVEL: Final = 2  # at which hands play by themselves when nobody says
SETTLED: Final = 3.0  # seconds after which the pages have been put together, too
SWITCH: Final = 0.001
"""Seconds after which threads give way: with Python's default of 5 ms a picture being drawn delays the scans."""

_COMMANDS: Final = (
    *("access", "accuracy", "calibrate", "check_config", "doctor"),
    *("first_boot", "join", "safe", "status", "walk", "wiring"),
)
"""Of each the function of its own name in the module of its own name."""
_SETTING = "KEY=VALUE"


class StartError(Refusal):
    """The daemon cannot start, or not stop in order."""


class AlreadyRunningError(StartError):
    """Another daemon writes the same journal."""


@dataclass(frozen=True, slots=True)
class DaemonOptions:
    """What the daemon runs on: the wired board or a simulated one, its journal, and where its page is served.

    By chance from `play` hands play by themselves, at `level` when a new game of TAMSK is needed; None: nobody does.
    """

    board: str
    wiring: Path | None
    variant: str
    journal: Path
    simulated: bool
    hurried: bool
    front: PageOptions | None
    announce: bool
    hall: HallOptions | None = None
    witnesses: tuple[Path, ...] = ()
    play: int | None = None
    level: int = LEVEL


_GAME: Final = GameChoice(sorted((*GAMES, BARE_CLOCK)))


class _BoardCommands(CommandGroup):
    FUNCTIONS: ClassVar = {name.replace("_", "-"): f"gnomon_pi.cli.{name}:{name}" for name in _COMMANDS}


@click.group(cls=_BoardCommands, invoke_without_command=True)
@click.option("--board", type=click.Choice(BOARDS), default=TAMSK, show_default=True, help="Which board.")
@click.option("--game", type=_GAME, help="Start this game, unless one is unfinished.")
@click.option("--simulated", is_flag=True, help="Simulate the whole board, for use on the page.")
@click.option("--wiring", type=click.Path(path_type=Path), help="Your own board description.  [default: the bundled]")
@click.option("--variant", default="", metavar="NAME", help="Another way to wire the bundled board.")
@click.option("--level", type=click.IntRange(1, 3), help="Start TAMSK at this level, unless a game is unfinished.")
@click.option("--set", "settings", multiple=True, metavar=_SETTING, help="A setting of that game; may be repeated.")
@click.option(
    "--temperament",
    type=click.Choice([each.value for each in Temperament]),
    default=Temperament.ASSISTANT.value,
    show_default=True,
    help="How much the referee says.",
)
@click.option("--journal", type=click.Path(path_type=Path), help="The file in which games are recorded.")
@click.option(
    "--witness",
    type=click.Path(path_type=Path),
    multiple=True,
    help="A file elsewhere, such as on a stick, that records the journal's last entry.",
)
@click.option(
    "--calibration", type=click.Path(path_type=Path), help="Measured durations.  [default: beside the journal]"
)
@front_options
@hall_options
@click.option("--warnings", is_flag=True, help="Warn of blunders in every game, before a turn counts.")
@click.option("--unless-running", is_flag=True, help="Do not fail when a daemon with this journal is already running.")
@click.option("--let-it-play", is_flag=True, help="Simulated hands play by themselves.")
@click.option("--seed", type=int, help="Random seed for hands and throws.  [default: a different one each time]")
@click.option("--hurried", is_flag=True, hidden=True, help="They hardly think: for drills.")
@click.option("--announce", is_flag=True, help="Write what is shown to standard output, as JSON lines.")
@click.option("--safe", is_flag=True, help="Page and display only: no sensors, no game.")
@click.option("--safe-if", type=click.Path(path_type=Path), multiple=True, help="The same if this file exists.")
@click.option("--durable", is_flag=True, help="Refuse to keep the journal where a power cut would erase it.")
@words_option
@language_option
@lessons_option
@click.version_option(package_name="gnomon")
@click.pass_context
def main(  # noqa: PLR0913, PLR0917 - one for each option
    context: click.Context,
    board: str,
    game: str | None,
    simulated: bool,  # noqa: FBT001 - click hands options over by name
    wiring: Path | None,
    variant: str,
    level: int | None,
    settings: tuple[str, ...],
    temperament: str,
    journal: Path | None,
    witness: tuple[Path, ...],
    calibration: Path | None,
    warnings: bool,  # noqa: FBT001 - as above
    unless_running: bool,  # noqa: FBT001 - as above
    let_it_play: bool,  # noqa: FBT001 - as above
    seed: int | None,
    hurried: bool,  # noqa: FBT001 - as above
    announce: bool,  # noqa: FBT001 - as above
    safe: bool,  # noqa: FBT001 - as above
    safe_if: tuple[Path, ...],
    durable: bool,  # noqa: FBT001 - as above
    front: PageOptions | None,
    delay: float,
    tournament: bool,  # noqa: FBT001 - as above
    hall: HallOptions | None,
) -> None:
    """Run a board: sense it, keep its time, and referee, show and record its games."""
    if context.invoked_subcommand is not None:
        return
    state = journal.parent if journal is not None else state_folder(os.environ)
    if why := reasons.ASKED if safe else reasons.flagged_reason(safe_if):
        if safe:  # Who types it can type it anew; a service has to come up.
            _refuse_variant(board, wiring, variant)
        page = None if front is None else (front.host, front.port)
        from gnomon_pi.cli.safe import SafeModeOptions, start_or_exit

        start_or_exit(SafeModeOptions(board, wiring, state, page, simulated, variant, front), why, "gnomond")
        return
    if let_it_play and not simulated:
        message = "--let-it-play needs --simulated: a wired board is played by people."
        raise click.UsageError(message)
    try:
        board = _board_of(context, board, wiring)
    except config.BoardError as error:
        _give_up(error)
    _refuse_variant(board, wiring, variant)
    if let_it_play and seed is None:
        seed = randbits(SEED_BITS)
    name = _game(board, game, level)
    orders = Orders(
        setup=_setup(GameSetup(name, temperament=temperament), level, settings, is_wanted=game is not None),
        notify_socket=os.environ.get("NOTIFY_SOCKET"),
        chance=SYSTEM if seed is None else SeededChance(seed),
        words=command_words(),
        is_tournament=tournament,
        warns=warnings,
        calibration=calibration or state / f"{'simulated-' if simulated else ''}{NAME}",
    )
    try:
        if durable:
            _refuse_forgetful(state)
        where = DaemonOptions(
            board=board,
            wiring=wiring,
            variant=variant,
            journal=journal or state / f"{board}{'-simulated' if simulated else ''}.journal",
            simulated=simulated,
            hurried=hurried,
            front=front,
            announce=announce,
            hall=None if hall is None else replace(hall, delay=delay),
            witnesses=witness,
            play=seed if let_it_play else None,
            level=level or LEVEL,
        )
        _run(where, orders, unless_running=unless_running)
    except (config.BoardError, DriverError, PageError, HallLinkError, JournalError, StartError) as error:
        _give_up(error)
    except Exception as error:  # noqa: BLE001 - the one place that catches everything, and ends
        traceback.print_exc()
        reasons.remember(Statement.plain(f"{type(error).__name__}: {error}"), os.environ)
        click.echo(command_words()("daemon.failed", kind=type(error).__name__, detail=error), err=True)
        sys.exit(1)


def _run(where: DaemonOptions, orders: Orders, *, unless_running: bool) -> None:
    """Run the daemon; raises as `serve` does, but AlreadyRunningError only when that counts as a failure."""
    try:
        asyncio.run(serve(where, orders))
    except AlreadyRunningError as error:
        if not unless_running:
            raise
        click.echo(say_line(error))


def _give_up(error: Exception) -> NoReturn:
    """End with one sentence, which safe mode will say again."""
    reasons.remember(statement_of(error), os.environ)
    click.echo(f"gnomond: {say(error)}", err=True)
    sys.exit(1)


def _board_of(context: click.Context, board: str, wiring: Path | None) -> str:
    """The board that is named, or else the one that a builder's description is of. Raises BoardError."""
    if wiring is None or context.get_parameter_source("board") is not ParameterSource.DEFAULT:
        return board
    return config.load(wiring).board


def _refuse_variant(board: str, wiring: Path | None, variant: str) -> None:
    """Raise UsageError for a variant beside a builder's own description, and for one that does not come with us."""
    if variant and wiring is not None:
        message = "--variant is one of the bundled boards; --wiring is your own: choose one."
        raise click.UsageError(message)
    if variant and variant not in config.variants(board):
        message = f"--variant of the board {board} is one of: {', '.join(config.variants(board))}; not {variant!r}."
        raise click.UsageError(message)


def _refuse_forgetful(state: Path) -> None:
    """Raise StartError when the journal would stand where the next power cut takes it away."""
    forgetful = forgets(state.resolve(), MOUNTS.read_text(encoding="utf-8"))
    if forgetful is not None:
        raise StartError(forgetful)


async def serve(where: DaemonOptions, orders: Orders) -> None:
    """Run the daemon until it is told to end, and stop in order.

    Raises DriverError, PageError, HallLinkError, JournalError and StartError, each with one sentence, and whatever ends
    anything vital.
    """
    sys.setswitchinterval(SWITCH)
    keep_one_heap()
    watch = _watch()
    stop = asyncio.Event()
    on_end(stop.set)
    _refuse_a_part(where)
    with (
        _open_journal(where, watch) as (journal, rescued),
        page_of(where.front) as page,
        _board(where, _description(where, orders, journal), watch, journal) as (parts, playground),
        ExitStack() as stack,
    ):
        service, say = Service(parts, orders, rescued), partial(_say, where)
        remote = None if playground is None else _remote_control(service, playground)
        state, simulated = where.journal.parent, where.simulated
        door = stack.enter_context(door_of(where.front, state, service, watch, say, is_simulated=simulated))
        stack.enter_context(in_the_hall(where.hall, service, journal, watch, say))
        if where.announce:
            Announcer(service.runner, watch, _write)

        async def let_it_play() -> None:
            if where.play is not None and remote is not None:
                await remote.let_it_play(where.level, where.play, orders.setup)

        def ready() -> None:
            spare_what_is_loaded()
            give_back_what_is_large()
            asyncio.get_running_loop().call_later(SETTLED, give_back_what_is_free)
            notify(orders.notify_socket, "READY=1")
            reasons.forget(os.environ)
            note_address(where.journal, "" if page is None else page.address)
            _greet(where, page, is_game=service.runner.is_unfinished)
            if where.play is not None:
                say(command_words()("cli.hands", seed=where.play))
            if door is not None:
                door.greet()
            if page is not None:
                service.invite(lambda: page.for_phones)

        try:
            bench = None if page is None or remote is None else _bench(remote)
            pages = () if page is None or door is None else (page.serve(service.controller, journal, door, bench),)
            late = partial(click.echo, command_words()("daemon.late", seconds=LATE), err=True)
            await service.run(stop, ready, *pages, begin=let_it_play, late=late)
        except ControllerError as error:
            raise StartError(error) from error
        finally:
            notify(orders.notify_socket, "STOPPING=1")


def spare_what_is_loaded() -> None:
    """Let the collector of garbage leave alone what the daemon keeps until it ends.

    It would look through all of it again in the middle of a game, with every thread waiting: 12 ms on a desktop for
    fifty thousand objects, and ten times that on a Raspberry Pi.
    """
    gc.collect()
    gc.freeze()


def _refuse_a_part(where: DaemonOptions) -> None:
    """Raise StartError for a board of which only a part is wired, and BoardError for a wrong description."""
    if where.wiring is not None:
        described = config.load(where.wiring)
    elif where.variant:
        described = config.load_bundled(where.board, variant=where.variant)
    else:
        return
    if described.only:
        raise StartError(statement("start.part", places=described.only))


def _game(board: str, game: str | None, level: int | None) -> str:
    """The game that is meant; empty where nothing says it."""
    name = game or ("" if board == TABLE else board)
    if name == TAMSK != board:
        message = "TAMSK is played on its own board: --board tamsk."
        raise click.UsageError(message)
    if level is not None and name != TAMSK:
        message = f"--level is TAMSK's; {name or 'this table'} has none."
        raise click.UsageError(message)
    return name


def _setup(bare: GameSetup, level: int | None, settings: tuple[str, ...], *, is_wanted: bool) -> GameSetup | None:
    """The game to start, with its settings, or None when none is asked for."""
    if level is None and not settings and not is_wanted:
        return None
    wanted: dict[str, object] = {} if level is None else {"level": level}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            message = f"--set takes {_SETTING}, not {setting!r}."
            raise click.UsageError(message)
        wanted[name] = value
    if not bare.game:
        message = "--set needs --game at a table."
        raise click.UsageError(message)
    try:
        game_of(replace(bare, settings=with_nominal_durations(bare.game, wanted)))
    except RulesError as error:
        raise click.UsageError(say(error)) from error
    return replace(bare, settings=wanted)


def _description(where: DaemonOptions, orders: Orders, journal: Journal) -> BoardDescription:
    """The builder's description, or the bundled one: of Tayu's the size of the unfinished game or the wanted one.

    Raises BoardError.
    """
    if where.wiring is not None:
        described = config.load(where.wiring)
        if described.board != where.board:
            raise config.BoardError(statement("config.other_board", file=str(where.wiring), board=described.board))
        return described
    return config.load_bundled(where.board, _size(where, orders, journal), where.variant)


def _size(where: DaemonOptions, orders: Orders, journal: Journal) -> int | None:
    if where.board != TAYU:
        return None
    with suppress(JournalError, RulesError):  # one that cannot be read is not gone on with, and that is said later
        last = journal.last_game()
        if last is not None and last.ended is None and last.start.board == TAYU:
            return _size_in(last.start.settings)
    if orders.setup is None or orders.setup.game != TAYU:
        return None
    size = _size_in(orders.setup.settings)
    return size if size in config.bundled_sizes() else None


def _size_in(settings: Mapping[str, object]) -> int:
    """The size of the board under settings, among which those of a clock and an opponent may stand."""
    from gnomon.games.tayu.rules.settings import TayuSettings

    of_rules, _ = split_settings(split_opponent(split_exercise(settings)[0])[0])
    return TayuSettings.from_mapping(of_rules).size


def _watch() -> MachineWatch:
    try:
        return MachineWatch.of_this_boot()
    except OSError as error:
        raise StartError(statement("start.boot", detail=str(error))) from error


@contextmanager
def _open_journal(where: DaemonOptions, watch: Watch) -> Iterator[tuple[Journal, Rescue | None]]:
    """The journal, and what was wrong with it; a damaged one is kept aside, and what stands before goes on."""
    path = where.journal
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StartError(statement("start.folder", folder=str(path.parent), detail=error.strerror)) from error
    try:
        journal, rescued = open_or_rescue(path, watch.wall(), where.witnesses)
    except JournalInUseError as error:
        there = noted_address(path) or error.statement
        raise AlreadyRunningError(statement("start.running", there=there)) from error
    with journal:
        note_address(path, "")  # that of one that was killed
        if rescued is not None:
            _say(where, say(rescued.statement))
        yield journal, rescued
        note_address(path, "")


@contextmanager
def _board(
    where: DaemonOptions, description: BoardDescription, watch: Watch, journal: Journal
) -> "Iterator[tuple[Parts, Playground | None]]":
    """The devices, dark and closed again at the end, and what is on them when they are in software."""
    later = asyncio.get_running_loop().call_later
    if not where.simulated:
        drivers = open_devices(description, now=watch.now, later=later)
        try:
            yield Parts(watch, journal, drivers, description), None
        finally:
            drivers.close()
        return
    from gnomon_pi.simulated.autoplay import HURRIED, Playground
    from gnomon_pi.simulated.board import SimulatedBoard

    board = SimulatedBoard(description, now=watch.now, later=later)
    try:
        playground = Playground(board, HURRIED if where.hurried else None)
        yield Parts(watch, journal, board.drivers, description, playground), playground
    finally:
        board.close()


def _remote_control(service: Service, playground: "Playground") -> "RemoteControl":
    from gnomon_pi.simulated.remote_control import RemoteControl

    return RemoteControl(service.controller, service.runner, playground)


def _bench(remote: "RemoteControl") -> "SimulationPages":
    from gnomon_pi.simulated.bench import BenchPages

    return BenchPages(remote)


def _greet(where: DaemonOptions, page: "PageServer | None", *, is_game: bool) -> None:
    """One friendly line."""
    words = command_words()
    board = words(f"daemon.board.{where.board}")
    kind = words("daemon.kind.simulated" if where.simulated else "daemon.kind.wired")
    if page is None:
        _say(where, words("daemon.ready", board=board, kind=kind))
        return
    key = "daemon.ready.page" if is_game else "daemon.ready.start"
    _say(where, words(key, board=board, kind=kind, address=page.address))
    if page.is_exposed:
        _say(where, words("cli.hall.unencrypted"))


def _say(where: DaemonOptions, line: str) -> None:
    """Write a line for people, to standard error where standard output belongs to another program."""
    click.echo(line, err=where.announce)


def _write(line: str) -> None:
    sys.stdout.write(line)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
