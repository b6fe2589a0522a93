import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from gnomon.analysis import AnalysedTurn, Analysis, CostKind, Effort, Forecast, SpentGlass, analyse, report
from gnomon.analysis.codec import dump_analysis, load_analysis
from gnomon.analysis.commented_sgf import commented_sgf
from gnomon.engines import engine_of
from gnomon.engines.protocol import Candidate, Limits, Report, Score
from gnomon.games.tamsk.rules import BOARD
from gnomon.records.files import read_sheets
from gnomon.records.formats.sgf import read_collection
from gnomon.records.formats.sheets import Sheet, SheetLine
from gnomon.records.formats.turns import play, played_turns
from gnomon.refusals import InvalidValueError
from gnomon.rules.protocol import OVER, Rules, RulesError
from gnomon.rules.registry import rules_of
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.words import ENGLISH, words

Position = Any  # of whatever game
SMALL_TAU = {"rows": "3", "columns": "3"}


def random_sheet(game: str, settings: Mapping[str, str], seed: int) -> Sheet:
    """A game of random turns to its end, without times."""
    rules, chance = rules_of(game, settings), Random(seed)
    position, lines = rules.start(), []
    while (turn := rules.turn(position)) != OVER:
        moves = [move for move in rules.legal_moves(position) if rules.is_turn(move)]
        move = chance.choice(moves)
        lines.append(SheetLine(rules.text(position, move), turn))
        position = rules.play(position, move)
    return Sheet(game, dict(settings), result=rules.outcome(position), lines=tuple(lines))


def analysis_of(sheet: Sheet, nodes: int) -> Analysis:
    engine = engine_of(rules_of(sheet.game, sheet.settings))
    return analyse(sheet, engine, Effort(nodes=nodes), lambda _done, _of: None)


def person_wins(rules: Rules[Any, Any], swap: str) -> Callable[[Position, bool], bool]:
    """Whether the first person wins, by the rules alone, once they have changed sides or not."""

    @cache
    def wins(position: Position, is_swapped: bool) -> bool:
        outcome = rules.outcome(position)
        if outcome is not None:
            return (outcome.winner == rules.seats[0]) is not is_swapped
        mine = (rules.turn(position) == rules.seats[0]) is not is_swapped
        ends = (
            wins(rules.play(position, move), is_swapped ^ (rules.text(position, move) == swap))
            for move in rules.legal_moves(position)
        )
        return any(ends) if mine else all(ends)

    return wins


@pytest.mark.parametrize("pie", ["yes", "no"])
def test_it_names_exactly_the_turns_of_tabik_that_lost_a_won_game(pie: str) -> None:
    blunders = 0
    for seed in range(6):
        sheet = random_sheet("tabik", {"size": "3", "pie": pie}, seed)
        rules = rules_of("tabik", sheet.settings)
        wins = person_wins(rules, "pie")
        analysis = analysis_of(sheet, 20_000)
        position, is_swapped = rules.start(), False
        for turn in analysis.turns:
            before = wins(position, is_swapped)
            is_swapped ^= turn.text == "pie"
            position = rules.play(position, rules.parse(position, turn.text))
            if turn.forecast is None or not turn.forecast.proven:
                assert turn.number == 1  # with the pie, the first turn is judged by samples
                continue
            assert turn.forecast.low == float(before)
            lost = turn.cost is not None
            assert lost == (before != wins(position, is_swapped))
            assert not lost or turn.cost == (CostKind.PROVEN, 1.0)
            blunders += lost
        assert analysis.end == Forecast(
            float(wins(position, is_swapped)), float(wins(position, is_swapped)), proven=True
        )
    assert blunders > 3


