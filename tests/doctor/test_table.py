"""How findings are written: the table of 80 columns, its colours, the JSON, and the exit code."""

import json

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.refusals import Statement, statement
from gnomon.words import LANGUAGES, words
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
    ok("model", statement("doctor.model.revision", name="Raspberry Pi 4 Model B Rev 1.4", revision="c03114")),
    note("date", statement("doctor.date.server", kept=statement("doctor.date.not_kept"))),
    warning("supply", statement("doctor.supply.was_low"), Statement.plain("Take a supply of 5.1 V.")),
    fault(
        "SPI1.0",
        statement(
            "doctor.spi.off",
            file="/dev/spidev1.0",
            purpose=statement("doctor.part.lights"),
            config_line="dtoverlay=spi1-1cs",
            config_file="config.txt",
        ),
    ),
]
WORDS = st.text(st.characters(codec="ascii", exclude_categories=["C"]), max_size=200)
SAID = WORDS.map(Statement.plain)
ANY = st.builds(
    Finding,
    st.sampled_from(Severity),
    st.text(st.characters(categories=["L"]), max_size=14),
    WORDS.map(Statement.plain),
    WORDS.map(Statement.plain),
)


def test_the_table_shows_marks_subjects_and_what_to_do() -> None:
    assert click.unstyle(table(FINDINGS)) == (
        "ok       model          Raspberry Pi 4 Model B Rev 1.4, revision c03114.\n"
        "note     date           Set by a time server; nothing keeps the date while the\n"
        "                        power is off.\n"
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
    assert told["findings"][3]["code"] == "doctor.spi.off"
    assert told["findings"][3]["values"]["config_line"] == "dtoverlay=spi1-1cs"


@pytest.mark.parametrize(
    ("language", "rows"),
    [
        ("de", ["FEHLER   SPI1.0         /dev/spidev1.0 (Lichter) fehlt.", "1 Fehler, 1 Warnung, 1 Hinweis, 1 gut."]),
        ("fr", ["DÉFAUT   SPI1.0         /dev/spidev1.0 (lumières) manque.", "1 défaut, 1 alerte, 1 note, 1 bon."]),
    ],
)
def test_the_table_is_written_in_every_language(language: str, rows: list[str]) -> None:
    lines = click.unstyle(table(FINDINGS, words=words(language))).splitlines()
    assert [row for row in rows if row not in lines] == []
    told = json.loads(as_json(FINDINGS, "0.1.0", words(language)))["findings"][3]
    assert told["found"] in rows[0]
    assert (told["mark"], told["code"]) == ("FAULT", "doctor.spi.off")


@pytest.mark.parametrize("language", LANGUAGES)
def test_marks_and_subjects_have_room_in_their_columns(language: str) -> None:
    entries = words(language).entries
    assert [key for key in entries if key.startswith("doctor.mark.") and len(entries[key]) > 7] == []
    assert [key for key in entries if key.startswith("doctor.subject.") and len(entries[key]) > 15] == []


@pytest.mark.parametrize(
    ("findings", "told"),
    [([], "nothing was checked."), ([FINDINGS[3]] * 2, "2 faults."), ([FINDINGS[0]] * 2, "2 ok.")],
)
def test_the_sum_counts_each_mark(findings: list[Finding], told: str) -> None:
    assert summary(findings) == told
