"""Define the command-line options of the pages: address, TLS, proxies, roles and spectator delay."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import wraps
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from gnomon.cli import localized
from gnomon.cli.words import command_words, say
from gnomon.refusals import Refusal, statement

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
    localized.option("--host", default="127.0.0.1", show_default=True, help="option.host"),
    localized.option(
        "--port",
        type=click.IntRange(0, 65535),
        default=PORT,
        show_default=True,
        help="option.port",
    ),
    localized.option("--page/--no-page", default=True, show_default=True, help="option.gnomond.page.page"),
    localized.option("--tls-certificate", type=click.Path(path_type=Path), help="option.gnomond.page.tls_certificate"),
    localized.option("--tls-key", type=click.Path(path_type=Path), help="option.tls_key"),
    localized.option("--behind-proxy", multiple=True, metavar="ADDRESS", help="option.behind_proxy"),
    localized.option("--known-as", multiple=True, metavar="NAME", help="option.known_as"),
    localized.option(
        "--open-to",
        type=click.Choice(["spectator", "player", "arbiter"]),
        help="option.gnomond.page.open_to",
    ),
    localized.option(
        "--spectator-delay",
        type=click.FloatRange(0, LONGEST_DELAY),
        default=0,
        metavar="SECONDS",
        help="option.gnomond.page.spectator_delay",
    ),
    localized.option(
        "--puzzles/--no-puzzles",
        default=True,
        show_default=True,
        help="option.gnomond.page.puzzles",
    ),
    localized.option(
        "--tournament",
        is_flag=True,
        help="option.gnomond.page.tournament",
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
            raise localized.WrongUsageError(statement("usage.needs", option="--tls-key", other="--tls-certificate"))
        if isnan(spectator_delay):  # which is neither below a limit nor above
            raise click.BadParameter(say(statement("usage.no_number", value="'nan'")), param_hint="'--spectator-delay'")
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
