"""What a coach and the players say: on pages, on the display in every language, and by the lights."""

import pytest

from gnomon.referee.draws import may_offer
from gnomon.referee.events import DrawAnswered, DrawOffered, Paused, PlayerHelped, PlayerWarned
from gnomon.refusals import Statement, sentence, statement
from gnomon.timekeeping.instants import Instant
from gnomon.views import _draws_and_warnings as said
from gnomon.views.display import large_oled, oled
from gnomon.views.lights import FITS as GOOD
from gnomon.views.lights import LOOKS, NOTHING, RUNS_LOW, WARNING_TIME, LightsView, Signal, look_again, say_help
from gnomon.views.summary import summary
from gnomon.words import LANGUAGES, words
from tests.views.table_scenes import ANN, Hands

WHY = statement("coach.verdict.blunder.number", number=31)
NOW = Instant(0)


def warned() -> Hands:
    """Someone is about to play a turn that they are warned of."""
    hands = Hands("tau", rows=3, columns=3).press("next")
    text = hands.game.board.turn_to_confirm(hands.game)
    assert text is not None
    return hands.tell(PlayerWarned(hands.after(100), text, "Gnomon", WHY))


def offered(**settings: object) -> Hands:
    """Black has moved and offers a draw."""
    hands = Hands("tabik", **settings).enter("a1b1")
    return hands.tell(DrawOffered(hands.after(100), "black", ANN))


def test_a_page_is_told_of_a_warning_while_the_turn_waits() -> None:
    hands = warned()
    told = summary(hands.game, hands.now)["talk"]
    assert told == {
        "warning": "Look again: there is a much better move: this one lowers the chance of winning by about 31 "
        "percentage points.",
        "draw": None,
        "warns": False,
        "help": None,
        "helped": None,
        "may_offer": "p1",
    }
    assert said.warning(hands.press("next").game) == ""


def test_a_page_is_told_who_answers_an_offer() -> None:
    hands = offered()
    draw = {"asked": "white", "sentence": "Black offers a draw.", "by_person": True}
    assert said.talk_payload(hands.game) == {
        "warning": None,
        "draw": draw,
        "warns": False,
        "help": None,
        "helped": None,
        "may_offer": None,
    }
    engine = said.talk_payload(offered(opponent="1").game)["draw"]
    assert isinstance(engine, dict)
    assert not engine["by_person"]
    hands.tell(DrawAnswered(hands.after(100), "white", False, ANN))
    assert said.talk_payload(hands.game)["draw"] is None


def test_who_may_offer_is_the_person_on_turn_or_the_one_who_plays_an_engine() -> None:
    assert may_offer(Hands("tabik").game) == "black"
    assert may_offer(Hands("tabik", opponent="1", opponent_plays="black").game) == "white"
    assert may_offer(Hands("tabik", opponent="1", opponent_plays="all").game) is None
    assert may_offer(Hands("tayu", players=4).game) is None
    assert may_offer(Hands("twenty-squares").game) == "p1"
    hands = Hands("tabik")
    assert said.talk_payload(hands.tell(Paused(hands.after(10), ANN)).game)["may_offer"] is None
    hands = offered()
    assert may_offer(hands.tell(DrawAnswered(hands.after(10), "white", True, ANN)).game) is None


PIECE = statement("coach.tau.row")
FITS, MISFITS = statement("coach.hand.yes"), statement("coach.hand.no")


def helped(held: str, *, fits: bool, why: Statement) -> Hands:
    """Somebody is told with what to play, or has begun a turn and is told what of it."""
    hands = Hands("tabik", size=3, help="hand" if held else "brain")
    if held:
        hands.press("next", "enter")
    return hands.tell(PlayerHelped(hands.after(100), held, fits, "Gnomon", why))


def test_a_page_is_told_with_what_to_play_and_what_is_said_of_what_is_in_hand() -> None:
    told = said.talk_payload(helped("", fits=False, why=PIECE).game)
    assert (told["help"], told["helped"]) == ("brain", "Gnomon’s choice: draw through a row.")
    told = said.talk_payload(helped("a", fits=True, why=FITS).game)
    assert (told["help"], told["helped"]) == ("hand", "Yes: a good turn uses it.")


def test_the_display_says_what_is_said_of_a_turn_that_is_being_made() -> None:
    for held, fits, why, headline in (
        ("", False, PIECE, "Gnomon’s choice"),
        ("a", True, FITS, "Good choice"),
        ("a", False, MISFITS, "Not this one"),
    ):
        hands = helped(held, fits=fits, why=why)
        assert said.fresh(hands.game, hands.now) == (headline, held, sentence(why))
        assert said.fresh_until(hands.game, hands.now) == hands.now + said.FRESH


def test_lights_say_whether_what_is_in_hand_is_part_of_a_good_turn_and_nothing_of_where_to_play() -> None:
    view = LightsView.of((NOTHING, NOTHING), None)
    for held, fits, why, says in (("", False, PIECE, NOTHING), ("a", True, FITS, GOOD), ("a", False, MISFITS, LOOKS)):
        hands = helped(held, fits=fits, why=why)
        seen = say_help(hands.game, view, hands.now)
        assert [seen.signals[each] for each in seen.lights] == [says, says]
    hands = warned()
    assert say_help(hands.game, view, hands.now).signals == (LOOKS,)
    assert say_help(Hands("tabik").game, view, NOW) is view


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_display_says_it_at_once_and_then_shows_the_game_again(language: str) -> None:
    say = words(language)
    for hands in (warned(), offered()):
        picture = oled.screen(hands.game, hands.now, words=say)
        until = oled.changes_at(hands.game, hands.now)
        assert until is not None
        assert until <= hands.now + said.FRESH
        later = Instant(hands.now + said.FRESH)
        assert oled.screen(hands.game, later, words=say).tobytes() != picture.tobytes()
        assert large_oled.screen(hands.game, hands.now, words=say).tobytes() == picture.tobytes()
        assert said.fresh(hands.game, later, say) is None


def test_an_open_offer_takes_turns_with_what_the_display_shows() -> None:
    hands = offered()
    assert said.notices(hands.game) == ("Black offers a draw. Answer: page, or hold ARBITER.",)
    assert said.notices(warned().game) == ()


def test_that_an_offer_was_declined_is_said_at_the_display() -> None:
    hands = offered()
    hands.tell(DrawAnswered(hands.after(9000), "white", False, ANN))
    assert said.fresh(hands.game, hands.now) == ("Draw declined", "", "The game goes on.")
    assert said.fresh_until(hands.game, hands.now) == hands.now + said.FRESH
    hands.tell(Paused(hands.after(100), ANN))
    assert said.fresh(hands.game, hands.now) is None


def test_dark_lights_blink_for_a_moment_and_the_others_say_what_they_said() -> None:
    other = Signal(RUNS_LOW, NOTHING.rhythm)
    view = LightsView.of((NOTHING, other, NOTHING), None)
    seen = look_again(view, Instant(0), Instant(10))
    assert [seen.signals[each] for each in seen.lights] == [LOOKS, other, LOOKS]
    assert seen.until == Instant(WARNING_TIME)
    assert look_again(LightsView.of((NOTHING,), Instant(5)), Instant(0), Instant(1)).until == 5
    assert look_again(view, Instant(0), Instant(WARNING_TIME)) is view
