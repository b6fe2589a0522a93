"""Run a hall, set up its MQTT broker and enrol or revoke its boards (`gnomon hall`)."""

import getpass
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gnomon.cli.words import UnusableError, command_words, say
from gnomon.refusals import statement

if TYPE_CHECKING:
    from gnomon.hall.broker.folder import BrokerFolder

_MOST_BOARDS = click.option(
    "--most-boards",
    type=click.IntRange(1, 100_000),
    default=4096,
    show_default=True,
    metavar="N",
    help="How many boards there may be; more names are taken for an attack.",
)
_CREDENTIALS = click.option(
    "--credentials",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help='A TOML file that says mqtt = "…" and database = "…", so that no list of processes shows their passwords.',
)
_FOLDER = click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))


class _HallGroup(click.Group):
    """A group whose first word may be left out: options alone run the hall."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the arguments, with `run` before them where no command is named."""
        if not args or (args[0].startswith("-") and args[0] not in self.get_help_option_names(ctx)):
            args = ["run", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_HallGroup)
def hall() -> None:
    """Run a hall of many boards (gnomon hall, or gnomon hall run); set up its broker, and enrol its boards."""


@hall.command()
@click.option(
    "--demo", type=click.IntRange(1, 1000), metavar="N", help="Run N simulated boards that play by themselves."
)
@click.option("--broker", type=click.Path(path_type=Path), metavar="DIR", help="Admit the boards enrolled in DIR.")
@click.option("--mqtt", default="", metavar="FILE", help="Reach the boards over a broker: its hub.toml, or mqtts://….")
@click.option("--database", default="", metavar="ADDRESS", help="Keep everything at postgresql://…, or in a file.")
@_CREDENTIALS
@click.option("--recorders", is_flag=True, help="Leave the records to processes of gnomon hall record.")
@click.option("--shared", is_flag=True, help="Other hubs serve the same hall: take up the requests of any that dies.")
@click.option(
    "--boards",
    "patterns",
    multiple=True,
    metavar="PATTERN",
    help="Serve only boards named so, such as 'a*'; other hubs serve the rest. May be repeated.",
)
@click.option(
    "--pace",
    type=click.IntRange(2, 120),
    metavar="N",
    help="Boards that nobody looks at tell their state every N seconds.  [default: 2]",
)
@click.option("--pages", is_flag=True, help="Serve pages only: other hubs serve the boards.")
@click.option(
    "--other-hall",
    "other_halls",
    multiple=True,
    metavar="NAME",
    help="Use boards of another hall of the same database and broker in tournaments here, too. May be repeated.",
)
@_MOST_BOARDS
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="The folder of the hall's own files.")
@click.option("--name", default="", metavar="NAME", help='The name of the hall, such as "Chess Club".')
@click.option("--host", default="127.0.0.1", show_default=True, help="Where the pages are served.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8770,
    show_default=True,
    help="The port of the page; 0 takes any free one.",
)
@click.option("--tls-certificate", type=click.Path(path_type=Path), help="Serve them over TLS with this chain (PEM).")
@click.option("--tls-key", type=click.Path(path_type=Path), help="Its private key.  [default: in the same file]")
@click.option("--behind-proxy", multiple=True, metavar="ADDRESS", help="A trusted proxy; may be repeated.")
@click.option("--known-as", multiple=True, metavar="NAME", help="Another name of this machine; may be repeated.")
@click.option("--unless-running", is_flag=True, help="Do not fail when Gnomon is already running at that port.")
def run(  # noqa: PLR0913 - one for each option
    *,
    demo: int | None,
    broker: Path | None,
    mqtt: str,
    database: str,
    credentials: Path | None,
    recorders: bool,
    shared: bool,
    patterns: tuple[str, ...],
    pace: int | None,
    pages: bool,
    other_halls: tuple[str, ...],
    most_boards: int,
    data: Path | None,
    name: str,
    host: str,
    port: int,
    tls_certificate: Path | None,
    tls_key: Path | None,
    behind_proxy: tuple[str, ...],
    known_as: tuple[str, ...],
    unless_running: bool,
) -> None:
    """Run a hall with its pages until it is stopped; `gnomon hall` alone does the same.

    By default it is a hall for a club evening: everything in this process, and its files in one folder. With --mqtt
    and --database it is a hall of any size, on an existing broker and database.
    """
    from gnomon.cli.already_running import why_not_started
    from gnomon.hall.hub.hub import HubTerms
    from gnomon.hall.hub.parts import with_part
    from gnomon.timekeeping.instants import SECOND, Duration
    from gnomon.web.hall import Front, HallConnectionError, PortError, Wanted
    from gnomon.web.hall import run as run_hall
    from gnomon.web.server.listener import RunningError, Way

    if tls_key is not None and tls_certificate is None:
        message = "--tls-key needs --tls-certificate."
        raise click.UsageError(message)
    beat = None if pace is None else Duration(pace * SECOND)
    terms = HubTerms(most=most_boards, has_recorders=recorders, has_others=shared, beat=beat)
    terms = with_part(terms, patterns, only_pages=pages)._replace(other_halls=frozenset(other_halls))
    forgets = demo is not None and data is None and not database
    wanted = Wanted(data or data_folder(), mqtt, database, broker, credentials, demo or 0, terms, forgets)
    way = Way(tls_certificate, tls_key, behind_proxy, known_as)
    try:
        run_hall(wanted, Front(host, port, way, name), click.echo, command_words())
    except (HallConnectionError, PortError) as error:
        if unless_running and isinstance(error, RunningError):
            click.echo(say(why_not_started(error)))
            return
        raise click.ClickException(say(why_not_started(error))) from error


