"""Copies of a site whose publisher is killed: every file is whole, and the next publisher does the rest."""

import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

from gnomon.web.publication import Publication, publish
from gnomon.web.publication._targets import _OFTEN
from tests.conftest import FindProgram
from tests.ports import held_port, port_of
from tests.web_director.houses import DirectorHouse
from tests.web_publication.object_store import object_store
from tests.web_publication.sites import contents

GNOMON: Final = Path(sys.executable).with_name("gnomon")
PATIENCE: Final = 60.0  # seconds; a bound for a machine in trouble, never waited for
LOCAL: Final = "127.0.0.1"


def publisher(house: DirectorHouse, site: Path, target: str) -> subprocess.Popen[bytes]:
    """A process that publishes a hall in three languages to a folder, and copies that."""
    languages = [part for code in ("en", "de", "fr") for part in ("--in", code)]
    return subprocess.Popen(
        [GNOMON, "publish", site, "--from", house.where, "--to", target, *languages],
        start_new_session=True,
    )


def test_an_object_store_gets_the_rest_from_the_next_publisher(
    house: DirectorHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.tournament("large", 40)
    house.publish("large")
    site, store, sent = tmp_path / "site", "s3://club/open", _OFTEN + 20
    with object_store("club") as bucket:
        for name, value in {
            "AWS_ENDPOINT_URL": bucket.address,
            "AWS_ALLOW_HTTP": "true",
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_REGION": "eu-central-1",
        }.items():
            monkeypatch.setenv(name, value)
        bucket.stops_after = sent
        with publisher(house, site, store) as process:
            assert bucket.stuck.wait(PATIENCE)
            process.kill()
        whole = contents(site)
        stored = {key.removeprefix("open/"): body for key, body in bucket.objects.items()}
        assert len(stored) == sent < len(whole)
        assert all(whole[name] == body for name, body in stored.items())
        noted = {key for _, key in bucket.asked[:_OFTEN]}
        bucket.stops_after = None
        bucket.asked.clear()
        publish(Publication(str(house.where), site, ("en",), (store,)))
        left = contents(site)
        assert {key.removeprefix("open/"): body for key, body in bucket.objects.items()} == left
        assert left.keys() < whole.keys(), "pages of other languages have gone, also those that were sent last"
        unchanged = {key for name in left if left[name] == whole[name] and (key := f"open/{name}") in noted}
        assert unchanged
        assert not unchanged & {key for what, key in bucket.asked if what == "PUT"}


@contextmanager
def rsync_server(folder: Path, config: Path) -> Iterator[int]:
    """The port of a server of rsync whose module `site` is a folder."""
    held = held_port()
    port = port_of(held)
    folder.mkdir()
    account = f"uid = {os.getuid()}\ngid = {os.getgid()}\n" if os.getuid() == 0 else ""  # root's would be nobody
    config.write_text(
        f"{account}port = {port}\naddress = {LOCAL}\nuse chroot = no\nlock file = {config}.lock\n"
        f"[site]\npath = {folder}\nread only = no\n"
    )
    command = ["rsync", "--daemon", "--no-detach", f"--config={config}"]
    with held, subprocess.Popen(command, stdin=subprocess.DEVNULL) as server:
        try:
            for _ in range(round(PATIENCE / 0.05)):
                with suppress(OSError), socket.create_connection((LOCAL, port)):
                    break
                threading.Event().wait(0.05)
            yield port
        finally:
            server.terminate()


class SlowLine:
    """A line to a port that carries so many bytes there, and then nothing more."""

    def __init__(self, port: int, most: int) -> None:
        self._to, self._most = port, most
        self._listening = socket.create_server((LOCAL, 0))
        self.port: int = self._listening.getsockname()[1]
        self.is_stuck, self.is_cut = threading.Event(), threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            near, _ = self._listening.accept()
            far = socket.create_connection((LOCAL, self._to))
            threading.Thread(target=self._carry, args=(near, far, self._most), daemon=True).start()
            threading.Thread(target=self._carry, args=(far, near, None), daemon=True).start()

    def _carry(self, here: socket.socket, there: socket.socket, most: int | None) -> None:
        carried = 0
        with suppress(OSError), here, there:
            while some := here.recv(4096):
                carried += len(some)
                if most is not None and carried > most:
                    self.is_stuck.set()
                    self.is_cut.wait()
                    return
                there.sendall(some)


@pytest.mark.parametrize("carried", [60_000, 250_000])
def test_a_server_of_rsync_shows_the_site_as_it_was_until_the_next_is_there(
    house: DirectorHouse, tmp_path: Path, find_program: FindProgram, carried: int
) -> None:
    find_program("rsync", package="rsync")
    served, site = tmp_path / "served", tmp_path / "site"
    with rsync_server(served, tmp_path / "rsyncd.conf") as port:
        line = SlowLine(port, carried)
        with publisher(house, site, f"rsync://{LOCAL}:{line.port}/site/") as process:
            assert line.is_stuck.wait(PATIENCE)
            process.kill()
        line.is_cut.set()
        whole = contents(site)
        # What rsync has not brought to an end has a name with a dot, which servers of the web do not show.
        there = {name: body for name, body in contents(served).items() if not re.search(r"(^|/)\.", name)}
        assert there.items() <= whole.items()
        assert not any(name.endswith(".html") for name in there), "pages come last"
        publish(Publication(str(house.where), site, ("en", "de", "fr"), (f"rsync://{LOCAL}:{port}/site/",)))
        assert contents(served) == contents(site)
