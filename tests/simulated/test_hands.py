import json
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.games.tamsk.rules import CAPACITY, Tamsk
from gnomon.games.tamsk.sensing.inputs import INPUTS
from gnomon.records.formats.traces import read_trace
from gnomon.referee.events import InputChanged
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Instant
from gnomon_pi.simulated._table import ImpossibleActError, TableAct, TamskTable, Verb, changes
from gnomon_pi.simulated.players._noise import APART, CLEAN, LONGEST_BOUNCE, LONGEST_GLITCH, Noise
from gnomon_pi.simulated.players.game_script import Score, random_score
from gnomon_pi.simulated.players.hands import Stroke, edges, play
from gnomon_pi.simulated.players.player_timing import Habits
from tests.conftest import examples
from tests.player_mistakes import CAREFUL, PATIENT, Clumsiness, PlayerMistake
from tests.simulated.hand_traces import WATCHED_ON, trace_lines
from tests.timed_scores import time_script

SEEDS = st.integers(0, 1 << 32)
LEVELS = st.sampled_from((1, 2, 3))
MISTAKES = st.one_of(
    st.just(CAREFUL),
    st.builds(Clumsiness, st.sets(st.sampled_from(PlayerMistake)).map(frozenset)),
    st.builds(Clumsiness, st.sets(st.sampled_from(PlayerMistake)).map(frozenset), lasts=st.just(PATIENT)),
)
GLITCHY = Noise(glitches=0.8)
STEADY = Noise(bounces=1.0, glitches=0.0)


def game(level: int, random: Random, turns: int = 25) -> Score:
    return random_score(Tamsk.from_settings({"level": level}), random, turns=turns)


def strokes(
    level: int, seed: int, mistakes: Clumsiness = CAREFUL, noise: Noise | None = None, turns: int = 25
) -> list[Stroke]:
    random = Random(seed)
    return list(play(game(level, random, turns), random, level=level, mistakes=mistakes, noise=noise))


def final_table(level: int, made: Sequence[Stroke]) -> TamskTable:
    table = TamskTable.set_out(level)
    for stroke in made:
        table = table.after(stroke.act)
    return table


def acts(made: Sequence[Stroke]) -> list[TableAct]:
    return [stroke.act for stroke in made]


def played(level: int, text: str, mistakes: Clumsiness = CAREFUL, seed: int = 1, **habits: float) -> list[Stroke]:
    """The strokes of a short score, made in the same way each time."""
    likes = {"leaves_end_open": 0.0, "hesitates": 0.0, "hovers": 0.0, "presses_needlessly": 0.0, "turns_timer15": 0.0}
    habit = Habits(**{**likes, **habits})  # type: ignore[arg-type]  # only probabilities are given
    random = Random(seed)
    score = time_script(Tamsk.from_settings({"level": level}), text.split(), random, habit)
    return list(play(score, random, level=level, habits=habit, mistakes=mistakes, noise=CLEAN))


def told(made: Sequence[Stroke]) -> list[str]:
    return [f"{stroke.act.verb} {stroke.act.what}".strip() for stroke in made]


# What hands do


def test_a_turn_is_lift_place_and_ring() -> None:
    assert told(played(1, "D1-D2")) == ["lift D1", "place D2", "drop ring D2"]


def test_a_turn_without_a_ring_ends_with_the_button() -> None:
    assert told(played(1, "D1-D2=")) == ["lift D1", "place D2", "press button.red", "release button.red"]


def test_the_end_of_a_turn_may_be_left_to_the_lift_of_the_other() -> None:
    assert told(played(1, "D1-D2= A1-B2", leaves_end_open=1.0)) == [
        *("lift D1", "place D2"),
        *("lift A1", "place B2", "drop ring B2"),
    ]


def test_a_forgotten_ring_falls_after_the_lift_when_the_turn_before_was_left_open() -> None:
    for seed in range(20):
        assert told(played(1, "D1-D2= +D2,A1-B2", leaves_end_open=1.0, seed=seed)) == [
            *("lift D1", "place D2"),
            *("lift A1", "drop ring D2", "place B2", "drop ring B2"),
        ]


