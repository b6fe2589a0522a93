"""Who is forgotten while a game is on the board: the pages show a pseudonym, and the daemon keeps the name."""

import asyncio
from pathlib import Path

from gnomon.records.journal.people_file import NAME, PeopleFile
from gnomon.referee.game import Game
from gnomon.referee.people import Person
from gnomon.referee.setup import GameSetup
from gnomon.views.summary import summary
from gnomon.words import ENGLISH
from gnomon_pi.pages.live_board import LoopBridge, PageBoard
from gnomon_pi.runtime.service import Orders
from tests.bench._live_daemon import live

NAMES = {"red": "Ada", "black": "Bo"}


def names(game: Game | None) -> list[str]:
    assert game is not None
    return [person.name for person in game.people]


def test_a_forgotten_name_leaves_the_page_of_the_board_at_once(tmp_path: Path) -> None:
    async def look() -> None:
        hidden = PeopleFile(tmp_path / NAME)
        async with live(Orders(GameSetup(settings={"level": 1}, players=NAMES))) as daemon:
            board = await PageBoard.of(daemon.service.controller, LoopBridge(asyncio.get_running_loop()), hidden)
            await asyncio.sleep(0)
            whole = board.game()
            assert names(whole) == ["Ada", "Bo"]
            hidden.change(lambda register: register.forget("Bo"))
            masked = board.game()
            assert names(masked) == ["Ada", "N. N. 1"]
            assert board.game() is masked  # what asks whether something has changed finds that nothing has
            assert "Bo" not in str(summary(board.game(), board.now(), board.notices(), ENGLISH))
            held = daemon.service.controller.game()
            assert held is not None
            assert Person("black", "Bo") in held.people
            hidden.change(lambda register: register.recall("Bo"))
            assert board.game() is whole
            (tmp_path / f"{NAME}.copy").unlink()
            (tmp_path / NAME).write_text("no register", "utf-8")
            assert names(board.game()) == []  # whose names are hidden nobody knows

    asyncio.run(look())
