"""Run a hall, set up its MQTT broker and enrol or revoke its boards (`gnomon hall`)."""

import getpass
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gnomon.cli import localized
from gnomon.cli.words import CommandRefusedError, UnusableError, command_words, say
from gnomon.refusals import statement

if TYPE_CHECKING:
    from gnomon.hall.broker.folder import BrokerFolder

_MOST_BOARDS = localized.option(
    "--most-boards",
    type=click.IntRange(1, 100_000),
    default=4096,
    show_default=True,
    metavar="N",
    help="option.hall.most_boards",
)
_CREDENTIALS = localized.option(
    "--credentials",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="option.hall.credentials",
)
_FOLDER = localized.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))


class _HallGroup(localized.Group):
    """A group whose first word may be left out: options alone run the hall."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the arguments, with `run` before them where no command is named."""
        if not args or (args[0].startswith("-") and args[0] not in self.get_help_option_names(ctx)):
            args = ["run", *args]
        return super().parse_args(ctx, args)


@localized.group(cls=_HallGroup, help="command.hall")
def hall() -> None:
    """Run a hall of many boards (gnomon hall, or gnomon hall run); set up its broker, and enrol its boards."""


@hall.command(help="command.hall.run")
@localized.option("--demo", type=click.IntRange(1, 1000), metavar="N", help="option.hall.demo")
@localized.option("--broker", type=click.Path(path_type=Path), metavar="DIR", help="option.hall.broker")
@localized.option("--mqtt", default="", metavar="FILE", help="option.hall.run.mqtt")
@localized.option("--database", default="", metavar="ADDRESS", help="option.hall.run.database")
@_CREDENTIALS
@localized.option("--recorders", is_flag=True, help="option.hall.run.recorders")
@localized.option("--shared", is_flag=True, help="option.hall.shared")
@localized.option(
    "--boards",
    "patterns",
    multiple=True,
    metavar="PATTERN",
    help="option.hall.boards",
)
@localized.option(
    "--pace",
    type=click.IntRange(2, 120),
    metavar="N",
    help="option.hall.pace",
)
@localized.option("--pages", is_flag=True, help="option.hall.pages")
@localized.option(
    "--other-hall",
    "other_halls",
    multiple=True,
    metavar="NAME",
    help="option.hall.run.other_hall",
)
@_MOST_BOARDS
@localized.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="option.hall.data")
@localized.option("--name", default="", metavar="NAME", help="option.hall.name")
@localized.option("--host", default="127.0.0.1", show_default=True, help="option.hall.run.host")
@localized.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8770,
    show_default=True,
    help="option.port",
)
@localized.option("--tls-certificate", type=click.Path(path_type=Path), help="option.hall.tls_certificate")
@localized.option("--tls-key", type=click.Path(path_type=Path), help="option.tls_key")
@localized.option("--behind-proxy", multiple=True, metavar="ADDRESS", help="option.behind_proxy")
@localized.option("--known-as", multiple=True, metavar="NAME", help="option.known_as")
@localized.option("--unless-running", is_flag=True, help="option.hall.unless_running")
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
    """Run a hall with its pages until it is stopped; `gnomon hall` alone does the same."""
    from gnomon.cli.already_running import why_not_started
    from gnomon.hall.hub.hub import HubTerms
    from gnomon.hall.hub.parts import with_part
    from gnomon.timekeeping.instants import SECOND, Duration
    from gnomon.web.hall import Front, HallConnectionError, PortError, Wanted
    from gnomon.web.hall import run as run_hall
    from gnomon.web.server.listener import RunningError, Way

    if tls_key is not None and tls_certificate is None:
        raise localized.WrongUsageError(statement("usage.needs", option="--tls-key", other="--tls-certificate"))
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
        raise CommandRefusedError(why_not_started(error)) from error


@hall.command(help="command.hall.record")
@localized.option("--mqtt", default="", metavar="FILE", help="option.hall.record.mqtt")
@localized.option("--database", default="", metavar="ADDRESS", help="option.hall.record.database")
@_CREDENTIALS
@_MOST_BOARDS
def record(mqtt: str, database: str, credentials: Path | None, most_boards: int) -> None:
    """Keep the records of boards, and do nothing else: any number of such processes share the records of a hall."""
    from gnomon.hall import record_service
    from gnomon.hall.connections import HallConnectionError, read_credentials
    from gnomon.hall.hub.hub import HubTerms

    try:
        other = ("", "") if credentials is None else read_credentials(credentials)
        mqtt, database = mqtt or other[0], database or other[1]
        if not (mqtt and database):
            raise localized.WrongUsageError(statement("cli.hall.record.needs"))
        record_service.run(mqtt, database, HubTerms(most=most_boards), click.echo, command_words())
    except HallConnectionError as error:
        raise CommandRefusedError(error) from error


@hall.command(help="command.hall.broker")
@_FOLDER
@localized.option(
    "--host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="option.hall.broker.host",
)
@localized.option("--port", type=click.IntRange(1, 65535), help="option.hall.broker.port")
@localized.option("--name", metavar="NAME", help="option.hall.name")
@localized.option("--user", metavar="USER", help="option.hall.user")
@localized.option("--hubs", type=click.IntRange(1, 99), metavar="N", help="option.hall.hubs")
@localized.option("--recorders", type=click.IntRange(0, 999), metavar="N", help="option.hall.broker.recorders")
@localized.option("--hall", metavar="NAME", help="option.hall.hall")
@localized.option(
    "--other-hall",
    "other_halls",
    multiple=True,
    metavar="NAME",
    help="option.hall.broker.other_hall",
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
    """Make DIR the folder of a broker: configuration for Mosquitto, certificates, passwords, and a service."""
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


@hall.command(help="command.hall.enrol")
@_FOLDER
@localized.argument("names", metavar="BOARD...", nargs=-1, required=True)
@localized.option("--again", is_flag=True, help="option.hall.again")
@localized.option("--reader", is_flag=True, help="option.hall.reader")
@localized.option("--home-assistant", is_flag=True, help="option.hall.home_assistant")
@localized.option("--protocol-1", "former", is_flag=True, help="option.hall.protocol_1")
def enrol(  # noqa: PLR0913 - one for each option
    *,
    folder: Path,
    names: tuple[str, ...],
    again: bool,
    reader: bool,
    home_assistant: bool,
    former: bool,
) -> None:
    """Let boards into the hall of DIR: each BOARD (t01, t02 ...) gets a password, a file and a code to scan."""
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


@hall.command(help="command.hall.sheet")
@_FOLDER
@localized.argument("names", metavar="[BOARD]...", nargs=-1)
@localized.option("--output", "-o", default="-", metavar="FILE", help="option.output")
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


@hall.command(help="command.hall.code")
@_FOLDER
@localized.argument("board")
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


@hall.command(help="command.hall.boards")
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


@hall.command(help="command.hall.revoke")
@_FOLDER
@localized.argument("names", metavar="BOARD...", nargs=-1, required=True)
def revoke(folder: Path, names: Sequence[str]) -> None:
    """Shut boards out: for one that was lost, or whose code somebody has seen."""
    from gnomon.hall.broker.folder import FolderError

    try:
        _there(folder).revoke(names)
    except FolderError as error:
        raise UnusableError(error) from error
    click.echo(command_words()("cli.hall.revoked", names=", ".join(names)))
    click.echo(command_words()("cli.hall.reload"))


@hall.command(help="command.hall.name")
@localized.argument("address", metavar="ADDRESS#NAME")
def name(address: str) -> None:
    """Give the hall of a database a name, so that others can keep theirs in the same database."""
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
