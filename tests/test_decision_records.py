"""The decision records: numbered, of four parts, and each names the test that holds it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_house import ROOT

RECORDS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
RECORD_NAMES = [record.name for record in RECORDS]


def sections(record: Path) -> dict[str, str]:
    """The text of each section of a decision record, by its heading."""
    _, *parts = re.split(r"^## (.+)$", record.read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def named_tests(text: str) -> Iterator[Path]:
    """The tests and folders of tests between backquotes in a text."""
    for name in re.findall(r"`(tests/[\w/.]+)(?:::\w+)?`", text):
        yield ROOT / name


def test_the_decision_records_are_numbered_without_gaps() -> None:
    numbers = [int(record.name[:4]) for record in RECORDS]
    assert numbers == list(range(1, len(RECORDS) + 1)) != []


@pytest.mark.parametrize("record", RECORDS, ids=RECORD_NAMES)
def test_a_decision_record_has_its_four_parts(record: Path) -> None:
    assert list(sections(record)) == ["Context", "Decision", "Consequences", "How it is enforced"]
    assert all(text.strip() for text in sections(record).values())


@pytest.mark.parametrize("record", RECORDS, ids=RECORD_NAMES)
def test_a_decision_record_names_the_test_that_holds_it(record: Path) -> None:
    named = list(named_tests(sections(record)["How it is enforced"]))
    assert named
    assert [
        path for path in named if not (path.is_file() or [*path.rglob("test_*.py"), *path.rglob("*.test.js")])
    ] == []
