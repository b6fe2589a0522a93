"""Run `gnomond doctor`: examine the machine and its board, and print findings or pack a bug report."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import click

from gnomon.cli import localized
from gnomon.cli.words import command_words, say, say_sentence
from gnomon.refusals import statement
from gnomon_pi import config
from gnomon_pi.cli._failures import give_up
from gnomon_pi.config import BoardError
from gnomon_pi.config.description import BOARDS, TAMSK, BoardDescription
from gnomon_pi.drivers import devices
from gnomon_pi.drivers.assembly import Drivers
from gnomon_pi.runtime.system.clock import MachineWatch, sleep_until
from gnomon_pi.tools.doctor.finding import Finding, exit_code
from gnomon_pi.tools.doctor.machine import Machine, exists

_WORKING_DIRECTORY = "LG_WD"  # of lgpio
_FAULTS = 2  # the exit code, of what cannot be done as well
# As the unit gnomond.service has them: --wiring, and StateDirectory=gnomon.
INSTALLED: Final = Path("/etc/gnomon/board.toml")
STATE: Final = Path("/var/lib/gnomon")
REMEMBERED: Final = Path("/etc/gnomon/install.conf")  # of install.sh


@localized.command(help="command.gnomond.doctor")
@localized.option("--board", type=click.Choice(BOARDS), help="option.gnomond.doctor.board")
@localized.option("--variant", default="", metavar="NAME", help="option.variant")
@localized.option("--wiring", type=click.Path(path_type=Path), help="option.own_wiring")
@localized.option("--journal", type=click.Path(path_type=Path), help="option.journal")
@localized.option("--simulated", is_flag=True, help="option.gnomond.doctor.simulated")
@localized.option("--bundle", type=click.Path(path_type=Path), metavar="FILE.zip", help="option.gnomond.doctor.bundle")
@localized.option("--json", "as_json", is_flag=True, help="option.gnomond.doctor.json")
@localized.option(
    "--scans", type=click.IntRange(1, 100_000), default=300, show_default=True, help="option.gnomond.doctor.scans"
)
@click.pass_context
def doctor(  # noqa: PLR0913 - one for each option
    context: click.Context,
    *,
    board: str | None,
    variant: str,
    wiring: Path | None,
    journal: Path | None,
    simulated: bool,
    bundle: Path | None,
    as_json: bool,
    scans: int,
) -> None:
    """Find out what is wrong with this machine and its board, and say what to do."""
    from gnomon.records.journal.folders import state_folder
    from gnomon_pi.tools.doctor import finding
    from gnomon_pi.tools.doctor.examination import Order, ScanPace, examine
    from gnomon_pi.tools.doctor.here import this_machine

    if bundle is not None and exists(bundle):
        give_up("gnomond doctor", say(statement("doctor.bundle.there", file=bundle)), _FAULTS)
    if variant and (board is None or wiring is not None or variant not in config.variants(board)):
        known = ", ".join(config.variants(board or TAMSK))
        raise localized.WrongUsageError(statement("usage.variant.doctor", names=known))
    watch = MachineWatch("doctor")  # nobody compares instants with those of another boot
    machine = this_machine(watch)
    # The library that opens the pins may change the working directory (lgpio).
    asked, bundle = DoctorOptions(board, _absolute(wiring), _absolute(journal), simulated, variant), _absolute(bundle)
    where = places(asked, TAMSK, state_folder(os.environ), (INSTALLED, service_folder()))
    pace = ScanPace(scans, partial(sleep_until, watch))
    order = Order(where.journal, simulated, where.describe, _opener(watch, simulated=simulated), pace)
    if not as_json and sys.stderr.isatty():
        click.echo(say(statement("doctor.looking")), err=True)
    with _folder_of_lgpio():
        findings = list(examine(machine, order))
    if as_json:
        click.echo(finding.as_json(findings, version("gnomon"), command_words()))
    else:
        width = shutil.get_terminal_size((finding.WIDTH, 24)).columns if sys.stdout.isatty() else finding.WIDTH
        # NO_COLOR: https://no-color.org; click takes colours out by itself where there is no terminal.
        click.echo(finding.table(findings, width, command_words()), color=False if os.environ.get("NO_COLOR") else None)
    if bundle is not None:
        _pack(bundle, machine, findings, where.source(), where.journal)
    context.exit(exit_code(findings))


@contextmanager
def _folder_of_lgpio() -> Iterator[None]:
    """A folder for the pipe that lgpio makes where it works, which the user may not write to (gpiozero#1106)."""
    if _WORKING_DIRECTORY in os.environ:
        yield
        return
    with TemporaryDirectory(prefix="gnomond-doctor-") as folder:
        os.environ[_WORKING_DIRECTORY] = folder
        try:
            yield
        finally:
            del os.environ[_WORKING_DIRECTORY]


def _opener(watch: MachineWatch, *, simulated: bool) -> Callable[[BoardDescription], Drivers]:
    """What opens the board's drivers; nothing is played on it."""

    def open_board(description: BoardDescription) -> Drivers:
        if simulated:
            from gnomon_pi.simulated.board import SimulatedBoard

            return SimulatedBoard(description, now=watch.now, later=_never).drivers
        return devices.open_devices(description, now=watch.now, later=_never)

    return open_board


def _absolute(path: Path | None) -> Path | None:
    return None if path is None else path.absolute()


def _pack(path: Path, machine: Machine, findings: Sequence[Finding], description: str, journal: Path) -> None:
    from gnomon_pi.tools.doctor import bundle

    packed = bundle.files(machine, findings, version=version("gnomon"), description=description, journal=journal)
    try:
        bundle.write(path, packed, machine.watch.wall())
    except OSError as error:
        give_up("gnomond doctor", say_sentence(statement("cli.unwritable", file=path, detail=error.strerror)), _FAULTS)
    click.echo(say(statement("doctor.bundle", file=path)), err=True)


def _never(_seconds: float, _call: Callable[[], None]) -> None:
    """Notes that would follow later: nothing is played here."""


class DoctorOptions(NamedTuple):
    """What the command line says; None where it says nothing."""

    board: str | None
    wiring: Path | None
    journal: Path | None
    simulated: bool
    variant: str = ""


class Examinee(NamedTuple):
    """A board's description, None for the bundled one of `board`, and its journal."""

    board: str
    wiring: Path | None
    journal: Path
    variant: str = ""

    def describe(self) -> BoardDescription:
        """The description. Raises BoardError."""
        if self.wiring is not None:
            return config.load(self.wiring)
        return config.load_bundled(self.board, variant=self.variant)

    def source(self) -> str:
        """The description as it is written; empty when it cannot be read, which is a finding already."""
        if self.wiring is None:
            return config.bundled_text(self.board, variant=self.variant)[1]
        try:
            return self.wiring.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""


def service_folder(remembered: Path = REMEMBERED) -> Path:
    """Where the installed service keeps its games: install.sh writes another folder down."""
    try:
        lines = remembered.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return STATE
    return next((Path(line.removeprefix("state=")) for line in lines if line.startswith("state=/")), STATE)


def _is_owner(folder: Path) -> bool:
    """Whether a folder is this user's; not of root, who may be anybody."""
    try:
        return folder.stat().st_uid == os.geteuid() != 0
    except OSError:
        return False


def places(
    asked: DoctorOptions, usual_board: str, state: Path, service: tuple[Path, Path] = (INSTALLED, STATE)
) -> Examinee:
    """What to look at: what is asked for, else what the installed service uses, else what `gnomond` would use."""
    installed, service_state = service
    wiring = asked.wiring
    if wiring is None and asked.board is None and not asked.simulated and exists(installed):
        wiring, state = installed, service_state
    elif _is_owner(service_state):  # the service's user has no home, and its games are there whatever is examined
        state = service_state
    found = Examinee(asked.board or usual_board, wiring, Path(), asked.variant)
    try:
        board = found.describe().board
    except BoardError:
        board = found.board
    name = f"{board}{'-simulated' if asked.simulated else ''}.journal"
    return found._replace(board=board, journal=(asked.journal or state / name).absolute())
