"""Compute the times that each half of a match clock shows, and when they next change.

Times left are rounded up, so that zero is shown only when nothing is left; times that count up are rounded down.
Under `TENTHS_BELOW` tenths are shown. Nothing is counted down: each text is computed from `now`, and so is its next
change.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from gnomon.referee.clock_rulings import player_on
from gnomon.referee.game import Game
from gnomon.timekeeping.accounts import Account, displayed_time
from gnomon.timekeeping.clocks import Clock
from gnomon.timekeeping.controls import SIDES, ByoYomi, Canadian, Hourglass, Main, Manner, Period, UpCount
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant, earliest, seconds
from gnomon.timekeeping.notation import format_time_control
from gnomon.views.phrases import name
from gnomon.words import ENGLISH, Words

TENTHS_BELOW: Final = Duration(20 * SECOND)
"""From here on down seconds are too coarse to play by (DGT 3000 shows tenths under 20 seconds)."""

TENTH: Final = Duration(100 * MILLISECOND)

LOOK_AHEAD: Final = Duration(2 * SECOND)
"""So long before a period ends pages are told how it goes on: news come at least once a second."""

_MINUTE: Final = 60
_KINDS: Final[Mapping[type[Period], str]] = {
    Main: "main",
    ByoYomi: "byo-yomi",
    Canadian: "canadian",
    Hourglass: "hourglass",
    UpCount: "up",
}


Json = Mapping[str, object]


class Face(NamedTuple):
    """One half of a clock: durations in microseconds.

    `text` is the time as it stands there, `delay` what is left of the delay of this move, `period` counts from 1.
    """

    side: int
    player: str
    text: str
    runs: bool
    has_fallen: bool
    account: Account
    period: Period
    number: int
    periods: int
    delay: Duration

    def remark(self, words: Words = ENGLISH) -> str:
        """What stands under the time, in as few letters as can be: the flag, the delay, spells, or moves to go."""
        if self.has_fallen:
            return words("oled.clock.flag")
        if self.delay and self.runs:
            return words("oled.clock.delay", seconds=-(-self.delay // SECOND))
        account = self.account
        if isinstance(self.period, ByoYomi):
            return f"{account.spells} x {seconds(self.period.spell)} s"
        first = f"P{self.number} " if self.periods > 1 else ""
        if account.to_go is not None:
            return f"{first}{words('oled.clock.to_go', number=account.to_go)}"
        made = "oled.clock.moves.one" if account.moves == 1 else "oled.clock.moves.other"
        return f"{first}{words(made, number=account.moves)}"


def faces(game: Game, now: Instant) -> tuple[Face, ...]:
    """Both halves of the match clock at board time `now`, the first player's first; none without one."""
    match = game.clock
    if match is None:
        return ()
    clock = match.clock.at(game.game_time(now))
    found = (_face(game, clock, side, match.flag) for side in SIDES)
    # While hands make the turn of an engine, neither side runs.
    return tuple(found if game.arrived_at is None else (half._replace(runs=False) for half in found))


def changes_at(game: Game, now: Instant) -> Instant | None:
    """The next board time after `now` at which a face may look otherwise by itself; None when it stays."""
    stops = (game.paused_at, game.arrived_at, game.outcome)
    if game.clock is None or any(stop is not None for stop in stops):
        return None
    when = game.game_time(now)
    clock = game.clock.clock.at(when)
    side = clock.runs
    if side is None:
        return None
    following = earliest([*_turns(clock, side, Instant(max(when, clock.since))), clock.deadline(when)])
    return None if following is None else Instant(following + game.standstill)


