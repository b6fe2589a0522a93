"""Stand before a broker as a web server that speaks MQTT over WebSocket (RFC 6455), as a proxy does."""

import asyncio
import base64
import hashlib
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

HOST = "127.0.0.1"
_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_BINARY = 2
_CLOSE = 8


@asynccontextmanager
async def web_front(broker: int, tls: ssl.SSLContext | None = None) -> AsyncIterator[tuple[int, list[str]]]:
    """A front before the broker at a port: its own port, and the paths that were asked for."""
    paths: list[str] = []
    passing: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        passing.add(task)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("ascii")
        paths.append(head.split()[1])
        fields = dict(line.split(": ", 1) for line in head.splitlines()[1:] if line)
        assert fields["Sec-Websocket-Protocol"] == "mqtt"
        accept = base64.b64encode(hashlib.sha1(f"{fields['Sec-WebSocket-Key']}{_GUID}".encode()).digest()).decode()  # noqa: S324 - as the RFC has it
        writer.write(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Accept: {accept}\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n".encode()
        )
        from_broker, to_broker = await asyncio.open_connection(HOST, broker)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(_unwrap(reader, to_broker))
                group.create_task(_wrap(from_broker, writer))
        finally:
            to_broker.close()
            writer.close()

    server = await asyncio.start_server(serve, HOST, 0, ssl=tls)
    yield server.sockets[0].getsockname()[1], paths
    server.close()
    for task in passing:
        task.cancel()
    await asyncio.gather(*passing, return_exceptions=True)


async def _unwrap(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while True:
        first, second = await reader.readexactly(2)
        size = second & 0x7F
        if size == 126:
            size = int.from_bytes(await reader.readexactly(2), "big")
        key = await reader.readexactly(4)
        body = await reader.readexactly(size)
        if first & 0x0F == _CLOSE:
            raise ConnectionResetError
        writer.write(bytes(byte ^ key[number % 4] for number, byte in enumerate(body)))


async def _wrap(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while body := await reader.read(60_000):
        size = bytes([len(body)]) if len(body) < 126 else bytes([126]) + len(body).to_bytes(2, "big")
        writer.write(bytes([0x80 | _BINARY]) + size + body)
    raise ConnectionResetError
