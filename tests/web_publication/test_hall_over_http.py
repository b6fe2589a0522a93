"""Publishing from a hall at an address: as one spectator, who waits when the hall has much to do."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from gnomon.web.publication import Publication, PublicationError, keep_published, publish
from tests.web_director.houses import DirectorHouse
from tests.web_director.serving import served
from tests.web_publication.sites import contents, dead_links


@contextmanager
def answering(*answers: tuple[int, dict[str, str], bytes]) -> Iterator[tuple[str, list[str]]]:
    """A server that gives these answers in turn, the last one again and again; and what it was asked."""
    asked: list[str] = []
    waiting = list(answers)

    class _Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            status, headers, body = waiting.pop(0) if len(waiting) > 1 else waiting[0]
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", asked
    finally:
        server.shutdown()
        server.server_close()


LATER = (200, {"Content-Type": "text/html; charset=utf-8"}, b"<!doctype html><title>Something</title>")
PAGE = (200, {"Content-Type": "text/html; charset=utf-8"}, b"<!doctype html><title>Nothing yet</title>")


def test_a_running_hall_gives_the_site_that_its_data_give(house: DirectorHouse, tmp_path: Path) -> None:
    with served(house) as hall:
        publish(Publication(hall.site, tmp_path / "site", ("en", "de")))
        again = publish(Publication(hall.site, tmp_path / "site", ("en", "de")))
    publish(Publication(str(house.where), tmp_path / "other", ("en", "de")))
    assert contents(tmp_path / "site") == contents(tmp_path / "other")
    assert dead_links(tmp_path / "site") == []
    assert again.changed == 0


def test_a_hall_that_has_too_much_to_do_is_asked_again_later(tmp_path: Path) -> None:
    with answering((429, {"Retry-After": "0"}, b""), (503, {"Retry-After": "0"}, b""), PAGE) as (address, asked):
        publish(Publication(address, tmp_path / "site"))
    assert asked == ["/tournaments"] * 3
    assert "Nothing yet" in (tmp_path / "site/index.html").read_text(encoding="utf-8")


def test_a_hall_that_has_too_much_to_do_for_ever_is_reported(tmp_path: Path) -> None:
    with answering((429, {"Retry-After": "0"}, b"")) as (address, asked):
        with pytest.raises(PublicationError, match=r"/tournaments cannot be published \(HTTP 429\)"):
            publish(Publication(address, tmp_path / "site"))
        assert len(asked) == 5


def test_a_hall_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PublicationError, match=r"the hall at http://127.0.0.1:9/ does not answer"):
        publish(Publication("http://127.0.0.1:9/", tmp_path / "site"))
    assert not (tmp_path / "site").exists()


def test_a_hall_that_goes_away_and_comes_back_is_reported_once(tmp_path: Path) -> None:
    told: list[object] = []
    site = tmp_path / "site"

    class _EnoughError(Exception):
        pass

    with answering(PAGE, (404, {}, b""), (404, {}, b""), LATER) as (address, asked):

        def report(what: object) -> None:
            told.append(what)
            if len(told) == 3:
                raise _EnoughError

        with pytest.raises(_EnoughError):
            keep_published(Publication(address, site), 0.01, report)
        assert len(asked) == 4
    assert isinstance(told[1], PublicationError)
    assert "Something" in (site / "index.html").read_text(encoding="utf-8")