def time_text(time: int) -> str:
    """A time that is left, as clocks show it: `1:23:45`, `23:45`, and `0:19.4` when tenths count."""
    if time < TENTHS_BELOW:
        tenths = -(-time // TENTH)
        return f"0:{tenths // 10:02}.{tenths % 10}"
    return _whole(-(-time // SECOND))


def summary(game: Game, now: Instant, words: Words = ENGLISH) -> Json | None:
    """What programs and pages are told of the match clock, ready for JSON; None without one.

    A page goes on by itself from `remaining`, `delay` and the time that has passed since, until `deadline`: board
    time in seconds at which a period ends, a spell is lost or the flag falls if nobody presses. From there it goes on
    from `after`, the sides as they are at that moment; it is null while that is far away.
    """
    match = game.clock
    if match is None:
        return None
    halves = faces(game, now)
    when = game.game_time(now)
    runs = next((half.side for half in halves if half.runs), None)
    deadline = None if runs is None else match.clock.deadline(when)
    terms = match.terms
    return {
        "control": format_time_control(terms.control),
        "flag": "ends" if terms.flag_ends else "shown",
        "press": "button" if terms.by_button else "turn",
        "warning": seconds(terms.warning),
        "started": match.has_started,
        "running": None if runs is None else halves[runs].player,
        "side": match.clock.side,
        "first_flag": None if match.flag is None else halves[match.flag].player,
        "deadline": None if deadline is None else seconds(deadline + game.standstill),
        "ahead": len(match.ahead),
        "sides": [_half_payload(game, half, now, words) for half in halves],
        "after": _after(game, deadline, now, words),
    }


def _after(game: Game, deadline: Instant | None, now: Instant, words: Words) -> list[Json] | None:
    """The sides as they are when the period ends that is under way, when that is near."""
    if deadline is None or deadline - game.game_time(now) > LOOK_AHEAD:
        return None
    then = Instant(deadline + game.standstill)
    return [_half_payload(game, half, then, words) for half in faces(game, then)]


def _half_payload(game: Game, half: Face, now: Instant, words: Words) -> Json:
    account, period, match = half.account, half.period, game.clock
    available = None if match is None else match.clock.available(half.side, game.game_time(now))
    return {
        "player": half.player,
        "name": name(half.player, words),
        "players": [] if match is None else list(match.teams[half.side]),
        "text": half.text,
        "kind": _KINDS[type(period)],
        "remaining": seconds(_shown_seconds(half)),
        "delay": seconds(half.delay),
        "counted": seconds(account.over),
        "available": None if available is None else seconds(available),
        "used": seconds(account.used),
        "period": half.number,
        "periods": half.periods,
        "moves": account.moves,
        "to_go": account.to_go,
        "spells": account.spells,
        "running": half.runs,
        "flagged": half.has_fallen,
    }


def _face(game: Game, clock: Clock, side: int, flag: int | None) -> Face:
    account, schedule = clock.accounts[side], clock.control.sides[side]
    period = schedule[account.period]
    goes_on = game.outcome is None and game.paused_at is None
    return Face(
        side=side,
        player=player_on(game, side),
        text=_whole(account.over // SECOND)
        if isinstance(period, UpCount)
        else time_text(displayed_time(account, schedule)),
        runs=goes_on and clock.runs == side,
        has_fallen=flag == side,
        account=account,
        period=period,
        number=account.period + 1,
        periods=len(schedule),
        delay=account.grace if isinstance(period, Main) and period.manner is Manner.DELAY else Duration(0),
    )


def _shown_seconds(half: Face) -> int:
    bronstein = isinstance(half.period, Main) and half.period.manner is Manner.BRONSTEIN
    return half.account.left + half.account.grace if bronstein else half.account.left


def _turns(clock: Clock, side: int, when: Instant) -> Iterator[Instant]:
    """When the texts of the side that runs change next, and in an hourglass those of the other."""
    account, schedule = clock.accounts[side], clock.control.sides[side]
    period = schedule[account.period]
    if isinstance(period, UpCount):
        yield Instant(when + SECOND - account.over % SECOND)
        return
    bronstein = isinstance(period, Main) and period.manner is Manner.BRONSTEIN
    if account.grace and not bronstein:
        yield Instant(when + _until_next(account.grace, SECOND))
        return
    yield Instant(when + _falls(account.left + account.grace))
    if isinstance(period, Hourglass):
        yield Instant(when + _rises(clock.accounts[1 - side].left))


def _falls(left: int) -> int:
    """For how long a time that falls still reads as it does, in microseconds."""
    if left == TENTHS_BELOW:
        return 1
    return _until_next(left, SECOND if left > TENTHS_BELOW else TENTH)


def _rises(left: int) -> int:
    """For how long a time that rises still reads as it does, in microseconds."""
    unit = SECOND if left >= TENTHS_BELOW else TENTH
    rest = -left % unit
    return min(rest + 1, TENTHS_BELOW - left) if left < TENTHS_BELOW else rest + 1


def _until_next(left: int, unit: int) -> int:
    """How long it takes until one unit less is shown of what falls and is rounded up."""
    return (left - 1) % unit + 1


def _whole(number: int) -> str:
    minutes, rest = divmod(number, _MINUTE)
    hours, minutes = divmod(minutes, _MINUTE)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
