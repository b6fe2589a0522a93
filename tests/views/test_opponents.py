"""What pages, lights and displays say of an engine that plays: it thinks, it has announced a turn, hands make it."""

import json
from typing import Any

import pytest

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.show import _lights as lights
from gnomon.games.tamsk.show._lights import Word
from gnomon.referee.distance import WHO
from gnomon.referee.events import TurnArrived, TurnEntered
from gnomon.referee.game import Game
from gnomon.referee.games import begin
from gnomon.referee.judgement import Action, Repair, Temperament
from gnomon.referee.opponents import NOT_ANNOUNCED
from gnomon.referee.people import people
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import IllegalRuled, TurnRuled
from gnomon.referee.step import step
from gnomon.timekeeping.instants import Duration, Instant
from gnomon.views import opponents, sentences
from gnomon.views.display import large_oled, oled
from gnomon.views.display.table_oled import BLINK
from gnomon.views.summary import summary
from gnomon.words import LANGUAGES, words
from tests.referee.scripted_board import instant
from tests.referee.test_opponents import Evening
from tests.views.display import written


def thinking() -> Evening:
    """White, an engine, is on turn at a table."""
    evening = Evening("tabik", size="4")
    evening.enter(1, "a1b1")
    return evening


def announcing() -> Evening:
    """It has announced its turn."""
    evening = thinking()
    evening.announce(2, "c1c2")
    return evening


def in_sand() -> Evening:
    """An engine plays Red at the TAMSK board, and has announced its first turn."""
    evening = Evening("tamsk", level="2", opponent_plays="red")
    evening.announce(1, "D1-D2")
    return evening


def on_squares() -> Evening:
    """An engine lays a tile on the board of Tayu."""
    evening = Evening("tayu", opponent_plays="north-south")
    evening.enter(1, "draw:013")
    evening.announce(2, "013@h9/E")
    return evening


def said_of(game: Game) -> dict[str, object]:
    """What a page is told of the engine."""
    told = summary(game, instant(5))["opponent"]
    assert isinstance(told, dict)
    assert json.loads(json.dumps(told)) == told
    return told


def test_where_people_play_nothing_is_said_of_an_engine() -> None:
    game = replace(thinking().game, opponent=None)
    assert "opponent" not in summary(game, instant(5))
    assert opponents.opponent_payload(game, instant(5)) is None
    assert opponents.brief_announcement(game) == opponents.announcement(game) == ""
    assert opponents.briefest(game)[0] == ""


def test_a_page_is_told_that_it_thinks_and_what_it_plays() -> None:
    told = said_of(thinking().game)
    assert (told["name"], told["on_turn"], told["announced"]) == ("Gnomon 3", True, None)
    assert (told["exhibition"], told["friendly"], told["seats"]) == (False, False, ["white"])
    assert said_of(announcing().game)["announced"] == {
        "player": "white",
        "text": "c1c2",
        "sentence": "Gnomon 3 announces: White places black on c1, white on c2 and a rod between them.",
        "steps": [],
        "squares": [],
        "counts_in": None,
        "confirmed": True,
    }


@pytest.mark.parametrize("evening", [announcing(), on_squares()])
def test_the_picture_shows_where_the_pieces_go(evening: Evening) -> None:
    game = evening.game
    made = replace(game, announced=None)
    assert summary(game, instant(5))["picture"] != summary(made, instant(5))["picture"]
    assert summary(game, instant(5))["state"] == summary(made, instant(5))["state"]


def test_a_page_is_told_each_step_and_when_the_turn_counts() -> None:
    told = said_of(in_sand().game)["announced"]
    assert isinstance(told, dict)
    assert told["steps"] == ["Take the glass off D1.", "Turn the glass over and put it on D2.", "Put a ring on D2."]
    assert told["squares"] == [["D1"], ["D2"], ["D2"]]
    assert (told["counts_in"], told["confirmed"]) == (None, False)
    evening = Evening("tamsk", level="2")
    evening.move(1, "D1", "D2")
    evening.until(4)
    evening.announce(4, "A1-B2")
    told = said_of(evening.game)["announced"]
    assert isinstance(told, dict)
    assert told["counts_in"] == 4


@pytest.mark.parametrize("temperament", list(Temperament))
def test_a_light_points_at_the_next_step_whatever_the_temperament(temperament: Temperament) -> None:
    evening = in_sand()
    evening.game = replace(evening.game, temperament=temperament)
    assert pointed(evening.game) == {"D1": Word.TAKE_AWAY}
    evening.edges(2, "D1.north", on=False)
    evening.until(3)
    assert pointed(evening.game) == {"D2": Word.PUT_HERE}


def pointed(game: Game) -> dict[str, Word]:
    """The lights that ask for something."""
    tamsk = TamskGame.of(game)
    assert tamsk is not None
    names = [space["name"] for space in summary(game, instant(3))["board"]["spaces"]]  # type: ignore[index]  # JSON
    said = zip(names, lights.words(tamsk, instant(3)), strict=True)
    return {name: word for name, word in said if word in {Word.TAKE_AWAY, Word.PUT_HERE, Word.WRONG}}


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_the_display_says_it_in_every_language_and_all_of_it_has_room(language: str) -> None:
    say = words(language)
    games = [thinking(), announcing(), in_sand(), on_squares()]
    pictures = set()
    for evening in games:
        with written() as lines:
            pictures.add(oled.screen(evening.game, instant(3), (), "", say).tobytes())
            pictures.add(large_oled.screen(evening.game, instant(3), (), "", say).tobytes())
        texts = [line[4] for line in lines]
        assert not [line for line in lines if line[2] > 128 or line[3] > 64 or "…" in line[4]]
        assert any("Gnomon 3" in text for text in texts)
    assert len(pictures) == 2 * len(games)


