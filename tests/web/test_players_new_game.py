"""The page of a new game: every game can be begun, and what is wrong stands beside its field."""

import re
from dataclasses import replace
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.referee.games import begin
from gnomon.referee.judgement import Temperament
from gnomon.rules.registry import GAMES, rules_of
from gnomon.views.show import show
from gnomon.web.games.choices import choose_settings, mistakes, refusal, seats
from gnomon.words import LANGUAGES, words
from tests.web.api_house import PaperBoard
from tests.web.visitors import Browser, Reception


def beside(page: str, field: str) -> str:
    """What is said beside a field; empty when nothing is wrong with it."""
    found = re.search(rf'id="{field}-wrong">([^<]*)<', page)
    return unescape(found[1]) if found else ""


# What can be chosen


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_begins_as_the_form_stands(game: str) -> None:
    settings = choose_settings(game, {})
    assert mistakes(game, {}) == {}
    assert refusal(game, settings) is None
    assert 2 <= len(seats(game, settings)) <= show(game).most_players


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_setting_and_every_value_has_words(game: str, language: str) -> None:
    say = words(language)
    for choice in show(game).choices:
        assert say(f"setting.{game}.{choice.name}")
        assert all(say(f"setting.{game}.{choice.name}.{value}") for value in choice.values if value)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_value_that_is_offered_is_one_of_the_rules(game: str) -> None:
    for choice in show(game).choices:
        for value in choice.values:
            # A value may not go with the others' defaults; the rules know it all the same.
            refused = refusal(game, choose_settings(game, {choice.name: value, **_company(choice.when)}))
            assert refused is None or "must be one of" not in str(refused[1]), (choice.name, value, refused)


def _company(when: tuple[str, tuple[str, ...]]) -> dict[str, str]:
    return {when[0]: when[1][0]} if when[0] else {}


