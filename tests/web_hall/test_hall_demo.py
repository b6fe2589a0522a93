"""The boards of a demonstration: boards as a hall knows them, that do what they are asked once and in time."""

from gnomon.hall.demo._board import Casual
from gnomon.hall.messaging.messages import Ask, Request, Topic, encode
from gnomon.refusals import sentence
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.tournament.state.results import GameResult
from tests.web_hall.party import Party

TABIK = Casual("tabik", {"size": 6, "clock": "3+2"}, ("Ada", "Ben"))


def fate(party: Party, board: str = "t01", **action: object) -> tuple[str, str]:
    """What becomes of a wish, and why."""
    name = party.hall.request(board, action, "Anna")
    party.run(2)
    asked = party.hall.request_status(name)
    assert asked is not None
    return asked.fate, sentence(asked.why)


def test_a_demonstration_plays_a_tournament_round_after_round(evening: Party) -> None:
    tournament = evening.hall.book("demo-1").tournament()
    assert len(tournament.rounds) >= 2
    results = tournament.rounds[0].results
    assert len(results) == 3
    assert {game for result in results.values() for game in result} <= {*GameResult}
    told = [told.who for told in evening.hall.book("demo-1").read() if told.who.startswith("board d")]
    assert len(told) >= 3
    assert all(who.endswith("confirmed by both") for who in told)
    assert evening.hall.health() == ()
    assert not evening.hall.refusal_counts()


def test_casual_games_begin_again_after_their_end(party: Party) -> None:
    board = party.board("t01", Casual("tabik", {"size": 4}, ("Ada", "Ben")))
    party.run(500, until=lambda: len(board._games) > 2)
    assert [game.ended is not None for game in board._games] == [True, True, False]
    assert party.hall.place("t01").lag == 0


def test_what_the_hall_keeps_is_forgotten_at_the_board(party: Party) -> None:
    board = party.board("t01", TABIK)
    party.run(400, until=lambda: board._dropped > 0)
    party.run(20)
    assert 0 < board._dropped <= party.hall.place("t01").through == board._last
    assert len(board._journal) < 200
    assert next(record.seq for record in party.hall.archive("t01").read(1)) == 1
    party.broker.connect().publish(Topic.ASK.of("t01"), encode(Ask(board._epoch, 1, 3)))
    party.run(5)
    assert party.hall.place("t01").conflicts == 0, "what is not there any more is not told otherwise"


def test_what_cannot_be_done_is_refused_with_the_reason(party: Party) -> None:
    party.board("t01", TABIK)
    party.run(20)
    for action, why in (
        ({"do": "dance"}, "cannot 'dance'"),
        ({"do": "correct"}, "cannot be read"),
        ({"do": "correct", "event": {"event": "resumed", "at_us": 0, "who": "", "why": ""}}, "not paused"),
        ({"do": "new_game", "game": "chess", "settings": {}, "players": {}}, "is not played here"),
        ({"do": "new_game", "game": "tabik", "settings": {}, "players": {"whit": "Ada"}}, "Tabik has no player whit"),
        ({"do": "new_game", "game": "tabik", "settings": [5]}, "no object settings"),
        ({"do": "new_game", "game": "tabik", "players": "Ada"}, "no object players"),
        ({"do": "new_game", "game": "tabik", "settings": {"size": "x"}, "players": {}}, "size"),
    ):
        became, said = fate(party, **action)
        assert became == "refused", action
        assert why.lower() in said.lower()


def test_a_wish_that_comes_twice_is_done_once_and_one_that_comes_late_never(party: Party) -> None:
    board = party.board("t01", TABIK)
    party.run(20)
    bus = party.broker.connect()
    paused = {"do": "correct", "event": {"event": "paused", "at_us": 0, "who": "", "why": ""}}
    soon = Instant(board._raw() + 5 * SECOND)
    for request in (
        Request("w1", board._session, soon, "Anna", paused),
        Request("w1", board._session, soon, "Anna", paused),
        Request("w2", "another", soon, "Anna", paused),
        Request("w3", board._session, Instant(board._raw() - SECOND), "Anna", paused),
    ):
        bus.publish(Topic.REQUEST.of("t01"), encode(request))
    bus.publish(Topic.REQUEST.of("t01"), b"nonsense")
    party.run(3)
    notes = [record.entry.body for record in party.hall.archive("t01").read(1) if "id" in record.entry.body]
    assert [note["id"] for note in notes] == ["w1"]
    assert {name: answer.fate.value for name, answer in board._answers.items()} == {
        "w1": "done",
        "w2": "expired",
        "w3": "expired",
    }


def test_a_notice_goes_away_by_itself(party: Party) -> None:
    party.board("t01")
    party.run(3)
    assert fate(party, do="notice", text="Hello") == ("done", "")
    assert party.hall.place("t01").card["health"] == ["From the hall: Hello"]
    party.run(75)
    assert party.hall.place("t01").card["health"] == []


def test_a_demonstration_of_one_board_has_no_tournament_and_says_goodbye(party: Party) -> None:
    party.demonstrate(1)
    assert party.demonstration is not None
    party.run(5)
    assert party.hall.tournaments() == []
    party.demonstration.close()
    party.deliver()
    assert party.hall.counts() == {"gone": 1}