def test_the_small_board_shows_by_turns_what_is_and_what_will_be() -> None:
    game = announcing().game
    first, second = (oled.screen(game, Instant(number * BLINK)).tobytes() for number in (4, 5))
    assert first != second
    assert oled.changes_at(game, Instant(4 * BLINK)) == Instant(5 * BLINK)


def test_what_is_left_to_say_is_that_the_turn_is_ended() -> None:
    evening = in_sand()
    assert opponents.next_steps(replace(evening.game, announced=None)) == ()
    assert opponents.next_steps(announcing().game) == ("Enter: done",)


@pytest.mark.parametrize("game", ["tamsk", "tayu", "tabik"])
def test_what_was_made_instead_of_the_announced_turn_is_called_that_in_every_game(game: str) -> None:
    made = IllegalRuled(instant(5), "black", "A1-A2x", NOT_ANNOUNCED, (Repair(Action.TAKE_RING, "A2"),))
    said = sentences.sentence(made, game)
    assert "This is not the turn that was announced." in said
    assert said.endswith("To put right: take a ring off A2.")


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_a_board_that_lags_behind_a_turn_of_the_engine_is_not_called_corrected(language: str) -> None:
    say = words(language)
    evening = Evening("tamsk", level="2")
    evening.move(1, "D1", "D2")
    evening.until(4)
    evening.announce(4, "A1-B2")
    evening.enter(9, "A1-B2")
    told: Any = summary(evening.game, instant(10), (), say)
    assert (told["phase"], told["code"]) == ("wrong", "by_hand")
    assert told["phase_sentence"] == say("reason.engine_counts")
    with written() as lines:
        oled.screen(evening.game, instant(10), (), "", say)
    shown = " ".join(line[4] for line in lines)
    assert say("reason.engine_counts") in shown
    # As soon as an arbiter has said something, it is a correction.
    evening.tell(TurnEntered(instant(11), "A4-A3", who="arbiter"))
    assert summary(evening.game, instant(12), (), say)["phase_sentence"] == say("reason.by_hand")


def test_a_pass_that_follows_from_a_turn_of_the_engine_is_no_correction(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = Evening("tamsk", level="2")
    evening.move(1, "D1", "D2")
    evening.until(4)
    evening.announce(4, "A1-B2")
    evening.enter(9, "A1-B2")
    game = evening.game
    passed = game.plies[-1]._replace(player="red", text="pass", at=instant(9))
    game = replace(game, plies=(*game.plies, passed), rulings=(*game.rulings, TurnRuled(instant(9), "red", "pass")))
    monkeypatch.setattr(opponents, "is_forced", lambda _, ply: ply is passed)
    assert opponents.judgement_told(game).code == sentences.ENGINE_COUNTS
    chosen = replace(game, plies=(*game.plies[:-1], passed._replace(text="D2-D3")))
    assert opponents.judgement_told(chosen).code == game.judgement.code


# Another board


def apart(game: str = "tabik", **settings: str) -> Game:
    """A game with another board."""
    return begin(game, {"opponent": "another-board", **settings})


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_other_board_is_called_so_in_every_language(language: str) -> None:
    say = words(language)
    game, _ = step(apart(), TurnEntered(instant(1), "a1b1", "Ann"))
    assert opponents.brief_announcement(game, say) == say("opponent.thinks", name=say("distance.name"))
    assert opponents.briefest(game, say) == (say("oled.distance.name"), [say("oled.opponent.thinks")])
    game, _ = step(game, TurnArrived(instant(2), "c1c2", Duration(instant(2)), WHO))
    assert say("distance.name") in opponents.announcement(game, say)
    told = opponents.opponent_payload(game, instant(3), say)
    assert told is not None
    assert (told["name"], told["on_turn"], told["distant"]) == (say("distance.name"), True, True)


def test_who_plays_at_the_other_board_is_called_by_name() -> None:
    game = replace(apart(), people=people({"white": "Ben"}))
    told = opponents.opponent_payload(game, instant(0))
    assert told is not None
    assert (told["name"], told["on_turn"]) == ("Ben", False)


def test_while_the_other_board_throws_nobody_is_asked_to() -> None:
    game = apart("twenty-squares", opponent_plays="p1")
    assert said_of(game)["on_turn"] is True
    assert opponents.brief_announcement(game) == "The other board is thinking"
    assert oled.screen(game, instant(1)).tobytes() != oled.screen(apart("twenty-squares"), instant(1)).tobytes()


def test_the_code_is_told_until_the_other_board_has_made_a_turn() -> None:
    game = apart(opponent_code="KWXPTR")
    assert said_of(game)["invites"] == "Another board can join with the code KWX-PTR."
    game, _ = step(game, TurnEntered(instant(1), "a1b1", "Ann"))
    assert said_of(game)["invites"] is not None
    game, _ = step(game, TurnArrived(instant(2), "c1c2", Duration(instant(2)), WHO))
    assert said_of(game)["invites"] is None
    assert said_of(apart(opponent_code="KWXPTR", opponent_guest="yes"))["invites"] is None
    assert said_of(apart())["invites"] is None
