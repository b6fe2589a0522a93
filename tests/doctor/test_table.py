"""How findings are written: the table of 80 columns, its colours, the JSON, and the exit code."""

import json

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon_pi.tools.doctor.finding import (
    Finding,
    Severity,
    as_json,
    exit_code,
    fault,
    note,
    ok,
    summary,
    table,
    warning,
)

FINDINGS = [
    ok("model", "Raspberry Pi 4 Model B Rev 1.4, revision c03114."),
    note("date", "2026-11-20 12:00 UTC, not set by a time server; nothing keeps it without power."),
    warning("supply", "The voltage was too low at least once since the start.", "Take a supply of 5.1 V."),
    fault("SPI1.0", "/dev/spidev1.0 of the lights is missing.", "Put dtoverlay=spi1-1cs into config.txt and restart."),
]
WORDS = st.text(st.characters(codec="ascii", exclude_categories=["C"]), max_size=200)
ANY = st.builds(Finding, st.sampled_from(Severity), st.text(st.characters(categories=["L"]), max_size=14), WORDS, WORDS)


def test_the_table_shows_marks_subjects_and_what_to_do() -> None:
    assert click.unstyle(table(FINDINGS)) == (
        "ok       model          Raspberry Pi 4 Model B Rev 1.4, revision c03114.\n"
        "note     date           2026-11-20 12:00 UTC, not set by a time server; nothing\n"
        "                        keeps it without power.\n"
        "warning  supply         The voltage was too low at least once since the start.\n"
        "                        -> Take a supply of 5.1 V.\n"
        "FAULT    SPI1.0         /dev/spidev1.0 of the lights is missing.\n"
        "                        -> Put dtoverlay=spi1-1cs into config.txt and restart.\n"
        "\n"
        "1 fault, 1 warning, 1 note, 1 ok."
    )


@pytest.mark.untraced
@given(st.lists(ANY, max_size=5), st.integers(0, 300))
def test_no_line_is_wider_than_the_terminal(findings: list[Finding], width: int) -> None:
    lines = click.unstyle(table(findings, width)).splitlines()
    assert max(len(line) for line in lines) <= min(max(width, 50), 110)


@given(st.lists(ANY))
def test_the_exit_code_is_that_of_the_worst(findings: list[Finding]) -> None:
    worst = max((finding.mark for finding in findings), default=Severity.OK)
    assert exit_code(findings) == {Severity.OK: 0, Severity.NOTE: 0, Severity.WARNING: 1, Severity.FAULT: 2}[worst]
    assert json.loads(as_json(findings, "1"))["exit"] == exit_code(findings)


def test_only_marks_are_coloured() -> None:
    styled = table(FINDINGS)
    assert styled.splitlines()[0].startswith("\x1b[32mok")
    assert "\x1b[31m\x1b[1mFAULT" in styled
    assert "\x1b" not in styled.splitlines()[1]


def test_json_has_every_finding() -> None:
    told = json.loads(as_json(FINDINGS, "0.1.0"))
    assert told["gnomon"] == "0.1.0"
    assert [finding["mark"] for finding in told["findings"]] == ["ok", "note", "warning", "FAULT"]
    assert told["findings"][2]["advice"] == "Take a supply of 5.1 V."


@pytest.mark.parametrize(
    ("findings", "told"),
    [([], "nothing was looked at."), ([FINDINGS[3]] * 2, "2 faults."), ([FINDINGS[0]] * 2, "2 ok.")],
)
def test_the_sum_counts_each_mark(findings: list[Finding], told: str) -> None:
    assert summary(findings) == told
