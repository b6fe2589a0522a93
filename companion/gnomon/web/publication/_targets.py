"""Copy a site to where it is served: another machine by rsync, or an object store.

Neither changes many files at once. So what pages need comes before the pages, and what is gone goes after them: no
link ever leads nowhere, and each file is whole at every moment.
"""

import json
import subprocess
from collections.abc import Mapping
from hashlib import blake2b
from mimetypes import guess_type
from typing import TYPE_CHECKING, Any, Final

from gnomon.refusals import statement
from gnomon.web.publication._folder import Site
from gnomon.web.publication._page_client import PublicationError
from gnomon.web.publication._page_set import mark_of
from gnomon.whole_files import READABLE, write_whole

if TYPE_CHECKING:
    from pathlib import Path

STORES: Final = ("s3://", "gs://", "az://")
"""Addresses of object stores; everything else is rsync's."""
_RSYNC: Final = (
    "rsync",
    "--recursive",
    "--times",
    "--omit-dir-times",
    "--copy-links",
    "--delay-updates",
    "--modify-window=-1",
    "--timeout=60",
)
"""A file may change twice in a second without another length: times are compared to the nanosecond.

Those of folders are left alone: a user who may write to a folder may not always set its time.
"""
_PATIENCE: Final = 600.0
"""Seconds for one run of rsync; `--timeout` ends one in which nothing moves."""
_LINE: Final = 200
_OFTEN: Final = 50  # objects that are sent before it is noted that they are there
_UNSURE: Final = ""  # instead of the mark of an object's content
_PAGES: Final = "text/html; charset=utf-8"
_KEEP: Final = "public, max-age=300"
_ASK: Final = "no-cache"
"""Pages and data change: a browser asks whether they have, and is told in a few bytes that they have not."""


def copy_site(site: Site, target: str) -> None:
    """Copy what a site shows now. Raises PublicationError; what was copied stays, and the next time does the rest."""
    if target.startswith(STORES):
        _Store(site, target).copy()
    else:
        _rsync(site, target)


def _rsync(site: Site, target: str) -> None:
    source = f"{site.folder}/"
    to = target if target.endswith("/") else f"{target}/"
    for step in (("--exclude=*.html",), ("--delete-after",)):
        try:
            done = subprocess.run(  # noqa: S603 - no shell, and no target is taken for an option
                [*_RSYNC, *step, "--", source, to],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_PATIENCE,
                check=False,
            )
        except FileNotFoundError as error:
            raise PublicationError(statement("publication.failed.no_rsync")) from error
        except subprocess.TimeoutExpired as error:
            raise PublicationError(
                statement("publication.failed.target", target=target, text=f"{_PATIENCE:g} s")
            ) from error
        if done.returncode:
            said = (done.stderr.strip().splitlines() or [str(done.returncode)])[0]
            raise PublicationError(statement("publication.failed.target", target=target, text=said[:_LINE]))


class _Store:
    """A site in an object store, and what is known to be there."""

    def __init__(self, site: Site, target: str) -> None:
        self._site = site
        self._target = target

    def copy(self) -> None:
        try:
            import obstore  # noqa: PLC0415 - it is of the extra `publish`
            from obstore.exceptions import BaseError  # noqa: PLC0415 - as above
            from obstore.store import from_url  # noqa: PLC0415 - as above
        except ImportError as error:
            raise PublicationError(statement("publication.failed.obstore")) from error
        there = self._there()
        files = self._site.files()
        now = {name: mark_of(file.read_bytes()) for name, file in files.items()}
        changed = sorted(
            (name for name, mark in now.items() if there.get(name) != mark),
            key=lambda name: (name.endswith(".html"), name),
        )
        gone = sorted(there.keys() - now.keys())
        try:
            store: Any = from_url(self._target)
            for count, name in enumerate(changed):
                if count % _OFTEN == 0:
                    # A program that is killed knows the next time what may be there.
                    self._note(there | dict.fromkeys(changed[count : count + _OFTEN], _UNSURE))
                obstore.put(store, name, files[name].read_bytes(), attributes=_attributes(name))
                there[name] = now[name]
            for name in gone:
                obstore.delete(store, name)
                del there[name]
        except (BaseError, OSError, ValueError) as error:
            said = " ".join(str(error).split())[:_LINE]
            raise PublicationError(statement("publication.failed.target", target=self._target, text=said)) from error
        finally:
            if changed or gone:
                self._note(there)

    def _note(self, there: Mapping[str, str]) -> None:
        write_whole(self._manifest, json.dumps(there, separators=(",", ":")), READABLE)

    @property
    def _manifest(self) -> "Path":
        name = blake2b(self._target.encode(), digest_size=8).hexdigest()
        return self._site.sets / f"copied-{name}.json"

    def _there(self) -> dict[str, str]:
        try:
            told: dict[str, str] = json.loads(self._manifest.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return told


def _attributes(name: str) -> dict[str, str]:
    kind = guess_type(name)[0] or "application/octet-stream"
    if kind == "text/html":
        return {"Content-Type": _PAGES, "Cache-Control": _ASK}
    return {"Content-Type": kind, "Cache-Control": _ASK if kind == "application/json" else _KEEP}
