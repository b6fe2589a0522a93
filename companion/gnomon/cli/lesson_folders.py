"""Define the option of a command line for a folder of lessons that a club has written."""

from pathlib import Path
from typing import Final

from gnomon.cli.localized import folder_option

FOLDER: Final = "GNOMON_LESSONS"


def _register(folder: Path) -> None:
    from gnomon.lessons import register

    register(folder)


lessons_option = folder_option("--lessons", FOLDER, _register, "option.lessons")
