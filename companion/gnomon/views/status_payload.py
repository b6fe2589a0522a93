"""Build the card of a game: the small JSON summary that a board sends to the hall each second.

The whole summary of a board is sent only to readers of that board; a wall shows a thousand cards. Times are whole
microseconds left at board time `now`: a program that shows a card counts on from its arrival, by a clock of its own.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final

from gnomon.referee.game import Game
from gnomon.referee.judgement import Phase
from gnomon.referee.match_clock import MatchClock
from gnomon.referee.player_roles import side_of
from gnomon.refusals import Statement
from gnomon.timekeeping.instants import Duration, Instant
from gnomon.views import seats
from gnomon.views.people import people
from gnomon.views.phrases import name, shorten_numbers
from gnomon.views.show import show_of

HEAVIEST: Final = 1500
"""Bytes of a card at most, as JSON."""

STATED: Final = "stated"
"""The key of what the sentences of the health state: a key and values for each, or nothing."""

_NAMES: Final = 440  # bytes of JSON for the names of all players together
_LAST: Final = 60
_HEALTH: Final = 3  # sentences
_SENTENCE: Final = 110
_MOST: Final = 9  # sentences of another version's health
_LONGEST: Final = 200  # letters of each
_MORE: Final = "…"

Json = dict[str, object]


def card(
    game: Game | None,
    now: Instant,
    *,
    number: int = 0,
    confirmed: Sequence[str] = (),
    health: tuple[Statement, ...] = (),
) -> Json:
    """What goes on at board time `now`, ready for JSON; `number` is that of the game in the journal.

    `confirmed` are the players who have confirmed the result at the board. What the health states stands beside its
    English words, `stated`, as far as there is room.
    """
    told = _card(game, now, number, confirmed, [_cut(each.message, _SENTENCE) for each in health[:_HEALTH]])
    stated = [{"key": each.key, "values": each.dump()["values"]} if each.key else {} for each in health[:_HEALTH]]
    whole = told | {STATED: stated}
    return whole if any(stated) and len(json.dumps(whole)) < HEAVIEST else told


def health_in(told: Mapping[str, object]) -> tuple[Statement, ...]:
    """What a card says of the health of its board, which may be of another version."""
    health, stated = told.get("health"), told.get(STATED)
    if not isinstance(health, list):
        return ()
    keys = stated if isinstance(stated, list) and len(stated) == len(health) else [None] * len(health)
    return tuple(
        Statement.from_message(str(text)[:_LONGEST], key, HEAVIEST)
        for text, key in zip(health[:_MOST], keys, strict=False)
    )


def _card(game: Game | None, now: Instant, number: int, confirmed: Sequence[str], ailing: list[str]) -> Json:
    if game is None:
        return {"game": None, "phase": "empty", "health": ailing}
    players = list(_players(game, now))
    timer15 = show_of(game).timer_left(game, now)
    return {
        "game": game.rules.name,
        "title": show_of(game).title,
        "number": number,
        "phase": phase(game),
        "plies": len(game.plies),
        "turn": game.turn,
        "last": _cut(shorten_numbers(game.plies[-1].text), _LAST) if game.plies else "",
        "players": players,
        "urgent_us": _urgent(game, players, timer15),
        "timer15_us": timer15,
        "outcome": None
        if game.outcome is None
        else {"winner": game.outcome.winner, "reason": _cut(game.outcome.reason, _LAST)},
        "confirmed": list(confirmed),
        "health": ailing,
        "since_us": _since(game, now),
    }


def phase(game: Game | None) -> str:
    """How a game stands in one word; `waiting` until somebody has moved or started the clock."""
    if game is None:
        return "empty"
    if game.outcome is not None:
        return "over"
    if game.adjourned:
        return "adjourned"
    if game.paused_at is not None:
        return "paused"
    if game.question is not None or game.judgement.phase is Phase.ASKING:
        return "question"
    if game.judgement.phase is Phase.WRONG:
        return "wrong"
    has_begun = game.plies or (game.clock is not None and game.clock.has_started)
    return "running" if has_begun else "waiting"


def _players(game: Game, now: Instant) -> Iterator[Json]:
    seated = [(seat.player, seat.on_turn) for seat in seats.seats(game)]
    names, score, room = people(game), game.rules.score(game.position), _NAMES // len(seated)
    for player, on_turn in seated:
        left, running = _time(game, player, now)
        yield {
            "player": player,
            "name": _cut(names.get(player) or name(player), room),
            "on_turn": on_turn,
            "score": score.get(player),  # none in TAU, where both play for one number
            "remaining_us": left,
            "running": running,
        }


def _time(game: Game, player: str, now: Instant) -> tuple[Duration | None, bool]:
    """The least time that decides against a player, and whether it runs."""
    dial = _dial(game, game.clock, player, now)
    sand = show_of(game).sand_left(game, player, now)
    known = [each for each in (dial, sand) if each is not None]
    return min([each for each in known if each[1]] or known) if known else (None, False)


def _dial(game: Game, match: MatchClock | None, player: str, now: Instant) -> tuple[Duration, bool] | None:
    """How long a player can think until the flag falls, and whether the clock runs for them."""
    if match is None:
        return None
    side = side_of(game.rules, match.teams, game.position, player)
    time = show_of(game).time(game, now)
    left = None if side is None else match.clock.available(side, time)
    if left is None:
        return None
    return left, game.paused_at is None and match.clock.at(time).runs == side


def _urgent(game: Game, players: Sequence[Json], timer15: Duration | None) -> Duration | None:
    """The least time that runs against anybody."""
    left = [Duration(time) for each in players if each["running"] and isinstance(time := each["remaining_us"], int)]
    if timer15 is not None and show_of(game).timer_binds(game):
        left.append(timer15)
    return min(left, default=None)


def _since(game: Game, now: Instant) -> Duration:
    """How long nothing has been ruled."""
    last = max((*(ruling.at for ruling in game.rulings[-1:]), game.paused_at or 0))
    return Duration(max(0, now - last))


def _cut(text: str, room: int) -> str:
    """As much of a text as takes at most so many bytes of JSON, whatever its letters."""
    if _weight(text) <= room:
        return text
    weights = accumulate(map(_weight, text))
    kept = "".join(letter for letter, weight in zip(text, weights, strict=True) if weight <= room - _weight(_MORE))
    return kept.rstrip() + _MORE


def _weight(text: str) -> int:
    return len(json.dumps(text)) - 2
