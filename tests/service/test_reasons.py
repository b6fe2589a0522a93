"""Why the daemon stopped, kept for safe mode."""

from pathlib import Path

import pytest

from gnomon.refusals import Statement, statement
from gnomon_pi.tools.safe_mode.reasons import forget, reason, remember

UNKNOWN = "The daemon did not start, and gave no reason; its log may say more: journalctl -u gnomond."


def test_what_the_daemon_said_last_is_said_again_until_it_is_ready(tmp_path: Path) -> None:
    service = {"RUNTIME_DIRECTORY": str(tmp_path), "MONITOR_SERVICE_RESULT": "watchdog"}
    remember(Statement.plain("The pins are gone."), service)
    remember(Statement.plain("The bus is gone."), service)
    assert str(reason(service)) == "The bus is gone."
    forget(service)
    assert str(reason(service)) == "The daemon hung and was stopped."


def test_what_has_a_key_is_said_in_every_language_and_stands_in_english_in_the_file(tmp_path: Path) -> None:
    service = {"RUNTIME_DIRECTORY": str(tmp_path)}
    why = statement("told.journal", file="/x", cause="denied")
    remember(why, service)
    assert reason(service) == why
    assert (tmp_path / "last-error").read_text().splitlines()[0] == str(why)
    (tmp_path / "last-error").write_text("Some words.\n{\n")
    assert reason(service) == Statement.plain("Some words.")


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ("oom-kill", "The daemon needed more memory than there is."),
        ("timeout", "The daemon did not become ready in time."),
        ("start-limit-hit", UNKNOWN),
        ("", UNKNOWN),
    ],
)
def test_where_it_said_nothing_systemd_is_believed(tmp_path: Path, result: str, said: str) -> None:
    assert str(reason({"RUNTIME_DIRECTORY": str(tmp_path), "MONITOR_SERVICE_RESULT": result})) == said


@pytest.mark.parametrize("environment", [{}, {"RUNTIME_DIRECTORY": "/proc/no/such/folder"}])
def test_without_a_folder_nothing_is_kept_and_nothing_fails(environment: dict[str, str]) -> None:
    remember(Statement.plain("The pins are gone."), environment)
    forget(environment)
    assert str(reason(environment)) == UNKNOWN


def test_whatever_stands_there_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "last-error").write_bytes(b"\xff" * 10_000)
    assert 0 < len(str(reason({"RUNTIME_DIRECTORY": str(tmp_path)}))) <= 2_000
