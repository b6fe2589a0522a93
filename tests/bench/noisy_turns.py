"""Count how often noise misleads the referee: turns missed, ruled wrongly or alarms for nothing.

Hands play whole random games at every level; contacts bounce for 5 ms in the mean and 20 at most, stray glitches
come on top. The board is sampled at 100 Hz: one scan in a hundred is lost, and each input of each scan lies with a
chance of one in ten thousand, which is two ghosts a second. Buttons have pins of their own and are not sampled. The
referee alone, in virtual time, rules on what is seen. Its rulings must be the turns that the hands meant, and
everything else that it rules on the clean edges of the same hands; anything more is a false alarm.

Where a touch fell so close to an instant at which time decides that sampling cannot tell the order, either ruling is
right (the uncertainty is the player's); such turns are told apart. The smallest failing trace can be kept.

Then a table of what goes on longer than bounce: glasses that roll, sleeves, ghosts, chatter, weak registers, stuck
sensors and two hands at once. One disturbance a turn is put into a game whose every touch is known
(`tests/faults`), and the game is followed until it has rejoined the undisturbed one or two more turns have been
made. What is ruled then is right; or a question, a fault or a repair says that something is wrong; or nobody could
have known (a sensor that reads a ring for good where a ring might have fallen); or it is wrong: a move, a ring, a
turning of the 15-second glass, a penalty, a stopped glass, an end of the game that the hands did not make, or a
turn that they made and that is missed without a word. A wrong ruling that is told of within ten seconds counts as
said; a game that has been ended wrongly is always wrong.
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import lru_cache
from heapq import merge
from itertools import count, takewhile
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from gnomon.games.tamsk.rules import Tamsk
from gnomon.games.tamsk.sensing.board import new_game
from gnomon.games.tamsk.sensing.inputs import BUTTONS
from gnomon.referee.effects import Announce, Effect
from gnomon.referee.events import DeadlineReached, InputChanged
from gnomon.referee.rulings import (
    FaultRuled,
    GameOver,
    GlassStopped,
    IllegalRuled,
    PenaltyRuled,
    QuestionAsked,
    Ruling,
    TimerTurned,
)
from gnomon.referee.step import step, watched_until
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Instant
from gnomon_pi.simulated._table import TamskTable
from gnomon_pi.simulated.players.game_script import Score, TimedTurn, random_score
from gnomon_pi.simulated.players.hands import edges, play
from gnomon_pi.simulated.players.player_timing import Habits
from tests.bench._figures import parser, progress, say, say_machine
from tests.faults import tamsk_games
from tests.faults.disturbances import DISTURBANCES
from tests.faults.judging import Class, Judged, judge
from tests.faults.known_games import KnownGame, turns
from tests.simulated.hand_traces import trace_lines
from tests.simulated.sampled_noise import Scanning, sample_edges

LEVELS: Final = (1, 2, 3)
TURNS: Final = 3_000
DISTURBED: Final = 500
PROCESSES: Final = 2
HABITS: Final = Habits(cuts_it_fine=0.0)  # within microseconds of a deadline no sampling tells who was first
SCANNING: Final = Scanning()  # 100 Hz, 1 % of the scans lost, ghosts of 1 in 10 000
WATCHED_ON: Final = 200 * SECOND  # after the last touch: then no sand runs any more
CLOSE: Final = 100 * MILLISECOND
"""What sampling may shift: a few scans of a glass's turning over, each up to two periods."""

CONFIDENCE: Final = 0.95

Said = tuple[str, ...]


class Played(NamedTuple):
    """What became of one game."""

    level: int
    seed: int
    turns: int  # compared
    missed: int = 0
    wrong: int = 0
    false: int = 0
    close: int = 0  # left to the players
    what: str = ""

    @property
    def is_flawless(self) -> bool:
        """Whether the referee was not misled."""
        return not (self.missed or self.wrong or self.false)


