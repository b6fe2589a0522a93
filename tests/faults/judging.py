"""Judge what a fault made the referee rule, against what the hands did."""

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Final, NamedTuple

from gnomon.referee.debounce import CALM
from gnomon.referee.events import InputChanged
from gnomon.referee.game import Game
from gnomon.referee.judgement import NOT_PUT_DOWN, NOTHING_TO_END, Phase
from gnomon.referee.rulings import (
    FaultRuled,
    GameOver,
    GlassStopped,
    IllegalRuled,
    PenaltyRuled,
    Ruling,
    TimerTurned,
    TurnLost,
    TurnRuled,
)
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from tests.faults.faults import FOR_GOOD, Fault, disturbed, shows_at
from tests.faults.known_games import (
    Happening,
    KnownGame,
    Refused,
    Step,
    Told,
    looked_until,
    scan_after,
    step_of,
    steps_until,
    told_of,
    told_until,
    turns,
)
from tests.faults.sameness import is_same

SOON: Final = Duration(10 * SECOND)
"""How long after a fault and after a wrong ruling people may have to wait for the word that something is wrong."""

WATCHED: Final = Duration(12 * SECOND)
"""How long the game is followed after the fault, at least."""

LONGEST: Final = Duration(120 * SECOND)
"""How long it is followed at most while two more turns are waited for."""

QUIET: Final = Duration(30 * SECOND)
"""How long a sensor has been well when it should be trusted again."""

LOOK: Final = Duration(1 * SECOND)
"""A player who presses a button has seen what was shown so long before, and does not press blindly."""

LAG: Final = Duration(5 * SECOND)
"""By how much a ruling may come later or earlier than without the fault."""

VAIN: Final = (NOT_PUT_DOWN, NOTHING_TO_END)
"""Why a press ends no turn: the board does not show one."""

EXPLAINED: Final = (Phase.AGREED, Phase.MAY_GO_ON)


class Class(Enum):
    """What became of a fault."""

    RIGHT = "right"
    SAID = "said"
    OPEN = "nobody can know"
    WRONG = "wrong"


class Judged(NamedTuple):
    """What became of a fault: its class, of a wrong game what went wrong first, and what is not trusted any longer.

    `innocent` are the inputs called faulty that never lied; `distrusted` those that are not believed though every
    input has been well for a long while. `told` is what was ruled from the fault on, as far as the game was followed.
    """

    what: Class
    kind: str = ""
    wanted: str = ""
    got: str = ""
    innocent: tuple[str, ...] = ()
    distrusted: tuple[str, ...] = ()
    told: tuple[Told, ...] = ()
    at: Instant = Instant(0)  # when the wrong ruling was heard, or the missing one should have been


class _Run(NamedTuple):
    game: Game
    told: tuple[Told, ...]
    until: Instant
    has_rejoined: bool
    vain: tuple[Instant, ...] = ()  # when people were told why their button ends no turn
    unread: tuple[Ruling, ...] = ()  # questions that were gone before anybody can have read them


def judge(game: KnownGame, fault: Fault, *, thorough: bool = False) -> Judged:
    """Put a fault into a game and judge what is ruled from there on.

    A `thorough` run takes no short cut: it begins at the edge before the fault, and goes on after the game stands as if
    there had been none until that is seen at an edge. It exists to prove the other by.
    """
    start = game.before(fault.first)
    shows = shows_at(game, fault)
    if shows is None:
        return Judged(Class.RIGHT)
    run = _run(game, fault, start, shows, thorough=thorough)
    innocent = tuple(
        it.ruling.input for it in run.told if isinstance(it.ruling, FaultRuled) and it.ruling.input not in fault.inputs
    )
    true = game.told_within(game.before_edge(start))
    distrusted = _still_distrusted(game, fault, run)
    said = any(_is_word(game, it) for it in run.told if it.ruling not in run.unread) or _shows_repairs(game, run.game)
    differing = _differing(run, true)
    if differing is None:
        return Judged(Class.SAID if said else Class.RIGHT, "", "", "", innocent, distrusted, run.told)
    kind, wanted, got, at = differing
    what = Class.WRONG
    if kind != "over" and (
        _is_said(game, fault, run, at) or (kind == "missed" and (said or game.board.waits(run.game, wanted)))
    ):
        what = Class.SAID
    elif fault.is_for_good and game.board.reads_like_play(run.game, kind, wanted, got):
        what = Class.OPEN
    return Judged(what, kind, wanted, got, innocent, distrusted, run.told, at)


# Following the game


