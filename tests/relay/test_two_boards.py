"""Two simulated boards play whole games in virtual time, over networks that delay, lose and double messages."""

from dataclasses import replace
from random import Random

import pytest

from gnomon.distance._turns import OwnTurn
from gnomon.distance.reports import Report, encode
from gnomon.records.journal.event_codec import NOTE
from gnomon.referee.events import Resumed, TurnEntered
from gnomon.referee.rulings import FlagFell
from gnomon.refusals import Statement
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import MILLISECOND, SECOND
from gnomon_pi.relay_link._player import DISTANCE
from gnomon_pi.runtime.runner import RunnerError
from gnomon_pi.runtime.system.randomness import throw
from tests.relay.two_boards import CODE, ROOM, STEP, Board, Evening

SETTINGS = {"size": 4, "opponent": "another-board", "opponent_code": CODE}
DELAYS = (20, 100, 400)


def begun(evening: Evening, game: str = "tabik", **settings: object) -> Evening:
    evening.host.begin(game, {**SETTINGS, **settings})
    evening.guest.join()
    evening.pass_to(5 * SECOND)
    assert evening.guest.has_game
    return evening


def check_agreement(evening: Evening) -> None:
    assert evening.is_over
    assert evening.turns(evening.host) == evening.turns(evening.guest)
    assert evening.host.game.outcome == evening.guest.game.outcome
    for board in evening.boards.values():
        assert board.daemon.health.all() == ()


def test_two_boards_play_a_whole_game() -> None:
    evening = begun(Evening())
    evening.play()
    check_agreement(evening)
    for board, other in ((evening.host, evening.guest), (evening.guest, evening.host)):
        notes = [each.entry.body for each in board.store.records if each.entry.body.get(NOTE) == DISTANCE]
        told = [NOTE, "ident", "peer", "anchor", "own_anchor"]
        assert [list(note) for note in notes[-2:]] == [told, [*told, "agreed"]]
        assert notes[-1]["peer"] == other.ident
    assert evening.host.store.records[-1].entry.body["agreed"] == evening.guest.store.records[-1].entry.body["agreed"]


@pytest.mark.parametrize("delay", DELAYS)
@pytest.mark.parametrize("loss", [0.0, 0.05])
def test_both_boards_have_each_turn_once_and_at_the_same_game_time(delay: int, loss: float) -> None:
    evening = begun(Evening(delay, loss, seed=delay), clock="5+3")
    evening.play()
    check_agreement(evening)
    assert evening.network.lost or not loss


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("tau", {"rows": 3, "columns": 3}),
        ("twenty-squares", {"counters": 2}),
        ("twenty-squares", {"counters": 2, "clock": "10"}),
        ("tayu", {"size": 9, "clock": "20+5"}),
    ],
)
def test_each_board_throws_and_draws_for_its_own_side(game: str, settings: dict[str, object]) -> None:
    evening = Evening(100, 0.05, seed=3, longest=300)
    evening.host.begin(game, {"opponent": "another-board", "opponent_code": CODE, **settings})
    evening.guest.join()
    evening.pass_to(5 * SECOND)
    evening.play()
    check_agreement(evening)
    thrown = [throws_of(board) for board in evening.boards.values()]
    assert thrown[0] == thrown[1]
    assert (len(thrown[0]) > 10) is (game != "tau")


def throws_of(board: Board) -> list[tuple[str, str]]:
    """What was thrown and drawn, with what it follows from, by the record of a board."""
    bodies = (each.entry.body for each in board.store.records)
    fallen = [each for each in bodies if str(each.get("text", "")).startswith(("throw:", "draw:"))]
    fallen = [each for each in fallen if each.get("event") in {"turn_entered", "turn_arrived"}]
    assert all("thrown by both boards, throw " in str(each["why"]) for each in fallen)
    return [(str(each["text"]), str(each["why"])) for each in fallen]


def test_a_throw_that_follows_from_no_shares_is_told_to_the_other_side() -> None:
    evening = Evening()
    evening.host.begin("twenty-squares", {"opponent": "another-board", "opponent_code": CODE})
    evening.guest.join()
    evening.pass_to(5 * SECOND)
    player = evening.host.player
    assert player is not None
    chance = player.exchange.chance(evening.host.game)
    assert chance is not None
    fell = throw(evening.host.game, evening.host.daemon.runner.now(), chance).text
    wanted = next(text for text in ("throw:4", "throw:3") if text != fell)
    evening.host.daemon.runner.correct(TurnEntered(evening.host.daemon.runner.now(), wanted, "Ann"))
    evening.pass_to(evening.now + SECOND)
    assert evening.guest.daemon.health.sentences() == (
        "Turn 1 was thrown or drawn by hand at the other board: nobody but those there has seen it.",
    )
    assert evening.turns(evening.guest) == evening.turns(evening.host)  # as at one table, they are believed
    end = evening.now + 60 * SECOND
    while evening.now < end:
        evening.pass_to(evening.now + STEP)
        for board in evening.boards.values():
            evening.act(board)
    assert evening.guest.daemon.health.all() == ()


