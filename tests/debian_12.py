"""What the Python of Debian 12, which is that of Raspberry Pi OS, does in another way than later ones."""

from typing import Any


def abort_as_of_debian_12(transport: Any) -> None:  # noqa: ANN401 - a private class of asyncio
    """As asyncio has it in Python 3.11.2: later ones look whether a second closing has left nothing to abort."""
    transport._closed = True
    transport._ssl_protocol._abort()
