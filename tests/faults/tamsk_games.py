"""Describe TAMSK to the explorer of faults: its games, what is touched when, and when two games stand alike."""

import re
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from pathlib import Path
from random import Random
from typing import Final

from gnomon.games.tamsk.rules import BOARD, CAPACITY, LOST, PASS, Position, Tamsk
from gnomon.games.tamsk.sensing._scene import CARRIED
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import BUTTONS, GLASS_INPUTS, POLES, TIMER_INPUTS, place_of
from gnomon.games.tamsk.sensing.verdicts import InHand, MayGoOn
from gnomon.records.formats.traces import read_trace
from gnomon.referee.debounce import AGAIN
from gnomon.referee.events import InputChanged
from gnomon.referee.evidence import NUDGE
from gnomon.referee.game import Game
from gnomon.referee.judgement import Phase
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from gnomon_pi.config.parser import load_bundled
from gnomon_pi.runtime.live_game import Host
from gnomon_pi.simulated._chance import pick
from gnomon_pi.simulated._table import TamskTable
from gnomon_pi.simulated.players._noise import Noise
from gnomon_pi.simulated.players.game_script import Score, random_score
from gnomon_pi.simulated.players.hands import edges, play
from gnomon_pi.simulated.players.player_timing import Habits
from gnomon_pi.simulated.players.table_hands import Meant
from tests.faults.disturbances import glass_rolls
from tests.faults.faults import Fault, Lie, shows_at
from tests.faults.judging import EXPLAINED, Judged
from tests.faults.known_games import SCAN, KnownGame

LEVELS: Final = (1, 2, 3)
RECORDED: Final = tuple(sorted((Path(__file__).parents[1] / "records" / "examples").glob("level[0-9].jsonl")))
HABITS: Final = Habits(cuts_it_fine=0.0)  # within microseconds of a deadline no sampling tells who was first

SHIFT: Final = Duration(3 * SECOND)
"""By how much sand may differ where the touches are those of the hands but for their instants."""

_BY_TIME: Final = (PASS.kind, LOST.kind)
_ONLY_A_RING: Final = re.compile(r"'\+[A-G][1-7]'")
_GLASSES: Final = frozenset(GLASS_INPUTS)
_STAND: Final = frozenset(TIMER_INPUTS)


