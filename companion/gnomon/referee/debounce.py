"""Debounce raw edges into changes, and hold each change back until it is evidence.

A burst is a run of raw edges of one input with no calm of CALM between them. When the calm comes, the input has
changed if it shows another level than before; the change carries the stamp of the burst's first edge. A change that
is reverted before it has stood for as long as `Evidence` asks is dropped. Changes are released in the order of their
stamps: one that settled early waits for whatever began before it.

An input that never rests chatters. Inputs of one register that move together have one cause: while one of them moves,
the changes of the others wait, and several that jump at one instant were not moved by a hand.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple, Self

from gnomon.referee._noise import FLASH, QUIET, Noise
from gnomon.referee.evidence import AT_ONCE, BUTTON, LIFTED, NUDGE, OUTAGE, Evidence
from gnomon.referee.replacement import replace
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant

CALM: Final = Duration(21 * MILLISECOND)
"""Contacts bounce for up to 20 ms (trace interface), so edges closer than this belong together."""

SETTLING: Final = Duration(100 * MILLISECOND)
"""How long a deadline waits for edges that were stamped before it (trace interface)."""

CHATTER_LENGTH: Final = Duration(250 * MILLISECOND)
"""No bounce lasts as long as this: the input chatters."""

CHATTER_BURSTS: Final = 16
CHATTER_WINDOW: Final = Duration(3 * SECOND)
"""As many bursts in so short a time are no hand: eight lifts in three seconds."""

PULSE: Final = Duration(140 * MILLISECOND)
PULSE_BURSTS: Final = 5
"""So many in the same time are told of, though the input is believed: hands lift a glass and put it back twice at most.

