"""Send state to systemd's notification socket, for services of Type=notify."""

import socket


def notify(address: str | None, state: str) -> bool:
    """Send a state such as "READY=1" to the socket at `address` and say whether it went out.

    The address is a path, or begins with @ for the abstract name space; None or empty when no one listens. A
    manager that does not listen is no reason to stop the clocks: failure is an answer, not an error.
    """
    if not address:
        return False
    if address.startswith("@"):
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK) as out:
            out.sendto(state.encode(), address)
    except OSError:
        return False
    return True