class TamskBoard:
    """The board of TAMSK: `Board` and `Explored`."""

    name = "tamsk"
    asks = False

    @cached_property
    def host(self) -> Host:
        """The board as it is described."""
        return Host.of(load_bundled("tamsk"))

    # For those who judge

    def asked(self, _game: Game) -> object:
        """Nothing: a player's own button ends the turn, whatever is shown."""
        return None

    def is_like(self, one: Game, other: Game) -> bool:
        """Whether a game stands as another does, nothing pending, but for the instants by which sand was turned."""
        assert isinstance(one, TamskGame)
        assert isinstance(other, TamskGame)
        return (
            one.shown == other.shown
            and one.poles == other.poles
            and one.timer_pole == other.timer_pole
            and one.quarantined == other.quarantined
            and one.pressed == other.pressed
            and one.answered == other.answered
            and one.judgement.phase == other.judgement.phase
            and one.debouncer.bursts == other.debouncer.bursts
            and one.debouncer.waiting == other.debouncer.waiting
            and one.outcome == other.outcome
            and [touch.input for touch in one.trail.touches] == [touch.input for touch in other.trail.touches]
            and _is_position_like(one.position, other.position)
        )

    def waits(self, game: Game, wanted: str) -> bool:
        """Whether the turn stands on the board as legal, and the players are asked for its ring or its button."""
        assert isinstance(game, TamskGame)
        if not isinstance(game.under_way, MayGoOn):
            return False
        move = game.under_way.made.move
        return f"{BOARD.names[move.origin]}-{BOARD.names[move.target]}" in wanted

    def reads_like_play(self, game: Game, kind: str, wanted: str, got: str) -> bool:
        """Whether the board reads just as if hands had made of it what is ruled, or had not finished yet.

        A ring that is not to be seen has not fallen, also where a ring is all that its player may do, and a glass that
        is not to be seen is still in the hand: time decides nothing against a player who has begun.
        """
        assert isinstance(game, TamskGame)
        if kind == "missed":
            under_way = game.under_way
            if "timer15" in wanted:
                return game.scene.sight.timer is None  # in the hand, for all that is to be seen
            is_in_hand = isinstance(under_way, InHand) and (
                f"{BOARD.names[under_way.space]}-" in wanted or any(f"'{text}'" in wanted for text in _BY_TIME)
            )
            is_ring = _ONLY_A_RING.search(wanted) is not None and game.rules.cannot_move(game.position)
            return self.waits(game, wanted) or is_in_hand or is_ring
        return "full_space" not in got and game.judgement.phase in (*EXPLAINED, Phase.IN_HAND)

    # For those who explore

    def game(self, seed: int, number: int, most: int) -> KnownGame:
        """The recorded games first, then generated ones at all levels by turns, sampled or with exact stamps.

        With `most` they are only the beginnings of generated games, of so many turns, without bounce.
        """
        if most:
            round_, level = divmod(number, len(LEVELS))
            return played(LEVELS[level], seed + round_, bounces=False, most=most)
        if number < len(RECORDED):
            return recorded(RECORDED[number])
        round_, level = divmod(number - len(RECORDED), len(LEVELS))
        return played(LEVELS[level], seed + round_, is_scanned=round_ % 2 == 0, bounces=round_ % 3 == 0)

    def idle_inputs(self) -> Sequence[str]:
        """The stand of the 15-second glass, and the buttons."""
        return TIMER_INPUTS + BUTTONS

    def inputs_near(self, game: KnownGame, at: Instant, random: Random) -> Sequence[str]:
        """The poles of a space that is touched about then, or beside one, its topmost ring and the next."""
        number = game.before(at)
        places = [edge.input.partition(".")[0] for edge in game.touches(number - 4, number + 4)]
        spaces = [BOARD.index[place] for place in places if place in BOARD.index]
        if not spaces:
            return ()
        space = pick(random, spaces)
        if random.random() < 0.3:
            space = pick(random, BOARD.neighbours[space])
        name = BOARD.names[space]
        rings = [f"{name}.ring{height}" for height in range(1, CAPACITY[space] + 1)]
        fallen = [ring for ring in rings if game.level_of(ring, at)]
        return [*rings[len(fallen) :][:1], *fallen[-1:], *(f"{name}.{pole}" for pole in POLES)]

    def by_hand(self, game: KnownGame, random: Random) -> Fault | None:
        """A glass drops or is knocked over, rolls over three spaces and is picked up again."""
        return glass_rolls(game, random.randrange(len(game.score)), random) if game.score else None

    def keeps_order(self, game: KnownGame, lie: Lie, until: Instant, shift: str) -> bool:
        """Whether glasses are still lifted before they are set down, as far as was to be seen at the ruling."""
        alike = next((inputs for inputs in (_GLASSES, _STAND) if lie.input in inputs), None)
        if alike is None:
            return True
        sets_down = game.level_of(lie.input, Instant(lie.end + SCAN))
        seen = min(until, Instant(lie.end + SCAN))
        shows = shows_at(game, Fault(shift, (lie,))) or lie.start  # before that it tells the truth
        meanwhile = game.touches(game.before(Instant(shows - SCAN)), game.before(seen))
        place = lie.input.partition(".")[0]
        others = [edge for edge in meanwhile if edge.input in alike and edge.input != lie.input]
        if sets_down != (shift == "late"):
            # Any glass that is set down before a late lift, or lifted after an early setting down, may be this one.
            return all(edge.value == sets_down for edge in others)
        return all(edge.input.partition(".")[0] != place for edge in others)

    def could_be_hands(self, game: KnownGame, fault: Fault, judged: Judged) -> bool:
        """Whether a glass was lifted and put back for all that is to be seen, or the 15-second glass turned unseen.

        A socket, or the stand, that loses its glass for longer than a nudge reads as if a hand had lifted it, and one
        that shows again the glass that was lifted there last as if it had been put back for a while, at level 1 either
        way up. When the 15-second glass was turned while the daemon was away nobody knows, so it counts from when that
        is seen. One that its stand does not show is in the hand.
        """
        if fault.name == "kill":
            counts_less = "penalty" in judged.wanted or "lost" in judged.wanted
            return counts_less and any(lie.input in TIMER_INPUTS for lie in fault.lies)
        lie = fault.lies[0]
        if len(fault.lies) > 1:
            return False
        if ".ring" in lie.input:
            return _is_another_ring(fault, judged)
        shows_less = not any(value and not game.level_of(lie.input, at) for at, value in lie.edges)
        if fault.name == "stuck":
            return shows_less and lie.input in TIMER_INPUTS and judged.kind == "missed" and "timer15" in judged.wanted
        held = [game.level_of(lie.input, at) for at in (Instant(lie.start - 1), lie.end)]
        is_back = not any(held) and _is_lifted(game, lie)
        is_put_back = (shows_less and (all(held) or lie.input in TIMER_INPUTS)) or is_back
        is_long = _shortest_spell(lie) >= NUDGE and lie.input in _GLASSES | _STAND
        # Still in the hand, for all that is to be seen, when it should have been told of.
        is_held = lie.input in TIMER_INPUTS and "timer15" in judged.wanted and judged.at <= _stands_again(game, lie)
        is_held |= "penalty" in judged.wanted  # whose lift was put back has ended the turn before in time
        # The 15-second glass counts from when it was put back: a turn may be late, or in time, that was not.
        is_held |= lie.input in TIMER_INPUTS and any(f"'{text}'" in judged.wanted for text in _BY_TIME)
        is_pulse = fault.name == "pulse" or (fault.name == "pulses" and lie.input in TIMER_INPUTS)
        return is_pulse and is_put_back and is_long and (judged.kind != "missed" or is_held)