def test_at_level_2_the_glass_is_turned_over_on_its_way() -> None:
    glass = played(2, "D1-D2")[1].act
    assert glass == TableAct(Verb.PLACE, "D2", glass=0, turned=True)


def test_a_pass_is_not_a_touch() -> None:
    rules = Tamsk.from_settings({"level": 1})
    score = next(
        score
        for score in (random_score(rules, Random(seed)) for seed in range(50))
        if any(turn.text == "pass" for turn in score)
    )
    number = [turn.text for turn in score].index("pass")
    random = Random(1)
    before = len(list(play(score[:number], random, level=1, noise=CLEAN, habits=Habits(presses_needlessly=0.0))))
    after = len(list(play(score[: number + 1], Random(1), level=1, noise=CLEAN, habits=Habits(presses_needlessly=0.0))))
    assert before == after


def test_a_lost_turn_is_waited_out() -> None:
    made = played(3, "lost D7-D6")
    assert told(made)[:3] == ["lift timer15", "put timer15", "lift D7"]
    assert made[2].at - made[1].at > 15 * SECOND


def test_the_penalty_ring_falls_after_the_first() -> None:
    made = told(played(3, "D1-D2 A1-B2,+D2"))
    assert made[-4:] == ["lift A1", "place B2", "drop ring B2", "drop ring D2"]


# Mistakes, each made at least once and put right


def of(kind: PlayerMistake) -> Clumsiness:
    return Clumsiness(frozenset({kind}))


@cache
def without_mistakes() -> list[list[str]]:
    return [told(strokes(2, seed, noise=CLEAN, turns=60)) for seed in range(6)]


@pytest.mark.untraced
@pytest.mark.parametrize("kind", PlayerMistake)
def test_a_mistake_is_made_when_it_is_asked_for_and_only_then(kind: PlayerMistake) -> None:
    wrong = [told(strokes(2, seed, of(kind), noise=CLEAN, turns=60)) for seed in range(6)]
    assert wrong != without_mistakes()


few = settings(max_examples=examples(30))  # each example is half a game


@pytest.mark.untraced
@pytest.mark.parametrize("kind", [kind for kind in PlayerMistake if kind is not PlayerMistake.FAST_REPLY])
@given(seed=SEEDS, level=LEVELS)
@settings(max_examples=examples(10))
def test_after_every_mistake_the_table_is_as_the_score_says(kind: PlayerMistake, seed: int, level: int) -> None:
    score = game(level, Random(seed))
    table = final_table(level, list(play(score, Random(seed), level=level, mistakes=of(kind))))
    right = final_table(level, list(play(score, Random(seed), level=level)))
    assert (table.standing, table.stacks, table.holders) == (right.standing, right.stacks, right.holders)
    assert (table.in_hand, table.beside, table.pressed) == ((), (), frozenset())
    if level > 1:
        assert table.poles == right.poles


def a_turn_with(kind: PlayerMistake, level: int = 2) -> list[str]:
    """The strokes of the first turn in which the mistake fits, over some seeds."""
    for seed in range(200):
        made = told(played(level, "D1-D2 A1-B2 A4-B4", of(kind), seed=seed))
        if made != told(played(level, "D1-D2 A1-B2 A4-B4", seed=seed)):
            return made
    pytest.fail(f"{kind} was never made")


def in_a_row(wanted: Sequence[str], made: Sequence[str]) -> bool:
    return any(list(made[start : start + len(wanted)]) == list(wanted) for start in range(len(made)))


def test_a_glass_not_turned_is_put_right() -> None:
    assert in_a_row(
        ["lift D1", "place D2", "lift D2", "place D2", "drop ring D2"], a_turn_with(PlayerMistake.NOT_TURNED)
    )


def test_a_ring_may_fall_before_the_glass_is_turned() -> None:
    assert in_a_row(
        ["lift D1", "place D2", "drop ring D2", "lift D2", "place D2"], a_turn_with(PlayerMistake.RING_FIRST)
    )