Those that come closer together are chatter, or will be.
"""

BUTTON_BURSTS: Final = 48
"""A finger that steps through choices is faster than a hand that lifts a glass: eight presses a second."""

JUMP: Final = Duration(30 * MILLISECOND)
JUMPERS: Final = 3
"""So many inputs of one register that change within so short a time have one cause, and it is not a hand."""

GLITCH: Final = 2
"""A reading that was wrong once makes so many edges; a contact that bounced, and opened again, made more."""

_GONE: Final = 2
"""So many stamps are known of a ring that came and went."""

_STAND: Final = "timer15."

SHOWED: Final = Duration(5 * SECOND)
AGAIN: Final = Duration(10 * SECOND)
"""A ring that showed for no longer than the one, and shows again within the other, may never have been there."""


class Change(NamedTuple):
    """A debounced change of one input; `at` is the stamp of its first raw edge.

    `back` is when it last came back, if it went away for a moment: from then on it must stand. An input that flickers
    has changed at some time from `first` to `last`; 0: at its stamp.
    """

    at: Instant
    input: str
    value: bool
    uncertainty: Duration = Duration(0)
    back: Instant = Instant(0)
    first: Instant = Instant(0)
    last: Instant = Instant(0)

    @property
    def since(self) -> Instant:
        """Since when it has stood."""
        return max(self.at, self.back)

    @property
    def earliest(self) -> int:
        """The earliest instant at which it may have happened, by its flicker or an outage."""
        if self.uncertainty > OUTAGE:
            return self.at - self.uncertainty
        return self.first if self.last else self.at

    def may_precede(self, at: Instant) -> bool:
        """Whether it is stamped later than an instant, but may have happened before."""
        return self.earliest <= at < max(self.at, self.last)


class Burst(NamedTuple):
    """Raw edges of one input that have not come to rest."""

    first: Instant
    last: Instant
    level: bool
    uncertainty: Duration
    edges: int = 1


class Fault(NamedTuple):
    """Inputs that moved as no hand moves them: the one that was found out, as of when, and those of its register."""

    at: Instant
    input: str
    inputs: tuple[str, ...]


class Settled(NamedTuple):
    """What the inputs gave at an instant: changes in the order of their stamps, and inputs found chattering."""

    changes: tuple[Change, ...]
    chattering: tuple[Fault, ...]
    unsure: tuple[Change, ...] = ()
    """Inputs that pulse, a stand that lost its glass again, and rings that blinked when they had stood.

    What was ruled upon them may not have happened, or have happened at another time.
    """


@dataclass(frozen=True)
class Debouncer:
    """The debounced levels of all inputs, what is still moving, and the changes that are no evidence yet."""

    on: frozenset[str]
    bursts: Mapping[str, Burst] = field(default_factory=dict)
    waiting: tuple[Change, ...] = ()
    history: Mapping[str, tuple[Instant, ...]] = field(default_factory=dict)
    fallen: Mapping[str, tuple[Instant, ...]] = field(default_factory=dict)
    """When rings beside a glass, or the 15-second glass, last came and went, and their glass was lifted after that."""
    touched: Instant = Instant(0)  # when a button was last pressed, or a glass lifted
    glimpses: Mapping[str, tuple[Instant, Instant]] = field(default_factory=dict)
    """When sockets, and rings, lately first showed for too short a time to be evidence, and were last lost."""
    noise: Noise = QUIET
    evidence: Evidence = AT_ONCE
    registers: tuple[frozenset[str], ...] = ()

    def edge(self, at: Instant, name: str, *, value: bool, uncertainty: Duration = Duration(0)) -> Self:
        """Take in one raw edge. An edge to the level that already stands says nothing."""
        burst = self.bursts.get(name)
        if burst is not None and at - burst.last >= CALM and self.evidence.stands:
            # It came to rest while nobody looked.
            return self._settle(name, burst).edge(at, name, value=value, uncertainty=uncertainty)
        waiting = self.waiting
        if uncertainty > OUTAGE and self.evidence.wary:
            # What had not stood when the looking stopped must stand from now on.
            since = Instant(at - uncertainty)
            waiting = tuple(it if _has_stood(it, since, self.evidence) else it._replace(back=at) for it in waiting)
        if burst is None:
            if value == (name in self.on):
                return self
            starts = tuple(start for start in self.history.get(name, ()) if at - start < CHATTER_WINDOW)
            return replace(
                self,
                bursts={**self.bursts, name: Burst(at, at, value, uncertainty)},
                history={**self.history, name: (*starts, at)},
                waiting=waiting,
            )
        if value == burst.level:
            return self
        burst = burst._replace(last=max(at, burst.last), level=value, edges=burst.edges + 1)
        return replace(self, bursts={**self.bursts, name: burst}, waiting=waiting)

    def _settle(self, name: str, burst: Burst) -> Self:
        """The debouncer in which one input has come to rest."""
        waiting = list(self.waiting)
        if burst.level != (name in self.on):
            _add(waiting, self._change(name, burst), self.evidence)
        bursts = {other: it for other, it in self.bursts.items() if other != name}
        on = self.on | {name} if burst.level else self.on - {name}
        return replace(self, on=on, bursts=bursts, waiting=tuple(sorted(waiting, key=_order)))

    def _change(self, name: str, burst: Burst) -> Change:
        """The change that a burst comes to, and when it may have happened if the input has flickered."""
        first = burst.first
        for start in reversed(self.history.get(name, ())):
            flickers = first < burst.first  # then it was shaky from its change on, if that was no evidence yet
            if first - start >= (self.evidence.holds(name, value=burst.level) if flickers else NUDGE):
                break
            first = start
        shown = self.fallen.get(name, ())
        if burst.level and len(shown) > 1 and burst.first - shown[-1] < AGAIN:
            first = min(first, shown[0])  # a ring that comes again may have been there all the time
        last = burst.last if burst.last - burst.first >= CALM else burst.first
        change = Change(burst.first, name, burst.level, burst.uncertainty)
        return change if first == last or name.startswith(BUTTON) else change._replace(first=first, last=last)

    def pending_at(self, at: Instant) -> tuple[Change, ...]:
        """The changes that are no evidence yet, stamped later than an instant, but may have happened before."""
        bursts = (self._change(name, burst) for name, burst in self.bursts.items())
        return tuple(change for change in (*self.waiting, *bursts) if change.may_precede(at))

    def flicker_at(self, at: Instant) -> tuple[Change, ...]:
        """The changes that are stamped later than an instant, but may have happened before."""
        shaky = [name for name, starts in self.history.items() if at < starts[-1] and _is_shaky(starts, at)]
        return (*self.pending_at(at), *(Change(at, name, value=name in self.on) for name in shaky))

    def lost_rings(self, at: Instant) -> tuple[Change, ...]:
        """The rings beside a glass that came shortly before an instant, and were gone before they were evidence.

        Their glass may have been lifted since: shortly before that instant, then.
        """
        return tuple(
            Change(stamps[0], name, value=True)
            for name, stamps in self.fallen.items()
            if len(stamps) >= _GONE
            and not name.startswith(_STAND)
            and stamps[0] <= at < max((stamps[0], *stamps[_GONE:])) + SHOWED
            and stamps[1] - stamps[0] < self.evidence.holds(name, value=True)
        )

    def due(self) -> Instant | None:
        """When something comes to rest, becomes evidence or proves to be chatter if no edge follows; None: never."""
        due = [min(burst.last + CALM, burst.first + CHATTER_LENGTH) for burst in self.bursts.values()]
        known = self._first_known_at()
        return Instant(min([*due, known])) if known is not None else Instant(min(due)) if due else None

    def _first_known_at(self) -> int | None:
        """When what waits first, with all that was seen with it, is evidence or gone for good; None: not yet known."""
        gone, begun = _withdrawals(self.waiting, self.evidence), self._burst_start()
        known: list[int] = []
        for change in self.waiting:
            if known and not self._is_seen_with(self.waiting[0], change):
                break
            off = gone.get(change)
            if self._is_held(change, begun) if off is None else off.input in self.bursts:
                return None
            known.append(self._ripe(change) if off is None else _gone_for_good(change, off, self.evidence))
        return max(known, default=None)

    def _is_seen_with(self, one: Change, other: Change) -> bool:
        """Whether two changes were seen at the end of an outage: neither came first, so they are judged together."""
        is_unsure = max(one.uncertainty, other.uncertainty) > OUTAGE
        return one.at == other.at and is_unsure and self.evidence.contradictions

    def began(self) -> Instant | None:
        """The earliest instant at which something may have happened that is not evidence yet; None: nothing did."""
        stamps = [burst.first - burst.uncertainty for burst in self.bursts.values()]
        stamps += [change.at - change.uncertainty for change in self.waiting]
        return Instant(min(stamps)) if stamps else None

    def follow(self, name: str, *, value: bool) -> Self:
        """Take in an edge of an input that is not believed: only its level is kept."""
        return replace(self, on=self.on | {name} if value else self.on - {name})

    def pending_changes(self) -> tuple[Change, ...]:
        """All that waits, but for what has gone again: for those who ask what is coming."""
        gone = _withdrawals(self.waiting, self.evidence)
        left = {*gone, *gone.values()}
        return tuple(change for change in self.waiting if change not in left) if left else self.waiting

    def settle(self, now: Instant) -> tuple[Self, Settled]:
        """Let go of what has come to rest, and is evidence, by `now`."""
        on = set(self.on)
        bursts = dict(self.bursts)
        waiting = list(self.waiting)
        chattering: list[tuple[Instant, str]] = []
        changes: list[Change] = []
        unsure: list[Change] = []
        glimpses, history, noise = dict(self.glimpses), dict(self.history), self.noise
        for name, burst in self.bursts.items():
            if self._chatters(name, burst, now):
                chattering.append((burst.first, name))
            elif now - burst.last < CALM:
                continue
            elif burst.level != (name in self.on):
                changes.append(self._change(name, burst))
                unsure += [changes[-1]] if self._has_blinked(changes[-1]) or self._pulses(name) else []
                _add(waiting, changes[-1], self.evidence)
            elif burst.edges > GLITCH and not burst.level and (_is_socket(name) or ".ring" in name):
                glimpses.setdefault(name, (burst.first, burst.last))
            else:
                noise = noise.after_flashes([(burst.first, name)])
                if self._is_drowned(name, burst.first, 1):
                    del history[name]
            del bursts[name]
            (on.add if burst.level else on.discard)(name)
        waiting.sort(key=_order)
        fallen, touched, again = self._follow(changes)
        faults = self._faults(chattering, waiting)
        faults += tuple(Fault(at, name, (name,)) for at, name in again if all(name not in it.inputs for it in faults))
        seen = glimpses if self.evidence.contradictions else self.glimpses
        settled = replace(
            self,
            on=frozenset(on),
            bursts=bursts,
            waiting=tuple(waiting),
            fallen=fallen,
            touched=touched,
            glimpses=seen,
            history=history,
            noise=noise if self.evidence.contradictions else self.noise,
        )
        for fault in faults:
            settled = settled.without(fault.inputs)
        settled, lost = settled.without_what_is_gone(now)
        unsure += [change for change in lost if _is_stand(change.input) and not any(map(_is_stand, settled.on))]
        free = settled.free(now)
        if free:
            settled = replace(settled, waiting=settled.waiting[len(free) :])
        named = {name for fault in faults for name in fault.inputs}
        return settled, Settled(free, faults, tuple(change for change in unsure if change.input not in named))

    def without(self, names: Collection[str]) -> Self:
        """The debouncer with nothing of these inputs moving or waiting any more; their levels are kept."""
        moving = {name: burst for name, burst in self.bursts.items() if name in names}
        rising = {name for name, burst in moving.items() if burst.level}
        return replace(
            self,
            on=self.on - moving.keys() | rising,
            bursts={name: burst for name, burst in self.bursts.items() if name not in names},
            waiting=tuple(change for change in self.waiting if change.input not in names),
        )

    def free(self, now: Instant) -> tuple[Change, ...]:
        """The changes that nothing holds back any more, in the order of their stamps."""
        begun, number, gone = self._burst_start(), 0, _withdrawals(self.waiting, self.evidence)
        for change in self.waiting:
            if change in gone or self._is_held(change, begun) or now < self._ripe(change):
                break
            number += 1
        while 0 < number < len(self.waiting) and self._is_seen_with(self.waiting[number - 1], self.waiting[number]):
            number -= 1
        return self.waiting[:number]

    def _burst_start(self) -> Instant | None:
        return min((burst.first for burst in self.bursts.values()), default=None)

    def without_what_is_gone(self, now: Instant) -> tuple[Self, Sequence[Change]]:
        """The debouncer without what has been away for too long to come back, and what that is."""
        gone = {
            on: off
            for on, off in _withdrawals(self.waiting, self.evidence).items()
            if off.input not in self.bursts and now >= _gone_for_good(on, off, self.evidence)
        }
        if not gone:
            return self, ()
        left = {*gone, *gone.values()}
        flashes = [on for on, off in gone.items() if off.at - on.at <= FLASH and self.evidence.contradictions]
        drowned = {on.input for on in flashes if self._is_drowned(on.input, on.at, 2)}
        gone = {on: off for on, off in gone.items() if on.input not in drowned}
        fallen = {name: stamps for name, stamps in self.fallen.items() if name not in drowned}
        history = {name: starts for name, starts in self.history.items() if name not in drowned}
        shown = {it.input: (self._first_shown(it), off.at) for it, off in gone.items() if it.input.startswith(_STAND)}
        fallen |= shown if self.evidence.contradictions else {}
        kept = {name: stamps for name, stamps in self.glimpses.items() if now - stamps[-1] < AGAIN}
        lost = {
            on.input: (kept.get(on.input, (on.at,))[0], off.at)
            for on, off in gone.items()
            if _is_socket(on.input) or ".ring" in on.input
        }
        waiting = tuple(it for it in self.waiting if it not in left)
        told = [it for it in gone if it.input not in self.fallen] if self.evidence.contradictions else []
        rest = replace(self, noise=self.noise.after_flashes((on.at, on.input) for on in flashes), history=history)
        return replace(rest, waiting=waiting, fallen=fallen, glimpses=kept | lost), told

    def _is_drowned(self, name: str, at: Instant, starts: int) -> bool:
        """Whether a false reading of an input, its first for a while, says nothing on a noisy board."""
        return len(self.history[name]) <= starts and self.evidence.contradictions and self.noise.drowns(at, name)

    def _first_shown(self, change: Change) -> Instant:
        """When the stand first showed what it lost again and again before it was evidence."""
        first, *last = self.fallen.get(change.input, (change.at,))
        return first if last and change.at - last[-1] < AGAIN else change.at

    def _ripe(self, change: Change) -> int:
        return change.since + self.evidence.holds(change.input, value=change.value)

    def _is_held(self, change: Change, begun: Instant | None) -> bool:
        """Whether something moves that began before a change (`begun`: the first burst), or moves in its register."""
        if begun is None:
            return False
        return change.at >= begun or not self.bursts.keys().isdisjoint(self.register(change.input))

    def register(self, name: str) -> frozenset[str]:
        """The inputs that share a chip with one, and itself; none if it has a wire of its own."""
        return next((register for register in self.registers if name in register), frozenset())

    def _faults(self, chattering: list[tuple[Instant, str]], waiting: list[Change]) -> tuple[Fault, ...]:
        """One fault for each register in which an input chatters or several jump, and for each input of no register."""
        faults: list[Fault] = []
        known: set[str] = set()
        for at, name in sorted([*chattering, *self._jumps(waiting)]):
            if name not in known:
                mates = tuple(
                    sorted(mate for mate in self.register(name) if mate != name and self._has_moved(mate, at))
                )
                faults.append(Fault(at, name, (name, *mates)))
                known.update((name, *mates))
        return tuple(faults)

    def _jumps(self, waiting: list[Change]) -> list[tuple[Instant, str]]:
        """The first of several inputs of a register that changed at one instant, and have not changed back."""
        if len(waiting) < JUMPERS:
            return []
        away = _withdrawals(waiting, self.evidence)
        gone = {*away, *away.values()}
        found = []
        for register in self.registers:
            moved = [change for change in waiting if change.input in register and change not in gone]
            found += [
                (first.at, first.input)
                for first, last in zip(moved, moved[JUMPERS - 1 :], strict=False)
                if last.at - first.at <= JUMP
            ][:1]
        return found

    def _has_moved(self, name: str, at: Instant) -> bool:
        """Whether an input has moved about an instant."""
        return any(start >= at - CHATTER_LENGTH for start in self.history.get(name, ())[-1:])

    def _follow(
        self, changes: Collection[Change]
    ) -> tuple[Mapping[str, tuple[Instant, ...]], Instant, list[tuple[Instant, str]]]:
        """How rings have come and gone lately, when hands last touched the board, and the rings that came again.

        A ring that went for a moment and a ghost before the ring look alike. Where hands went on while it showed, or
        while it was away, that decides whose ring it is, and nobody can tell.
        """
        if not changes or not self.evidence.wary:
            return self.fallen, self.touched, []
        latest = max(change.at for change in changes)
        fallen = {name: stamps for name, stamps in self.fallen.items() if latest - stamps[-1] < AGAIN}
        touched = self.touched
        again: list[tuple[Instant, str]] = []
        for change in sorted(changes, key=_order):
            space = change.input.partition(".")[0]
            if _is_touch(change) or (self.evidence.contradictions and _is_set_down(change)):
                touched = max(touched, change.at)
                fallen = self._without_glass(fallen, change)
            elif ".ring" in change.input:
                came, *went = fallen.pop(change.input, (change.at,))
                if len(went) > 1:
                    came, went = change.at, []  # its glass was lifted: it may be another
                is_another = bool(went) and change.at - went[0] >= _away_at_least(went[0] - came, self.evidence)
                if change.value and is_another and came <= touched:
                    again.append((change.at, change.input))
                elif change.value:
                    fallen[change.input] = (change.at if is_another else came,)
                elif came < change.at < came + SHOWED and self._has_glass(space):
                    fallen[change.input] = (came, change.at)
        return fallen, touched, again

    def _without_glass(
        self, fallen: Mapping[str, tuple[Instant, ...]], change: Change
    ) -> dict[str, tuple[Instant, ...]]:
        """How rings have come and gone when a glass was lifted beside them, or set down.

        With their glass they may be taken away, and fall again. That one had gone before its glass was lifted is
        remembered until a glass stands there again: its third stamp is that of the lift.
        """
        space = f"{change.input.partition('.')[0]}."
        kept: dict[str, tuple[Instant, ...]] = {}
        for name, stamps in fallen.items():
            is_gone = self.evidence.contradictions and len(stamps) > 1
            if not name.startswith(space) or (change.value and len(stamps) <= _GONE):
                kept[name] = stamps
            elif not change.value and is_gone:
                kept[name] = (*stamps[:2], change.at)
        return kept

    def _has_blinked(self, change: Change) -> bool:
        """Whether a ring is back that was evidence, though it came not long ago, and was away for a moment."""
        its = [other for other in self.waiting if other.input == change.input]
        is_back = change.value and bool(its) and not its[0].value and change.input in self.fallen
        # With a scan or two lost, one false reading looks as if it had been away for longer.
        return is_back and change.at - change.uncertainty > its[0].at and self.evidence.contradictions

    def _pulses(self, name: str) -> bool:
        """Whether an input has just moved too often for a hand, and too slowly for chatter."""
        starts = self.history[name]
        if len(starts) != PULSE_BURSTS or name.startswith(BUTTON) or not self.evidence.contradictions:
            return False
        return all(later - start >= PULSE for start, later in pairwise(starts))

    def _has_glass(self, space: str) -> bool:
        """Whether a glass stands on a space, or is just coming to stand there."""
        sockets = [f"{space}{kind}" for kind in LIFTED]
        return any(name in self.on or (name in self.bursts and self.bursts[name].level) for name in sockets)

    def _chatters(self, name: str, burst: Burst, now: Instant) -> bool:
        most = BUTTON_BURSTS if name.startswith(BUTTON) else CHATTER_BURSTS
        return now - burst.first >= CHATTER_LENGTH or len(self.history[name]) >= most


def _away_at_least(shown: int, evidence: Evidence) -> int:
    """How long a ring that showed for a while must be away before what shows then may be another."""
    return evidence.lifted if shown >= evidence.stands else shown


def _is_touch(change: Change) -> bool:
    """Whether hands went on: a button was pressed, or a glass lifted."""
    return change.value if change.input.startswith(BUTTON) else not change.value and change.input.endswith(LIFTED)


def _is_socket(name: str) -> bool:
    """Whether an input shows a glass on a space."""
    return name.endswith(LIFTED) and not name.startswith(_STAND)


def _is_stand(name: str) -> bool:
    """Whether an input shows the 15-second glass on its stand."""
    return name.startswith(_STAND)


def _is_shaky(starts: Sequence[Instant], at: Instant) -> bool:
    """Whether an input moved before an instant, and went and came again after it, sooner than a hand moves it.

    One start after the instant is a glitch: it changed nothing.
    """
    has_moved = sum(start > at for start in starts) > 1
    return has_moved and any(before <= at < after < before + NUDGE for before, after in pairwise(starts))


def _is_set_down(change: Change) -> bool:
    """Whether a glass was set down."""
    return change.value and change.input.endswith(LIFTED)


def _order(change: Change) -> tuple[Instant, bool, str]:
    """What one scan saw has one stamp; a glass leaves one place before it comes to another."""
    return change.at, change.value, change.input


def _add(waiting: list[Change], change: Change, evidence: Evidence) -> None:
    """Let a change wait; or, if it undoes one that has not stood, forget that one."""
    undone = next((other for other in reversed(waiting) if other.input == change.input), None)
    if undone is None or undone.value or _has_stood(undone, change.at, evidence):
        waiting.append(change)
        return
    waiting.remove(undone)
    stood = next((other for other in reversed(waiting) if other.input == change.input), None)
    if stood is None or not _is_undone(stood, undone, waiting, evidence):
        return
    waiting.remove(stood)
    was_gone = change.at >= _gone_for_good(stood, undone, evidence)
    if not was_gone:
        change = stood._replace(back=change.at, first=stood.first or stood.at, last=change.at)
    elif change.last and change.first <= undone.at:
        change = change._replace(first=stood.first or stood.at)
    waiting.append(change)


def _withdrawals(waiting: Collection[Change], evidence: Evidence) -> Mapping[Change, Change]:
    """What was set down or fell and went away before it had stood, each with its going."""
    if len(waiting) < 2:  # noqa: PLR2004 - one alone undoes nothing
        return {}
    last: dict[str, Change] = {}
    gone = {}
    for change in waiting:
        before = last.get(change.input)
        if before is not None and _is_undone(before, change, waiting, evidence):
            gone[before] = change
        last[change.input] = change
    return gone


def _is_undone(on: Change, off: Change, waiting: Collection[Change], evidence: Evidence) -> bool:
    """Whether something was set down or fell and went away before it had stood, and nothing was built on it."""
    return on.value and not off.value and not _has_stood(on, off.at, evidence) and not _bore(on, off, waiting, evidence)


def _gone_for_good(on: Change, off: Change, evidence: Evidence) -> Instant:
    """When something that went away has been away for too long to have only lost contact: for as long as it stood.

    What flickered has stood since it first came; by earlier terms since it last came back.
    """
    since = on.at if evidence.contradictions else on.since
    return Instant(off.at + min(off.at - since, evidence.holds(off.input, value=False)))


def _has_stood(change: Change, until: Instant, evidence: Evidence) -> bool:
    """Whether a change lasted for as long as is asked of it, though something else may still hold it back.

    What was seen after an outage may have stood since the outage began.
    """
    unseen = change.uncertainty if change.uncertainty > OUTAGE and evidence.contradictions else 0
    return until - change.since + unseen >= evidence.holds(change.input, value=change.value)


def _bore(on: Change, off: Change, waiting: Collection[Change], evidence: Evidence) -> bool:
    """Whether a ring fell where a glass was set down, or a button was pressed since: then it stood there for a turn.

    A ring that went as soon as the glass speaks for nothing: a sleeve brushed over both.
    """
    space, _, kind = on.input.partition(".")
    built = (f"{space}.ring", BUTTON)
    its = [it for it in waiting if it.value and on.at < it.at <= off.at and it.input.startswith(built)]
    if evidence.contradictions:
        its = [it for it in its if it.input.startswith(BUTTON) or not _went(it, waiting, evidence)]
    return bool(its) and not kind.startswith("ring")


def _went(ring: Change, waiting: Collection[Change], evidence: Evidence) -> bool:
    """Whether a ring went away before it had stood."""
    gone = (it.at for it in waiting if it.input == ring.input and not it.value and it.at > ring.at)
    return any(not _has_stood(ring, at, evidence) for at in gone)
