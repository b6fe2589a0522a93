from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.games.tamsk.rules import BOARD
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.show import _lights as lights
from gnomon.games.tamsk.show._lights import Word
from gnomon.referee.judgement import Action, Judgement, Phase, Repair, Temperament
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Instant
from gnomon.views.lights import DARK, Rhythm
from tests.views.tables import LINE, OPENING, REPAIRS, Table, at, judged, new_game, over, played, tables

SPEAKING = {Temperament.ASSISTANT, Temperament.COACH}


def said(game: TamskGame, seconds: float) -> dict[str, str]:
    """What the lights say, by space; those that say nothing are left out."""
    words = lights.words(game, at(seconds))
    return {name: word.label for name, word in zip(BOARD.names, words, strict=True) if word is not None}


def with_temperament(game: TamskGame, temperament: Temperament) -> TamskGame:
    return replace(game, temperament=temperament)


def test_no_two_words_share_a_colour_or_a_rhythm() -> None:
    pairs = list(combinations(Word, 2))
    assert [pair for pair in pairs if pair[0].signal.colour == pair[1].signal.colour] == []
    assert [pair for pair in pairs if pair[0].signal.rhythm == pair[1].signal.rhythm] == []


def test_every_pair_of_words_differs_within_four_seconds_without_colour() -> None:
    ticks = [Instant(tick * 50 * MILLISECOND) for tick in range(80)]
    shapes = {word: tuple(word.signal.rhythm.is_lit(tick) for tick in ticks) for word in Word}
    assert len(set(shapes.values())) == len(Word)


@given(st.sampled_from(Word), st.integers(0, 3600 * SECOND).map(Instant))
def test_a_rhythm_changes_exactly_when_it_says(word: Word, now: Instant) -> None:
    change = word.signal.rhythm.changes_at(now)
    if change is None:
        assert word is Word.LAST_MOVE
        return
    assert change > now
    assert word.signal.rhythm.is_lit(Instant(change - 1)) is word.signal.rhythm.is_lit(now)
    assert word.signal.rhythm.is_lit(change) is not word.signal.rhythm.is_lit(now)


def test_a_rhythm_begins_with_light() -> None:
    blink = Rhythm.of(200, 800)
    shown = [blink.is_lit(Instant(ms * MILLISECOND)) for ms in (0, 199, 200, 999, 1000, 1199, 1200)]
    assert shown == [True, True, False, False, True, True, False]


@pytest.mark.parametrize("temperament", Temperament)
def test_the_last_move_is_shown_to_all(temperament: Temperament) -> None:
    game = with_temperament(judged(played(new_game(1), OPENING), Phase.UNSETTLED), temperament)
    assert said(game, 60) == {"F1": "last move", "E1": "last move"}


def test_after_a_pass_the_last_move_is_the_one_before() -> None:
    game = judged(played(new_game(1), OPENING), Phase.UNSETTLED)
    passed = replace(game, plies=(*game.plies, game.plies[-1]._replace(text="pass", before=game.position)))
    assert said(passed, 60) == said(game, 60)


@pytest.mark.parametrize("temperament", Temperament)
def test_a_glass_in_its_last_seconds_is_shown_to_all(temperament: Temperament) -> None:
    game = with_temperament(judged(played(new_game(2), LINE, every=10), Phase.UNSETTLED), temperament)
    assert "D2" not in said(game, 174.9)
    assert said(game, 175)["D2"] == "running out"
    assert said(game, 189.999_999)["D2"] == "running out"
    assert "D2" not in said(game, 190)


@pytest.mark.parametrize(
    ("action", "word"),
    [
        (Action.PUT_GLASS, "put here"),
        (Action.PUT_RING, "put here"),
        (Action.TAKE_GLASS, "take away"),
        (Action.TAKE_RING, "take away"),
        (Action.TURN_GLASS, "wrong"),
    ],
)
@pytest.mark.parametrize("temperament", Temperament)
def test_a_repair_is_guided_one_step_at_a_time(action: Action, word: str, temperament: Temperament) -> None:
    steps = (Repair(action, "E5"), *REPAIRS)
    game = judged(new_game(1, temperament), Phase.WRONG, repairs=steps, code="occupied")
    assert said(game, 60) == ({"E5": word} if temperament in SPEAKING else {})


@pytest.mark.parametrize("temperament", Temperament)
def test_in_a_pause_the_arbiter_s_correction_is_guided_all_the_same(temperament: Temperament) -> None:
    game = judged(new_game(2, temperament), Phase.WRONG, repairs=REPAIRS, code="by_hand")
    assert said(replace(game, paused_at=at(30)), 60) == {"E5": "take away"}
    done = replace(game, judgement=replace(game.judgement, repairs=()))
    assert said(replace(done, paused_at=at(30)), 60) == {}