@hall.command()
@click.option("--mqtt", default="", metavar="FILE", help="Reach the boards over a broker: its recorder-1.toml.")
@click.option("--database", default="", metavar="ADDRESS", help="Keep the records at postgresql://….")
@_CREDENTIALS
@_MOST_BOARDS
def record(mqtt: str, database: str, credentials: Path | None, most_boards: int) -> None:
    """Keep the records of boards, and do nothing else: any number of such processes share the records of a hall.

    The broker hands each record to one of them. A hall with recorders runs with --recorders, and keeps none itself.
    """
    from gnomon.hall import record_service
    from gnomon.hall.connections import HallConnectionError, read_credentials
    from gnomon.hall.hub.hub import HubTerms

    try:
        other = ("", "") if credentials is None else read_credentials(credentials)
        mqtt, database = mqtt or other[0], database or other[1]
        if not (mqtt and database):
            raise click.UsageError(command_words()("cli.hall.record.needs"))
        record_service.run(mqtt, database, HubTerms(most=most_boards), click.echo, command_words())
    except HallConnectionError as error:
        raise click.ClickException(say(error)) from error


@hall.command()
@_FOLDER
@click.option(
    "--host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="A name or address of this machine, such as hall.local; boards are given the first. Required the first time.",
)
@click.option("--port", type=click.IntRange(1, 65535), help="Where the broker listens.  [default: 8883]")
@click.option("--name", metavar="NAME", help='The name of the hall, such as "Chess Club".')
@click.option("--user", metavar="USER", help="The user that the broker runs as.  [default: you]")
@click.option("--hubs", type=click.IntRange(1, 99), metavar="N", help="How many hubs there may be.  [default: 1]")
@click.option(
    "--recorders", type=click.IntRange(0, 999), metavar="N", help="How many recorders there may be.  [default: 0]"
)
@click.option(
    "--hall", metavar="NAME", help="The name of the hall in all topics: letters, digits, hyphens.  [default: hall]"
)
@click.option(
    "--other-hall",
    "other_halls",
    multiple=True,
    metavar="NAME",
    help="Another hall on the same broker, whose boards are enrolled as BOARD@NAME. May be repeated.",
)
def broker(  # noqa: PLR0913 - one for each option
    *,
    folder: Path,
    hosts: tuple[str, ...],
    port: int | None,
    name: str | None,
    user: str | None,
    hubs: int | None,
    recorders: int | None,
    hall: str | None,
    other_halls: tuple[str, ...],
) -> None:
    """Make DIR the folder of a broker: configuration for Mosquitto, certificates, passwords, and a service.

    Run it again for another name or port, or for more hubs: boards, passwords and the hall's authority stay. Each hub
    has a file of its own, hub.toml, hub-2.toml and so on, and each recorder, recorder-1.toml and so on.
    """
    from dataclasses import replace

    from gnomon.hall.broker.folder import HALL, BrokerFolder, BrokerSettings, FolderError

    here = BrokerFolder(folder)
    try:
        known = here.settings() if here.is_there else BrokerSettings(hosts, user=user or _this_user())
        changed = replace(
            known,
            hosts=hosts or known.hosts,
            port=port or known.port,
            name=name or known.name,
            user=user or known.user,
            hubs=known.hubs if hubs is None else hubs,
            recorders=known.recorders if recorders is None else recorders,
            hall=hall or known.hall or HALL,
            other_halls=other_halls or known.other_halls,
        )
        here.lay_out(changed)
    except FolderError as error:
        raise UnusableError(error) from error
    words = command_words()
    click.echo(words("cli.hall.broker", folder=folder, host=changed.hosts[0], port=changed.port))
    click.echo(words("cli.hall.broker.service"))
    click.echo(f"  sudo cp {folder}/gnomon-broker.service /etc/systemd/system/")
    click.echo("  sudo systemctl daemon-reload && sudo systemctl enable --now gnomon-broker")
    click.echo(words("cli.hall.broker.by_hand"))
    click.echo(f"  mosquitto -c {folder}/mosquitto.conf")
    click.echo(words("cli.hall.broker.enrol", folder=folder))