class Case(NamedTuple):
    """One game as the hands made it and as the scans showed it."""

    rules: Tamsk
    score: Score
    clean: tuple[InputChanged, ...]
    seen: tuple[InputChanged, ...]
    until: Instant  # the board was watched

    @classmethod
    def of(cls, level: int, seed: int) -> "Case":
        """The game of a seed."""
        rules, random = Tamsk.from_settings({"level": level}), Random(f"{level} {seed}")
        score = random_score(rules, random, HABITS)
        clean = tuple(edges(play(score, random, level=level, habits=HABITS)))
        until = Instant(clean[-1].at + WATCHED_ON)
        sampled = {name: value for name, value in TamskTable.set_out(level).inputs().items() if name not in BUTTONS}
        scans = sample_edges((edge for edge in clean if edge.input in sampled), sampled, until, random, SCANNING)
        seen = merge(scans, (edge for edge in clean if edge.input in BUTTONS), key=lambda edge: edge.at)
        return cls(rules, score, clean, tuple(seen), until)


def rulings(rules: Tamsk, happenings: Iterable[InputChanged], until: Instant) -> list[Ruling]:
    """What the referee rules on these edges."""
    said: list[Effect] = []
    game = new_game(rules)
    for edge in happenings:
        while (deadline := game.deadline()) is not None and deadline < edge.at:
            game, effects = step(game, DeadlineReached(deadline))
            said += effects
        game, effects = step(game, edge)
        said += effects
    _, effects = watched_until(game, until)
    return [effect.ruling for effect in (*said, *effects) if isinstance(effect, Announce)]


def judged(level: int, seed: int) -> Played:
    """Play one game with noise and compare what is ruled with what was meant."""
    case = Case.of(level, seed)
    got, exact = rulings(case.rules, case.seen, case.until), rulings(case.rules, case.clean, case.until)
    wanted = [(turn.player, turn.text) for turn in case.score]
    made = turns(got)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(wanted, made, strict=False)))
    alarms = [ruling for ruling in got if isinstance(ruling, IllegalRuled | QuestionAsked | FaultRuled)]
    differing = [*_beyond(got, exact), *_beyond(exact, got)]
    if made == wanted and not alarms and not differing:
        return Played(level, seed, len(wanted))
    last = case.score[min(same, len(wanted) - 1)]
    where = [ruling.at for ruling in (*alarms, *differing)] if made == wanted else [last.at]
    deciding = [instant for ruling in exact for instant in _decides(ruling)]
    if any(_is_close(turn, deciding) for instant in where for turn in _around(case.score, instant)):
        return Played(level, seed, same, close=1, what=str((*alarms, *differing, *wanted[same : same + 1])[0]))
    if alarms:
        return Played(level, seed, same, false=len(alarms), what=str(alarms[0]))
    if made == wanted:
        return Played(level, seed, same, wrong=1, what=str(differing[0]))
    if len(made) == same:
        return Played(level, seed, same, missed=1, what=str(wanted[same]))
    return Played(level, seed, same, wrong=1, what=f"{made[same]} for {wanted[same : same + 1]}")


def _beyond(some: Sequence[Ruling], others: Sequence[Ruling]) -> Iterator[Ruling]:
    """What some rulings say that others do not, of all that is ruled beside turns."""
    lacking = Counter(map(_about, some)) - Counter(map(_about, others))
    return (ruling for ruling in some if lacking[_about(ruling)] and _about(ruling))


def _about(ruling: Ruling) -> Said:
    """What a ruling says, without its instant; nothing for what is compared elsewhere."""
    match ruling:
        case PenaltyRuled(player=player):
            return "penalty", player
        case TimerTurned(by=by):
            return "timer15", by
        case GlassStopped(player=player, space=space):
            return "stopped", player, space
        case GameOver(winner=winner, reason=reason, score=score):
            return "over", str(winner), reason, str(sorted(score.items()))
        case _:
            return ()


