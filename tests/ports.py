"""Hold free ports for servers that start later, or more than once."""

import socket


def held_port(host: str = "127.0.0.1") -> socket.socket:
    """A socket that keeps a free port of an address for a server, however often that starts; close it at the end.

    It does not listen, so a server that sets SO_REUSEADDR, as nearly all do, may listen at the port. The kernel gives
    the port to nobody else who asks for any free one.
    """
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind((host, 0))
    return held


def port_of(held: socket.socket) -> int:
    """The number of the port of a socket."""
    return int(held.getsockname()[1])
