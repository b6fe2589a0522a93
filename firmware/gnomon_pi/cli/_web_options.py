"""Define the command-line options of the pages: address, TLS, proxies, roles and spectator delay."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import wraps
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from gnomon.cli.words import command_words
from gnomon.refusals import Refusal

if TYPE_CHECKING:
    from gnomon.web.access import Authenticator
    from gnomon_pi.pages.server import PageServer
    from gnomon_pi.runtime.service import Service
    from gnomon_pi.runtime.system.clock import Watch

PORT: Final = 8765
LONGEST_DELAY: Final = 3600
"""Seconds by which spectators may see the board later."""


class PageError(Refusal):
    """The pages cannot be served."""


@dataclass(frozen=True, slots=True)
class PageOptions:
    """Where the pages are served and how they are reached.

    `proxies` are believed who asks; `names` are further names of this machine; `open_to` is the role of those who
    have not signed in, empty for what is usual; `delay` is by how many seconds spectators see the board later.
    `makes_puzzles`: of finished games, while nobody plays.
    """

    host: str
    port: int
    certificate: Path | None = None
    key: Path | None = None
    proxies: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    open_to: str = ""
    delay: float = 0.0
    makes_puzzles: bool = True


_OPTIONS: Final = (
    click.option("--host", default="127.0.0.1", show_default=True, help="The address at which the page is served."),
    click.option(
        "--port",
        type=click.IntRange(0, 65535),
        default=PORT,
        show_default=True,
        help="The port of the page; 0 takes any free one.",
    ),
    click.option("--page/--no-page", default=True, show_default=True, help="Serve the page."),
    click.option("--tls-certificate", type=click.Path(path_type=Path), help="Serve it over TLS with this chain (PEM)."),
    click.option("--tls-key", type=click.Path(path_type=Path), help="Its private key.  [default: in the same file]"),
    click.option("--behind-proxy", multiple=True, metavar="ADDRESS", help="A trusted proxy; may be repeated."),
    click.option("--known-as", multiple=True, metavar="NAME", help="Another name of this machine; may be repeated."),
    click.option(
        "--open-to",
        type=click.Choice(["spectator", "player", "arbiter"]),
        help="What people may do without signing in.  [default: spectator; arbiter on one's own simulated board]",
    ),
    click.option(
        "--spectator-delay",
        type=click.FloatRange(0, LONGEST_DELAY),
        default=0,
        metavar="SECONDS",
        help="Delay the board, its games and pictures for spectators, also in a hall.",
    ),
    click.option(
        "--puzzles/--no-puzzles",
        default=True,
        show_default=True,
        help="Make puzzles from finished games, while nobody plays.",
    ),
    click.option(
        "--tournament",
        is_flag=True,
        help="No help, engines or menu for players; only arbiters take back, enter results and abandon games.",
    ),
)


def front_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of the pages, handed over as `front`: PageOptions, or None for no page.

    Two are handed over besides, for they matter without a page too: `delay`, by how many seconds spectators see the
    board later, also where others show it, and `tournament`.
    """

    @wraps(command)
    def collect(  # noqa: PLR0913 - one for each option
        *arguments: Any,
        host: str,
        port: int,
        page: bool,
        tls_certificate: Path | None,
        tls_key: Path | None,
        behind_proxy: tuple[str, ...],
        known_as: tuple[str, ...],
        open_to: str | None,
        spectator_delay: float,
        puzzles: bool,
        tournament: bool,
        **others: Any,
    ) -> None:
        if tls_key is not None and tls_certificate is None:
            message = "--tls-key needs --tls-certificate."
            raise click.UsageError(message)
        if isnan(spectator_delay):  # which is neither below a limit nor above
            message = "Invalid value for '--spectator-delay': 'nan' is not a number of seconds."
            raise click.UsageError(message)
        front = PageOptions(
            host, port, tls_certificate, tls_key, behind_proxy, known_as, open_to or "", spectator_delay, puzzles
        )
        command(*arguments, front=front if page else None, delay=spectator_delay, tournament=tournament, **others)

    for option in reversed(_OPTIONS):
        collect = option(collect)
    return collect


@contextmanager
def page_of(front: PageOptions | None) -> Iterator["PageServer | None"]:
    """The page at its address, which is let go of at the end. Raises PageError."""
    if front is None:
        yield None
        return
    from gnomon.web.server.listener import PortError, Way
    from gnomon_pi.pages.server import PageServer, Room

    way = Way(front.certificate, front.key, front.proxies, front.names)
    try:
        page = PageServer(front.host, front.port, way, Room(delay=front.delay, makes_puzzles=front.makes_puzzles))
    except PortError as error:
        raise PageError(error) from error
    with closing(page):
        yield page


@contextmanager
def door_of(  # noqa: PLR0913 - what is served, and on what
    front: PageOptions | None,
    state: Path,
    service: "Service",
    watch: "Watch",
    say: Callable[[str], None],
    *,
    is_simulated: bool,
) -> Iterator["Authenticator | None"]:
    """Who may do what on the pages; codes are shown on the board, or said. Raises PageError."""
    if front is None:
        yield None
        return
    from gnomon.web.access.authenticator import AccessTerms
    from gnomon.web.access.store import AccountStoreError
    from gnomon_pi.pages import pairing_codes

    is_proxied = bool(front.proxies)
    role = pairing_codes.open_to(front.open_to, front.host, is_simulated=is_simulated, is_behind_proxy=is_proxied)
    notices = pairing_codes.Notices(
        service.put_up if service.has_display and not is_simulated else None, say, command_words()
    )
    try:
        terms = AccessTerms(role, notices.show, is_local=not front.open_to)
        with pairing_codes.open_authenticator(state, watch, terms) as door:
            yield door
    except AccountStoreError as error:
        raise PageError(error) from error
