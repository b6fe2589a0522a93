"""`gnomon relay` and `gnomond --relay` as commands."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from gnomon.cli import main as gnomon
from gnomon_pi.cli.daemon import main as gnomond

PROGRAM = Path(sys.executable).with_name("gnomon")


def test_a_relay_says_where_it_listens_and_ends_when_it_is_told_to() -> None:
    command: list[str | Path] = [PROGRAM, "relay", "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as relay:
        assert relay.stdout is not None
        said = relay.stdout.readline()
        relay.send_signal(signal.SIGTERM)
        assert relay.wait(30) == -signal.SIGTERM
    assert re.fullmatch(r"The relay listens at mqtt://127\.0\.0\.1:[0-9]+; boards reach it with .*\n", said)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--tls-key", "key.pem"], "--tls-key needs --tls-certificate."),
        (["--tls-certificate", "none.pem"], "none.pem is no certificate with its key"),
        (["--websocket", "127.0.0.1:8885"], "'127.0.0.1:8885' is no address for WebSocket; write ws://HOST:PORT"),
        (["--websocket", "ws://127.0.0.1"], "'ws://127.0.0.1' is no address for WebSocket"),
        (["--websocket", "ws://127.0.0.1:99999"], "'ws://127.0.0.1:99999' is no address for WebSocket"),
        (["--websocket", "ws://127.0.0.1:80/path"], "'ws://127.0.0.1:80/path' is no address for WebSocket"),
        (["--websocket", "wss://127.0.0.1:0"], "wss://127.0.0.1:0 needs --tls-certificate"),
        (["--port", "0", "--websocket", "ws://192.0.2.1:8885"], "cannot listen at port 8885"),
    ],
)
def test_a_relay_that_cannot_be_is_refused_with_one_sentence(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(gnomon, ["relay", *arguments])
    assert result.exit_code == 2
    assert said in result.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--relay-authority", "ca.pem"], "--relay-authority needs --relay."),
        (["--relay", "https://example.org"], "'https://example.org' is no relay"),
        (["--relay", "mqtt://host:99999"], "'mqtt://host:99999' is no relay"),
        (["--relay", "mqtts://host", "--relay-authority", "none.pem"], "'none.pem' is no relay"),
    ],
)
def test_a_relay_that_is_none_is_refused_with_one_sentence(arguments: list[str], said: str, tmp_path: Path) -> None:
    journal = ["--board", "table", "--simulated", "--no-page", "--journal", str(tmp_path / "journal")]
    result = CliRunner().invoke(gnomond, [*journal, *arguments])
    assert result.exit_code in {1, 2}
    assert said in result.output