@hall.command()
@_FOLDER
@click.argument("names", metavar="BOARD...", nargs=-1, required=True)
@click.option("--again", is_flag=True, help="Enrol again: a new password replaces the old one.")
@click.option(
    "--reader", is_flag=True, help="Enrol a program that only reads, such as Home Assistant, instead of a board."
)
@click.option("--home-assistant", is_flag=True, help="The boards describe themselves to Home Assistant.")
@click.option("--protocol-1", "former", is_flag=True, help="The boards run a version that does not know halls by name.")
def enrol(  # noqa: PLR0913 - one for each option
    *,
    folder: Path,
    names: tuple[str, ...],
    again: bool,
    reader: bool,
    home_assistant: bool,
    former: bool,
) -> None:
    """Let boards into the hall of DIR: each BOARD (t01, t02 ...) gets a password, a file and a code to scan.

    Boards of version 0.1 need --protocol-1; the hall understands both kinds.
    """
    from gnomon.hall.broker.folder import FolderError

    try:
        _there(folder).enrol(names, again=again, reader=reader, home_assistant=home_assistant, former=former)
    except FolderError as error:
        raise UnusableError(error) from error
    for name in dict.fromkeys(names):
        click.echo(f"{name}: {folder / ('readers' if reader else 'boards') / name}.toml")
    click.echo(command_words()("cli.hall.reload"))
    if not reader:
        click.echo(command_words()("cli.hall.join", folder=folder))


@hall.command()
@_FOLDER
@click.argument("names", metavar="[BOARD]...", nargs=-1)
@click.option("--output", "-o", default="-", metavar="FILE", help='Write there ("-": standard output, the default).')
def sheet(folder: Path, names: tuple[str, ...], output: str) -> None:
    """Draw the codes of all boards, or of those named, as a page to print."""
    from gnomon.hall import enrolment_sheet
    from gnomon.hall.broker.folder import FolderError
    from gnomon.hall.messaging.enrolment import EnrolmentError, keep_secret

    here = _there(folder)
    try:
        enrolments = [here.enrolment(name) for name in names or here.boards()]
        page = enrolment_sheet.sheet(here.settings().name, enrolments, command_words())
        if not enrolments:
            raise UnusableError(statement("cli.hall.no_board", folder=folder))
        if output == "-":
            click.echo(page, nl=False)
            return
        # Anyone who reads the sheet can pass for any of the boards.
        keep_secret(Path(output), page)
    except (FolderError, EnrolmentError) as error:
        raise UnusableError(error) from error
    click.echo(command_words().plural("cli.hall.sheet", len(enrolments), file=output))


