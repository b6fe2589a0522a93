"""The page on board descriptions: it has every key that is read and no other, and its examples are in order."""

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

from gnomon_pi.config import bundled_text, examine_board, variants
from gnomon_pi.config._claims import FAST_MODE_HZ
from gnomon_pi.config.description import BOARDS
from gnomon_pi.config.parser import DISPLAYS, READERS
from gnomon_pi.config.sensors import KINDS
from tests.docs_examples.pages import page, tables

PAGE = page("board-description.md")
EXAMPLES = re.findall(r"^```toml ?([\w-]*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
# Tables whose keys are the builder's own.
NAMES = ("buttons.", "sensors.moved.", "reader.codes.")
_HEADER = re.compile(r"^\[\[?([\w.]+)\]", re.MULTILINE)


def parts(text: str) -> Iterator[tuple[str, str]]:
    """The tables of a TOML text as it is written, each with its name; first what stands before them."""
    starts = [0, *(match.start() for match in _HEADER.finditer(text)), len(text)]
    for start, end in pairwise(starts):
        header = _HEADER.match(text, start)
        yield (header[1] if header else ""), text[start:end]


def whole(like: str, example: str) -> str:
    """A description with the tables of an example in place of those that it has by the same names."""
    if not like:
        return example
    board, _, variant = like.partition("-")
    shown = {name for name, _ in parts(example)}
    kept = "".join(part for name, part in parts(bundled_text(board, None, variant)[1]) if not name or name not in shown)
    return f"{kept}\n{example}"


def files() -> Iterator[str]:
    """Every description that comes with the program, and every one on the page."""
    for board in BOARDS:
        for variant in ("", *variants(board)):
            yield bundled_text(board, None, variant)[1]
    for like, example in EXAMPLES:
        yield whole(like, example)


def keys_read() -> set[str]:
    return {key for text in files() for key in examine_board(text, "x").keys if not key.startswith(NAMES)}


def keys_named() -> set[str]:
    """The keys in the tables of the page, each with the table of the file that its heading is about."""
    named = set()
    for section in PAGE.split("\n## ")[1:]:
        heading = section.splitlines()[0]
        table = "" if heading == "The file" else heading.strip("`[]") + "."
        for row in (row for rows in tables(section) for row in rows if "key" in row):
            named |= {table + key for key in re.findall(r"`(\w+)`", row["key"])}
    return named


@pytest.mark.parametrize(("like", "example"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_every_example_is_in_order(like: str, example: str) -> None:
    found = examine_board(whole(like, example), "example.toml")
    assert [str(mistake) for mistake in found.mistakes] == []


def test_the_page_has_every_key_that_is_read_and_no_other() -> None:
    assert keys_named() == keys_read()


def test_the_page_names_every_variant() -> None:
    (rows,) = [rows for rows in tables(PAGE) if "variants" in rows[0]]
    assert {row["board"].strip("`"): set(re.findall(r"`([\w-]+)`", row["variants"])) for row in rows} == {
        board: set(variants(board)) for board in BOARDS
    }


@pytest.mark.parametrize(
    ("table", "key", "default"),
    [
        ("[[i2c]]", "clock_hz", FAST_MODE_HZ),
        ("[display]", "dim_after", 300),
        ("[display]", "shift_every", 60),
        ("[reader]", "address", 0x24),
        ("The file", "size", 17),
    ],
)
def test_the_page_names_the_defaults(table: str, key: str, default: int) -> None:
    section = next(part for part in PAGE.split("\n## ") if part.startswith((table, f"`{table}`")))
    rows = [row for rows in tables(section) for row in rows if row.get("key") == f"`{key}`"]
    assert default in [int(row["default"].replace(" ", ""), 0) for row in rows if row["default"]]


@pytest.mark.parametrize("kind", [*DISPLAYS, *READERS, *KINDS])
def test_the_page_names_every_kind_of_device(kind: str) -> None:
    assert f'"{kind}"' in PAGE