@pytest.mark.parametrize("temperament", Temperament)
def test_a_glass_that_nobody_may_move_is_lit_back_to_its_place(temperament: Temperament) -> None:
    game = judged(new_game(1, temperament), Phase.UNSETTLED, repairs=REPAIRS[1:])
    assert said(game, 60) == ({"D4": "put here"} if temperament in SPEAKING else {})


def test_the_15_second_glass_has_no_light() -> None:
    game = judged(new_game(3), Phase.WRONG, repairs=(Repair(Action.TURN_TIMER),), code="timer15_running")
    assert said(game, 60) == {}


@pytest.mark.parametrize("temperament", Temperament)
def test_after_a_correction_by_hand_all_are_shown_what_must_change(temperament: Temperament) -> None:
    game = judged(new_game(1, temperament), Phase.WRONG, repairs=REPAIRS, code="by_hand")
    assert said(game, 60) == {"E5": "take away"}


def test_without_a_known_repair_the_turn_itself_is_shown() -> None:
    game = judged(new_game(1), Phase.WRONG, origin="D1", target="D3", code="not_adjacent")
    assert said(game, 60) == {"D1": "wrong", "D3": "wrong"}


def test_a_coach_shows_which_glasses_may_move() -> None:
    game = new_game(2, Temperament.COACH)
    assert said(game, 0) == dict.fromkeys(["A4", "D1", "G4"], "movable")


@pytest.mark.parametrize("temperament", [Temperament.SILENT, Temperament.ASSISTANT])
def test_others_give_no_hints(temperament: Temperament) -> None:
    assert said(new_game(2, temperament), 0) == {}
    assert said(judged(new_game(2, temperament), Phase.IN_HAND, lifted=("D1",), origin="D1"), 0) == {}


def test_a_coach_shows_where_the_glass_in_the_air_may_go_and_what_is_closed() -> None:
    game = played(new_game(1, Temperament.COACH), "D1-D2 G1-F1x D2-D3= F1-E1x D3-D2= E1-D1x")
    held = judged(game, Phase.IN_HAND, lifted=("D2",), origin="D2")
    assert said(held, 60) == {
        "C1": "target",
        "C2": "target",
        "D1": "full",
        "D3": "target",
        "E1": "full",
        "E2": "target",
    }


def test_a_turn_is_not_lost_before_the_microsecond_after_the_15_seconds() -> None:
    # A glass lifted at the very instant at which they are over is in time (rule 17).
    game = played(new_game(3, Temperament.COACH), "flip15", every=5)
    assert said(game, 20) == dict.fromkeys(["A4", "D1", "G4"], "movable")
    assert lights.changes_at(game, at(20)) == at(20.000_001)
    assert said(game, 20.000_001) == {}


def test_two_glasses_in_the_air_have_no_targets() -> None:
    game = judged(new_game(1, Temperament.COACH), Phase.IN_HAND, lifted=("D1", "A4"), origin="D1")
    assert said(game, 0) == {}


@pytest.mark.parametrize("temperament", Temperament)
def test_in_a_pause_and_after_the_end_only_the_last_move_is_shown(temperament: Temperament) -> None:
    game = with_temperament(played(new_game(2), LINE), temperament)
    moved = {"A1": "last move", "B2": "last move"}
    assert said(replace(game, paused_at=at(189)), 400) == moved
    assert said(over(game, "red", "resigns"), 400) == moved


def test_without_a_game_all_is_dark_and_stays_so() -> None:
    assert lights.lights(None, at(3)) == (DARK,) * 37
    assert lights.changes_at(None, at(3)) is None


def test_a_steady_board_asks_for_no_redrawing() -> None:
    assert lights.changes_at(played(new_game(1), OPENING), at(60)) is None


@pytest.mark.untraced
@given(tables())
def test_there_are_37_lights_each_dark_or_the_colour_of_its_word(table: Table) -> None:
    shown = lights.lights(table.game, table.now)
    assert len(shown) == 37
    for colour, word in zip(shown, lights.words(table.game, table.now), strict=True):
        assert colour in ({DARK} if word is None else {DARK, word.signal.colour})
        assert all(0 <= part <= 255 for part in colour)


@pytest.mark.untraced
@given(tables(), st.floats(0, 1))
def test_no_light_changes_before_it_was_said_to(table: Table, part: float) -> None:
    game, now, _ = table
    change = lights.changes_at(game, now)
    end = Instant(now + 500 * SECOND) if change is None else Instant(change - 1)
    assert change is None or change > now
    for when in (end, Instant(now + round((end - now) * part))):
        assert lights.lights(game, when) == lights.lights(game, now)


@pytest.mark.untraced
@given(tables())
def test_a_board_that_is_watched_at_every_change_is_always_right(table: Table) -> None:
    game, now, _ = table
    for _ in range(12):
        change = lights.changes_at(game, now)
        if change is None:
            break
        assert lights.lights(game, Instant(change - 1)) == lights.lights(game, now)
        now = change


def test_a_judgement_without_spaces_lights_nothing() -> None:
    assert said(replace(new_game(1), judgement=Judgement(Phase.WRONG)), 0) == {}
