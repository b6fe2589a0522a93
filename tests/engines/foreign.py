"""Provide engines of others: a good one in C, and small ones in sh that do something wrong."""

import sys
from pathlib import Path

from gnomon.engines.plugins import EnginePlugin

TABIK_IN_C = Path(__file__).parent / "tabik.c"
LOOP = """#!/bin/sh
echo start >> "$0.log"
while read -r word rest; do
  case $word in
    ugi) echo id name Bad; echo 'option name size type spin default 8 min 2 max 19'; echo ugiok;;
    isready) echo readyok;;
    go) {go};;
    stop) {stop};;
    quit) exit;;
  esac
done
"""
HANGING = "while :; do sleep 1; done"
SILENT = ":"
LYING = "echo bestmove a1c3"
WITHOUT_A_MOVE = "echo bestmove"
DYING = "echo no table found >&2; exit 3"
LEAVING = "sleep 600 & exit 4"
KILLED = "kill -SEGV $$"
TALKING = "yes info depth 1"
WITHOUT_LINES = "head -c 200000 /dev/zero | tr '\\0' x"
CLOSING = "exec >&-; sleep 5"
HUNGRY = f"exec {sys.executable} -c 'bytearray(1 << 30); print(\"bestmove a1b1\")'"


def bad_engine(folder: Path, go: str, stop: str = ":", memory: int = 512) -> EnginePlugin:
    """An engine that does so when it is to think, or when it is told to stop."""
    program = folder / "bad"
    program.write_text(LOOP.format(go=go, stop=stop), "utf-8")
    program.chmod(0o755)
    return EnginePlugin("bad", (str(program),), ("tabik",), memory=memory)


def starts(folder: Path) -> int:
    """How often it was started."""
    return len((folder / "bad.log").read_text("utf-8").splitlines())