def test_a_better_line_keeps_the_win_that_the_turn_gave_away() -> None:
    sheet = random_sheet("tabik", {"size": "3", "pie": "no"}, 3)
    rules = rules_of("tabik", sheet.settings)
    wins = person_wins(rules, "pie")
    position = rules.start()
    checked = 0
    for turn in analysis_of(sheet, 20_000).turns:
        if turn.is_costly:
            after = rules.play(position, rules.parse(position, turn.line[0]))
            assert turn.best == turn.line[0]
            assert wins(after, False) is (turn.person == 0)
            checked += 1
        position = rules.play(position, rules.parse(position, turn.text))
    assert checked


def test_bids_of_tau_are_judged_by_what_perfect_play_leads_to() -> None:
    rules = rules_of("tau", SMALL_TAU)
    texts = ["bid:0", "pass"]
    sheet = Sheet("tau", SMALL_TAU, lines=tuple(SheetLine(text) for text in texts))
    first, second = analysis_of(sheet, 1_000_000).turns
    engine = engine_of(rules)
    best = next(iter(engine.think(rules.start(), Effort(nodes=1_000_000).limits(engine), Random(1), bool)))
    text = rules.text(rules.start(), best.candidates[0].move)
    assert text != "bid:0"
    assert (first.best, first.cost) == (text, (CostKind.PROVEN, 1.0))
    assert (second.best, second.cost) == (text, (CostKind.PROVEN, 1.0))


def test_a_search_that_has_not_seen_the_answer_judges_nobody() -> None:
    sheet = random_sheet("tamsk", {"level": "1", "ring": "auto"}, 4)
    engine = engine_of(rules_of(sheet.game, sheet.settings))
    for level, judges in ((1, False), (4, True)):
        analysis = analyse(sheet, engine, Effort(level=level), lambda _done, _of: None)
        judged = [turn for turn in analysis.turns if turn.cost is not None and turn.cost.kind is CostKind.NUMBER]
        assert bool(judged) is judges
        assert any(turn.forecast is not None and not turn.forecast.is_band for turn in analysis.turns)


def test_what_an_arbiter_put_right_is_no_turn_and_stands_before_the_next_one() -> None:
    lines = (
        SheetLine("D1-D2=", "red", Instant(1 * SECOND)),
        SheetLine("rings:D4=2,black", "arbiter", Instant(2 * SECOND)),
        SheetLine("turn:red", "arbiter", Instant(3 * SECOND)),
        SheetLine("A4-A3=", "red", Instant(4 * SECOND)),
    )
    sheet = Sheet("tamsk", {"level": "2"}, lines=lines)
    first, second = played_turns(sheet)
    assert [(turn.number, turn.line, turn.player, turn.text) for turn in (first, second)] == [
        (1, 1, "red", "D1-D2="),
        (2, 4, "red", "A4-A3="),
    ]
    assert second.before != first.after
    assert [turn.before for turn in play(sheet).turns] == [first.before, second.before]


def test_the_same_nodes_give_the_same_values() -> None:
    sheet = random_sheet("tabik", {"size": "5"}, 1)
    assert dump_analysis(analysis_of(sheet, 60)) == dump_analysis(analysis_of(sheet, 60))


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("tabik", {"size": "4"}),
        ("tau", {"rows": "4", "columns": "4"}),
        ("tau", {"rows": "4", "columns": "4", "limit": "3"}),
        ("tayu", {}),
        ("tayu", {"players": "3"}),
        ("tamsk", {"level": "1", "ring": "auto"}),
        ("twenty-squares", {"counters": "2"}),
        ("twenty-squares", {"board": "double", "players": "4", "counters": "2"}),
    ],
)
def test_what_is_said_of_a_game_holds_together(game: str, settings: dict[str, str]) -> None:
    sheet = random_sheet(game, settings, 2)
    rules = rules_of(game, settings)
    analysis = analysis_of(sheet, 30)
    assert [turn.text for turn in analysis.turns] == [line.text for line in sheet.lines]
    assert load_analysis(json.loads(json.dumps(dump_analysis(analysis)))) == analysis
    position = rules.start()
    for turn in analysis.turns:
        for forecast in filter(None, (turn.forecast,)):
            assert 0 <= forecast.low <= forecast.high <= 1
        if turn.cost is not None:
            assert turn.best != turn.text
            if turn.cost.kind is CostKind.NUMBER:
                assert turn.best_value is not None
                assert turn.played_value is not None
                assert turn.best_value.proven == turn.played_value.proven
                assert not (turn.best_value.is_result and turn.played_value.is_result)
        after = position
        for text in turn.line:
            after = rules.play(after, rules.parse(after, text))  # which raises an error if it is not legal
        position = rules.play(position, rules.parse(position, turn.text))
    assert (analysis.luck is not None) == (game == "twenty-squares" and len(rules.players) == 2)
    tree = read_collection(commented_sgf(sheet, analysis, ENGLISH))[0]
    assert len(list(tree.main_line())) == len(sheet.lines) + 1
    assert read_sheets(commented_sgf(sheet, analysis, ENGLISH).encode())[0].lines[0].text == sheet.lines[0].text


