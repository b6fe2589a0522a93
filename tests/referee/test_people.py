"""Who plays: names as they are given, kept on one line, and whom they belong to as a game goes on."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gnomon.referee.games import begin
from gnomon.referee.people import LONGEST, Person, clean, people
from gnomon.timekeeping.instants import Instant
from gnomon.views.people import people as people_now
from gnomon.views.summary import summary
from tests.referee.people_moves import played


def test_names_are_kept_by_their_players_and_nobody_is_no_one() -> None:
    assert people({"red": "  Ada  Lovelace ", "black": " "}) == (Person("red", "Ada Lovelace"),)


def test_what_would_turn_the_writing_around_it_goes() -> None:
    assert clean("A\u202eda\x00\nB") == "Ada B"
    assert clean("0\x85\u200b\r0") == "0 0"


@given(st.text())
def test_a_name_stays_on_one_line_and_is_short(text: str) -> None:
    name = clean(text)
    assert len(name) <= LONGEST
    assert name == clean(name)
    assert len(name.splitlines()) <= 1


def test_every_game_keeps_them_and_tells_of_them() -> None:
    for game, players in (("tamsk", ("red", "black")), ("tayu", ("north-south", "east-west"))):
        names = dict(zip(players, ("Ada", "Grace"), strict=True))
        made = begin(game, {}, players=names)
        assert dict(people_now(made)) == names
        assert summary(made, Instant(0))["people"] == names
    assert "people" not in summary(begin("tamsk", {}), Instant(0))


def test_the_pie_takes_the_names_to_the_other_side() -> None:
    game = begin("tabik", {}, players={"black": "Ada", "white": "Grace"})
    assert dict(people_now(played(game, "d4e4", "pie"))) == {"black": "Grace", "white": "Ada"}


def test_one_name_alone_changes_sides_alone() -> None:
    game = begin("tabik", {}, players={"black": "Ada"})
    assert dict(people_now(played(game, "d4e4", "pie"))) == {"white": "Ada"}


def test_bidders_become_high_and_low() -> None:
    game = begin("tau", {}, players={"p1": "Ada", "p2": "Grace"})
    bidding: Any = people_now(played(game, "bid:512"))
    assert (bidding["p1"], bidding["p2"]) == ("Ada", "Grace")
    assert "high" not in bidding
    settled = people_now(played(game, "bid:512", "pass"))
    assert {settled["high"], settled["low"]} == {"Ada", "Grace"}
    assert settled["high"] == "Ada"
