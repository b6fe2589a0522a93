"""The daemon writes into its folder of state and nowhere else: it runs where everything else can only be read.

The kernel holds it to that: in a name space of its own every mount is made read-only but the one of the folder.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CI

# /proc cannot be bound over itself and is not written to; the last mount is the folder that may be written.
READ_ONLY = """
set -e
mount --bind "$1" "$1"
cut -d ' ' -f 5 /proc/self/mountinfo | sort -u | while read -r point; do
    case $(printf '%b' "$point") in "$1" | /proc | /proc/*) continue ;; esac
    mount -o remount,bind,ro "$(printf '%b' "$point")" 2>/dev/null || true
done
if touch "$2" 2>/dev/null; then echo "not read-only: $2" >&2; exit 9; fi
cd /
shift 2
exec "$@"
"""
TALK = """
import os, signal, sys, threading
from gnomon_pi.cli.daemon import main
sys.dont_write_bytecode = True
read, write = os.pipe()
said = os.dup(1)
os.dup2(write, 1)
def stop():
    os.write(said, os.read(read, 1000))
    os.kill(os.getpid(), signal.SIGTERM)
threading.Thread(target=stop, daemon=True).start()
main(["--simulated", "--port=0", "--level=1", "--durable", f"--journal={sys.argv[1]}"])
"""


def test_it_runs_where_nothing_but_its_state_can_be_written(tmp_path: Path) -> None:
    apart = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]
    if subprocess.run([*apart, "true"], capture_output=True, check=False).returncode != 0:
        message = "this system lets nobody set mounts apart (unshare --mount)"
        pytest.fail(message) if os.environ.get(CI) == "true" else pytest.skip(message)
    state, elsewhere = tmp_path / "state", tmp_path / "elsewhere"
    state.mkdir()
    ran = subprocess.run(
        [*apart, "sh", "-c", READ_ONLY, "sh", state, elsewhere, sys.executable, "-c", TALK, state / "tamsk.journal"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("TAMSK is ready on a simulated board: http://127.0.0.1:")
    assert (state / "tamsk.journal").stat().st_size > 0
