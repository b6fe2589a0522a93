"""The guide for drivers names files and names that there are."""

import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "adding-a-driver.md").read_text(encoding="utf-8")
QUOTED: Final = sorted(set(re.findall(r"`([^`\n]+)`", PAGE)))
FILES: Final = [text for text in QUOTED if text.endswith(".py")]
NAMES: Final = [
    text.removesuffix("()")
    for text in QUOTED
    if re.fullmatch(r"(_?[A-Z]\w+(\.\w+)?|_[a-z]\w+|[a-z]+_[a-z]+)(\(\))?", text)
]
SOURCES: Final = {path: path.read_text(encoding="utf-8") for path in (ROOT / "firmware").rglob("*.py")}


@pytest.mark.parametrize("name", FILES)
def test_every_file_that_it_names_is_there(name: str) -> None:
    assert [path for path in (*SOURCES, *(ROOT / "tests").rglob("*.py")) if path.as_posix().endswith(f"/{name}")]


@pytest.mark.parametrize("name", NAMES)
def test_every_name_that_it_quotes_is_in_the_program(name: str) -> None:
    parts = name.split(".")
    assert [path for path, text in SOURCES.items() if all(re.search(rf"\b{part}\b", text) for part in parts)]


def test_it_names_enough_of_them() -> None:
    assert len(FILES) > 20
    assert {"DISPLAYS", "READERS", "DECODERS", "_SENT", "Reader.wires", "DriverError"} <= set(NAMES)
