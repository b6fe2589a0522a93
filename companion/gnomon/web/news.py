"""The only place that says what open pages are told beside the summary, and what of it is too large to be told often.

A picture of a large board has sixty thousand bytes and changes with each move only: a page is told its name, and asks
for it once. The name is that of its content, so that a browser keeps it.
"""

from collections import defaultdict
from collections.abc import Mapping
from hashlib import blake2b
from typing import Final

from gnomon.referee.game import Game
from gnomon.referee.games import AnyGame
from gnomon.referee.table_game import TableGame
from gnomon.rules.protocol import NATURE
from gnomon.rules.tamsk import PLAYERS
from gnomon.timekeeping.instants import Instant, seconds
from gnomon.views import moments, seats
from gnomon.views.places import places

PICTURE: Final = "picture"
_NAME_BYTES: Final = 9


def for_pages(told: Mapping[str, object], game: AnyGame | None, now: Instant) -> dict[str, object]:
    """A summary as pages are told it.

    `picture` is a name, `corners` say where its board lies, and `used` is the time each player has thought.
    """
    news = dict(told)
    svg = news.get(PICTURE)
    if isinstance(svg, str):
        news[PICTURE] = named(svg)
        news["corners"] = corners(game) if isinstance(game, TableGame) else []
    if game is not None:
        news["used"] = {player: seconds(time) for player, time in time_used(game, now).items()}
        news["thinks"] = thinker(game)
    return news


def named(svg: str) -> str:
    """The name of a picture: the same for the same picture."""
    return blake2b(svg.encode(), digest_size=_NAME_BYTES).hexdigest()


def corners(game: TableGame) -> list[list[float]]:
    """The first and the last place on a board's picture: left, top, width and height; none where there are none."""
    found = list(places(game.rules).values())
    if not found:
        return []
    ends = (min(found, key=lambda place: place.x + place.y), max(found, key=lambda place: place.x + place.y))
    return [[round(length, 2) for length in place] for place in ends]


def thinker(game: AnyGame) -> str:
    """Whose time runs: empty in a pause and after the end."""
    if game.outcome is not None or game.paused_at is not None:
        return ""
    return PLAYERS[game.position.mover] if isinstance(game, Game) else seats.actor(game)


def time_used(game: AnyGame, now: Instant) -> Mapping[str, Instant]:
    """The game time that each player's turns have taken, in microseconds; what chance takes is the next mover's."""
    used: defaultdict[str, int] = defaultdict(int)
    before, since_nature = Instant(0), 0
    for ply in game.plies:
        took = ply.when - before
        before = ply.when
        if ply.player == NATURE:
            since_nature += took
        else:
            used[ply.player] += took + since_nature
            since_nature = 0
    now_thinks = PLAYERS[game.position.mover] if isinstance(game, Game) else seats.actor(game)
    if game.outcome is None:
        used[now_thinks] += max(0, _game_time(game, now) - before) + since_nature
    return {player: Instant(time) for player, time in used.items()}


def _game_time(game: AnyGame, now: Instant) -> Instant:
    return moments.game_time(game, now) if isinstance(game, Game) else game.game_time(now)
