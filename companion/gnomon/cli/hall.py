"""The only place of the commands `gnomon hall`: its broker set up, its boards enrolled, listed and put out again."""

import getpass
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from gnomon.hall.broker.folder import Folder

_FOLDER = click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
_RELOAD = "Tell the broker, if it runs: sudo systemctl reload gnomon-broker"


class _RefusedError(click.ClickException):
    """What was asked cannot be done; one sentence."""

    exit_code = 2


@click.group()
def hall() -> None:
    """Set up the broker of a hall, and enrol its boards."""


@hall.command()
@_FOLDER
@click.option(
    "--host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="A name or address of this machine, such as hall.local; boards are told the first. Asked for the first time.",
)
@click.option("--port", type=click.IntRange(1, 65535), help="Where the broker listens.  [default: 8883]")
@click.option("--name", metavar="NAME", help='How the hall is called, such as "Chess Club".')
@click.option("--user", metavar="USER", help="Whom the broker runs as.  [default: you]")
def broker(folder: Path, hosts: tuple[str, ...], port: int | None, name: str | None, user: str | None) -> None:
    """Make DIR the folder of a broker: configuration for Mosquitto, certificates, passwords, and a service.

    Once made it can be run again, with another name or port: boards, passwords and the hall's authority stay.
    """
    from dataclasses import replace

    from gnomon.hall.broker.folder import Folder, FolderError, Settings

    here = Folder(folder)
    try:
        known = here.settings() if here.is_there else Settings(hosts, user=user or _this_user())
        changed = replace(
            known,
            hosts=hosts or known.hosts,
            port=port or known.port,
            name=name or known.name,
            user=user or known.user,
        )
        here.lay_out(changed)
    except FolderError as error:
        raise _RefusedError(str(error)) from error
    click.echo(f"{folder} is the folder of the broker {changed.hosts[0]}:{changed.port}.")
    click.echo("To start it now, and whenever this machine starts:")
    click.echo(f"  sudo cp {folder}/gnomon-broker.service /etc/systemd/system/")
    click.echo("  sudo systemctl daemon-reload && sudo systemctl enable --now gnomon-broker")
    click.echo("Or by hand, until you stop it:")
    click.echo(f"  mosquitto -c {folder}/mosquitto.conf")
    click.echo(f"Then enrol the boards: gnomon hall enrol {folder} t01 t02 ...")


@hall.command()
@_FOLDER
@click.argument("names", metavar="BOARD...", nargs=-1, required=True)
@click.option("--again", is_flag=True, help="Also who is enrolled already: a new password, and the old one ends.")
@click.option("--reader", is_flag=True, help="No board, but somebody who only looks, such as Home Assistant.")
@click.option("--home-assistant", is_flag=True, help="The boards describe themselves to Home Assistant.")
def enrol(
    folder: Path,
    names: tuple[str, ...],
    again: bool,  # noqa: FBT001 - click's way
    reader: bool,  # noqa: FBT001 - click's way
    home_assistant: bool,  # noqa: FBT001 - click's way
) -> None:
    """Let boards into the hall of DIR: each BOARD (t01, t02 ...) gets a password, a file and a code to scan."""
    from gnomon.hall.broker.folder import FolderError

    try:
        made = _there(folder).enrol(names, again=again, reader=reader, home_assistant=home_assistant)
    except FolderError as error:
        raise _RefusedError(str(error)) from error
    for enrolment in made:
        place = folder / ("readers" if reader else "boards") / f"{enrolment.user}.toml"
        click.echo(f"{enrolment.user}: {place}")
    click.echo(_RELOAD)
    if not reader:
        click.echo(f"At each board: gnomond join, and scan its code (all on one sheet: gnomon hall sheet {folder}).")


@hall.command()
@_FOLDER
@click.argument("names", metavar="[BOARD]...", nargs=-1)
@click.option("--output", "-o", default="-", metavar="FILE", help='Write there ("-": standard output, the default).')
def sheet(folder: Path, names: tuple[str, ...], output: str) -> None:
    """Draw the codes of all boards, or of those named, as a page to print."""
    from gnomon.hall import enrolment_sheet
    from gnomon.hall.broker.folder import FolderError
    from gnomon.hall.enrolment import EnrolmentError, keep_secret

    here = _there(folder)
    try:
        enrolments = [here.enrolment(name) for name in names or here.boards()]
        page = enrolment_sheet.sheet(here.settings().name, enrolments)
        if not enrolments:
            message = f"no board is enrolled in {folder} yet: gnomon hall enrol {folder} t01 t02 ..."
            raise _RefusedError(message)
        if output == "-":
            click.echo(page, nl=False)
            return
        # Whoever reads the sheet can be any of the boards.
        keep_secret(Path(output), page)
    except (FolderError, EnrolmentError) as error:
        raise _RefusedError(str(error)) from error
    click.echo(f"{output}: {_counted(len(enrolments), 'code')}; keep it to yourself")


@hall.command()
@_FOLDER
@click.argument("board")
def code(folder: Path, board: str) -> None:
    """Show the code of one BOARD here in the terminal, to scan or to paste."""
    from gnomon.hall import enrolment
    from gnomon.hall.broker.folder import FolderError
    from gnomon.hall.enrolment_sheet import in_letters

    try:
        found = _there(folder).enrolment(board)
    except FolderError as error:
        raise _RefusedError(str(error)) from error
    click.echo(in_letters(found))
    click.echo(enrolment.code(found))


@hall.command()
@_FOLDER
def boards(folder: Path) -> None:
    """List who is enrolled."""
    from gnomon.hall.broker.folder import FolderError

    try:
        here = _there(folder)
        found = [(name, "") for name in here.boards()] + [(name, "  only looks") for name in here.readers()]
    except FolderError as error:
        raise _RefusedError(str(error)) from error
    for name, role in found:
        click.echo(f"{name}{role}")
    if not found:
        click.echo("Nobody is enrolled yet.")


@hall.command()
@_FOLDER
@click.argument("names", metavar="BOARD...", nargs=-1, required=True)
def revoke(folder: Path, names: Sequence[str]) -> None:
    """Let boards in no longer: one was lost, or its code was seen. What it has sent stays."""
    from gnomon.hall.broker.folder import FolderError

    try:
        _there(folder).revoke(names)
    except FolderError as error:
        raise _RefusedError(str(error)) from error
    click.echo(f"{', '.join(names)}: no longer enrolled")
    click.echo(_RELOAD)


def _there(folder: Path) -> "Folder":
    """The folder of a broker. Raises _RefusedError where there is none."""
    from gnomon.hall.broker.folder import Folder, FolderError

    here = Folder(folder)
    try:
        here.settings()
    except FolderError as error:
        raise _RefusedError(str(error)) from error
    return here


def _this_user() -> str:
    if os.geteuid() == 0:
        message = "say by --user whom the broker shall run as, such as --user mosquitto: not root"
        raise _RefusedError(message)
    return getpass.getuser()


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