def test_while_many_rings_of_tamsk_are_to_fall_there_is_a_band_and_no_judgement() -> None:
    sheet = random_sheet("tamsk", {"level": "1", "ring": "auto"}, 4)
    rules = rules_of("tamsk", sheet.settings)
    position, numbers = rules.start(), 0
    for turn in analysis_of(sheet, 60).turns:
        fallen = 64 - sum(rules.score(position).values())
        assert turn.forecast is not None
        assert turn.forecast.is_band or fallen > 15
        assert not turn.forecast.is_band or fallen < 30
        if turn.forecast.is_band:
            assert turn.cost is None
            assert turn.kept is None
        else:
            numbers += 1
        assert turn.mobility is not None
        assert turn.mobility[turn.player] == sum(rules.is_turn(move) for move in rules.legal_moves(position)) or (
            turn.mobility[turn.player] == 0
        )
        position = rules.play(position, rules.parse(position, turn.text))
    assert numbers


def test_glasses_that_run_out_are_named_with_the_turn_that_moved_them_last() -> None:
    """Both move one glass each after the opening, so that the other four run out after three minutes."""
    rules: Rules[Any, Any] = rules_of("tamsk", {"level": "2", "ring": "auto"})
    position, lines, chance = rules.start(), [], Random(1)
    for number in range(24):
        at = Instant(number * 10 * SECOND)
        position = rules.elapse(position, at)
        moves = [move for move in rules.legal_moves(position) if move.kind == "turn"]
        same = [move for move in moves if position.glasses.index(move.origin) in {0, 3}]
        move = chance.choice(same if number > 5 and same else moves)
        lines.append(SheetLine(rules.text(position, move), rules.turn(position), at=at))
        position = rules.play(position, move)
    analysis = analysis_of(Sheet("tamsk", {"level": "2", "ring": "auto"}, lines=tuple(lines)), 20)
    assert [turn.took for turn in analysis.turns[1:]] == [10 * SECOND] * 23
    assert len(analysis.spent) == 4
    for spent in analysis.spent:
        turn = analysis.turns[spent.moved - 1]
        assert turn.text.rstrip("x").endswith(f"-{spent.space}")
        assert turn.person == spent.person
        assert spent.at == turn.at + 180 * SECOND
        assert any(glass.space == spent.space and glass.left > 0 for glass in turn.sand)


def timed_sheet(times: Sequence[int], seed: int) -> Sheet:
    """A random game of level 2 with its turns at these seconds, mostly with two glasses of each player."""
    settings = {"level": "2", "ring": "auto"}
    rules: Rules[Any, Any] = rules_of("tamsk", settings)
    position, lines, chance = rules.start(), [], Random(seed)
    for number, second in enumerate(times):
        position = rules.elapse(position, Instant(second * SECOND))
        moves = [move for move in rules.legal_moves(position) if move.kind == "turn"]
        if not moves:
            break
        same = [move for move in moves if position.glasses.index(move.origin) % 3 < 2]
        move = chance.choice(same if number > 5 and same else moves)
        lines.append(SheetLine(rules.text(position, move), rules.turn(position), at=Instant(second * SECOND)))
        position = rules.play(position, move)
    return Sheet("tamsk", settings, lines=tuple(lines))