def _run(game: KnownGame, fault: Fault, start: int, shows: Instant, *, thorough: bool) -> _Run:
    """Follow the faulty game from an edge on."""
    since = shows if fault.is_for_good else fault.last
    walk = _Walk(game, game.before_edge(start))
    begins = fault.first
    if not thorough:
        begins = max(begins, Instant(shows - 2 * LOOK))
        walk.skip_to(begins, fault)
        start = game.before(begins)
    least = Instant(since + WATCHED)
    until = min(_two_turns_after(game, since, least), Instant(since + LONGEST), game.end)
    settled = Instant(since + SECOND)
    previous = start - 1
    shown = (pair for pair in disturbed(game, fault, start) if pair[1].at >= begins)
    for number, edge in shown:
        if edge.at > until:
            if edge.at > since + LONGEST or walk.is_explained:
                break
            until = edge.at  # nothing explains the board, and patience runs again with every touch
        if edge.at > settled and number > previous and not fault.is_for_good and walk.is_like(number):
            return walk.end(game.edges[number - 1].at, has_rejoined=True)
        if edge.at > settled and walk.is_stopped:
            return walk.end(edge.at)
        previous = number
        if (same := walk.until(looked_until(edge))) is not None:
            return walk.end(same, has_rejoined=True)
        if walk.eyes.miss(edge):
            state, news = _without_hands(game, fault, walk.state, edge.at)
            return _Run(state, (*walk.told, *news), Instant(edge.at + LAG + LOOK), has_rejoined=False)
        walk.touch(edge)
    if not walk.is_explained:
        until = Instant(until + SOON)  # nobody touches the board any more, and patience runs out
    return walk.finish(until)


class _Walk:
    """A way through a faulty game: the game, and what was told from the beginning of the fault on."""

    def __init__(self, game: KnownGame, since: Instant) -> None:
        self._game = game
        self._since = since
        self.state = game.state_at(since)
        self.told: list[Told] = []
        self.eyes = _Eyes(game, self.state)
        self._vain: list[Instant] = []
        self._unread: list[Ruling] = []
        self._asked_at = Instant(0)
        self._over = self._settled = FOR_GOOD

    def skip_to(self, begins: Instant, fault: Fault) -> None:
        """Go on from an instant before which the fault does not show; stop where it does not matter any more."""
        self.state = self._game.state_at(Instant(begins - 1))
        self.told += self._game.told_within(self._since, begins)
        for step in self._game.steps_within(self._since, begins):
            self.eyes.see(step.game, step.at)
        self._over = scan_after(fault.last) if self._game.is_scanned else fault.last
        self._settled = Instant(fault.last + SECOND)

    @property
    def is_explained(self) -> bool:
        """Whether the board is explained, or people are told what to do."""
        return self.state.judgement.phase in EXPLAINED or _shows_repairs(self._game, self.state)

    def is_like(self, number: int) -> bool:
        """Whether the game stands before an edge as the undisturbed one does."""
        return self._game.board.is_like(self.state, self._game.states[number])

    @property
    def is_stopped(self) -> bool:
        """Whether what the script still does means nothing any more."""
        return self.state.outcome is not None or _is_stopped_with_a_word(self._game, self.state, self.told)

    def until(self, until: Instant) -> Instant | None:
        """Do what is due before an instant; stop early, and say when, if the game is the undisturbed one again.

        Both are ruled alike from then on: no edge is false any more, and they differ in nothing that decides.
        """
        for step in steps_until(self.state, until):
            self._take(step)
            if step.at > self._over and self._has_rejoined(step.at):
                return step.at
        return None

    def finish(self, until: Instant) -> _Run:
        """What was followed until an instant, with what only time can tell of the board as it stands then."""
        if (same := self.until(until)) is not None:
            return self.end(same, has_rejoined=True)
        for step in steps_until(self.state, Instant(until + LAG)):
            if self.state.judgement.phase is not Phase.UNSETTLED:
                break
            self._take(step)
        return self.end(until)

    def _has_rejoined(self, at: Instant) -> bool:
        true = self._game.state_at(at)
        return is_same(self.state, true, at) or (at > self._settled and self._game.board.is_like(self.state, true))

    def touch(self, edge: Happening) -> None:
        """Let an edge be seen to which everything due before it has been done."""
        self._take(step_of(self.state, edge))

    def end(self, until: Instant, *, has_rejoined: bool = False) -> _Run:
        """What was followed until an instant."""
        return _Run(self.state, tuple(self.told), until, has_rejoined, tuple(self._vain), tuple(self._unread))

    def _take(self, step: Step) -> None:
        if step.game.judgement.code in VAIN and self.state.judgement.code not in VAIN:
            self._vain.append(step.at)
        self._read(step)
        self.state = step.game
        self.told += step.told
        self.eyes.see(step.game, step.at)

    def _read(self, step: Step) -> None:
        """Note a question that is answered, or void, before anybody can have read it."""
        before, after = self.state.question, step.game.question
        if before is not None and (after is None or after.asked != before.asked) and step.at - self._asked_at < LOOK:
            self._unread.append(before.asked)
        if after is not None and (before is None or after.asked != before.asked):
            self._asked_at = step.at