def _decides(ruling: Ruling) -> Iterator[Instant]:
    if isinstance(ruling, GlassStopped):
        yield ruling.at
    if isinstance(ruling, TimerTurned) and ruling.until_us is not None:
        yield ruling.until_us


def _around(score: Score, instant: Instant) -> Score:
    """The turns about an instant: the one that was being made, the one before and the one after."""
    here = bisect_left(score, instant - CLOSE, key=lambda turn: turn.at)
    return score[max(0, here - 1) : here + 2]


def _is_close(turn: TimedTurn, deciding: Sequence[Instant]) -> bool:
    """Whether one of the turn's touches fell where sampling cannot tell whether it was in time."""
    drops = [drop.at for drop in (turn.forgotten, turn.free) if drop is not None]
    touches = [turn.at, turn.lifted, turn.placed, turn.ring, turn.button, turn.timer15, *drops]
    return any(abs(touch - instant) < CLOSE for touch in touches if touch is not None for instant in deciding)


def games(pool: Executor, wanted: int, seed: int, processes: int) -> Iterator[Played]:
    """Games at all levels by turns until so many turns have been compared."""
    compared = 0
    for first in count(seed, processes):
        batch = [(level, each) for each in range(first, first + processes) for level in LEVELS]
        for played in pool.map(judged, *zip(*batch, strict=True)):
            compared += played.turns
            yield played
        progress(f"{compared:,} of {wanted:,} turns")
        if compared >= wanted:
            progress("")
            return


# What lasts longer than bounce


class Disturbed(NamedTuple):
    """What became of one disturbance."""

    what: str
    level: int
    seed: int
    number: int  # of the turn, from 0
    fault: str
    judged: Judged


@lru_cache(maxsize=12)
def known(level: int, seed: int) -> KnownGame:
    """The game of a seed, kept for the next line of the table."""
    return tamsk_games.played(level, seed)


def disturbed(what: str, level: int, seed: int, most: int) -> list[Disturbed]:
    """One disturbance in each turn of a game, in `most` of them; none where it is misjudged without any."""
    game = known(level, seed)
    found = []
    for number in range(0, len(game.score) if game.is_right else 0, max(1, len(game.score) // most)):
        fault = DISTURBANCES[what](game, number, Random(f"{what} {level} {seed} {number}"))
        if fault is not None:
            verdict = judge(game, fault)._replace(told=())
            found.append(Disturbed(what, level, seed, number, str(fault), verdict))
    return found


def disturbances(pool: Executor, what: str, wanted: int, seed: int, processes: int) -> Iterator[Disturbed]:
    """Disturbances of one kind at all levels by turns, until so many turns have been disturbed."""
    made = 0
    for first in count(seed, processes):
        batch = [(what, level, each, wanted) for each in range(first, first + processes) for level in LEVELS]
        for found in pool.map(disturbed, *zip(*batch, strict=True)):
            made += len(found)
            yield from found
        progress(f"{what}: {made:,} of {wanted:,} turns")
        if made >= wanted:
            progress("")
            return


def say_disturbances(pool: Executor, wanted: int, seed: int, processes: int, *, tells: bool) -> None:
    """Print the table: one line for each disturbance, and the first wrong ruling of each kind if it is asked for."""
    for what in DISTURBANCES:
        total: Counter[str] = Counter()
        examples: dict[str, Disturbed] = {}
        for it in disturbances(pool, what, wanted, seed, processes):
            verdict = it.judged
            total[verdict.what.value] += 1
            total["turns"] += 1
            total["innocent"] += len(verdict.innocent)
            total["distrusted"] += len(verdict.distrusted)
            if verdict.what is Class.WRONG:
                total[f"wrong {verdict.kind}"] += 1
                examples.setdefault(verdict.kind, it)
        kinds = [f"{number} {key[6:]}" for key, number in sorted(total.items()) if key.startswith("wrong ")]
        say(
            what,
            f"{total['turns']} turns: right {total['right']}, said {total['said']}, "
            f"nobody can know {total[Class.OPEN.value]}, WRONG {total['wrong']}"
            f"{' (' + ', '.join(kinds) + ')' if kinds else ''}; "
            f"innocent inputs blamed {total['innocent']}, distrusted for good {total['distrusted']}",
        )
        for it in examples.values() if tells else ():
            say(
                f"  {it.judged.kind}: level {it.level}, seed {it.seed}, turn {it.number + 1}",
                f"{it.judged.got or 'nothing'} for {it.judged.wanted or 'nothing'}; {it.fault}",
            )


def keep(folder: Path, failed: Played) -> Path:
    """Write what the scans showed of a game as a trace, as far as the turn after the one that went wrong."""
    case = Case.of(failed.level, failed.seed)
    last = case.score[min(failed.turns + 1, len(case.score) - 1)].at + 5 * SECOND
    seen = [edge for edge in case.seen if edge.at <= last]
    path = folder / f"level-{failed.level}-seed-{failed.seed}.jsonl"
    lines = trace_lines({"level": failed.level}, seen, Instant(last))
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines), encoding="utf-8")
    return path


