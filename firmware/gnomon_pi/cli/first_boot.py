"""Run `gnomond first-boot`: ask for the settings of a machine started from the image, keep and apply them."""

import asyncio
import sys
from pathlib import Path
from typing import Final

import click

from gnomon.cli import localized
from gnomon.cli.words import command_words, say
from gnomon.web.server.listener import Listener, PortError
from gnomon.web.server.signals import on_end
from gnomon_pi.cli._failures import give_up
from gnomon_pi.config import image_overlays
from gnomon_pi.config.checked_toml import MistakeError, text_of
from gnomon_pi.config.parser import examine_board
from gnomon_pi.tools.first_boot import settings
from gnomon_pi.tools.first_boot.page import application
from gnomon_pi.tools.first_boot.system_files import SystemFile, apply_settings, board_in_use, network_name, put

BOOT: Final = Path("/boot/firmware")
ANSWERS: Final = "run/gnomon-first-boot/answers.toml"
"""Where the image's services look for what was answered."""

_NAME: Final = "gnomond first-boot"
_FILE: Final = click.Path(path_type=Path)


@localized.group(help="command.gnomond.first_boot")
def first_boot() -> None:
    """Ask for the settings of a machine that was started from the image, and apply them; the image's services do it."""


@first_boot.command(help="command.gnomond.first_boot.ask")
@localized.option("--host", default="0.0.0.0", show_default=True, help="option.host")  # noqa: S104 - the person who sets the machine up comes from another one
@localized.option(
    "--port", type=click.IntRange(0, 65535), default=80, show_default=True, help="option.gnomond.first_boot.port"
)
@localized.option("--into", type=_FILE, required=True, help="option.gnomond.first_boot.into")
def ask(host: str, port: int, into: Path) -> None:
    """Serve the page of the first start until it is told to end."""
    try:
        page = Listener(host, port)
    except PortError as error:
        give_up(_NAME, say(error))
    click.echo(command_words()("first_boot.ready", address=page.address))
    asyncio.run(_serve(page, into))


@first_boot.command(help="command.gnomond.first_boot.keep")
@localized.argument("answers", type=_FILE)
@localized.option("--boot", type=_FILE, default=BOOT, show_default=True, help="option.gnomond.first_boot.boot")
@localized.option("--root", type=_FILE, default=Path("/"), show_default=True, help="option.gnomond.first_boot.root")
def keep(answers: Path, boot: Path, root: Path) -> None:
    """Check what was answered, and keep it on the boot partition with the overlays of the board."""
    try:
        found = settings.read(answers)
        put(boot / image_overlays.NAME, SystemFile(_overlays(found, boot, root)))
        put(boot / settings.NAME, SystemFile(settings.dump(found)))
    except (MistakeError, OSError) as error:
        give_up(_NAME, say(error))
    click.echo(command_words()("first_boot.saved", file=str(boot / settings.NAME)))


@first_boot.command(help="command.gnomond.first_boot.apply")
@localized.option("--boot", type=_FILE, default=BOOT, show_default=True, help="option.gnomond.first_boot.boot")
@localized.option("--root", type=_FILE, default=Path("/"), show_default=True, help="option.gnomond.first_boot.root")
@localized.option(
    "--serial", type=_FILE, default=Path("/etc/machine-id"), show_default=True, help="option.gnomond.first_boot.serial"
)
def apply(boot: Path, root: Path, serial: Path) -> None:
    """Apply the settings on the boot partition; without any, offer a network."""
    code, found = 0, None
    try:
        found = settings.read(boot / settings.NAME)
    except FileNotFoundError:
        pass
    except MistakeError as error:
        click.echo(f"{_NAME}: {say(error)}", err=True)
        code = 1
    try:
        told = text_of(serial).strip()
        apply_settings(found, root, told)
        if found is not None and _text(boot / image_overlays.NAME) != _overlays(found, boot, root):
            put(root / ANSWERS, SystemFile(settings.dump(found), mode=0o600))
    except (MistakeError, OSError) as error:
        give_up(_NAME, say(error))
    words = command_words()
    click.echo(
        words("first_boot.none", network=network_name(told))
        if found is None
        else words("first_boot.applied", name=found.name)
    )
    sys.exit(code)


def _overlays(found: settings.MachineSettings, boot: Path, root: Path) -> str:
    """What config.txt is to include: no overlay for a board in software, and no change where a description is wrong."""
    before = _text(boot / image_overlays.NAME)
    if found.is_simulated:
        return image_overlays.dump((), before)
    board = examine_board(board_in_use(found, root), found.board).description
    return before if board is None else image_overlays.dump(image_overlays.overlays_of(board), before)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


async def _serve(page: Listener, into: Path) -> None:
    stop = asyncio.Event()
    on_end(stop.set)

    def keep_answers(text: str) -> None:
        put(into, SystemFile(text, mode=0o600))

    serving = asyncio.create_task(page.listen(application(keep_answers, tuple(page.hosts))))
    await stop.wait()
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