def test_the_wait_that_is_named_would_have_kept_a_glass_that_was_turned_twice() -> None:
    """With the wait put into the game, the glass runs when its player's next turn comes; a second less does not do."""
    kept = 0
    for seed in range(40):
        chance, times = Random(seed), [0]
        while len(times) < 30:
            times.append(times[-1] + chance.choice((4, 8, 12, 30)))
        sheet = timed_sheet(times, seed)
        analysis = analysis_of(sheet, 2)
        for spent in analysis.spent:
            if spent.wait is None:
                continue
            assert spent.before is not None
            last, before = analysis.turns[spent.moved - 1], analysis.turns[spent.before - 1]
            assert spent.apart == last.at - before.at
            due = next(turn for turn in analysis.turns if turn.person == spent.person and turn.at > spent.at)
            wait = spent.wait // SECOND
            ends = end_of_glass(analysis, spent, wait, due)
            if ends is None:
                continue
            kept += 1
            assert ends > due.at + spent.wait
            sooner = end_of_glass(analysis, spent, wait - 1, due)
            assert sooner is not None
            assert sooner <= due.at + spent.wait - SECOND
    assert kept > 10


def end_of_glass(analysis: Analysis, spent: SpentGlass, wait: int, due: AnalysedTurn) -> int | None:
    """When a glass runs out, if its player had waited so long; None if that costs the opponent a glass of the game."""
    rules: Rules[Any, Any] = rules_of("tamsk", {"level": "2", "ring": "auto"})
    position = rules.start()
    for turn in analysis.turns[: due.number - 1]:
        position = rules.elapse(position, Instant(turn.at + wait * SECOND * (turn.number >= spent.moved)))
        try:
            position = rules.play(position, rules.parse(position, turn.text))
        except RulesError:
            assert turn.person != spent.person
            return None
    glass = next(each for each, space in enumerate(position.glasses) if BOARD.names[space] == spent.space)
    end: int = position.now + position.sands[glass].remaining(position.now)
    return end


def test_a_player_whose_glasses_have_all_run_out_can_be_judged() -> None:
    rules: Rules[Any, Any] = rules_of("tamsk", {"level": "2", "ring": "auto"})
    engine = engine_of(rules)
    position = rules.start()
    assert not engine.predicts(position)
    for number in range(6):
        position = rules.elapse(position, Instant(number * SECOND))
        position = rules.play(position, next(move for move in rules.legal_moves(position) if move.kind == "turn"))
    assert not engine.predicts(position)
    assert engine.predicts(rules.elapse(position, Instant(400 * SECOND)))


@pytest.mark.parametrize(("language", "own"), [("en", "Player"), ("de", "Spieler"), ("fr", "Joueur")])
def test_luck_is_told_of_people_as_the_pages_call_them(language: str, own: str) -> None:
    sheet = random_sheet("twenty-squares", {"counters": "2"}, 5)
    nobody = report.luck_sentences(analysis_of(sheet, 30), words(language))
    assert f"{own} 1" in nobody
    assert not re.search(r"\bp[12]\b", nobody)
    named = report.luck_sentences(analysis_of(replace(sheet, players={"p1": "Ada"}), 30), words(language))
    assert ("Ada" in named, f"{own} 1" in named) == (True, False)


def test_luck_and_play_of_an_estimate_add_up_to_the_result() -> None:
    luck = analysis_of(random_sheet("twenty-squares", {"counters": "2"}, 5), 30).luck
    assert luck is not None
    assert not luck.exact
    total = luck.start + luck.luck[0] - luck.luck[1] + luck.skill[0] - luck.skill[1]
    assert min(abs(total), abs(total - 1)) < 0.001


