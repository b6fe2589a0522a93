"""Encode addresses as QR codes, as modules for the display and as SVG for pages.

No other module imports segno.
"""

from typing import Final

QUIET: Final = 4
"""Modules of light around a code (ISO/IEC 18004)."""

Modules = tuple[tuple[bool, ...], ...]
"""Rows of modules, True where it is dark, without the light around them."""


def code(address: str) -> Modules:
    """The code of a page's address, the smallest there is.

    Scheme and host may be written in capitals (RFC 3986, 6.2.2.1), for which a code has a shorter alphabet; so
    they are when nothing else is in the address.
    """
    import segno  # noqa: PLC0415 - it brings gzip, urllib and xml with it, and a board may never need a code

    host = address.rstrip("/")
    text = host.upper() if host.count("/") == len("//") else address
    return tuple(tuple(bool(module) for module in row) for row in segno.make_qr(text, error="l").matrix)


def svg(modules: Modules) -> str:
    """The code as a picture, dark on light whatever the page looks like."""
    size = len(modules) + 2 * QUIET
    path = "".join(
        f"M{left + QUIET} {top + QUIET}h1v1h-1z"
        for top, row in enumerate(modules)
        for left, is_dark in enumerate(row)
        if is_dark
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/><path fill="#000" d="{path}"/></svg>\n'
    )
