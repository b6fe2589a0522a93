"""The running daemon with every other game, in real time: the desk, the simulated board, the reader and the hands."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.records.journal.writer import Journal
from gnomon.referee.evidence import NUDGE
from gnomon.referee.game import Game, Question
from gnomon.referee.judgement import Phase
from gnomon.referee.rulings import IllegalRuled, QuestionAsked, Ruling, TurnRuled
from gnomon.referee.setup import GameSetup
from gnomon.referee.table import TABLE_BUTTONS
from gnomon.timekeeping.instants import MILLISECOND, SECOND
from gnomon_pi import config
from gnomon_pi.runtime.controller import ControllerError
from gnomon_pi.runtime.live_game import Host
from gnomon_pi.runtime.service import Orders
from gnomon_pi.runtime.system.randomness import SeededChance
from tests.daemon.halves import live_game
from tests.daemon.test_service import SimulatedService, nothing, rulings_of, run

TABIK = Orders(GameSetup("tabik", {"size": 6}))
TAYU = Orders(GameSetup("tayu"))
PATIENCE = 30.0  # seconds; a bound for a machine in trouble, never waited for


async def next_of(ruled: "asyncio.Queue[Ruling]", kind: type[Ruling]) -> Ruling:
    """The next ruling of a kind."""
    while not isinstance(ruling := await asyncio.wait_for(ruled.get(), PATIENCE), kind):
        pass
    return ruling


def present(service: SimulatedService) -> Game:
    """The game that goes on, whether it has been shown already or not."""
    game = live_game(service.runner).game
    assert not isinstance(game, TamskGame)
    return game


def test_a_game_at_a_table_is_started_and_gone_on_with(tmp_path: Path) -> None:
    async def enter(service: SimulatedService) -> None:
        (ruling,) = await service.controller.enter("a1b1", "Ann", "by hand")
        assert isinstance(ruling, TurnRuled)

    async def look(service: SimulatedService) -> None:
        assert [ply.text for ply in present(service).plies] == ["a1b1"]
        assert service.health.sentences() == ()

    run(tmp_path, TABIK, enter, "table")
    run(tmp_path, Orders(GameSetup("tau")), look, "table")
    with Journal.open(tmp_path / "journal") as journal:
        (game,) = journal.games()
        events = [each.entry.body for each in journal.read(1) if "event" in each.entry.body]
    assert (game.start.game, game.start.board, game.start.settings) == ("tabik", "table", {"size": 6})
    assert [(event["text"], event["who"], event["why"]) for event in events] == [("a1b1", "Ann", "by hand")]


def test_an_illegal_turn_is_refused_with_the_rule_and_nonsense_with_a_sentence(tmp_path: Path) -> None:
    async def enter(service: SimulatedService) -> None:
        (ruling,) = await service.controller.enter("a1a3")
        assert isinstance(ruling, IllegalRuled)
        assert str(present(service).judgement.reason).startswith("rule")
        with pytest.raises(ControllerError, match="move"):
            await service.controller.enter("castle")
        with pytest.raises(ControllerError, match="Nothing is to be thrown or drawn now"):
            await service.controller.throw()

    run(tmp_path, TABIK, enter, "table")


def test_the_companion_throws_by_the_chance_that_it_was_given(tmp_path: Path) -> None:
    async def throw(service: SimulatedService) -> None:
        (ruling,) = await service.controller.throw()
        assert isinstance(ruling, TurnRuled)
        assert ruling.player == "nature"

    orders = Orders(GameSetup("twenty-squares"), chance=SeededChance(4))
    run(tmp_path, orders, throw, "table")
    with Journal.open(tmp_path / "journal") as journal:
        (event,) = [each.entry.body for each in journal.read(1) if "event" in each.entry.body]
    assert (event["who"], event["why"]) == ("companion", "thrown by chance of seed 4, ply 0")


def asked_of(service: SimulatedService) -> Question:
    """The question that waits for an answer."""
    game = service.controller.game()
    assert game is not None
    assert game.question is not None
    return game.question


def test_a_tile_is_read_laid_and_settled_with_the_buttons(tmp_path: Path) -> None:
    async def lay(service: SimulatedService) -> None:
        controller, ruled = service.controller, rulings_of(service)
        assert (service.remote.playground.tiles, controller.buttons, service.remote.playground.table) == (
            frozenset(),
            TABLE_BUTTONS,
            None,
        )
        service.remote.playground.board.read_code("013")
        drawn = await next_of(ruled, TurnRuled)
        assert isinstance(drawn, TurnRuled)
        assert drawn.text == "draw:013"
        service.remote.lay(("h9", "i9", "j9"))
        assert sorted(service.remote.playground.tiles or ()) == ["h9", "i9", "j9"]
        asked = await next_of(ruled, QuestionAsked)
        assert isinstance(asked, QuestionAsked)
        read = asked_of(service).shown + NUDGE  # before, a press answers nothing
        await asyncio.sleep(max(0, read - controller.now() + MILLISECOND) / SECOND)
        service.remote.press("button.enter")
        laid = await next_of(ruled, TurnRuled)
        service.remote.release("button.enter")
        assert isinstance(laid, TurnRuled)
        assert laid.text in asked.choices

    run(tmp_path, TAYU, lay, "tayu")


def test_a_code_may_be_typed_at_the_page(tmp_path: Path) -> None:
    async def read(service: SimulatedService) -> None:
        with pytest.raises(ControllerError, match="is on no tile"):
            await service.remote.read("999")
        (ruling,) = await service.remote.read("457")  # the half turn of 013
        assert isinstance(ruling, TurnRuled)
        assert ruling.text == "draw:013"

    run(tmp_path, TAYU, read, "tayu")


def test_what_no_hand_can_do_is_said_in_a_sentence(tmp_path: Path) -> None:
    async def ask(service: SimulatedService) -> None:
        service.remote.lay(("a1",))
        service.remote.press("button.next")
        refusals: tuple[tuple[Callable[[], None], str], ...] = (
            (lambda: service.remote.lay(("a1", "b1")), "A tile lies on a1 already."),
            (lambda: service.remote.lift(("b1",)), "No tile lies on b1."),
            (lambda: service.remote.press("button.red"), "There is no button 'button.red' on this board."),
            (lambda: service.remote.press("button.next"), "The button button.next is already down."),
            (lambda: service.remote.release("button.back"), "The button button.back is not down."),
        )
        for does, said in refusals:
            with pytest.raises(ControllerError) as refused:
                does()
            assert str(refused.value) == said
        service.remote.lift(("a1",))
        service.remote.release("button.next")
        assert service.remote.playground.tiles == frozenset()

    run(tmp_path, TAYU, ask, "tayu")


def test_games_at_a_table_are_played_beside_the_tamsk_board_too(tmp_path: Path) -> None:
    async def play_two(service: SimulatedService) -> None:
        controller = service.controller
        assert list(controller.games) == ["tamsk", "tabik", "tau", "tayu", "twenty-squares"]
        assert service.remote.playground.tiles is None
        await controller.new_game(GameSetup("tabik"))
        await controller.enter("a1b1")
        service.remote.press("button.arbiter")
        service.remote.release("button.arbiter")
        with pytest.raises(ControllerError, match="no squares that sense"):
            service.remote.lay(("a1",))
        await controller.new_game(GameSetup(settings={"level": 1}), abandoned_by="Ann")
        assert isinstance(controller.game(), Game)

    run(tmp_path, Orders(), play_two)


@pytest.mark.parametrize(
    ("board", "game", "said"),
    [
        ("table", "tamsk", "TAMSK is played on its own board"),
        ("table", "", "Say which game"),
        ("tayu", "go", "no game"),
    ],
)
def test_a_game_that_cannot_be_played_here_abandons_none(tmp_path: Path, board: str, game: str, said: str) -> None:
    async def ask(service: SimulatedService) -> None:
        with pytest.raises(ControllerError, match=said):
            await service.controller.new_game(GameSetup(game), abandoned_by="Ann")
        assert present(service).outcome is None

    run(tmp_path, TABIK, ask, board)


def test_a_new_game_of_tayu_clears_the_simulated_board(tmp_path: Path) -> None:
    async def again(service: SimulatedService) -> None:
        service.remote.lay(("a1", "b1", "c1"))
        await service.controller.new_game(GameSetup(), abandoned_by="Ann")
        assert service.remote.playground.tiles == frozenset()

    run(tmp_path, TAYU, again, "tayu")


# Hands that play by themselves


@pytest.mark.untraced
@pytest.mark.parametrize(
    ("board", "game"),
    [("table", "tabik"), ("table", "tau"), ("table", "twenty-squares"), ("tayu", "tayu"), ("tamsk", "tayu")],
)
def test_hands_play_by_themselves_and_go_on_with_a_game_that_was_brought_back(
    tmp_path: Path, board: str, game: str
) -> None:
    async def three_turns(service: SimulatedService) -> None:
        ruled = rulings_of(service)
        for _ in range(3):
            await next_of(ruled, TurnRuled)
        assert service.health.sentences() == ()

    for _ in range(2):
        run(tmp_path, Orders(GameSetup(game)), three_turns, board, play=1)
    with Journal.open(tmp_path / "journal") as journal:
        (stored,) = journal.games()
        rulings = [each.entry.body["ruling"] for each in journal.read(1) if "ruling" in each.entry.body]
    assert stored.start.game == game
    assert rulings.count("turn") >= 6
    assert "illegal" not in rulings
    assert "fault" not in rulings


def test_tiles_lie_where_they_lay_when_the_daemon_comes_back(tmp_path: Path) -> None:
    async def lay(service: SimulatedService) -> None:
        ruled = rulings_of(service)
        await service.remote.read("013")
        service.remote.lay(("h9", "i9", "j9"))
        await next_of(ruled, QuestionAsked)

    async def look(service: SimulatedService) -> None:
        assert sorted(service.remote.playground.tiles or ()) == ["h9", "i9", "j9"]
        assert present(service).judgement.phase is Phase.ASKING

    run(tmp_path, TAYU, lay, "tayu")
    run(tmp_path, Orders(), look, "tayu")


def test_hands_end_a_turn_that_somebody_else_began(tmp_path: Path) -> None:
    async def begin(service: SimulatedService) -> None:
        ruled = rulings_of(service)
        await service.remote.read("013")
        service.remote.lay(("h9", "i9"))  # a tile that has not come to lie
        await service.remote.let_it_play(3)
        for _ in range(2):
            await next_of(ruled, TurnRuled)
        assert service.remote.playground.tiles is not None
        service.remote.playground.stop_playing()

    run(tmp_path, TAYU, begin, "tayu")


def test_hands_enter_a_tile_whose_tag_the_description_does_not_name(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        ruled = rulings_of(service)
        await service.remote.let_it_play(4)
        drawn = await next_of(ruled, TurnRuled)
        assert isinstance(drawn, TurnRuled)
        assert drawn.text.startswith("draw:")
        service.remote.playground.stop_playing()

    run(tmp_path, TAYU, play, "tayu", "pn532")


def test_a_host_knows_what_a_description_has() -> None:
    host = Host.of(config.load_bundled("tayu"))
    assert (host.board, len(host.sampled), host.buttons, host.own_game) == ("tayu", 289, TABLE_BUTTONS, "tayu")
    assert Host.of(config.load_bundled("table")).own_game == ""


def test_nothing_is_started_at_a_table_by_itself(tmp_path: Path) -> None:
    run(tmp_path, Orders(), nothing, "table")
    with Journal.open(tmp_path / "journal") as journal:
        assert journal.last_game() is None
