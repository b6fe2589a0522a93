"""Hands at a table: what they pick with buttons, what lies on a board of squares, and what goes wrong with tiles."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.referee.chooser import Chooser
from gnomon.referee.events import InputChanged
from gnomon.referee.game import Game
from gnomon.referee.games import begin
from gnomon.referee.table import BACK, ENTER, NEXT, PREVIOUS, TABLE_BUTTONS
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Instant
from gnomon_pi import config
from gnomon_pi.simulated._surface import TILE, Surface
from gnomon_pi.simulated._table import ImpossibleActError
from gnomon_pi.simulated.players._noise import CLEAN
from gnomon_pi.simulated.players.input_actions import CodeRead, buttons_to_pick
from gnomon_pi.simulated.players.player_timing import TableHabits
from gnomon_pi.simulated.players.table_hands import Handled, PlayingManner, play_at_a_table
from tests.conftest import examples
from tests.tile_mistakes import TileClumsiness, TileMistake

NAMES = ("tabik", "tau", "tayu", "twenty-squares")
MOVES = st.lists(st.from_regex(r"[a-c]{1,2}[0-9]{1,2}(/[NESW])?", fullmatch=True), min_size=1, max_size=30, unique=True)


def at_a_table(name: str, board: str = "") -> Game:
    game = begin(name, {}, board=board)
    assert not isinstance(game, TamskGame)
    return game


def picked(texts: list[str], buttons: list[str], chooser: Chooser | None) -> str | None:
    """What the buttons pick, as the referee follows them."""
    for button in buttons:
        if chooser is None:
            chooser = Chooser.among(texts)
            continue
        step = {NEXT: chooser.next, PREVIOUS: chooser.previous, ENTER: chooser.enter, BACK: chooser.back}
        chooser = step[button]()
        if button == ENTER and chooser.complete_text is not None:
            return chooser.complete_text
    return None


@given(MOVES, st.data())
def test_the_buttons_pick_the_text_that_is_wanted(texts: list[str], data: st.DataObject) -> None:
    wanted = data.draw(st.sampled_from(texts))
    assert picked(texts, buttons_to_pick(texts, wanted, None), None) == wanted


@pytest.mark.untraced
@given(MOVES, st.data())
def test_a_choice_that_has_begun_is_gone_on_with(texts: list[str], data: st.DataObject) -> None:
    wanted = data.draw(st.sampled_from(texts))
    chooser = Chooser.among(texts)
    for _ in range(data.draw(st.integers(0, 5))):
        chooser = chooser.next()
    assert picked(texts, buttons_to_pick(texts, wanted, chooser), chooser) == wanted


def test_what_cannot_be_picked_is_said() -> None:
    with pytest.raises(ValueError, match="'z9' is not among what can be picked"):
        buttons_to_pick(["a1", "b2"], "z9", None)


def played(name: str, seed: int, manner: PlayingManner | None = None, board: str = "") -> Handled:
    return play_at_a_table(at_a_table(name, board), Random(seed), Instant(5 * SECOND), manner)


@settings(max_examples=examples(20))
@given(st.sampled_from(NAMES), st.integers(0, 1000))
def test_the_score_is_a_legal_game_from_start_to_end(name: str, seed: int) -> None:
    handled, rules = played(name, seed), at_a_table(name).rules
    position = rules.start()
    for move in handled.score:
        assert rules.turn(position) == move.player
        position = rules.play(position, rules.parse(position, move.text))
    assert rules.outcome(position) is not None


@settings(max_examples=examples(20))
@given(st.sampled_from(NAMES), st.integers(0, 1000))
def test_deeds_come_in_the_order_of_time_and_none_before_the_start(name: str, seed: int) -> None:
    handled = played(name, seed)
    stamps = [deed.at for deed in handled.deeds]
    assert stamps == sorted(stamps)
    assert stamps[0] >= 5 * SECOND
    assert all(before.at < after.at for before, after in pairwise(handled.score))


@pytest.mark.untraced
@settings(max_examples=examples(15))
@given(st.sampled_from(NAMES), st.integers(0, 1000))
def test_no_button_is_pressed_so_often_that_it_would_be_taken_for_chatter(name: str, seed: int) -> None:
    handled = played(name, seed, PlayingManner(TableHabits(picks=1.0), noise=CLEAN))
    for button in TABLE_BUTTONS:
        stamps = [deed.at for deed in handled.deeds if isinstance(deed, InputChanged) and deed.input == button]
        assert all(late - early > 3 * SECOND for early, late in zip(stamps, stamps[15:], strict=False))
        assert len(stamps) % 2 == 0


def test_the_ways_of_making_a_move_are_habits() -> None:
    by_page = played("tayu", 1, PlayingManner(TableHabits(picks=0.0, reads=0.0)))
    assert {type(deed).__name__ for deed in by_page.deeds} == {"TurnEntered"}
    by_hand = played("tayu", 1, PlayingManner(TableHabits(picks=1.0, reads=1.0), noise=CLEAN), "tayu")
    assert {type(deed).__name__ for deed in by_hand.deeds} == {"InputChanged", "CodeRead"}
    codes = [deed.code for deed in by_hand.deeds if isinstance(deed, CodeRead)]
    assert [f"draw:{code}" for code in codes] == [move.text for move in by_hand.score if move.player == "nature"]


@pytest.mark.untraced
@settings(max_examples=examples(15))
@given(st.integers(0, 1000), st.frozensets(st.sampled_from(TileMistake)))
def test_whatever_goes_wrong_the_tiles_of_the_game_lie_there_in_the_end(
    seed: int, kinds: frozenset[TileMistake]
) -> None:
    handled = played("tayu", seed, PlayingManner(mistakes=TileClumsiness(kinds, 0.7), noise=CLEAN), "tayu")
    rules, surface = at_a_table("tayu").rules, Surface.of(config.load_bundled("tayu"))
    position = rules.start()
    for move in handled.score:
        position = rules.play(position, rules.parse(position, move.text))
    for deed in handled.deeds:
        if isinstance(deed, InputChanged) and deed.input.endswith(TILE):
            square = (deed.input.removesuffix(TILE),)
            surface = surface.lay(square) if deed.value else surface.lift(square)
    assert surface.covered == {square for laid in position.laid for square in rules.squares_of(laid)}


def test_a_mistake_leaves_time_for_inputs_to_come_to_rest() -> None:
    handled = played("tayu", 3, PlayingManner(mistakes=TileClumsiness(frozenset(TileMistake)), noise=CLEAN), "tayu")
    changes: dict[str, Instant] = {}
    for deed in handled.deeds:
        if isinstance(deed, InputChanged):
            assert deed.at - changes.get(deed.input, Instant(0)) >= 50 * MILLISECOND
            changes[deed.input] = deed.at


# What lies on a board


def test_a_surface_shows_what_lies_on_it_and_what_is_pressed() -> None:
    surface = Surface.of(config.load_bundled("tayu"))
    assert len(surface.squares) == 289
    laid = surface.lay(("h9", "i9", "j9")).press("button.enter")
    assert {name for name, value in laid.inputs().items() if value} == {"h9.tile", "i9.tile", "j9.tile", "button.enter"}
    assert laid.release("button.enter").lift(("h9", "i9", "j9")) == surface
    assert set(surface.inputs()) == set(config.load_bundled("tayu").inputs) | set(TABLE_BUTTONS)


@pytest.mark.parametrize(
    ("does", "said"),
    [
        (lambda surface: surface.lay(("a1", "h9")), "A tile lies on h9 already."),
        (lambda surface: surface.lift(("a1",)), "No tile lies on a1."),
        (lambda surface: surface.lay(("z9",)), "There is no square 'z9' on this board."),
        (lambda surface: surface.lay(()), "Say on which squares."),
        (lambda surface: surface.press("button.red"), "There is no button 'button.red' on this board."),
        (lambda surface: surface.press("button.next").press("button.next"), "The button button.next is already down."),
        (lambda surface: surface.release("button.next"), "The button button.next is not down."),
        (
            lambda _: Surface.of(config.load_bundled("table")).lay(("a1",)),
            "This board has no squares that sense a tile.",
        ),
    ],
)
def test_what_no_hand_can_do_is_refused(does: object, said: str) -> None:
    surface = Surface.of(config.load_bundled("tayu")).lay(("h9", "i9", "j9"))
    assert callable(does)
    with pytest.raises(ImpossibleActError) as refused:
        does(surface)
    assert str(refused.value) == said
