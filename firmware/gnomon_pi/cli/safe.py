"""Run `gnomond safe`: serve only page and display after the daemon has failed repeatedly."""

import os
import shlex
import sys
from pathlib import Path

import click

from gnomon_pi import config
from gnomon_pi.cli.web_options import Front
from gnomon_pi.config.description import BOARDS
from gnomon_pi.tools.safe_mode.mode import SafeModeError
from gnomon_pi.tools.safe_mode.starting import SafeModeOptions, start, started_by_failure

_OPTIONS = "GNOMON_OPTIONS"  # in the environment: with what systemd starts the daemon


@click.command()
@click.option("--wiring", type=click.Path(path_type=Path), help="Your own board description.  [default: the bundled]")
@click.option("--board", type=click.Choice(BOARDS), help="A bundled description in its place.  [default: the table's]")
@click.option("--variant", default="", metavar="NAME", help="That board in another way to be wired.")
@click.option("--state", type=click.Path(path_type=Path), help="The folder of the journals.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where the page is served.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0: any free one.")
@click.option("--why", help="What to say is the matter.  [default: the daemon's last error]")
@click.pass_context
def safe(  # noqa: PLR0913, PLR0917 - one for each option
    context: click.Context,
    wiring: Path | None,
    board: str | None,
    variant: str,
    state: Path | None,
    host: str,
    port: int,
    why: str | None,
) -> None:
    """Run safe mode: say on page and display why the board does not run, and what to do.

    The page comes over TLS, and is known and open, as GNOMON_OPTIONS in the environment says for the daemon.
    """
    from gnomon.records.folders import state_folder

    _refuse_variant(board, wiring, variant)
    wish = SafeModeOptions(
        board or "",
        wiring,
        state or state_folder(os.environ),
        (host, port),
        variant=variant,
        front=_front(context, host, port),
    )
    try:
        if why is None:
            started_by_failure(wish)
        else:
            start(wish, why)
    except (SafeModeError, OSError) as error:
        click.echo(f"gnomond safe: {error}", err=True)
        sys.exit(1)


def _front(context: click.Context, host: str, port: int) -> Front:
    """How the daemon's pages are reached; an option that is wrong, the very reason maybe, keeps nothing from coming."""
    try:
        options = shlex.split(os.environ.get(_OPTIONS, ""))
    except ValueError:
        options = []
    told = context.find_root().command.make_context("gnomond", options, resilient_parsing=True).params
    return Front(
        host,
        port,
        told.get("tls_certificate"),
        told.get("tls_key"),
        told.get("behind_proxy") or (),
        told.get("known_as") or (),
        told.get("open_to") or "",
    )


def _refuse_variant(board: str | None, wiring: Path | None, variant: str) -> None:
    """Raise UsageError for a variant of no bundled board."""
    if not variant:
        return
    if board is None or wiring is not None:
        message = "--variant is one of a bundled board: name it with --board, and leave --wiring out."
        raise click.UsageError(message)
    if variant not in (known := config.variants(board)):
        message = f"--variant of the board {board} is one of: {', '.join(known)}; not {variant!r}."
        raise click.UsageError(message)
