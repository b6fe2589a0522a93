"""Open the access database for the pages, and show pairing codes on the board's display."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from gnomon.timekeeping.instants import SECOND
from gnomon.views.display import pairing_code
from gnomon.web.access import Role
from gnomon.web.access.authenticator import AccessTerms, Authenticator
from gnomon.web.access.codes import LIFETIME, Code
from gnomon.web.access.store import AccountStore
from gnomon.web.server.listener import is_own
from gnomon.words import ENGLISH, Words
from gnomon_pi.runtime.outputs import Poster
from gnomon_pi.runtime.system.clock import Watch

FILE: Final = "people.sqlite"
"""In the folder of state."""


class Notices:
    """Tells pairing codes on the board's display, and in the terminal where that is needed. Any thread may `show`."""

    def __init__(
        self, put_up: Callable[[Poster | None], None] | None, say: Callable[[str], None], words: Words = ENGLISH
    ) -> None:
        """`say` writes a line for people, in the words of a language. To be made in the daemon's loop.

        `put_up` shows a poster on a display that only those at the board can read. It is None without one, and on a
        simulated board: the pages send the pixels of that display to everybody who looks on.
        """
        self._put_up = put_up
        self._say = say
        self._words = words
        self._loop = asyncio.get_running_loop()
        self._end: asyncio.TimerHandle | None = None

    def show(self, code: Code | None) -> None:
        """Show a code until it is not valid any more."""
        self._loop.call_soon_threadsafe(self._show, code)

    def _show(self, code: Code | None) -> None:
        if self._end is not None:
            self._end.cancel()
            self._end = None
        if code is not None:
            self._tell(code)
            self._end = self._loop.call_later(LIFETIME / SECOND, self._show, None)
        elif self._put_up is not None:
            self._put_up(None)

    def _tell(self, code: Code) -> None:
        for_admin = code.role is Role.ADMIN
        if self._put_up is not None:
            picture = pairing_code.picture(code.readable, self._words, for_admin=for_admin)
            self._put_up(Poster(picture, pairing_code.notice(code.readable, self._words)))
        if for_admin or self._put_up is None:
            key = "pairing.code.admin" if for_admin else "pairing.code.player"
            self._say(self._words(key, code=code.readable))


@contextmanager
def open_authenticator(state: Path, watch: Watch, terms: AccessTerms) -> Iterator[Authenticator]:
    """The door of the pages, with the people in a folder of state. Raises StoreError."""
    store = AccountStore.open(state / FILE)
    try:
        with closing(Authenticator(store, watch, terms)) as door:
            yield door
    finally:
        store.close()


def open_to(wished: str, host: str, *, is_simulated: bool, is_behind_proxy: bool) -> Role:
    """What those may who have not signed in: what is wished, or else look on.

    On a board in software that only this machine reaches, everybody is an arbiter: people there have its bench, too.
    """
    if wished:
        return Role(wished)
    return Role.ARBITER if is_simulated and not is_behind_proxy and is_own(host) else Role.SPECTATOR
