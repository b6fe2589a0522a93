"""Convert a timed TAMSK score to strokes of simulated hands, and to the raw edges that they cause."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import accumulate, count, pairwise
from random import Random
from typing import Final, NamedTuple

from gnomon.referee.events import InputChanged
from gnomon.timekeeping.instants import Instant, after
from gnomon_pi.simulated._chance import pick
from gnomon_pi.simulated._table import TableAct, TamskTable, Verb, changes
from gnomon_pi.simulated.players._hand_motions import Handling, Occasion, TimedAct, hesitation, hover
from gnomon_pi.simulated.players._noise import APART, LONGEST_BOUNCE, LONGEST_GLITCH, Noise, bounce, glitch
from gnomon_pi.simulated.players.game_script import NEVER, Score, TimedTurn
from gnomon_pi.simulated.players.player_timing import Habits

_TURNED_OVER: Final = 2  # the level from which the moved glass is turned over (rule 10)


Mistakes = Callable[[Occasion, Random], Handling | None]
"""How a turn is handled with a mistake in it; None: as it should be."""


class Stroke(NamedTuple):
    """One act of the hands at its instant (µs of game time), and the raw edges that it leads to, none before it."""

    at: Instant
    act: TableAct
    edges: tuple[InputChanged, ...]


def play(  # noqa: PLR0913  # each is a choice of its own, and all but the score have a default
    score: Score,
    random: Random,
    *,
    level: int,
    table: TamskTable | None = None,
    habits: Habits | None = None,
    mistakes: Mistakes | None = None,
    noise: Noise | None = None,
) -> Iterator[Stroke]:
    """The strokes of a score on a table (one set out for the level, unless one is given), in the order of time.

    The same random numbers give the same strokes. Raises ImpossibleActError when the score does not fit the table.
    """
    table = table or TamskTable.set_out(level)
    acts = _acts(score, table, habits or Habits(), mistakes, random, turns_over=level >= _TURNED_OVER)
    return _strokes(acts, table, noise or Noise(), random)


def edges(strokes: Iterable[Stroke]) -> Iterator[InputChanged]:
    """The raw edges of all strokes, merged in the order of time."""
    number = count()
    waiting: list[tuple[Instant, int, InputChanged]] = []
    for stroke in strokes:
        while waiting and waiting[0][0] <= stroke.at:
            yield heappop(waiting)[2]
        for edge in stroke.edges:
            heappush(waiting, (edge.at, next(number), edge))
    while waiting:
        yield heappop(waiting)[2]


# From turns to acts


def _acts(  # noqa: PLR0913  # as `play`
    score: Score, table: TamskTable, habits: Habits, mistakes: Mistakes | None, random: Random, *, turns_over: bool
) -> list[TimedAct]:
    """Everything the hands do, in the order of time."""
    acts: list[TimedAct] = []
    before: TimedTurn | None = None
    idle = list(accumulate(map(_first_touch, reversed(score)), min, initial=NEVER))  # until when, from the last turn on
    for number, turn in enumerate(score, 1):
        after_it = score[number] if number < len(score) else None
        settled = _settle(table, turn, turns_over=turns_over)
        acts += _timer15(turn, before, habits, random, hurried=not table.trusts_timer)
        if turn.lifted is not None:
            turned = turns_over or random.random() < habits.turned_at_level_1
            until = idle[len(score) - number]
            occasion = _occasion(table, turn, before, after_it, until, turned=turned, turns_over=turns_over)
            handling = _handle(occasion, habits, mistakes, random)
            acts += [*handling.glass, *handling.besides]
            acts += [act for act in (handling.forgotten, handling.ring) if act is not None]
        if turn.free is not None:
            acts.append(TimedAct(turn.free.at, TableAct(Verb.DROP_RING, turn.free.space, turn.player)))
        acts += _button(turn, after_it, habits, random)
        table, before = settled, turn
    return sorted(acts, key=lambda act: act.at)


def _occasion(  # noqa: PLR0913  # all that a mistake may depend on
    table: TamskTable,
    turn: TimedTurn,
    before: TimedTurn | None,
    after_it: TimedTurn | None,
    idle_until: Instant,
    *,
    turned: bool,
    turns_over: bool,
) -> Occasion:
    assert turn.lifted is not None and turn.placed is not None  # noqa: PT018, S101  # both or neither, by the writer
    right = Handling(
        glass=(
            TimedAct(turn.lifted, TableAct(Verb.LIFT, turn.origin)),
            TimedAct(turn.placed, TableAct(Verb.PLACE, turn.target, glass=table.standing[turn.origin], turned=turned)),
        ),
        ring=None if turn.ring is None else TimedAct(turn.ring, TableAct(Verb.DROP_RING, turn.target, turn.player)),
        forgotten=None
        if turn.forgotten is None
        else TimedAct(turn.forgotten.at, TableAct(Verb.DROP_RING, turn.forgotten.space, turn.player)),
    )
    return Occasion(
        table=table,
        turn=turn,
        right=right,
        turns_over=turns_over,
        idle_from=_idle_from(turn, before),
        idle_until=idle_until,
        movers_until=Instant(0) if before is None else before.movers_until,
        sacred=frozenset(() if before is None or before.ring is not None else (before.target,)),
        any_ring_counts=turn.penalty or (after_it is not None and after_it.penalty),
    )


def _idle_from(turn: TimedTurn, before: TimedTurn | None) -> Instant | None:
    if turn.timer15 is not None or (before is not None and before.is_open):
        return None
    return Instant(0) if before is None else before.at


def _first_touch(turn: TimedTurn) -> Instant:
    drops = [drop.at for drop in (turn.forgotten, turn.free) if drop is not None]
    touches = [instant for instant in (turn.lifted, turn.timer15, turn.button) if instant is not None]
    return min(touches + drops, default=NEVER)


def _handle(occasion: Occasion, habits: Habits, mistakes: Mistakes | None, random: Random) -> Handling:
    handling = None if mistakes is None else mistakes(occasion, random)
    if handling is not None:
        return handling
    if random.random() < habits.hesitates:
        handling = hesitation(occasion, habits.ponder.draw(random), random)
    elif random.random() < habits.hovers:
        handling = hover(occasion, habits.ponder.draw(random), random)
    return handling or occasion.right


def _timer15(
    turn: TimedTurn, before: TimedTurn | None, habits: Habits, random: Random, *, hurried: bool
) -> list[TimedAct]:
    """The 15-second glass turned; in a hurry it is in the hand for no longer than the turn lasts so far.

    Where one pole is seen, that could be taken for a nudge.
    """
    if turn.timer15 is None:
        return []
    began = Instant(0) if before is None or not hurried else before.at
    lifted = max(began, after(turn.timer15, -habits.turn_timer15.draw(random)))
    return [
        TimedAct(lifted, TableAct(Verb.LIFT_TIMER15)),
        TimedAct(turn.timer15, TableAct(Verb.PUT_TIMER15, turned=True)),
    ]


def _button(turn: TimedTurn, answer: TimedTurn | None, habits: Habits, random: Random) -> list[TimedAct]:
    """The button that ends the turn, or one pressed for nothing after the ring, while the other one thinks."""
    pressed = turn.button
    if pressed is None and turn.ring is not None and random.random() < habits.presses_needlessly:
        pressed = after(turn.at, habits.button.draw(random))
        if answer is None or answer.lifted is None or answer.lifted <= pressed:
            return []
    if pressed is None:
        return []
    button = f"button.{turn.player}"
    return [
        TimedAct(pressed, TableAct(Verb.PRESS, button)),
        TimedAct(after(pressed, habits.hold_button.draw(random)), TableAct(Verb.RELEASE, button)),
    ]


def _settle(table: TamskTable, turn: TimedTurn, *, turns_over: bool) -> TamskTable:
    """The table after a turn, by whatever way it came there; which end is up matters only where glasses are turned."""
    if turn.lifted is not None:
        table = table.lift(turn.origin).place(turn.target, turned=turns_over)
    for drop in (turn.forgotten, turn.free):
        if drop is not None:
            table = table.drop_ring(drop.space, turn.player)
    return table if turn.ring is None else table.drop_ring(turn.target, turn.player)


# From acts to edges


def _strokes(acts: Sequence[TimedAct], table: TamskTable, noise: Noise, random: Random) -> Iterator[Stroke]:
    tables = [table]
    for _, act in acts:
        tables.append(tables[-1].after(act))
    changed = [changes(*pair) for pair in pairwise(tables)]
    calm = _Calm(acts, changed)
    for number, (at, act) in enumerate(acts):
        real = [InputChanged(at, name, bool(value)) for name, value in changed[number]]
        raw = [edge for change in real for edge in bounce(change, noise, random)]
        if random.random() < noise.glitches:
            raw += _disturb(after(at, noise.reach.draw(random)), acts, tables, calm, noise, random)
        yield Stroke(at, act, tuple(sorted(raw, key=lambda edge: edge.at)))


def _disturb(  # noqa: PLR0913, PLR0917  # the whole picture, once
    at: Instant, acts: Sequence[TimedAct], tables: Sequence[TamskTable], calm: "_Calm", noise: Noise, random: Random
) -> tuple[InputChanged, ...]:
    inputs = tables[bisect_right(acts, at, key=lambda act: act.at)].inputs()
    name = pick(random, list(inputs))
    if not calm.grants(name, at):
        return ()
    return glitch(at, name, resting=bool(inputs[name]), noise=noise, random=random)


class _Calm:
    """When each input is disturbed or changes, so that glitches stay single ones."""

    def __init__(self, acts: Sequence[TimedAct], changed: Sequence[Sequence[tuple[str, int]]]) -> None:
        self._stamps: dict[str, list[Instant]] = {}
        for (at, _), names in zip(acts, changed, strict=True):
            for name, _ in names:
                self._stamps.setdefault(name, []).append(at)

    def grants(self, name: str, at: Instant) -> bool:
        """Whether the input rests long enough around this instant for a glitch; if so the instant is taken."""
        stamps = self._stamps.setdefault(name, [])
        reach = APART + LONGEST_BOUNCE + LONGEST_GLITCH
        if any(abs(stamp - at) < reach for stamp in stamps):
            return False
        stamps.append(at)
        return True