def at_most(found: int, tried: int) -> str:
    """What so many cases say of all: the upper end of the one-sided confidence interval, by Poisson's distribution."""
    low, high = 0.0, found + 20.0 + 10 * math.sqrt(found + 1)
    for _ in range(60):
        mean = (low + high) / 2
        chance = sum(math.exp(-mean + each * math.log(mean) - math.lgamma(each + 1)) for each in range(found + 1))
        low, high = (mean, high) if chance > 1 - CONFIDENCE else (low, mean)
    return f"{found:,} in {tried:,} turns: at most 1 in {tried / high:,.0f} with {CONFIDENCE:.0%} confidence"


def say_games(played_ones: Iterable[Played], traces: Path | None) -> None:
    """Print how often the referee was misled; with a folder for them, keep the traces that misled it."""
    total: Counter[str] = Counter()
    for played in played_ones:
        total += Counter(played._asdict() | {"level": 0, "seed": 0, "what": 0, "games": 1})
        if played.close:
            say(
                "left to the players",
                f"level {played.level}, seed {played.seed}, turn {played.turns + 1}: {played.what}",
            )
        if not played.is_flawless:
            kept = f", kept in {keep(traces, played)}" if traces else ""
            say("MISLED", f"level {played.level}, seed {played.seed}, turn {played.turns + 1}: {played.what}{kept}")
    say("games", total["games"])
    say("wrong rulings", at_most(total["wrong"], total["turns"]))
    say("missed turns and false alarms", at_most(total["missed"] + total["false"], total["turns"]))
    say("left to the players by the clock's resolution", f"{total['close']} turns")


def main() -> None:
    """Play, compare and print."""
    options = parser(__doc__)
    options.add_argument("--turns", type=int, default=TURNS)
    options.add_argument("--processes", type=int, default=PROCESSES)
    options.add_argument("--disturbed", type=int, default=DISTURBED, help="turns in each line of the table")
    options.add_argument("--examples", action="store_true", help="tell the first wrong ruling of each kind")
    options.add_argument("--traces", type=Path, help="a folder that keeps what misled the referee")
    given = options.parse_args()
    say_machine()
    processes, turns = (1, 100) if given.quick else (given.processes, given.turns)
    # One pool for everything: a process keeps the games that it knows for the next line of the table.
    with ProcessPoolExecutor(processes) as pool:
        say_games(games(pool, turns, given.seed, processes) if turns else (), given.traces)
        if disturbed_turns := 3 if given.quick else given.disturbed:
            say_disturbances(pool, disturbed_turns, given.seed, processes, tells=given.examples)


if __name__ == "__main__":
    main()
