"""The page about traces: its examples are replayed, its tables are those of the program."""

import ast
import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner

from gnomon.cli import main
from gnomon.games.tamsk.rules import BOARD, CAPACITY
from gnomon.games.tamsk.sensing.inputs import start_inputs
from gnomon.games.tayu.sensing import LAID_TIME
from gnomon.records.bundles import bundle
from gnomon.records.formats.traces import event_record, inputs_on, read_event, read_trace, ruling_record
from gnomon.records.journal.entries import GameStart, StoredGame
from gnomon.referee.debounce import CALM, CHATTER_LENGTH, SETTLING
from gnomon.referee.events import Correction
from gnomon.referee.evidence import BY_POLES, DOUBT_TIME, NUDGE, PATIENCE, STANDING
from gnomon.referee.games import begin
from gnomon.referee.rulings import FaultRuled, GameOver, Ruling
from gnomon.timekeeping.instants import MILLISECOND, Instant
from tests.docs_examples.pages import ROOT, Row, codes, page, table

PAGE = page("traces.md")
EXAMPLES = re.findall(r"^```jsonl\n(.*?)^```\n\n```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
GAMES = {"tamsk": "tamsk", "tayu": "tayu", "table": "tabik"}


# Examples


@pytest.mark.parametrize(("trace", "dialogue"), EXAMPLES, ids=lambda text: text.splitlines()[0])
def test_an_example_is_ruled_as_it_is_written(
    trace: str, dialogue: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command, *rulings = dialogue.splitlines()
    program, *arguments = shlex.split(command.removeprefix("$ "))
    assert program == "gnomon"
    monkeypatch.chdir(tmp_path)
    Path(arguments[-1]).write_text(trace, encoding="utf-8")
    result = CliRunner().invoke(main, arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == rulings


def test_every_board_has_an_example() -> None:
    boards = [read_trace(trace.encode().splitlines()).header.board for trace, _ in EXAMPLES]
    assert list(dict.fromkeys(boards)) == list(GAMES)


def test_the_lines_that_are_quoted_can_be_read() -> None:
    quoted = [line.strip().encode() for line in PAGE.splitlines() if line.startswith('    {"')]
    header, *entries = quoted
    assert len(entries) == len(list(read_trace([header, *entries]).entries)) == 2


# The first line


def test_the_keys_of_a_bundle_s_first_line_stand_in_the_tables() -> None:
    start = GameStart("tamsk", {"level": 1}, "silent", Instant(0), "boot", "label", "version")
    made = bundle(StoredGame(1, start, None), [])
    keys = [codes(row["key"])[0] for rows in tables_of_keys() for row in rows]
    # A table says which game is played there; a board that is made for one does not. One that sees two poles says so
    # by not speaking of one. Only what stands in a journal has a chain.
    assert {*keys} - {"game", "single_pole", "registers", "chain"} == {
        "trace",
        "board",
        "settings",
        *made.header.extras,
    }
    assert len(keys) == len(set(keys))


def tables_of_keys() -> Iterator[list[Row]]:
    """The tables of what the first line says."""
    first, last = PAGE.split("## A change of an input")[0].split("The dispute bundle")
    yield from (table(first, "key"), table(last, "key"))


# Inputs


def inputs_named(board: str) -> set[str]:
    """Every input that the section of a board stands for."""
    (section,) = re.findall(rf"^### {board}\n(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL)
    named = {name for row in table(section, "inputs") for name in codes(row["inputs"])}
    found = {name for name in named if name.startswith(("button.", "timer15."))}
    for place, part in (name.split(".") for name in named - found):
        assert place in {"D2", "i9"}
        found |= set(spread(board, part))
    return found


def spread(board: str, part: str) -> Iterator[str]:
    """An input of one space, on all spaces that have it."""
    if board == "tayu":
        yield from (f"{chr(ord('a') + column)}{row}.{part}" for column in range(17) for row in range(1, 18))
        return
    height = int(part.removeprefix("ring")) if part.startswith("ring") else 0
    yield from (f"{name}.{part}" for name, capacity in zip(BOARD.names, CAPACITY, strict=True) if height <= capacity)


@pytest.mark.parametrize("board", GAMES)
def test_the_inputs_of_a_board_are_those_that_are_named(board: str) -> None:
    # `ring1` … `ring4` stands for the heights between them too.
    between = set() if board != "tamsk" else {*spread(board, "ring2"), *spread(board, "ring3")}
    assert inputs_named(board) | between == begin(GAMES[board], {}, board=board).inputs


def test_the_inputs_that_are_on_at_the_start_are_those_that_are_said() -> None:
    corners = {f"{name}.north" for space, name in enumerate(BOARD.names) if len(BOARD.neighbours[space]) == 3}
    assert start_inputs(1) == start_inputs(2) == corners
    assert start_inputs(3) == corners | {"timer15.north"}


# Events and rulings


def test_every_event_by_hand_has_a_line_that_can_be_read() -> None:
    records = [json.loads(codes(row["line"])[0]) for row in table(PAGE, "line")]
    events = [read_event(record, inputs_on("tamsk", BY_POLES)) for record in records]
    assert [type(event) for event in events] == list(get_args(Correction))
    for event, record in zip(events, records, strict=True):
        assert event_record(event) == {"why": "", **record}


def test_every_ruling_stands_in_the_table_with_its_keys() -> None:
    named = {codes(row["ruling"])[0]: codes(row["further keys"]) for row in table(PAGE, "ruling")}
    keys = {kind: [part.name for part in fields(kind)[1:]] for kind in get_args(Ruling)}
    keys[FaultRuled] = ["input", "kind"]
    assert named == {kind.kind: keys[kind] for kind in keys}


def test_the_table_says_what_stands_for_a_draw() -> None:
    (over,) = [row for row in table(PAGE, "ruling") if row["ruling"] == "`over`"]
    record = ruling_record(GameOver(Instant(1), None, "stall", {}))
    assert f"`winner` is `{record['winner']}` if nobody won" in over["meaning"]


def test_every_code_of_the_tamsk_board_stands_in_the_table() -> None:
    referee = ROOT / "companion/gnomon/games/tamsk/sensing"
    # A code stands as a word of its own in these modules, which have few words else.
    words = {
        node.value
        for module in ("_explain.py", "_move_completion.py")
        for node in ast.walk(ast.parse((referee / module).read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"[a-z_0-9]+", node.value)
    }
    others = {"stack", "stuck", "free", "ring", "auto", "timer15"}
    assert others <= words
    assert sorted(codes(row["code"])[0] for row in table(PAGE, "code")) == sorted(words - others)


def test_the_referee_waits_as_long_as_is_said() -> None:
    waits = (
        CALM,
        SETTLING,
        NUDGE,
        CHATTER_LENGTH,
        LAID_TIME,
        DOUBT_TIME,
        PATIENCE,
        STANDING.last_ring,
        STANDING.full_longer,
    )
    assert [int(row["ms"]) * MILLISECOND for row in table(PAGE, "what", "ms")] == list(waits)
