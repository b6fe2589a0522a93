"""Run `gnomond walk`: check the wiring of a board place by place, and write the corrected description."""

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import click

from gnomon.cli import localized
from gnomon.cli.words import command_words, say, say_sentence
from gnomon.refusals import statement
from gnomon_pi import config
from gnomon_pi.cli._failures import give_up
from gnomon_pi.cli._named_board import named_text
from gnomon_pi.config.description import BOARDS
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.tools.walk.wiring_inference import Walk, begin_walk


@localized.command(help="command.gnomond.walk")
@localized.option("--wiring", type=click.Path(path_type=Path), help="option.own_wiring")
@localized.option("--board", type=click.Choice(BOARDS), help="option.gnomond.walk.board")
@localized.option("--variant", default="", metavar="NAME", help="option.variant")
@localized.option("--size", type=int, metavar="SQUARES", help="option.size")
@localized.option("--out", type=click.Path(path_type=Path), required=True, help="option.gnomond.walk.out")
@localized.option("--quick", is_flag=True, help="option.gnomond.walk.quick")
@localized.option("--only", multiple=True, metavar="PLACE", help="option.gnomond.walk.only")
@localized.option("--simulated", is_flag=True, help="option.gnomond.walk.simulated")
@localized.option("--seed", type=int, default=1, show_default=True, help="option.gnomond.walk.seed")
def walk(  # noqa: PLR0913 - one for each option
    *,
    wiring: Path | None,
    board: str | None,
    variant: str,
    size: int | None,
    out: Path,
    quick: bool,
    only: tuple[str, ...],
    simulated: bool,
    seed: int,
) -> None:
    """Walk over a freshly wired board: put a piece where you are told, and the description is corrected."""
    try:
        name, text = named_text(wiring, board, size, variant, statement("usage.description.wiring"))
        description = config.parse_board(text, name)
    except config.BoardError as error:
        give_up("gnomond walk", f"{error}.")
    try:
        beginning = begin_walk(description, quick=quick, only=only)
    except ValueError as error:
        message = f"{say(error)}."
        raise click.BadParameter(message, param_hint="--only") from error
    _refuse_to_lose(out)
    try:
        walked = _walk_simulated(beginning, seed) if simulated else _walk_wired(beginning)
    except DriverError as error:
        give_up("gnomond walk", say(error))
    _conclude(walked, name, text, out)


def _walk_wired(beginning: Walk) -> Walk:
    """A person walks over the wired board. Raises DriverError."""
    from gnomon_pi.drivers.devices import open_devices
    from gnomon_pi.runtime.system.clock import MachineWatch, sleep_until
    from gnomon_pi.tools.walk.rig import Rig
    from gnomon_pi.tools.walk.terminal import Terminal, Typed
    from gnomon_pi.tools.walk.walk_loop import WalkPace, run_walk

    watch = MachineWatch("walk")  # nobody compares instants with those of another boot
    rig = Rig(beginning.board, partial(open_devices, now=watch.now, later=_never))
    try:
        audience = Terminal(click.echo, Typed(sys.stdin.fileno()), command_words())
        return run_walk(beginning, rig, audience, WalkPace(watch, partial(sleep_until, watch)), command_words())
    finally:
        rig.close()


def _walk_simulated(beginning: Walk, seed: int) -> Walk:
    """Simulated hands walk over a simulated board, in virtual time."""
    from gnomon_pi.simulated.miswired import miswire, walk_by_hands
    from gnomon_pi.tools.walk.terminal import Terminal

    random = Random(seed)  # noqa: S311 - nobody's secret hangs on it
    listener = Terminal(click.echo, lambda: iter(()), command_words())
    return walk_by_hands(beginning, miswire(beginning.board, random), random, listener).walk


def _conclude(walked: Walk, name: str, text: str, out: Path) -> None:
    """Write the description, then say what was found: what was learnt must survive a terminal that is gone."""
    from gnomon_pi.tools.walk.conclusions import conclude, keep, table
    from gnomon_pi.tools.walk.description_editor import EditError, edit

    conclusion = conclude(walked)
    is_written, kept, trouble = True, None, ""
    try:
        new = edit(text, name, walked.board, conclusion.board)
        is_written = not (out.exists() and out.read_bytes() == new.encode())
        kept = keep(out, new) if is_written else None
    except EditError as error:
        trouble = f"{say(error)}."
    except OSError as error:
        trouble = say_sentence(statement("walk.unwritten", file=out, detail=error.strerror))
    click.echo()
    for line in table(conclusion, command_words()):
        click.echo(line)
    if trouble:
        give_up("gnomond walk", trouble)
    if not is_written:
        click.echo(say(statement("walk.same", file=out)))
        return
    if kept is None:
        click.echo(say(statement("walk.written", file=out)))
    else:
        click.echo(say(statement("walk.written.kept", file=out, kept=kept)))


def _refuse_to_lose(out: Path) -> None:
    """End before the walk where its result could not be kept."""
    folder = out.parent
    if out.is_dir():
        give_up("gnomond walk", say(statement("walk.out.folder", file=out)))
    if not folder.is_dir():
        give_up("gnomond walk", say(statement("walk.out.none", folder=folder)))
    if not os.access(folder, os.W_OK | os.X_OK):
        give_up("gnomond walk", say(statement("walk.out.closed", folder=folder)))


def _never(_seconds: float, _call: Callable[[], None]) -> None:
    """Notes that would follow later: a tone lasts until it is let go of."""
