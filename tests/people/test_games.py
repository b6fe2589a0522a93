"""Which games count for people, and for whom."""

from dataclasses import replace

import pytest

from gnomon.people.games import GameScore, encounters, engine_seats, is_engine
from gnomon.people.register import Register
from tests.people.games_of import SALTED, duel, played

FOUR = (("p1", "p3"), ("p2", "p4"))
EVERYBODY = {"p1": "Ada", "p2": "Bo", "p3": "Cleo", "p4": "Dov"}
ALONE = (("p1",), ("p2",), ("p3",))


def test_a_game_of_two_people_counts_for_both_and_is_rated() -> None:
    [one] = encounters([duel("Ada", "Bo")], Register())
    assert one.people == {"ada", "bo"}
    assert (one.is_rated, one.with_engine) == (True, False)
    assert (one.score_of("ada"), one.score_of("bo")) == (GameScore.WON, GameScore.LOST)
    assert list(one.opponents("bo")) == [("ada", GameScore.LOST)]


def test_a_draw_is_half_a_point_for_both() -> None:
    [one] = encounters([duel("Ada", "Bo", None)], Register())
    assert [one.score_of(key).value for key in ("ada", "bo")] == [0.5, 0.5]
    assert list(one.opponents("ada")) == [("bo", GameScore.DRAWN)]


@pytest.mark.parametrize(
    "names",
    [
        {},
        {"black": "Ada"},
        {"black": "Ada", "white": ""},
        {"black": "Ada", "white": " ada "},
        {"black": "Gnomon", "white": "Gnomon, level 3"},
    ],
)
def test_a_game_against_nobody_against_oneself_or_of_programs_counts_nowhere(names: dict[str, str]) -> None:
    assert encounters([played(names, (("black",), ("white",)))], Register()) == ()


def test_a_game_against_a_program_counts_apart_and_is_not_rated() -> None:
    [one] = encounters([duel("Gnomon, level 3", "Ada")], Register())
    assert one.people == {"ada"}
    assert (one.with_engine, one.is_rated) == (True, False)
    assert (one.score_of("ada"), list(one.opponents("ada"))) == (GameScore.LOST, [])


@pytest.mark.parametrize(
    ("name", "engine"),
    [("Gnomon", True), ("GNOMON 5", True), ("Gnomon: strong", True), ("Gnomonia", False), ("", False), ("Deep", True)],
)
def test_a_program_is_known_by_its_name_or_because_somebody_said_so(name: str, *, engine: bool) -> None:
    assert is_engine(name, Register().mark_engine("deep")) is engine


@pytest.mark.parametrize(
    ("settings", "seats"),
    [
        ({}, set()),
        ({"opponent": "none"}, set()),
        ({"opponent": 5}, {"white"}),
        ({"opponent": "deep", "opponent_plays": "black"}, {"black"}),
        ({"opponent": 1, "opponent_plays": "all"}, {"black", "white"}),
    ],
)
def test_the_settings_of_a_game_say_where_an_engine_sits(settings: dict[str, object], seats: set[str]) -> None:
    assert engine_seats(settings, ("black", "white")) == seats


def test_an_engine_has_no_results_whatever_it_is_called() -> None:
    for names in ({"black": "Ada", "white": "Bo"}, {"black": "Ada"}):
        [one] = encounters([replace(played(names, (("black",), ("white",))), engines=frozenset({"white"}))], Register())
        assert one.people == {"ada"}
        assert (one.with_engine, one.is_rated) == (True, False)


def test_partners_win_together_and_a_game_of_teams_is_not_rated() -> None:
    [one] = encounters([played(EVERYBODY, FOUR, 1)], Register())
    assert not one.is_rated
    assert [one.score_of(key) for key in ("ada", "bo", "cleo", "dov")] == [GameScore.LOST, GameScore.WON] * 2
    assert list(one.opponents("bo")) == [("ada", GameScore.WON), ("cleo", GameScore.WON)]


def test_between_two_of_three_who_have_lost_nothing_was_decided() -> None:
    [one] = encounters([played(EVERYBODY | {"p4": ""}, ALONE, 2)], Register())
    assert one.is_rated
    assert list(one.opponents("ada")) == [("cleo", GameScore.LOST)]
    assert list(one.opponents("cleo")) == [("ada", GameScore.WON), ("bo", GameScore.WON)]
    [drawn] = encounters([played(EVERYBODY, ALONE, None)], Register())
    assert list(drawn.opponents("ada")) == [("bo", GameScore.DRAWN), ("cleo", GameScore.DRAWN)]


def test_a_seat_without_a_name_is_nobody() -> None:
    [one] = encounters([played({"p1": "Ada", "p2": "Bo"}, FOUR)], Register())
    assert one.people == {"ada", "bo"}
    assert encounters([played({"p1": "Ada", "p3": "Cleo"}, FOUR)], Register()) == ()


def test_copies_of_a_game_count_once_and_a_game_of_an_unknown_machine_is_known_by_its_place() -> None:
    of_journal = replace(duel("Ada", "Bo"), boot="b1")
    copies = [of_journal, replace(of_journal, source="a bundle", number=7)]
    assert [one.game.source for one in encounters(copies, Register())] == ["a.journal"]
    assert len(encounters([replace(game, boot="") for game in copies], Register())) == 2


def test_two_games_that_boards_of_one_machine_begin_at_once_are_two() -> None:
    at_once = [replace(duel(one, "Bo"), source=one, boot="this one") for one in ("Ada", "Cleo")]
    assert [sorted(one.people) for one in encounters(at_once, Register())] == [["ada", "bo"], ["bo", "cleo"]]


def test_a_bundle_that_was_made_after_somebody_was_forgotten_is_a_copy() -> None:
    register = SALTED.forget("Ada")
    journal = replace(duel("Ada", "Bo"), boot="this one")
    bundle = replace(
        journal, source="a bundle", names={seat: register.mask(one) for seat, one in journal.names.items()}
    )
    assert bundle.names != journal.names
    assert len(encounters([journal, bundle], register)) == 1


def test_under_a_bare_clock_nobody_knows_what_was_played() -> None:
    [one] = encounters([replace(duel("Ada", "Bo"), has_rules=False)], Register())
    assert not one.is_rated


def test_games_are_in_the_order_of_their_dates() -> None:
    games = [duel("Ada", "Bo", month=month) for month in ("2026-11", "2026-09", "2025-12")]
    assert [one.game.month for one in encounters(games, Register())] == ["2025-12", "2026-09", "2026-11"]


@pytest.mark.parametrize(
    ("began", "month"),
    [("2026-11-20T10:30", "2026-11"), ("2026-13-01", ""), ("2026-00-01", ""), ("w", ""), ("", ""), ("2026-11", "")],
)
def test_a_label_that_is_no_date_has_no_month(began: str, month: str) -> None:
    game = replace(duel("Ada", "Bo"), began=began)
    assert (game.month, game.began_text == "–") == (month, not month)


def test_joined_spellings_are_one_person_and_a_forgotten_one_is_a_pseudonym() -> None:
    joined = SALTED.join("A. Lovelace", "Ada")
    [one] = encounters([duel("A. Lovelace", "Bo")], joined)
    assert one.people == {"ada", "bo"}
    assert encounters([duel("A. Lovelace", "Ada")], joined) == ()
    [hidden] = encounters([duel("Ada", "Bo")], joined.forget("Ada"))
    assert hidden.people == {"n. n. 1", "bo"}
