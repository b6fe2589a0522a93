"""Extend the game summary for open pages with pictures by name, questions in words, and times used.

A picture of a large board has sixty thousand bytes and changes with each move only: a page is sent its name, and
requests the picture once. The name is a hash of its content, so that a browser can cache it.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from gnomon.referee.game import Game
from gnomon.rules.protocol import NATURE
from gnomon.timekeeping.instants import Instant, seconds
from gnomon.views import seats
from gnomon.views.places import places
from gnomon.views.show import show_of
from gnomon.web.pictures import named
from gnomon.words import ENGLISH, Words

PICTURE: Final = "picture"
WHICH_TURN: Final = "which_turn"


def for_pages(told: Mapping[str, object], game: Game | None, now: Instant, words: Words = ENGLISH) -> dict[str, object]:
    """A summary as pages are told it.

    `picture` is a name, `corners` and `edges` say where its board lies, `used` is the time each player has thought,
    and `said` are the choices of a question that are turns, in plain words.
    """
    news = dict(told)
    svg = news.get(PICTURE)
    if isinstance(svg, str):
        news[PICTURE] = named(svg)
        news["corners"] = [] if game is None else corners(game)
        news["edges"] = [] if game is None else list(show_of(game).edges)
    if game is not None:
        news["used"] = {player: seconds(time) for player, time in time_used(game, now).items()}
        news["thinks"] = thinker(game)
        news["said"] = choices(game, words)
    return news


def choices(game: Game, words: Words) -> dict[str, str]:
    """The choices of a question which turn it was, in plain words; nothing where something else is asked."""
    if game.question is None or game.question.asked.question != WHICH_TURN:
        return {}
    texts = game.question.asked.choices
    return {text: show_of(game).turn(game.turn, text, words) for text in texts}


def corners(game: Game) -> list[list[float]]:
    """The left upper and the right lower corner of all places on a board's picture, as places without a size.

    None where there are no places.
    """
    found = list(places(game.rules).values())
    if not found:
        return []
    first = (min(place.x for place in found), min(place.y for place in found))
    last = (max(place.x + place.width for place in found), max(place.y + place.height for place in found))
    return [[round(x, 2), round(y, 2), 0.0, 0.0] for x, y in (first, last)]


def thinker(game: Game) -> str:
    """Whose time runs: empty in a pause and after the end."""
    if game.outcome is not None or game.paused_at is not None:
        return ""
    return seats.actor(game)


def time_used(game: Game, now: Instant) -> Mapping[str, Instant]:
    """The game time that each player's turns have taken, in microseconds; what chance takes is the next mover's."""
    used: defaultdict[str, int] = defaultdict(int)
    before, since_nature = Instant(0), 0
    for ply in game.plies:
        when = show_of(game).ply_time(game, ply)
        took = max(0, when - before)
        before = when
        if ply.player == NATURE:
            since_nature += took
        else:
            used[ply.player] += took + since_nature
            since_nature = 0
    now_thinks = seats.actor(game)
    if game.outcome is None:
        used[now_thinks] += max(0, show_of(game).time(game, now) - before) + since_nature
    return {player: Instant(time) for player, time in used.items()}
