"""What has come to rest is shown before it is evidence, and nothing is ruled by it."""

from gnomon.referee.debounce import CALM, CHATTER_LENGTH
from gnomon.referee.events import InputChanged
from gnomon.referee.game import Game
from gnomon.referee.games import begin, foresee, let_rest, rests_at, tell
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Instant

AT = Instant(SECOND)


def lifted(*, bounces: int = 0) -> Game:
    """A glass has just been lifted from D1, and its contact bounces for some milliseconds."""
    game: Game = begin("tamsk", {"level": 1}, board="tamsk")
    for number in range(bounces + 1):
        at = Instant(AT + number * MILLISECOND)
        game, _ = tell(game, InputChanged(at, "D1.north", value=bool(number % 2)))
    return game


def test_where_nothing_moves_nothing_comes_to_rest() -> None:
    game = begin("tamsk", {"level": 1}, board="tamsk")
    assert let_rest(game, AT) is game
    assert rests_at(game, AT) is None


def test_what_has_come_to_rest_is_foreseen() -> None:
    game = lifted()
    calm = Instant(AT + CALM)
    assert (rests_at(game, AT), rests_at(game, calm)) == (calm, None)
    assert let_rest(game, Instant(calm - 1)) is game
    shown = foresee(let_rest(game, calm))
    assert shown.judgement.lifted == ("D1",)
    assert foresee(game).judgement.lifted == ()
    assert shown.rulings == game.rulings


def test_a_contact_that_came_back_to_its_level_shows_nothing() -> None:
    game = lifted(bounces=3)
    assert let_rest(game, Instant(AT + SECOND)) is game


def test_what_would_be_ruled_is_left_to_the_referee() -> None:
    game = lifted(bounces=round(CHATTER_LENGTH / MILLISECOND))
    assert let_rest(game, Instant(AT + CHATTER_LENGTH)) is game
