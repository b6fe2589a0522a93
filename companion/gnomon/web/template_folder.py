"""Open a folder of Jinja templates: every value is escaped, and a name that is missing is an error."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


def templates_in(folder: Path) -> "Environment":
    """The templates in a folder."""
    # Nobody may ever open a page of a board, and Jinja takes two megabytes.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415

    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