def test_the_search_of_two_turns_alone_has_no_others() -> None:
    for game, settings in (("tabik", {"size": "4", "pie": "no"}), ("tau", {"rows": "8", "columns": "8", "limit": "9"})):
        rules = rules_of(game, settings)
        engine, start = engine_of(rules), rules.start()
        asked = tuple(rules.legal_moves(start)[:2])
        limits = Effort(nodes=40).limits(engine)._replace(moves=asked)
        *_, report = engine.think(start, limits, Random(1), bool)
        assert set(asked) <= {each.move for each in report.candidates} < set(rules.legal_moves(start))


def test_what_cannot_be_analysed_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="clock"):
        analyse(Sheet("clock"), None, Effort(), lambda _done, _of: None)
    sheet = Sheet("tabik", {"size": "3"})
    engine = engine_of(rules_of("tabik", sheet.settings))
    with pytest.raises(InvalidValueError, match="the levels are 1 to 13"):
        analyse(sheet, engine, Effort(level=14), lambda _done, _of: None)
    with pytest.raises(RulesError):
        analyse(Sheet("tabik", lines=(SheetLine("a1a9"),)), engine, Effort(), lambda _done, _of: None)


def test_json_that_is_no_analysis_is_refused() -> None:
    good = dump_analysis(analysis_of(random_sheet("tabik", {"size": "2"}, 1), 20))
    refused: list[Any] = [[], {}, {"format": 2}, good | {"turns": [{}]}, good | {"turns": 3}, good | {"format": 2}]
    for bad in refused:
        with pytest.raises(ValueError, match="analysis"):
            load_analysis(bad)


class TwoSighted:
    """An engine for Tabik that sees far with many nodes, and then likes another move than with few."""

    levels = ()

    def __init__(self, rules: Rules[Any, Any], far: float) -> None:
        self.rules = rules
        self.far = far  # the chance of what it likes with few nodes, as seen with many

    def think(self, position: Position, limits: Limits, _chance: Random, _stop: object) -> Iterator[Report]:
        sees_far = (limits.nodes or 0) >= 1000
        chances = {"a1b1": 0.6, "a1a2": self.far if sees_far else 0.7}
        moves = limits.moves or self.rules.legal_moves(position)
        found = [Candidate(move, Score(chances.get(self.rules.text(position, move), 0.1))) for move in moves]
        found.sort(key=lambda each: -each.score.chance)
        yield Report(tuple(found), 4 if sees_far else 1, limits.nodes or 0)


@pytest.mark.parametrize(
    ("played", "far", "is_found"),
    [("a1b1", 0.5, True), ("a1b1", 0.58, False), ("a1b1", 0.65, False), ("a1a2", 0.65, False), ("b1b2", 0.5, False)],
)
def test_a_turn_that_a_shallow_search_misses_is_marked(played: str, far: float, *, is_found: bool) -> None:
    sheet = Sheet("tabik", {"size": "3", "pie": "no"}, lines=(SheetLine(played, "black"),))
    engine = TwoSighted(rules_of("tabik", sheet.settings), far)
    analysis = analyse(sheet, engine, Effort(nodes=3200), lambda _done, _of: None)
    assert [turn.found for turn in analysis.turns] == [is_found]
    assert (f"1 {played}!" in report.found_sentence(analysis, ENGLISH)) is is_found
    assert (f"{played}!" in "\n".join(report.report_lines(analysis, ENGLISH))) is is_found
    assert ("looking far ahead" in commented_sgf(sheet, analysis, ENGLISH)) is is_found
    dumped = json.loads(json.dumps(dump_analysis(analysis)))
    assert load_analysis(dumped).turns[0].found is is_found
    # An analysis that was kept before there was a second search says nothing of it, and is read all the same.
    del dumped["turns"][0]["found"]
    assert not load_analysis(dumped).turns[0].found
    # Too few nodes leave nothing to a shallow search.
    few = analyse(sheet, engine, Effort(nodes=20), lambda _done, _of: None)
    assert not few.turns[0].found
