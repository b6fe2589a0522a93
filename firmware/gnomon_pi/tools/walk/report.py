"""Format the summary of a walk, and save the corrected description with a backup of the old one."""

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from gnomon_pi.tools.walk.conclusions import Conclusion

_HEADS: Final = ("what", "is", "where to look")


def table(conclusion: Conclusion) -> Iterator[str]:
    """The lines of the summary."""
    unseen = f", {conclusion.unseen} not looked at" if conclusion.unseen else ""
    yield f"{conclusion.right} inputs and buttons answered{unseen}."
    if not conclusion.found:
        yield "Everything that was looked at is as it is described."
        return
    rows = [_HEADS, *((each.subject, each.kind, each.where) for each in conclusion.found)]
    wide = [max(len(row[column]) for row in rows) for column in range(2)]
    sentences = ["", *(each.sentence for each in conclusion.found)]
    for row, sentence in zip(rows, sentences, strict=True):
        yield f"  {row[0]:<{wide[0]}}  {row[1]:<{wide[1]}}  {row[2]}".rstrip()
        if sentence:
            yield f"  {'':<{wide[0]}}  {sentence}"


def keep(path: Path, text: str) -> Path | None:
    """Write a description whole or not at all; what stood there goes beside it, under the name that is given back.

    Raises OSError.
    """
    kept = None
    if path.exists():
        kept = next(name for name in _backups(path) if not name.exists())
        kept.write_bytes(path.read_bytes())
    with NamedTemporaryFile("w", encoding="utf-8", newline="", dir=path.parent, delete=False) as file:
        try:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            if path.exists():
                Path(file.name).chmod(path.stat().st_mode & 0o777)
            else:
                Path(file.name).chmod(0o644)  # who may read a description is no secret
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise
    return kept


def _backups(path: Path) -> Iterator[Path]:
    """Names beside a file for what stood in it."""
    yield path.with_name(f"{path.name}.bak")
    number = 2
    while True:
        yield path.with_name(f"{path.name}.bak{number}")
        number += 1