class _Eyes:
    """What people see of a disturbed game, and since when: they press no button that is not asked for."""

    def __init__(self, game: KnownGame, state: Game) -> None:
        self._game = game
        self._asked = game.board.asked(state)
        self._since = Instant(0)

    def see(self, state: Game, at: Instant) -> None:
        """Look at the display."""
        asked = self._game.board.asked(state)
        if asked != self._asked:
            self._asked, self._since = asked, at

    def miss(self, edge: Happening) -> bool:
        """Whether an edge is a press to which something else has been shown for a while than without the fault."""
        board = self._game.board
        if not isinstance(edge, InputChanged) or not edge.value or edge.input not in board.host.buttons:
            return False
        if edge.at - self._since < LOOK or self._game.level_of(edge.input, Instant(edge.at - CALM)):
            return False  # it is pressed blindly, or let go: contacts bounce
        return board.asked(self._game.state_at(Instant(edge.at - 1))) != self._asked


def _without_hands(game: KnownGame, fault: Fault, state: Game, since: Instant) -> tuple[Game, list[Told]]:
    """The game when hands have touched nothing from an instant on, and the faulty inputs have done what they do."""
    until = Instant(since + WATCHED)
    told: list[Told] = []
    hands = set(map(id, game.edges))
    for _, edge in disturbed(game, fault, game.before(since)):
        if since <= edge.at < until and id(edge) not in hands:
            state, news = told_of(state, edge)
            told += news
    state, news = told_until(state, until)
    return state, [*told, *news]


def _two_turns_after(game: KnownGame, since: Instant, least: Instant) -> Instant:
    later = [at for at in game.turn_ends if at > since][:2]
    return max(least, Instant(later[-1] + LAG)) if later else least


def _is_stopped_with_a_word(game: KnownGame, state: Game, told: Sequence[Told]) -> bool:
    """Whether the game stands still and people have been told: what the script still does means nothing any more."""
    if told and isinstance(told[-1].ruling, Refused):
        return True
    return _is_frozen(game, state)


# What differs


def _differing(run: _Run, true: Sequence[Told]) -> tuple[str, str, str, Instant] | None:
    """The first thing ruled otherwise than the hands deserve: kind, what was wanted, what came, and when."""
    sure = [it for it in true if it.heard <= run.until - LAG]
    # Where both games stand alike, neither may have heard yet of what is told at that very instant.
    due = sure if not run.has_rejoined else [it for it in true if it.heard < run.until]
    known = [it for it in true if it.heard <= run.until + LAG]
    found = []
    over = next((it for it in run.told if isinstance(it.ruling, GameOver)), None)
    if over is not None and not any(_key(it.ruling) == _key(over.ruling) for it in known):
        # Hands ended it just then, and only who has won is in question.
        ends = [it.ruling.at for it in known if isinstance(it.ruling, GameOver)]
        is_end = isinstance(over.ruling, GameOver) and over.ruling.at in ends
        found.append(("result" if is_end else "over", "", str(over.ruling), over.heard))
    if over is not None and not found:
        due = _without_vain_turnings(due, over)
    for select in (_turn, _timer, _penalty):
        found += _first_difference(select, run, due, known)
    if not found:
        stopped = {_key(it.ruling): it for it in run.told if isinstance(it.ruling, GlassStopped)}
        expected = {_key(it.ruling) for it in known if isinstance(it.ruling, GlassStopped)}
        wrong = [it for key, it in stopped.items() if key not in expected]
        missed = [it for it in due if isinstance(it.ruling, GlassStopped) and _key(it.ruling) not in stopped]
        found += [("stopped", "", str(it.ruling), it.heard) for it in wrong]
        found += [("stopped", str(it.ruling), "", it.heard) for it in missed]
        overs = [it for it in due if isinstance(it.ruling, GameOver)]
        if overs and over is None:
            found.append(("missed", str(overs[0].ruling), "", overs[0].heard))
    return min(found, key=lambda each: (each[0] != "over", each[3]), default=None)