def test_at_level_1_a_ring_may_fall_before_the_glass_stands() -> None:
    assert in_a_row(["lift D1", "drop ring D2", "place D2"], a_turn_with(PlayerMistake.RING_FIRST, 1))


def test_of_two_rings_one_is_taken_back() -> None:
    assert in_a_row(["drop ring D2", "drop ring D2", "take ring D2"], a_turn_with(PlayerMistake.TWO_RINGS))


def test_a_glass_knocked_over_is_set_up_again_where_it_stood() -> None:
    made = a_turn_with(PlayerMistake.KNOCKED_OVER)
    fallen = next(number for number, text in enumerate(made) if text.startswith("knock over"))
    assert made[fallen + 1] == made[fallen].replace("knock over", "set up")


def test_a_nudged_glass_is_away_for_a_tenth_of_a_second() -> None:
    for seed in range(100):
        made = played(2, "D1-D2", of(PlayerMistake.NUDGED), seed=seed)
        if len(made) > 3:
            assert made[0].act.what == made[1].act.what != "D1"
            assert made[1].at - made[0].at == 100 * MILLISECOND
            return
    pytest.fail("nothing was nudged")


def test_a_fast_reply_begins_before_the_ring_falls() -> None:
    made = played(1, "D1-D2= +D2,A1-B2", of(PlayerMistake.FAST_REPLY), leaves_end_open=1.0)
    assert told(made)[2:4] == ["lift A1", "drop ring D2"]
    assert made[3].at - made[2].at >= 50 * MILLISECOND


def test_a_score_that_does_not_fit_the_table_is_refused() -> None:
    score = game(1, Random(1))
    with pytest.raises(ImpossibleActError):
        list(
            play(
                score,
                Random(1),
                level=1,
                table=TamskTable.set_out(1).knock_over("D1").knock_over("A4").knock_over("G4"),
            )
        )


# What the board sees of it


@given(SEEDS, LEVELS, MISTAKES)
@few
def test_edges_come_in_the_order_of_time_and_alternate(seed: int, level: int, mistakes: Clumsiness) -> None:
    raw = list(edges(strokes(level, seed, mistakes, GLITCHY)))
    assert all(one.at <= other.at for one, other in pairwise(raw))
    levels = {name: bool(value) for name, value in TamskTable.set_out(level).inputs().items()}
    for edge in raw:
        assert edge.value is not levels[edge.input]
        levels[edge.input] = edge.value


@pytest.mark.untraced
@given(SEEDS, LEVELS, MISTAKES)
@few
def test_no_edge_comes_before_its_stroke_and_no_burst_is_long(seed: int, level: int, mistakes: Clumsiness) -> None:
    for stroke in strokes(level, seed, mistakes, STEADY):
        assert not stroke.edges or stroke.edges[0].at == stroke.at
        assert len({edge.input for edge in stroke.edges}) <= 1
        assert all(edge.at - stroke.at <= LONGEST_BOUNCE for edge in stroke.edges)


@pytest.mark.untraced
@given(SEEDS, LEVELS, MISTAKES)
@few
def test_when_the_inputs_are_settled_they_show_the_table(seed: int, level: int, mistakes: Clumsiness) -> None:
    made = strokes(level, seed, mistakes, STEADY)
    table = TamskTable.set_out(level)
    shown = table.inputs()
    for stroke, following in zip(made, [*made[1:], None], strict=True):
        table = table.after(stroke.act)
        shown |= {edge.input: int(edge.value) for edge in stroke.edges}
        if following is None or following.at - stroke.at > LONGEST_BOUNCE:
            assert shown == table.inputs()


def bursts(raw: Sequence[InputChanged]) -> list[list[InputChanged]]:
    """The edges of one input, parted wherever it rests for 21 ms."""
    parted: list[list[InputChanged]] = []
    for edge in raw:
        if parted and edge.at - parted[-1][-1].at <= LONGEST_BOUNCE:
            parted[-1].append(edge)
        else:
            parted.append([edge])
    return parted


