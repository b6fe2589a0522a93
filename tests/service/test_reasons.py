"""Why the daemon stopped, kept for safe mode."""

from pathlib import Path

import pytest

from gnomon_pi.tools.safe_mode.reasons import forget, reason, remember

UNKNOWN = "The daemon did not start, and said nothing; its log may: journalctl -u gnomond."


def test_what_the_daemon_said_last_is_said_again_until_it_is_ready(tmp_path: Path) -> None:
    service = {"RUNTIME_DIRECTORY": str(tmp_path), "MONITOR_SERVICE_RESULT": "watchdog"}
    remember("The pins are gone.", service)
    remember("The bus is gone.", service)
    assert reason(service) == "The bus is gone."
    forget(service)
    assert reason(service) == "The daemon hung and was stopped."


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
    assert reason({"RUNTIME_DIRECTORY": str(tmp_path), "MONITOR_SERVICE_RESULT": result}) == said


@pytest.mark.parametrize("environment", [{}, {"RUNTIME_DIRECTORY": "/proc/no/such/folder"}])
def test_without_a_folder_nothing_is_kept_and_nothing_fails(environment: dict[str, str]) -> None:
    remember("The pins are gone.", environment)
    forget(environment)
    assert reason(environment) == UNKNOWN


def test_whatever_stands_there_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "last-error").write_bytes(b"\xff" * 10_000)
    assert 0 < len(reason({"RUNTIME_DIRECTORY": str(tmp_path)})) <= 2_000
