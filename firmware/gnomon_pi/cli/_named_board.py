"""Read the description that a command line names: a file, or a board that comes with the program."""

from pathlib import Path

from gnomon.cli import localized
from gnomon.refusals import Statement, statement
from gnomon_pi import config


def named_text(file: Path | None, board: str | None, size: int | None, variant: str, own: Statement) -> tuple[str, str]:
    """The name of a description and its text; `own` says that neither or both are named.

    Raises UsageError for none and for both, and BoardError for what cannot be read.
    """
    if (file is None) == (board is None):
        raise localized.WrongUsageError(own)
    if file is None:
        return config.bundled_text(board or "", size, variant)
    if variant or size is not None:
        raise localized.WrongUsageError(statement("usage.description.board"))
    return str(file), config.read_board_text(file)


def refuse_unknown_variant(board: str, variant: str) -> None:
    """Raise UsageError for a variant that the bundled descriptions of a board do not have."""
    names = config.variants(board)
    if variant not in names:
        why = statement("usage.variant.unknown", board=board, names=", ".join(names), variant=repr(variant))
        raise localized.WrongUsageError(why)
