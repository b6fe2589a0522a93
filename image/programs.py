"""Run the programs that an image is made with, and say what is being done."""

import hashlib
import subprocess
from pathlib import Path


def digest(file: Path) -> str:
    """The hash of a file."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def run(*words: str) -> None:
    """Run a program. Raises CalledProcessError."""
    subprocess.run(words, check=True, stdin=subprocess.DEVNULL)


def say(what: str) -> None:
    """Say what is being done."""
    print(f"… {what}", flush=True)