@hall.command()
@_FOLDER
@click.argument("board")
def code(folder: Path, board: str) -> None:
    """Show the code of one BOARD here in the terminal, to scan or to paste."""
    from gnomon.hall.broker.folder import FolderError
    from gnomon.hall.enrolment_sheet import in_letters
    from gnomon.hall.messaging import enrolment

    try:
        found = _there(folder).enrolment(board)
    except FolderError as error:
        raise UnusableError(error) from error
    click.echo(in_letters(found))
    click.echo(enrolment.code(found))


@hall.command()
@_FOLDER
def boards(folder: Path) -> None:
    """List who is enrolled."""
    from gnomon.hall.broker.folder import FolderError

    words = command_words()
    try:
        here = _there(folder)
        only_looks = f"  {words('cli.hall.only_looks')}"
        found = [(name, "") for name in here.boards()] + [(name, only_looks) for name in here.readers()]
    except FolderError as error:
        raise UnusableError(error) from error
    for name, role in found:
        click.echo(f"{name}{role}")
    if not found:
        click.echo(words("cli.hall.nobody"))
    if warning := here.upgrade_warning():
        click.echo(say(warning), err=True)


@hall.command()
@_FOLDER
@click.argument("names", metavar="BOARD...", nargs=-1, required=True)
def revoke(folder: Path, names: Sequence[str]) -> None:
    """Shut boards out: for one that was lost, or whose code somebody has seen. What they have sent stays."""
    from gnomon.hall.broker.folder import FolderError

    try:
        _there(folder).revoke(names)
    except FolderError as error:
        raise UnusableError(error) from error
    click.echo(command_words()("cli.hall.revoked", names=", ".join(names)))
    click.echo(command_words()("cli.hall.reload"))


@hall.command()
@click.argument("address", metavar="ADDRESS#NAME")
def name(address: str) -> None:
    """Give the hall of a database a name, so that others can keep theirs in the same database.

    ADDRESS is postgresql://… or a file. Stop every process of the hall first; afterwards each needs ADDRESS#NAME.
    """
    from gnomon.hall.store import backend
    from gnomon.hall.store.database import StoreError

    try:
        file = backend.file_of(address)
        if file is not None and not file.is_file():
            raise UnusableError(statement("cli.tournament.no_database", file=str(file)))
        boards = backend.name_hall(address)
        called = backend.split_address(address).hall
    except StoreError as error:
        raise UnusableError(error) from error
    click.echo(command_words().plural("cli.hall.named", boards, hall=called, address=address))


def _there(folder: Path) -> "BrokerFolder":
    """The folder of a broker. Raises UnusableError where there is none."""
    from gnomon.hall.broker.folder import BrokerFolder, FolderError

    here = BrokerFolder(folder)
    try:
        here.settings()
    except FolderError as error:
        raise UnusableError(error) from error
    return here


def data_folder() -> Path:
    """Where a hall keeps its files: what systemd gives the service, what the desktop says, or the usual place."""
    if given := os.environ.get("STATE_DIRECTORY"):
        return Path(given.split(":")[0])
    state = os.environ.get("XDG_STATE_HOME") or ""
    base = Path(state) if Path(state).is_absolute() else Path.home() / ".local" / "state"
    return base / "gnomon-hall"


def _this_user() -> str:
    if os.geteuid() == 0:
        raise UnusableError(statement("cli.hall.user"))
    return getpass.getuser()