def test_nobody_throws_for_the_other_side() -> None:
    evening = Evening()
    evening.host.begin("twenty-squares", {"opponent": "another-board", "opponent_code": CODE})
    evening.guest.join()
    evening.pass_to(5 * SECOND)
    assert evening.guest.game.is_natures
    with pytest.raises(RunnerError, match="The other board throws and draws for its own side"):
        evening.guest.daemon.throw()
    evening.guest.daemon.touch("button.next", value=True)
    evening.pass_to(evening.now + SECOND)
    assert evening.guest.game.chooser is None
    evening.host.throw()
    evening.pass_to(evening.now + SECOND)
    assert evening.turns(evening.guest) == evening.turns(evening.host) != []


@pytest.mark.parametrize("delay", DELAYS)
def test_the_way_and_the_hands_cost_nobody_any_time(delay: int) -> None:
    evening = begun(Evening(delay, 0.05, seed=delay), clock="10", pie="no")
    evening.play()
    check_agreement(evening)
    clocks = [board.game.clock for board in evening.boards.values()]
    assert clocks[0] is not None
    assert clocks[1] is not None
    for number, side in ((0, "host"), (1, "guest")):
        spent = [600 * SECOND - clock.clock.accounts[number].left for clock in clocks if clock]
        assert spent[0] == spent[1]
        assert spent[0] == evening.thought[side]


@pytest.mark.parametrize("seed", range(3))
def test_a_board_or_the_relay_that_is_killed_loses_no_turn(seed: int) -> None:
    evening = begun(Evening(100, 0.05, seed=seed), clock="30")
    random = Random(seed)
    while not evening.is_over:
        evening.play(random.randint(2, 9) * SECOND)
        victim: Board | None = random.choice([*evening.boards.values(), None])
        if victim is None:
            evening.network.is_down = True
        else:
            victim.is_dead = True
        evening.play(random.randint(1, 6) * SECOND)
        evening.network.is_down = False
        if victim is not None:
            victim.restart()
    evening.pass_to(evening.now + 10 * SECOND)
    assert evening.turns(evening.host) == evening.turns(evening.guest)
    assert evening.host.game.outcome == evening.guest.game.outcome


def test_people_are_told_the_code_until_the_other_board_has_joined() -> None:
    evening = Evening()
    evening.host.begin("tabik", SETTINGS)
    evening.pass_to(2 * SECOND)
    (told,) = evening.host.daemon.health.all()
    assert told == Statement("distance.invites", {"code": "KWX-PTR"})
    evening.guest.join()
    evening.pass_to(5 * SECOND)
    assert evening.host.daemon.health.all() == ()


def test_people_are_told_when_nothing_is_heard() -> None:
    evening = begun(Evening())
    evening.network.is_down = True
    evening.pass_to(evening.now + 6 * SECOND)
    for board in evening.boards.values():
        (told,) = board.daemon.health.all()
        assert told.key == "distance.silent"
    evening.network.is_down = False
    evening.pass_to(evening.now + 2 * SECOND)
    assert evening.host.daemon.health.all() == ()


def test_a_turn_is_shown_within_the_way_and_a_tenth_of_a_second() -> None:
    evening = begun(Evening(100))
    while evening.host.game.is_elsewhere or not evening.host.game.plies:
        evening.pass_to(evening.now + STEP)
        evening.act(evening.host)
        if evening.host.game.plies:
            break
    made = evening.now
    while evening.guest.game.announced is None:
        evening.pass_to(evening.now + STEP)
    assert evening.now - made <= (150 + 100) * MILLISECOND


def hostile(evening: Evening, payload: bytes) -> None:
    """Let the guest hear what somebody else sends."""
    evening.guest.receive(payload)
    evening.pass_to(evening.now + SECOND)


