"""The menus of the display: every question and answer has room, in every language."""

import pytest

from gnomon.referee.events import DrawOffered, TurnEntered
from gnomon.referee.games import game_of
from gnomon.rules.registry import GAMES
from gnomon.views import fonts
from gnomon.views.display import panes
from gnomon.views.display.menus import (
    GamePlan,
    Menu,
    MenuAction,
    Offers,
    game_menu,
    menu_screen,
    message_screen,
    next_menu,
)
from gnomon.words import LANGUAGES, words
from tests.views.table_scenes import ANN, Hands

GAMES_HERE = Offers(tuple(GAMES), has_relay=True)


def every_menu(language: str) -> list[Menu]:
    """Every question about every game, both ways, and what can be asked for in a game."""
    say, found, open_plans, seen = words(language), [], [GamePlan()], set()
    while open_plans:
        plan, menu = next_menu(open_plans.pop(), GAMES_HERE, say)
        if menu is None:
            if not plan.joins:  # what another board has invited to is known to that board
                game_of(plan.setup)  # whatever is answered, such a game can be begun
            continue
        found.append(menu)
        # Of many answers to one question the first, the middle and the last are followed.
        # Of every letter of a code the last one is.
        for row in {menu.rows[number] for number in ((-1,) if plan.joins else (0, len(menu.rows) // 2, -1))}:
            if row.wanted not in seen:
                seen.add(row.wanted)
                open_plans.append(row.wanted)
    hands = Hands("tabik").enter("a1b1")
    hands.tell(DrawOffered(hands.after(10), "black", ANN))
    asked = game_menu(hands.game, say)
    free = game_menu(Hands("tabik").enter("a1b1").game, say)
    return [*found, asked, free, *(row.wanted for row in free.rows if isinstance(row.wanted, Menu))]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_cut_off_leaves_every_row_of_a_menu_different(language: str) -> None:
    menus = every_menu(language)
    assert len({menu.title for menu in menus}) > 10
    for menu in menus:
        for room in (panes.ROOM - 2, panes.ROOM // 2 - 1):
            assert len({fonts.shorten(row.label, room) for row in menu.rows}) == len(menu.rows), menu.title


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_players_ask_for_has_room_in_large_letters(language: str) -> None:
    say = words(language)
    for action in MenuAction:
        label = say(f"menu.{action.value}")
        assert fonts.shorten(label, panes.ROOM // 2 - 1) == (label,), label


def test_the_cursor_goes_round_and_its_row_is_always_in_the_picture() -> None:
    _, menu = next_menu(GamePlan(against=True, game="tamsk"), GAMES_HERE)
    assert menu is not None
    assert menu.chosen.label == "Level 3"
    assert menu.move(-3).chosen.label == "Level 10"
    for large in (False, True):
        pictures = {menu_screen(menu.move(steps), "NEXT", large=large).tobytes() for steps in range(10)}
        assert len(pictures) == 10


def test_a_question_with_one_answer_is_not_asked() -> None:
    plan, menu = next_menu(GamePlan(against=False), Offers(("tau",)))
    assert plan.game == "tau"
    assert menu is not None
    assert menu.title == "Match clock?"


def test_an_exhibition_warns_nobody() -> None:
    plan, menu = next_menu(
        GamePlan(against=True, game="tau", opponent="1", setting=("", ""), side="all", clock=""), GAMES_HERE
    )
    assert menu is None
    assert plan.settings == {"opponent": "1", "opponent_plays": "all"}


def test_more_than_two_sides_have_no_clock_and_nobody_resigns_for_a_team() -> None:
    plan, menu = next_menu(GamePlan(against=False, game="tayu", setting=("players", "4")), GAMES_HERE)
    assert plan.clock == ""
    assert menu is not None
    assert menu.title == "Help?"
    settings = {row.label: row.wanted.settings for row in menu.rows}
    assert settings == {
        "None": {"players": "4"},
        "Warn me": {"players": "4", "warnings": "on"},
        "Brain: what?": {"players": "4", "help": "brain"},
        "Hand: this?": {"players": "4", "help": "hand"},
    }
    labels = [row.label for row in game_menu(Hands("tayu", players=4).game).rows]
    assert "Resign" not in labels
    assert "Offer a draw" not in labels


def test_nature_is_given_no_hint() -> None:
    assert "Hint" not in [row.label for row in game_menu(Hands("twenty-squares").game).rows]


def test_an_engine_is_asked_by_nobody_and_its_person_alone_resigns() -> None:
    hands = Hands("tabik", opponent="1").tell(TurnEntered(Hands("tabik").after(500), "a1b1", ANN))
    hands.tell(DrawOffered(hands.after(10), "black", ANN))
    rows = game_menu(hands.game).rows
    assert "Accept draw" not in [row.label for row in rows]
    (resign,) = [row.wanted for row in rows if isinstance(row.wanted, Menu)]
    assert [row.label for row in resign.rows] == ["Go on", "Black resigns"]


def test_an_answer_is_written_as_large_as_it_has_room() -> None:
    short, long = (
        "Black plays a1b1.",
        "Black puts a rod on a1 and b1, with the black stone on a1 and the white one on b1.",
    )
    assert message_screen("Hint", short).tobytes() != message_screen("Hint", long).tobytes()
    assert message_screen("Hint", long, large=True).tobytes() != message_screen("Hint", long).tobytes()
