"""The pages name files of the program that there are."""

import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = [*(ROOT / "docs").glob("*.md"), *(ROOT / "hardware").glob("*.md"), ROOT / "README.md"]
OWN: Final = {"greedy.py"}
"""Files that a reader is told to make."""
NAMED: Final = sorted(
    (page.name, name)
    for page in PAGES
    for name in {*re.findall(r"`([\w/]+\.py)`", page.read_text(encoding="utf-8"))} - OWN
)
FILES: Final = [
    path.as_posix() for folder in ("companion", "firmware", "image", "tests") for path in (ROOT / folder).rglob("*.py")
]


@pytest.mark.parametrize(("page", "name"), NAMED)
def test_every_file_that_a_page_names_is_there(page: str, name: str) -> None:
    assert [path for path in FILES if path.endswith(f"/{name}")], page


def test_pages_name_enough_of_them() -> None:
    assert len(NAMED) > 40
