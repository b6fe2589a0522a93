"""Run `gnomond wiring`: write wiring tables, drawings and parts lists of a board to a folder."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gnomon.cli import localized
from gnomon.cli.words import command_words, say
from gnomon.refusals import statement
from gnomon_pi import config
from gnomon_pi.cli._failures import give_up
from gnomon_pi.config.description import BOARDS

if TYPE_CHECKING:
    from gnomon_pi.config.description import BoardDescription

_FORMATS = ("md", "svg", "csv")
_BOARDS = "kicad"


@localized.command(help="command.gnomond.wiring")
@localized.argument("file", required=False, type=click.Path(path_type=Path))
@localized.option("--board", type=click.Choice(BOARDS), help="option.gnomond.wiring.board")
@localized.option("--size", type=int, help="option.gnomond.wiring.size")
@localized.option("--variant", default="", help="option.other_variant")
@localized.option("--all", "every", is_flag=True, help="option.gnomond.wiring.all")
@localized.option("--out", type=click.Path(path_type=Path), required=True, help="option.gnomond.wiring.out")
@localized.option(
    "--format",
    "formats",
    type=click.Choice((*_FORMATS, _BOARDS)),
    multiple=True,
    help="option.gnomond.wiring.format",
)
def wiring(  # noqa: PLR0913 - one for each option
    *,
    file: Path | None,
    board: str | None,
    size: int | None,
    variant: str,
    every: bool,
    out: Path,
    formats: tuple[str, ...],
) -> None:
    """Write how a board is wired and what it needs, from its description."""
    from gnomon_pi.tools.wiring import WiringError, board_files, bundled_files, files, title

    if (file is not None) + (board is not None) + every != 1:
        raise localized.WrongUsageError(statement("usage.wiring.one"))
    if board is None and (size is not None or variant):
        raise localized.WrongUsageError(statement("usage.wiring.board"))
    if every and _BOARDS in formats:
        raise localized.WrongUsageError(statement("usage.wiring.kicad"))
    try:
        described = None if every else _describe(file, board, size, variant, title)
        texts = bundled_files() if described is None else files(*described)
        wanted = {name: text for name, text in texts.items() if name.rpartition(".")[2] in (formats or _FORMATS)}
        if described is not None and _BOARDS in formats:
            stem = file.stem if file is not None else _stem(board, size, variant)
            wanted |= board_files(described[0], stem, described[1])
        if not wanted:
            give_up("gnomond wiring", say(statement("wiring.picture")))
        _write(out, wanted)
    except (config.BoardError, WiringError) as error:
        give_up("gnomond wiring", say(error))
    except OSError as error:
        give_up("gnomond wiring", command_words()("cli.unwritable", file=error.filename, detail=error.strerror))


def _describe(
    file: Path | None, board: str | None, size: int | None, variant: str, title: Callable[[str], str]
) -> "tuple[BoardDescription, str]":
    """The description, and what people call the board. Raises BoardError."""
    if board is None:
        assert file is not None  # noqa: S101 - one of the two is there
        return config.load(file), title(file.stem)
    name, _ = config.bundled_text(board, size, variant)
    return config.load_bundled(board, size, variant), title(name.removesuffix(".toml"))


def _stem(board: str | None, size: int | None, variant: str) -> str:
    """What the files of a bundled description are called."""
    name, _ = config.bundled_text(board or "", size, variant)
    return name.removesuffix(".toml")


def _write(folder: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        click.echo(path)
