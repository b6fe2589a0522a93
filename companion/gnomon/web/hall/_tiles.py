"""Build the tile of a board on the wall, and decide whether its change is worth sending.

Times are milliseconds left at the moment of sending; the reader counts down those that run. So a board whose clocks
run as expected costs nothing until somebody moves.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeGuard

from gnomon.hall.board_registry import RegisteredBoard
from gnomon.timekeeping.instants import MILLISECOND, Instant

DRIFT: Final = 250
"""Milliseconds that there may be less left than a reader thinks before it is told again; people read whole seconds."""
LATE: Final = 2000
"""And more left: what came late on its way makes a time look longer than it is, and is no reason to tell it."""
_NAME: Final = 60
_LAST: Final = 80
_REASON: Final = 80
_PLAYERS: Final = 8
_MOST: Final = 2**53  # of a number that every reader of JSON keeps

Json = Mapping[str, object]


class Times(NamedTuple):
    """The times of a tile, in milliseconds: each with whether it runs."""

    left: tuple[int | None, ...]
    runs: tuple[bool, ...]

    def after(self, passed: int) -> tuple[int | None, ...]:
        """What is left so many milliseconds later."""
        return tuple(
            max(0, left - passed) if runs and left is not None else left
            for left, runs in zip(self.left, self.runs, strict=True)
        )


class Tile(NamedTuple):
    """What is told of a board at an instant of the hall: words that stand, and times that may run."""

    words: Json
    times: Times
    at: Instant

    def is_news(self, told: "Tile") -> bool:
        """Whether somebody who was told something before does not know this."""
        if self.words != told.words or self.times.runs != told.times.runs:
            return True
        expected = told.times.after((self.at - told.at) // MILLISECOND)
        return any(
            _differ(left, known, runs=runs)
            for left, known, runs in zip(self.times.left, expected, self.times.runs, strict=True)
        )

    def payload(self) -> dict[str, object]:
        """The tile ready for JSON."""
        *lefts, urgent, timer = self.times.left
        players = self.words["players"]
        assert isinstance(players, tuple)  # noqa: S101 - as `tile` makes it
        seated = [
            {**player} if left is None else {**player, "left": left, "runs": runs}
            for player, left, runs in zip(players, lefts, self.times.runs, strict=False)
        ]
        said: dict[str, object] = {**self.words, "players": seated}
        if urgent is not None:
            said["urgent"] = urgent
        if timer is not None:
            said["timer15"] = timer
        return said


def tile(place: RegisteredBoard, now: Instant) -> Tile:
    """What a wall shows of a board now. A board may say what it likes: only what can be shown is taken."""
    card, players = place.card, place.players[:_PLAYERS]
    counts = place.is_online
    running = [counts and each.get("running") is True for each in players]
    moment = now if counts else Instant(min(now, place.since))  # of one that is gone, as it was when it went
    lefts = [_milliseconds(place.remaining(_text(each.get("player"), _NAME), moment)) for each in players]
    timer = card.get("timer15_us")
    timer_left = max(0, timer - (place.age(now) or 0)) if _is_number(timer) and counts else None
    words: dict[str, object] = {
        "board": place.board,
        "presence": place.presence.value,
        "phase": place.phase,
        "players": tuple(_player(each) for each in players),
        **_of_the_game(card),
    }
    if place.is_stale(now):
        words["stale"] = True
    if place.status is not None and place.status.label:
        words["label"] = _text(place.status.label, _NAME)
    urgent = _milliseconds(place.urgent(now)) if counts else None
    times = Times((*lefts, urgent, _milliseconds(timer_left)), (*running, True, True))
    return Tile(words, times, now)


def _of_the_game(card: Json) -> dict[str, object]:
    told: dict[str, object] = {}
    if game := _text(card.get("game"), _NAME):
        told["game"] = game
    if last := _text(card.get("last"), _LAST):
        told["last"] = last
    if _is_number(plies := card.get("plies")):
        told["plies"] = plies
    outcome = card.get("outcome")
    if isinstance(outcome, Mapping):
        told["winner"] = _text(outcome.get("winner"), _NAME)
        told["reason"] = _text(outcome.get("reason"), _REASON)
        told["confirmed"] = _texts(card.get("confirmed"))
    return told


def _player(told: Json) -> Json:
    player: dict[str, object] = {"player": _text(told.get("player"), _NAME), "name": _text(told.get("name"), _NAME)}
    if told.get("on_turn") is True:
        player["turn"] = True
    score = told.get("score")
    if _is_number(score):
        player["score"] = score
    return player


def _texts(value: object) -> list[str]:
    listed = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
    return [_text(each, _NAME) for each in listed[:_PLAYERS]]


def _text(value: object, longest: int) -> str:
    # Without what would break the line, or turn the writing around it.
    return "".join(filter(str.isprintable, value[:longest])) if isinstance(value, str) else ""


def _is_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < _MOST


def _milliseconds(time: int | None) -> int | None:
    return None if time is None else min(time, _MOST) // MILLISECOND


def _differ(left: int | None, known: int | None, *, runs: bool) -> bool:
    if left is None or known is None:
        return left is not known
    return not known - DRIFT <= left <= known + (LATE if runs else DRIFT)