def honest(evening: Evening) -> Report:
    """What the host would say now."""
    assert evening.host.player is not None
    return evening.host.player.exchange.report(evening.host.game, evening.host.watch.now())


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        (b"anything", "A message over the relay was refused: a message arrived that is not signed with this code."),
        (b"x" * 20_000, "A message over the relay was refused: a message of 20000 bytes is too long."),
    ],
)
def test_what_no_board_sends_is_refused_and_said_to_who_looks_after_the_board(payload: bytes, said: str) -> None:
    evening = begun(Evening())
    evening.network.is_down = True
    evening.pass_to(evening.now + SECOND)
    hostile(evening, payload)
    assert said in evening.guest.daemon.health.sentences()
    assert not evening.guest.game.plies
    evening.network.is_down = False
    evening.pass_to(evening.now + 3 * SECOND)
    assert evening.guest.daemon.health.all() == ()


def test_an_illegal_turn_of_the_other_board_stops_there_and_says_why() -> None:
    evening = begun(Evening())
    turn = OwnTurn(0, "a1~a1", 1)
    hostile(evening, encode(replace(honest(evening), count=1, total="", turns=(turn,)), ROOM.key))
    (told,) = evening.guest.daemon.health.all()
    assert told.message.startswith("Turn 1 of the other board is refused here: ")
    assert evening.guest.game.plies == ()
    assert evening.guest.game.announced is None


def test_old_reports_that_a_relay_plays_again_change_nothing() -> None:
    evening = begun(Evening())
    old = [encode(honest(evening), ROOM.key)]
    while len(evening.guest.game.plies) < 6:
        evening.pass_to(evening.now + STEP)
        for board in evening.boards.values():
            evening.act(board)
        old.append(encode(honest(evening), ROOM.key))
    before = evening.turns(evening.guest)
    for payload in old[::20]:
        hostile(evening, payload)
    assert evening.turns(evening.guest)[: len(before)] == before
    evening.play()
    check_agreement(evening)


def test_boards_that_differ_say_at_which_turn() -> None:
    evening = begun(Evening())
    while len(evening.guest.game.plies) < 4 or len(evening.host.game.plies) < 4:
        evening.pass_to(evening.now + STEP)
        for board in evening.boards.values():
            evening.act(board)
    live = evening.guest.daemon.runner.live_game
    assert live is not None
    plies = live.game.plies
    live.game = replace(live.game, plies=(*plies[:2], plies[2]._replace(text="other"), *plies[3:]))
    evening.guest.daemon.runner.ruled = live.game
    evening.pass_to(evening.now + 5 * SECOND)
    for board in evening.boards.values():
        told = Statement("distance.differs", {"number": 3})
        assert told in board.daemon.health.all()
        assert board.store.records[-1].entry.body["differs"] == told.dump()


def test_a_flag_falls_at_the_board_of_its_player_and_ends_the_game_at_both() -> None:
    evening = begun(Evening(100), clock="0:05", pie="no")
    evening.host.daemon.runner.correct(TurnEntered(evening.host.daemon.runner.now(), "a1a2", "person"))
    evening.pass_to(evening.now + 4 * SECOND)
    assert evening.guest.game.announced is not None  # nobody makes it: it counts after five seconds
    evening.pass_to(evening.now + 4 * SECOND)
    assert len(evening.guest.game.plies) == 1
    assert evening.host.game.clock is not None
    evening.pass_to(evening.now + 8 * SECOND)
    fell = [isinstance(ruling, FlagFell) for ruling in evening.guest.game.rulings]
    assert any(fell)
    for board in evening.boards.values():
        assert board.game.outcome == Outcome("black", "flag")
    assert not any(isinstance(ruling, FlagFell) for ruling in evening.host.game.rulings)


def test_a_power_cut_at_one_board_stops_both_until_that_board_goes_on() -> None:
    evening = begun(Evening(100), clock="5")
    evening.host.daemon.runner.correct(TurnEntered(evening.host.daemon.runner.now(), "a1a2", "person"))
    evening.pass_to(evening.now + SECOND)
    evening.guest.is_dead = True
    evening.guest.watch.boot = "another boot"
    evening.pass_to(evening.now + 10 * SECOND)
    evening.guest.restart()
    evening.pass_to(evening.now + 2 * SECOND)
    for board in evening.boards.values():
        assert board.game.paused_at is not None
    runner = evening.guest.daemon.runner
    runner.correct(Resumed(runner.now(), "arbiter"))
    evening.pass_to(evening.now + 2 * SECOND)
    for board in evening.boards.values():
        assert board.game.paused_at is None
    evening.play()
    check_agreement(evening)
