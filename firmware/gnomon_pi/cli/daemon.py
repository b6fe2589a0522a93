"""Define the `gnomond` command line, and start the daemon that it asks for."""

import asyncio
import os
import sys
import traceback
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from secrets import randbits
from typing import ClassVar, Final, NoReturn

import click
from click.core import ParameterSource

from gnomon.cli import localized
from gnomon.cli.already_running import why_not_started
from gnomon.cli.command_group import CommandGroup
from gnomon.cli.game_choice import GameChoice
from gnomon.cli.lesson_folders import lessons_option
from gnomon.cli.words import command_words, say, say_line
from gnomon.records.journal.folders import state_folder
from gnomon.records.journal.store import JournalError
from gnomon.records.journal.writer import Journal
from gnomon.referee.clock_settings import split_settings
from gnomon.referee.exercises import split_exercise
from gnomon.referee.games import game_of
from gnomon.referee.judgement import Temperament
from gnomon.referee.opponents import split_opponent
from gnomon.referee.setup import GameSetup
from gnomon.refusals import Refusal, Statement, statement, statement_of
from gnomon.rules.protocol import RulesError
from gnomon.rules.registry import BARE_CLOCK, GAMES, kind_of
from gnomon_pi import config
from gnomon_pi.cli._assembly import AlreadyRunningError, DaemonOptions, StartError, serve
from gnomon_pi.cli._named_board import refuse_unknown_variant
from gnomon_pi.cli._web_options import PageError, PageOptions, front_options
from gnomon_pi.config.description import BOARDS, TABLE, TAMSK, TAYU, BoardDescription
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.hall_link.options import HallLinkError, HallOptions, hall_options
from gnomon_pi.relay_link.options import RelayOptionError, RelayOptions, relay_options
from gnomon_pi.runtime.calibration import NAME, with_nominal_durations
from gnomon_pi.runtime.service import Orders
from gnomon_pi.runtime.system.mounts import MOUNTS, forgets
from gnomon_pi.runtime.system.randomness import SYSTEM, SeededChance
from gnomon_pi.tools.safe_mode import reasons

SEED_BITS: Final = 32

_COMMANDS: Final = (
    *("access", "accuracy", "calibrate", "check_config", "doctor"),
    *("first_boot", "join", "safe", "status", "walk", "wiring"),
)
"""Of each the function of its own name in the module of its own name."""
_SETTING = "KEY=VALUE"


_GAME: Final = GameChoice(sorted((*GAMES, BARE_CLOCK)))


class _BoardCommands(CommandGroup):
    FUNCTIONS: ClassVar = {name.replace("_", "-"): f"gnomon_pi.cli.{name}:{name}" for name in _COMMANDS}


@localized.group(cls=_BoardCommands, invoke_without_command=True, help="command.gnomond")
@localized.option("--board", type=click.Choice(BOARDS), default=TAMSK, show_default=True, help="option.gnomond.board")
@localized.option("--game", type=_GAME, help="option.gnomond.game")
@localized.option("--simulated", is_flag=True, help="option.gnomond.simulated")
@localized.option("--wiring", type=click.Path(path_type=Path), help="option.wiring")
@localized.option("--variant", default="", metavar="NAME", help="option.gnomond.variant")
@localized.option("--level", type=click.IntRange(1, 3), help="option.gnomond.level")
@localized.option("--set", "settings", multiple=True, metavar=_SETTING, help="option.gnomond.set")
@localized.option(
    "--temperament",
    type=click.Choice([each.value for each in Temperament]),
    default=Temperament.ASSISTANT.value,
    show_default=True,
    help="option.gnomond.temperament",
)
@localized.option("--journal", type=click.Path(path_type=Path), help="option.journal")
@localized.option(
    "--witness",
    type=click.Path(path_type=Path),
    multiple=True,
    help="option.gnomond.witness",
)
@localized.option("--calibration", type=click.Path(path_type=Path), help="option.gnomond.calibration")
@front_options
@hall_options
@relay_options
@localized.option("--warnings", is_flag=True, help="option.gnomond.warnings")
@localized.option("--unless-running", is_flag=True, help="option.gnomond.unless_running")
@localized.option("--let-it-play", is_flag=True, help="option.gnomond.let_it_play")
@localized.option("--seed", type=int, help="option.gnomond.seed")
@localized.option("--hurried", is_flag=True, hidden=True, help="option.gnomond.hurried")
@localized.option("--announce", is_flag=True, help="option.gnomond.announce")
@localized.option("--safe", is_flag=True, help="option.gnomond.safe")
@localized.option("--safe-if", type=click.Path(path_type=Path), multiple=True, help="option.safe_if")
@localized.option("--durable", is_flag=True, help="option.gnomond.durable")
@localized.words_option
@localized.language_option
@lessons_option
@click.version_option(package_name="gnomon", cls=localized.Option, help="option.version")
@click.pass_context
def main(  # noqa: PLR0913 - one for each option
    context: click.Context,
    *,
    board: str,
    game: str | None,
    simulated: bool,
    wiring: Path | None,
    variant: str,
    level: int | None,
    settings: tuple[str, ...],
    temperament: str,
    journal: Path | None,
    witness: tuple[Path, ...],
    calibration: Path | None,
    warnings: bool,
    unless_running: bool,
    let_it_play: bool,
    seed: int | None,
    hurried: bool,
    announce: bool,
    safe: bool,
    safe_if: tuple[Path, ...],
    durable: bool,
    front: PageOptions | None,
    delay: float,
    tournament: bool,
    hall: HallOptions | None,
    relay: RelayOptions | None,
) -> None:
    """Run a board: sense it, keep its time, and referee, show and record its games."""
    if context.invoked_subcommand is not None:
        return
    state = journal.parent if journal is not None else state_folder(os.environ)
    if why := reasons.ASKED if safe else reasons.flagged_reason(safe_if):
        if safe:  # A person who types it can type it again; a service has to come up.
            _refuse_variant(board, wiring, variant)
        page = None if front is None else (front.host, front.port)
        from gnomon_pi.cli.safe import SafeModeOptions, start_or_exit

        start_or_exit(SafeModeOptions(board, wiring, state, page, simulated, variant, front), why, "gnomond")
        return
    if let_it_play and not simulated:
        raise localized.WrongUsageError(statement("usage.let_it_play"))
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
            relay=relay,
            witnesses=witness,
            play=seed if let_it_play else None,
        )
        _run(where, orders, unless_running=unless_running)
    except (
        config.BoardError,
        DriverError,
        PageError,
        HallLinkError,
        RelayOptionError,
        JournalError,
        StartError,
    ) as error:
        _give_up(error)
    except Exception as error:  # noqa: BLE001 - the one place that catches everything, and ends
        traceback.print_exc()
        reasons.remember(Statement.plain(f"{type(error).__name__}: {error}"), os.environ)
        click.echo(command_words()("daemon.failed", kind=type(error).__name__, detail=error), err=True)
        sys.exit(1)


