"""Provide the arbiter's desk of the tests: a daemon in virtual time behind the pages, and its journal."""

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gnomon.records.journal.entries import Record, StoredGame
from gnomon.referee.events import Correction, ResultDeclared, TurnEntered
from gnomon.referee.game import Game
from gnomon.referee.judgement import Temperament
from gnomon.referee.rulings import Ruling
from gnomon.referee.setup import GameSetup
from gnomon.refusals import Statement
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Instant
from gnomon.web.access import Role
from gnomon.web.live.interfaces import RefusedError
from gnomon_pi.runtime.runner import Receipt, RunnerError
from tests.virtual_daemon import Notebook, VirtualDaemon
from tests.web.visitors import Browser, Reception


class VirtualBoard:
    """A LiveBoard and an Archive over a daemon in virtual time."""

    def __init__(self, board: str = "tamsk") -> None:
        self.daemon = VirtualDaemon.of_new_board(board)
        self.buttons: Sequence[str] = ()
        self.wrong: tuple[str, ...] = ()

    @property
    def games(self) -> Sequence[str]:
        return self.daemon.host.games

    def now(self) -> Instant:
        return self.daemon.runner.now()

    def game(self) -> Game | None:
        return self.daemon.runner.shown

    def health(self) -> tuple[Statement, ...]:
        return tuple(map(Statement.plain, self.wrong))

    @property
    def replay(self) -> int:
        return 0 if self.game() is None else 12

    is_demonstrated = False

    def notices(self) -> tuple[Statement, ...]:
        return tuple(map(Statement.plain, self.wrong))

    async def changes(self) -> AsyncIterator[None]:
        yield

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.daemon.pass_to(Instant(self.daemon.watch.now() + round(seconds * SECOND)))

    async def correct(self, correction: Correction, after: int | None = None) -> tuple[Ruling, ...]:
        return self._handed(lambda: self.daemon.runner.correct(replace(correction, at=self.now()), after=after))

    async def enter(self, text: str, who: str, why: str = "", after: int | None = None) -> tuple[Ruling, ...]:
        return await self.correct(TurnEntered(self.now(), text, who, why), after)

    async def throw(self, after: int | None = None) -> tuple[Ruling, ...]:
        del after
        return self.daemon.throw().rulings

    async def new_game(self, setup: GameSetup, abandoned_by: str = "") -> None:
        if abandoned_by:
            await self.correct(ResultDeclared(self.now(), None, "abandoned", abandoned_by))
        self.begin(setup.settings, setup.game, setup.temperament)

    async def take_up(self, stored: StoredGame, records: Sequence[Record]) -> None:
        def bring() -> Receipt:
            recovered = self.daemon.runner.bring_back(stored, records)
            self.daemon.runner.resume(recovered)
            return Receipt(recovered.sequence)

        self._handed(bring)

    def begin(self, settings: Mapping[str, Any], game: str = "", temperament: str = Temperament.ASSISTANT) -> None:
        self.daemon.new_game(GameSetup(game, settings, temperament=temperament))
        self.wait(0.01)

    def _handed(self, give: Callable[[], Receipt]) -> tuple[Ruling, ...]:
        try:
            receipt = give()
        except RunnerError as error:
            raise RefusedError(error) from error
        self.daemon.pass_to(Instant(self.daemon.watch.now() + 10 * MILLISECOND))
        return receipt.rulings


class Notes:
    """The journal of that daemon as the pages read it."""

    def __init__(self, board: VirtualBoard) -> None:
        assert isinstance(board.daemon.store, Notebook)
        self.store = board.daemon.store

    def games(self) -> Sequence[StoredGame]:
        return self.store.games

    def last_game(self) -> StoredGame | None:
        return self.store.last_game()

    def endings(self, first: int = 1, last: int | None = None) -> Mapping[int, Mapping[str, object]]:
        """How games ended: the desk does not ask."""
        del first, last
        return {}

    def cut_off(self) -> Collection[int]:
        """Of which games the end was lost: the desk does not ask."""
        return ()

    def read(self, game: int) -> Sequence[Record]:
        return self.store.read(game)


class DeskHouse:
    """The arbiter Ann at the desk of a board."""

    def __init__(self, board: str = "tamsk") -> None:
        self.board = VirtualBoard(board)
        self.notes = Notes(self.board)
        self.reception = Reception(board=self.board, archive=self.notes)
        self.ann: Browser = self.reception.signed_in(Role.ARBITER, "Ann")
        self.csrf = self.ann.csrf()

    def page(self, path: str = "/desk") -> str:
        answer = self.ann.get(path)
        assert answer.status_code == 200, answer.text
        return answer.text

    def ask(self, do: str, **fields: str) -> dict[str, Any]:
        """What a correction would change, as the page's program is told it."""
        return self.send("/desk/ask", do=do, **fields)

    def do(self, do: str, **fields: str) -> dict[str, Any]:
        """Look, and make it."""
        return self.send("/desk/do", do=do, seen=self.ask(do, **fields).get("seen", ""), **fields)

    def send(self, path: str, **fields: str) -> dict[str, Any]:
        """What comes back when the page's program sends something."""
        headers = {"accept": "application/json", "origin": self.ann.address}
        said: dict[str, Any] = self.ann.ask("POST", path, headers=headers, data={"csrf": self.csrf, **fields}).json()
        return said