TAMSK: Final = TamskBoard()


def played(  # noqa: PLR0913 - each is a choice of its own
    level: int,
    seed: int,
    *,
    habits: Habits = HABITS,
    is_scanned: bool = True,
    bounces: bool = True,
    most: int = 1 << 30,
) -> KnownGame:
    """The game of a seed, or its first turns; sampled every 10 ms or with exact stamps, with bounce or without."""
    rules, random = Tamsk.from_settings({"level": level}), Random(f"known {level} {seed}")
    score = random_score(rules, random, habits, turns=most)
    noise = Noise(bounces=0.8 if bounces else 0.0, glitches=0.0)
    raw = edges(play(score, random, level=level, habits=habits, noise=noise))
    name = f"level {level}, seed {seed}{'' if is_scanned else ', exact stamps'}"
    return _known(name, level, raw, score, is_scanned=is_scanned)


def recorded(path: Path) -> KnownGame:
    """The game of a trace without corrections by hand."""
    with path.open("rb") as lines:
        trace = read_trace(lines)
        level = Tamsk.from_settings(trace.header.settings).settings.level
        shown = tuple(entry for entry in trace.entries if isinstance(entry, InputChanged))
    return _known(path.name, level, shown, (), is_scanned=False)


def _stands_again(game: KnownGame, lie: Lie) -> Instant:
    """Until when a turning is not told of that its stand does not show: one that hid a stay hides two turnings."""
    if any(game.level_of(lie.input, at) for at in (Instant(lie.start - 1), lie.end)):
        return lie.end
    downs = (edge.at for edge in game.touches(game.before(lie.end)) if edge.value and edge.input in _STAND)
    return Instant(next(downs, lie.end) + SECOND)


def _is_another_ring(fault: Fault, judged: Judged) -> bool:
    """Whether a ring shows so late that it is another: what showed for a moment so long before was a ghost."""
    lie = fault.lies[0]
    shows_less = not any(value for _, value in lie.edges)
    return fault.name == "pulse" and shows_less and judged.kind == "ring" and lie.end - lie.start >= AGAIN


def _shortest_spell(lie: Lie) -> int:
    """For how long an input that pulses loses what stands there, at least; hands lift nothing for less than a nudge."""
    ends = [*(at for at, _ in lie.edges[1:]), lie.end]
    dark = [end - at for (at, value), end in zip(lie.edges, ends, strict=True) if not value]
    return min(dark, default=lie.end - lie.start)


def _is_lifted(game: KnownGame, lie: Lie) -> bool:
    """Whether what an input shows from an instant on was lifted there last, and has been set down nowhere yet.

    At level 1 it may be put back the other way up, once there was time to turn it over.
    """
    alike = _GLASSES if lie.input in _GLASSES else _STAND
    poles = POLES if game.settings["level"] == 1 else ()
    its = {lie.input, *(f"{place_of(lie.input)}.{pole}" for pole in poles)}
    end = game.before(lie.start)
    touches = [edge for edge in game.touches(end - 12, end) if edge.input in alike]
    lifts = [number for number, edge in enumerate(touches) if edge.input in its and not edge.value]
    if not lifts or any(edge.value for edge in touches[lifts[-1] :] if edge.input not in its):
        return False
    last = touches[lifts[-1]]
    return last.input == lie.input or lie.start - last.at >= CARRIED


@cache
def _resting(level: int) -> dict[str, int]:
    return dict(TamskTable.set_out(level).inputs())


def _known(name: str, level: int, shown: Iterable[InputChanged], score: Score, *, is_scanned: bool) -> KnownGame:
    meant = [Meant(turn.player, turn.text, turn.at) for turn in score]
    settings, resting = {"level": level}, _resting(level)
    return KnownGame.of(name, TAMSK, settings, shown, resting, is_scanned=is_scanned, meant=meant, score=score)


def _is_position_like(one: Position, other: Position) -> bool:
    when = Instant(max(one.now, other.now))
    return (
        one[:9] == other[:9]
        and one.lifted == other.lifted
        and one.sits_out == other.sits_out
        and abs(one.bound_until - other.bound_until) <= SHIFT
        and all(
            abs(mine.remaining(when) - its.remaining(when)) <= SHIFT
            for mine, its in zip(one.sands, other.sands, strict=True)
        )
    )