@pytest.mark.untraced
@given(SEEDS, LEVELS, MISTAKES)
@few
def test_glitches_are_short_single_and_change_nothing(seed: int, level: int, mistakes: Clumsiness) -> None:
    raw = list(edges(strokes(level, seed, mistakes, GLITCHY)))
    for name in INPUTS:
        parted = bursts([edge for edge in raw if edge.input == name])
        for number, burst in enumerate(parted):
            if len(burst) % 2:
                continue
            away, back = burst
            assert back.at - away.at <= LONGEST_GLITCH
            if number:
                assert away.at - parted[number - 1][-1].at >= APART
            if number + 1 < len(parted):
                assert parted[number + 1][0].at - back.at >= APART


@pytest.mark.untraced
@given(SEEDS, LEVELS, MISTAKES)
@few
def test_each_act_changes_its_input_once_whatever_the_noise(seed: int, level: int, mistakes: Clumsiness) -> None:
    made = strokes(level, seed, mistakes, GLITCHY)
    lasting = [
        (burst[0].at, name, burst[-1].value)
        for name in INPUTS
        for burst in bursts([edge for edge in edges(made) if edge.input == name])
        if len(burst) % 2
    ]
    table, changed = TamskTable.set_out(level), []
    for stroke in made:
        before, table = table, table.after(stroke.act)
        changed += [(stroke.at, name, bool(value)) for name, value in changes(before, table)]
    assert sorted(lasting) == sorted(changed)


# Traces


def trace(level: int, seed: int) -> list[str]:
    return list(trace_lines({"level": level}, edges(strokes(level, seed))))


def test_a_trace_is_what_the_reader_of_traces_reads() -> None:
    raw = list(edges(strokes(3, 5)))
    read = read_trace(line.encode() for line in trace_lines({"level": 3}, raw))
    assert (read.header.board, read.header.settings) == ("tamsk", {"level": 3})
    *entries, end = read.entries
    assert entries == raw
    assert end.at == raw[-1].at + WATCHED_ON


def test_a_trace_begins_and_ends_as_the_interface_says() -> None:
    lines = [json.loads(line) for line in trace(2, 7)]
    assert lines[0] == {"trace": 1, "board": "tamsk", "settings": {"level": 2}}
    assert lines[1].keys() == {"at_us", "input", "value"}
    assert lines[-1] == {"at_us": lines[-2]["at_us"] + 5_000_000, "end": True}


def test_a_trace_of_nothing_is_watched_for_a_while() -> None:
    assert json.loads(list(trace_lines({"level": 1}, []))[-1]) == {"at_us": 5_000_000, "end": True}


def test_a_trace_cannot_end_before_its_last_edge() -> None:
    raw = list(edges(strokes(1, 1)))
    with pytest.raises(ValueError, match="back"):
        list(trace_lines({"level": 1}, raw, Instant(raw[-1].at - 1)))


@pytest.mark.untraced
@given(SEEDS, LEVELS)
@few
def test_the_same_seed_gives_the_same_bytes(seed: int, level: int) -> None:
    assert trace(level, seed) == trace(level, seed)


PRINT_DIGEST = """
from hashlib import sha256
from random import Random
from gnomon.games.tamsk.rules import Tamsk
from tests.player_mistakes import Clumsiness, PlayerMistake
from gnomon_pi.simulated.players.hands import edges, play
from tests.simulated.hand_traces import trace_lines
from tests.simulated.sampled_noise import sample_edges
from gnomon_pi.simulated.players.game_script import random_score
from gnomon_pi.simulated._table import TamskTable
random = Random(1)
score = random_score(Tamsk.from_settings({"level": 3}), random)
raw = list(edges(play(score, random, level=3, mistakes=Clumsiness(frozenset(PlayerMistake)))))
seen = sample_edges(raw, TamskTable.set_out(3).inputs(), raw[-1].at, random)
print(sha256("".join([*trace_lines({}, raw), *trace_lines({}, seen)]).encode()).hexdigest())
"""


def test_the_bytes_do_not_depend_on_how_strings_are_hashed() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", PRINT_DIGEST],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def test_every_space_can_be_filled_by_hands() -> None:
    full = final_table(1, strokes(1, 3, turns=1_000))
    assert sum(len(stack) for stack in full.stacks.values()) > sum(CAPACITY) // 2
