"""Serve an object store over HTTP, as much of Amazon's S3 as is needed to put, get and delete objects."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit


@dataclass
class Bucket:
    """What was put, by key, with its headers; what was asked in order; `fails` says which keys are refused.

    After `stops_after` requests it answers none until it is `released`, and is `stuck`.
    """

    address: str = ""
    objects: dict[str, bytes] = field(default_factory=dict)
    headers: dict[str, dict[str, str]] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    fails: set[str] = field(default_factory=set)
    stops_after: int | None = None
    stuck: threading.Event = field(default_factory=threading.Event)
    released: threading.Event = field(default_factory=threading.Event)

    def wait(self) -> None:
        """Answer at once, or once it is released."""
        if self.stops_after is not None and len(self.asked) > self.stops_after:
            self.stuck.set()
            self.released.wait()


@contextmanager
def object_store(name: str) -> Iterator[Bucket]:
    """A store with one bucket, until the block ends."""
    bucket = Bucket()

    class _Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_PUT(self) -> None:
            key = self._key("PUT")
            body = self.rfile.read(int(self.headers["Content-Length"]))
            bucket.wait()
            if key in bucket.fails:
                self._answer(403)
                return
            bucket.objects[key] = body
            bucket.headers[key] = {name.lower(): value for name, value in self.headers.items()}
            self._answer(200, ETag='"1"')

        def do_DELETE(self) -> None:
            bucket.objects.pop(self._key("DELETE"), None)
            self._answer(204)

        def do_POST(self) -> None:
            """Delete several, as obstore does."""
            text = self.rfile.read(int(self.headers["Content-Length"])).decode()
            told = []
            for part in text.split("<Key>")[1:]:
                key = unquote(part.partition("</Key>")[0])
                bucket.asked.append(("DELETE", key))
                bucket.objects.pop(key, None)
                told.append(f"<Deleted><Key>{key}</Key></Deleted>")
            self._answer(200, f'<?xml version="1.0"?><DeleteResult>{"".join(told)}</DeleteResult>'.encode())

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

        def _key(self, what: str) -> str:
            key = unquote(urlsplit(self.path).path).removeprefix(f"/{name}/")
            bucket.asked.append((what, key))
            return key

        def _answer(self, status: int, body: bytes = b"", **headers: str) -> None:
            self.send_response(status)
            for header, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(header, value)
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    bucket.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield bucket
    finally:
        bucket.released.set()
        server.shutdown()
        server.server_close()