def test_players_without_a_word_of_their_own_have_fields_too(visitor: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gnomon.web.pages.new_game.seats", lambda *_: ("p1", "moon"))
    page = visitor.get("/board/new?game=tabik").text
    assert "Player 1" in page
    assert "Moon" in page


def test_a_setting_that_does_not_matter_is_not_sent() -> None:
    assert "late" not in choose_settings("tamsk", {"level": "2", "late": "skip_turn"})
    assert choose_settings("tamsk", {"level": "3", "late": "skip_turn"})["late"] == "skip_turn"
    assert "auction" not in choose_settings("tayu", {"players": "2", "auction": "yes"})


def test_settings_that_do_not_go_together_are_said_beside_the_first_that_is_named() -> None:
    refused = refusal("twenty-squares", {"route": "short"})
    assert refused is not None
    assert (refused[0], str(refused[1])) == ("route", "route=short is a route of board=double, not of board=tau")
    assert refusal("tau", {"rows": "1", "columns": "1"}) is not None


@pytest.mark.parametrize(
    ("game", "settings", "players"),
    [
        ("tamsk", {"level": "1"}, ("red", "black")),
        ("tabik", {}, ("black", "white")),
        ("tau", {}, ("p1", "p2")),
        ("tau", {"limit": "1000"}, ("high", "low")),
        ("tayu", {"players": "4"}, ("p1", "p2", "p3", "p4")),
        ("twenty-squares", {"board": "double", "players": "4"}, ("p1", "p2", "p3", "p4")),
    ],
)
def test_everybody_at_the_table_gives_a_name(game: str, settings: dict[str, str], players: tuple[str, ...]) -> None:
    assert set(seats(game, settings)) == set(players)


# The form


def test_first_a_game_is_chosen(visitor: Browser) -> None:
    page = visitor.get("/board/new").text
    assert page.count('class="game-card"') == 6  # the clock alone is one of them
    assert "<form" not in page
    assert 'aria-current="true"' in visitor.get("/board/new?game=tabik").text


def test_a_visitor_who_comes_to_play_against_gnomon_finds_the_first_level_chosen(visitor: Browser) -> None:
    first = visitor.get("/board/new?opponent=1").text
    assert 'href="/board/new?game=tabik&amp;opponent=1"' in first
    assert '<option value="1" selected>' in visitor.get("/board/new?game=tabik&opponent=1").text
    assert '<option value="none" selected>' in visitor.get("/board/new?game=tabik").text


def test_an_opponent_that_there_is_not_is_not_chosen(visitor: Browser) -> None:
    page = visitor.get("/board/new?game=tabik&opponent=%22%3E%3Cb%3E").text
    opponents = page.partition('id="opponent"')[2].partition("</select>")[0]
    assert "selected" not in opponents  # so browsers show the first: a person


def test_a_board_for_one_game_asks_for_that_one(board: PaperBoard, visitor: Browser) -> None:
    board.games = ("tayu",)
    assert '<form method="post"' in visitor.get("/board/new").text


@pytest.mark.parametrize(
    ("game", "players"), [("tamsk", ("red", "black")), ("tabik", ("black", "white")), ("clock", ("left", "right"))]
)
def test_a_name_is_written_beside_the_sign_that_its_player_has_in_the_game(
    visitor: Browser, game: str, players: tuple[str, str]
) -> None:
    page = visitor.get(f"/board/new?game={game}").text
    signs = re.findall(r'class="sign sign-(\d) hue-(\d) of-(\w+)"', page)
    assert signs == [(str(place), str(place), player) for place, player in enumerate(players, 1)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_form_is_there_in_every_language(visitor: Browser, game: str, language: str) -> None:
    page = visitor.get(f"/board/new?game={game}&language={language}")
    assert page.status_code == 200
    for choice in show(game).choices:
        assert f'name="{choice.name}"' in page.text


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_game_begins_with_its_settings_and_names(visitor: Browser, board: PaperBoard, game: str) -> None:
    answer = visitor.send(
        "/board/new",
        **{"game": game, "temperament": "coach", "name-1": " Ada  Lovelace", "name-2": "<b>", "level": "2"},
    )
    assert (answer.status_code, answer.headers["location"]) == (303, "/board")
    begun = board.present
    assert begun is not None
    assert (begun.rules.name, begun.temperament) == (game, Temperament.COACH)
    assert [person.name for person in begun.people] == ["Ada Lovelace", "<b>"]
    assert begun.people[0].player == seats(game, choose_settings(game, {"level": "2"}))[0]
    if isinstance(begun, TamskGame):
        assert begun.rules.settings.level == 2


@pytest.mark.parametrize(
    ("field", "sent", "said"),
    [
        ("size", {"game": "tabik", "size": "20"}, "Write a whole number from 2 to 19."),
        ("size", {"game": "tabik", "size": "²"}, "Write a whole number from 2 to 19."),
        ("pie", {"game": "tabik", "pie": "cake"}, "Choose one of the options."),
        ("temperament", {"game": "tabik", "temperament": "grim"}, "Choose one of the options."),
        ("limit", {"game": "tau", "limit": "much"}, "Limit must be a whole number from 0 upwards, not 'much'."),
        (
            "counters",
            {"game": "twenty-squares", "counters": "9"},
            "Counters must be a whole number from 1 to 7 on board=tau, ",
        ),
    ],
)
def test_what_is_wrong_is_said_beside_the_field_and_nothing_begins(
    visitor: Browser, board: PaperBoard, field: str, sent: dict[str, str], said: str
) -> None:
    answer = visitor.send("/board/new", **sent)
    assert answer.status_code == 422
    assert beside(answer.text, field).startswith(said)
    assert re.search(rf'aria-describedby="{field}-wrong"', answer.text)
    assert board.present is None


def test_what_the_rules_refuse_is_said_in_the_readers_language(visitor: Browser) -> None:
    page = visitor.send("/board/new?language=de", game="tau", limit="viel").text
    assert beside(page, "limit")
    assert "whole number" not in beside(page, "limit")


def test_what_was_typed_is_still_there(visitor: Browser) -> None:
    page = visitor.send("/board/new", **{"game": "tabik", "size": "1", "name-2": 'Grace "Amazing"'}).text
    assert 'value="Grace &#34;Amazing&#34;"' in page
    assert re.search(r'id="size"[^>]* value="1"', page)


@pytest.mark.parametrize("game", ["", "chess", "tamsk"])
def test_a_game_that_is_not_played_here_is_refused(visitor: Browser, board: PaperBoard, game: str) -> None:
    board.games = ("tabik", "tau")
    answer = visitor.send("/board/new", game=game)
    assert answer.status_code == 422
    assert words()("players.new.wrong.game") in answer.text


def test_nobody_has_to_give_up_a_game_that_has_been_put_away(visitor: Browser, board: PaperBoard) -> None:
    visitor.send("/board/new", game="tau")
    assert board.present is not None
    board.present = replace(board.present, adjourned=True)
    assert 'name="abandon"' not in visitor.get("/board/new?game=tau").text
    assert visitor.send("/board/new", game="tau").status_code == 303


def test_an_unfinished_game_is_given_up_only_when_that_is_meant(visitor: Browser, board: PaperBoard) -> None:
    board.present = going_on = begin("tabik", {})
    answer = visitor.send("/board/new", game="tabik")
    assert beside(answer.text, "abandon") == words()("players.new.wrong.abandon")
    assert board.present is going_on
    assert visitor.send("/board/new", game="tau", abandon="yes").status_code == 303
    assert board.present.rules.name == "tau"


def test_what_the_board_refuses_is_said(visitor: Browser, board: PaperBoard) -> None:
    # Measured glasses are the board's own: this one has not been measured.
    answer = visitor.send("/board/new", game="tamsk", level="2", time="calibrated")
    assert answer.status_code == 422
    assert 'class="wrong' in answer.text
    assert board.present is None


def test_those_who_look_on_begin_nothing_and_are_told_what_to_do(board: PaperBoard) -> None:
    visitor = Reception(board=board).browser()
    page = visitor.get("/board/new?game=tabik").text
    assert "/sign-in?back=/board/new" in page
    assert re.search(r'<button class="action" disabled>', page)
    assert visitor.send("/board/new", game="tabik").status_code == 401
    assert board.present is None


@given(
    st.sampled_from(sorted(GAMES)),
    st.dictionaries(
        st.sampled_from(sorted({choice.name for game in GAMES for choice in show(game).choices})),
        st.one_of(st.text(max_size=6), st.sampled_from(["0", "1", "2", "3", "yes", "double", "asha", "aseb", "4"])),
        max_size=4,
    ),
)
def test_whatever_is_sent_either_begins_or_says_what_is_wrong(game: str, sent: dict[str, str]) -> None:
    settings = choose_settings(game, sent)
    if not mistakes(game, sent) and refusal(game, settings) is None:
        assert rules_of(game, settings).name == game
        assert seats(game, settings)