def _without_vain_turnings(due: Iterable[Told], over: Told) -> list[Told]:
    """What must be told without a turning of the 15-second glass in the turn that ends the game: it decides nothing."""
    assert isinstance(over.ruling, GameOver)
    it_ends = over.ruling.at
    ends = [it.ruling.at for it in due if isinstance(it.ruling, TurnRuled | TurnLost) and it.ruling.at < it_ends]
    last = max(ends, default=Instant(0))
    return [it for it in due if not (isinstance(it.ruling, TimerTurned) and it.ruling.at > last)]


def _first_difference(
    select: Callable[[Ruling | Refused], "_Key | None"], run: _Run, due: Iterable[Told], known: Iterable[Told]
) -> list[tuple[str, str, str, Instant]]:
    got = [(key, it) for it in run.told if (key := select(it.ruling)) is not None]
    must = [(key, it) for it in due if (key := select(it.ruling)) is not None]
    may = [(key, it) for it in known if (key := select(it.ruling)) is not None]
    for (mine, heard), (theirs, _) in zip(got, may, strict=False):
        if mine != theirs:
            return [(_kind(mine, theirs), str(theirs), str(mine), heard.heard)]
    if len(got) > len(may):
        key, it = got[len(may)]
        return [(_kind(key, ()), "", str(key), it.heard)]
    if len(got) < len(must):
        key, it = must[len(got)]
        return [("missed", str(key), "", it.heard)]
    return []


_Key = tuple[str, ...]


def _turn(ruling: Ruling | Refused) -> _Key | None:
    made = turns([ruling])
    return ("turn", *made[0]) if made else None


def _timer(ruling: Ruling | Refused) -> _Key | None:
    return ("timer15", ruling.by) if isinstance(ruling, TimerTurned) else None


def _penalty(ruling: Ruling | Refused) -> _Key | None:
    return ("penalty", ruling.player) if isinstance(ruling, PenaltyRuled) else None


def _key(ruling: Ruling | Refused) -> _Key:
    if isinstance(ruling, GameOver):
        return "over", str(ruling.winner), ruling.reason
    if isinstance(ruling, GlassStopped):
        return "stopped", ruling.player, ruling.space
    return ()


def _kind(mine: _Key, theirs: _Key) -> str:
    """A ring, where only rings differ; else a move, or the 15-second glass, or a penalty."""
    if mine[0] != "turn":
        return mine[0]
    if theirs and mine[1] == theirs[1] and _glass_of(mine[2]) == _glass_of(theirs[2]):
        return "ring"
    return "move"


def _glass_of(text: str) -> str:
    return next((part.rstrip("x=") for part in text.split(",") if "-" in part), text)


# What was said


def _is_word(game: KnownGame, told: Told) -> bool:
    return game.is_alarm(told.ruling) and not _is_lost_by_it(told.ruling)


def _is_lost_by_it(ruling: Ruling | Refused) -> bool:
    return isinstance(ruling, IllegalRuled) and ruling.code == "full" and not ruling.put_right


def _is_said(game: KnownGame, fault: Fault, run: _Run, at: Instant) -> bool:
    """Whether people were told in time that something is wrong, and of a sensor: of the right one."""
    latest = run.until if fault.is_for_good else Instant(max(at, fault.last) + SOON)
    for it in run.told:
        if not _is_word(game, it) or it.ruling in run.unread or not fault.first <= it.heard <= latest:
            continue
        if not isinstance(it.ruling, FaultRuled) or it.ruling.input in fault.inputs:
            return True
    return _shows_repairs(game, run.game) or any(fault.first <= told <= latest for told in run.vain)


def _shows_repairs(game: KnownGame, state: Game) -> bool:
    return bool(state.judgement.repairs) or _is_frozen(game, state)


def _is_frozen(game: KnownGame, state: Game) -> bool:
    """Whether nothing is ruled before something has been put right or answered that is no part of play."""
    return state.judgement.phase is Phase.WRONG or (state.judgement.phase is Phase.ASKING and not game.board.asks)


def _still_distrusted(game: KnownGame, fault: Fault, run: _Run) -> tuple[str, ...]:
    """The inputs that are not believed long after all is well."""
    if fault.is_for_good or not run.game.quarantined or run.game.outcome is not None:
        return ()
    until = Instant(fault.last + QUIET)
    if run.until >= until:
        return run.game.quarantined
    later = _rest(game, fault, run)
    state = run.game
    for edge in later:
        if edge.at > until:
            break
        state, _ = told_of(state, edge)
    state, _ = told_until(state, until)
    return state.quarantined


def _rest(game: KnownGame, fault: Fault, run: _Run) -> Iterable[Happening]:
    return (edge for _, edge in disturbed(game, fault, game.before(fault.first)) if edge.at >= run.until)
