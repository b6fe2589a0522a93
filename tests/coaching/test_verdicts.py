"""The verdict on a move before it counts: values of one search, deep enough, and proven results apart."""

from typing import Any

import pytest

from gnomon.coaching import VerdictKind, coach_of, is_deep, judge, judge_held
from gnomon.engines import engine_of
from gnomon.engines.protocol import Candidate, Level, Limits, Report, Score
from gnomon.refusals import clause
from gnomon.rules.registry import rules_of
from gnomon.words import words

RULES = rules_of("tabik", {})
START = RULES.start()
BEST, FOUND, OTHER = (RULES.parse(START, text) for text in ("a1a2", "b1b2", "c1c2"))


def exact(chance: float) -> Score:
    return Score(chance, proven=True)


@pytest.mark.parametrize(
    ("best", "found", "deep", "kind", "number"),
    [
        (Score(0.6), Score(0.6), True, VerdictKind.SOUND, None),
        (Score(0.6), Score(0.57), True, VerdictKind.SOUND, None),
        (Score(0.6), Score(0.5), True, VerdictKind.MISTAKE, 0.1),
        (Score(0.6), Score(0.4), True, VerdictKind.BLUNDER, 0.2),
        (Score(0.6), Score(0.4), False, VerdictKind.UNKNOWN, None),
        (exact(0.6), exact(0.595), False, VerdictKind.SOUND, None),
        (exact(0.6), exact(0.58), False, VerdictKind.MISTAKE, 0.02),
        (exact(1.0), exact(0.0), False, VerdictKind.LOSES, None),
        (exact(1.0), exact(0.5), False, VerdictKind.MISSED_WIN, None),
        (exact(0.5), exact(0.0), False, VerdictKind.LOSES, None),
        (Score(0.6), exact(0.0), False, VerdictKind.LOSES, None),
        (exact(1.0), Score(0.8), True, VerdictKind.MISSED_WIN, None),
        (exact(1.0), Score(0.98), True, VerdictKind.UNKNOWN, None),
        (exact(1.0), Score(0.8), False, VerdictKind.UNKNOWN, None),
        (exact(0.5), Score(0.3), True, VerdictKind.UNKNOWN, None),
        (Score(0.8), exact(0.5), True, VerdictKind.UNKNOWN, None),
    ],
)
def test_a_move_is_judged(best: Score, found: Score, kind: VerdictKind, number: float | None, *, deep: bool) -> None:
    report = Report([Candidate(BEST, best), Candidate(FOUND, found)], 3, 500)
    verdict = judge(coach_of(RULES), START, report, FOUND, deep=deep)
    assert (verdict.kind, verdict.best) == (kind, BEST)
    assert verdict.points == (None if number is None else pytest.approx(number))
    assert verdict.warns is (kind in {VerdictKind.BLUNDER, VerdictKind.MISSED_WIN, VerdictKind.LOSES})
    for language in ("en", "de", "fr"):
        assert clause(verdict.said, words(language))


def test_what_was_not_weighed_is_not_judged() -> None:
    report = Report([Candidate(BEST, Score(0.6))], 3, 500)
    verdict = judge(coach_of(RULES), START, report, OTHER, deep=True)
    assert (verdict.kind, verdict.best) == (VerdictKind.UNKNOWN, None)


def test_where_nothing_predicts_no_number_is_told() -> None:
    rules: Any = rules_of("tamsk", {"level": 1})
    start = rules.start()
    best, found = (rules.parse(start, text) for text in ("A4-B5", "D1-D2"))
    report = Report([Candidate(best, Score(0.6)), Candidate(found, Score(0.3))], 3, 500)
    verdict = judge(coach_of(rules), start, report, found, deep=True)
    assert (verdict.kind, verdict.points) == (VerdictKind.BLUNDER, None)
    assert clause(verdict.said) == "there is a much better move"


def test_a_piece_is_right_where_one_of_its_turns_is_no_mistake() -> None:
    start, coach = RULES.start(), coach_of(RULES)
    best, near, bad, *_ = moves = RULES.legal_moves(start)
    report = Report([Candidate(best, Score(0.6)), Candidate(near, Score(0.57)), Candidate(bad, Score(0.3))], 3, 500)
    assert judge_held(coach, start, report, [bad, near], deep=True) is True
    assert judge_held(coach, start, report, [bad], deep=True) is False
    assert judge_held(coach, start, report, [bad], deep=False) is None
    assert judge_held(coach, start, report, [moves[5]], deep=True) is None
    proven = Report([Candidate(best, Score(1.0, None, True)), Candidate(bad, Score(0.0, None, True))], 3, 500)
    assert judge_held(coach, start, proven, [bad], deep=False) is False


class Shallow:
    """An engine whose levels are defined by depth."""

    levels = (Level(Limits(depth=1)), Level(Limits(depth=3)), Level(Limits(depth=5)))


@pytest.mark.parametrize(
    ("limits", "deep"),
    [
        (Limits(nodes=100), False),
        (Limits(nodes=1_000), True),
        (Limits(), True),
        (Limits(nodes=1_000, depth=2), False),
    ],
)
def test_a_search_is_deep_as_the_level_in_the_middle(limits: Limits, *, deep: bool) -> None:
    assert is_deep(engine_of(RULES), limits) is deep


def test_levels_may_be_defined_by_depth() -> None:
    engine: Any = Shallow()
    assert [is_deep(engine, Limits(depth=depth)) for depth in (2, 3)] == [False, True]
    assert not is_deep(engine, Limits(nodes=100))
