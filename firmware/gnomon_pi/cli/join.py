"""Run `gnomond join`: install the enrolment by which the board enters a hall."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from gnomon.cli import localized
from gnomon.cli.words import command_words, say
from gnomon.refusals import statement
from gnomon_pi.cli._failures import give_up

if TYPE_CHECKING:
    from gnomon.hall.messaging.enrolment import Enrolment

FILE: Final = Path("/etc/gnomon/hall.toml")
_SERVICE: Final = "gnomon"
"""The user that install.sh makes for the daemon, who has to read the file."""
_STANDARD_INPUT: Final = "-"
_LONGEST: Final = 64 * 1024


@localized.command(help="command.gnomond.join")
@localized.argument("code", required=False)
@localized.option("--file", "source", type=click.Path(path_type=Path), help="option.gnomond.join.file")
@localized.option(
    "--to",
    type=click.Path(path_type=Path),
    default=FILE,
    show_default=True,
    help="option.gnomond.join.to",
)
@localized.option("--leave", is_flag=True, help="option.gnomond.join.leave")
def join(*, code: str | None, source: Path | None, to: Path, leave: bool) -> None:
    """Let this board join a hall, with the CODE that `gnomon hall enrol` made: scan it when asked, or paste it."""
    if sum((code is not None, source is not None, leave)) > 1:
        raise localized.WrongUsageError(statement("usage.join"))
    if leave:
        _leave(to)
        return
    from gnomon.hall.messaging.enrolment import EnrolmentError, keep

    try:
        enrolment = _read_enrolment(code, source)
        keep(to, enrolment, _daemon(to))
    except EnrolmentError as error:
        give_up("gnomond join", say(error))
    words = command_words()
    click.echo(words("cli.join.joined", board=enrolment.board, broker=enrolment.broker, file=to))
    click.echo(words("cli.join.service" if to == FILE else "cli.join.start", file=to))


def _read_enrolment(code: str | None, source: Path | None) -> "Enrolment":
    """The enrolment that was given, or is scanned now. Raises EnrolmentError."""
    from gnomon.hall.messaging.enrolment import parse_code, read

    if source is not None:
        return read(source)
    if code is None:
        code = str(click.prompt(command_words()("cli.join.scan"), prompt_suffix=": ", hide_input=True))
    elif code == _STANDARD_INPUT:
        with click.open_file(_STANDARD_INPUT) as stream:
            code = str(stream.read(_LONGEST))
    return parse_code(code)


def _leave(file: Path) -> None:
    try:
        file.unlink()
    except FileNotFoundError:
        click.echo(command_words()("cli.join.none", file=file))
        return
    except OSError as error:
        give_up("gnomond join", command_words()("cli.join.stuck", file=file, detail=error.strerror))
    click.echo(command_words()("cli.join.left", file=file))


def _daemon(file: Path) -> tuple[int, int] | None:
    """Whom the file has to belong to: the daemon's user where root installs it; nobody else than now otherwise."""
    import pwd

    if os.geteuid() != 0 or file.parent != FILE.parent:
        return None
    try:
        user = pwd.getpwnam(_SERVICE)
    except KeyError:
        return None
    return user.pw_uid, user.pw_gid