def _run(where: DaemonOptions, orders: Orders, *, unless_running: bool) -> None:
    """Run the daemon; raises as `serve` does, but AlreadyRunningError only when that counts as a failure."""
    try:
        asyncio.run(serve(where, orders, partial(_description, where, orders)))
    except AlreadyRunningError as error:
        if not unless_running:
            raise
        click.echo(say_line(why_not_started(error)))


def _give_up(error: Exception) -> NoReturn:
    """End with one sentence, which safe mode will say again."""
    reasons.remember(statement_of(error), os.environ)
    said = say(why_not_started(error)) if isinstance(error, Refusal) else say(error)
    click.echo(f"gnomond: {said}", err=True)
    sys.exit(1)


def _board_of(context: click.Context, board: str, wiring: Path | None) -> str:
    """The board that is named, or else the one that a builder's description is of. Raises BoardError."""
    if wiring is None or context.get_parameter_source("board") is not ParameterSource.DEFAULT:
        return board
    return config.load(wiring).board


def _refuse_variant(board: str, wiring: Path | None, variant: str) -> None:
    """Raise UsageError for a variant beside a builder's own description, and for one that does not come with us."""
    if variant and wiring is not None:
        raise localized.WrongUsageError(statement("usage.variant.own"))
    if variant:
        refuse_unknown_variant(board, variant)


def _refuse_forgetful(state: Path) -> None:
    """Raise StartError when the journal would stand where the next power cut takes it away."""
    forgetful = forgets(state.resolve(), MOUNTS.read_text(encoding="utf-8"))
    if forgetful is not None:
        raise StartError(forgetful)


def _game(board: str, game: str | None, level: int | None) -> str:
    """The game that is meant; empty where nothing says it."""
    name = game or ("" if board == TABLE else board)
    if name == TAMSK != board:
        raise localized.WrongUsageError(statement("usage.tamsk_board"))
    if level is not None and name != TAMSK:
        raise localized.WrongUsageError(
            statement("usage.level.game", name=name) if name else statement("usage.level.table")
        )
    return name


def _setup(bare: GameSetup, level: int | None, settings: tuple[str, ...], *, is_wanted: bool) -> GameSetup | None:
    """The game to start, with its settings, or None when none is asked for."""
    if level is None and not settings and not is_wanted:
        return None
    wanted: dict[str, object] = {} if level is None else {"level": level}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise localized.WrongUsageError(statement("usage.setting", setting=repr(setting)))
        wanted[name] = value
    if not bare.game:
        raise localized.WrongUsageError(statement("usage.set_needs_game"))
    try:
        game_of(replace(bare, settings=with_nominal_durations(bare.game, wanted)))
    except RulesError as error:
        raise localized.WrongUsageError(say(error)) from error
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
    of_rules, _ = split_settings(split_opponent(split_exercise(settings)[0])[0])
    size: int = kind_of(TAYU).rules_of(of_rules).settings.size
    return size


if __name__ == "__main__":
    main()
