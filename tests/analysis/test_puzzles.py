import json
from typing import Any

import pytest

from gnomon.analysis import Effort
from gnomon.analysis.puzzles import Puzzle, dump_puzzles, find_puzzles, load_puzzles
from gnomon.engines import engine_of
from gnomon.rules.protocol import NATURE
from gnomon.rules.registry import rules_of
from tests.analysis.test_game_analysis import person_wins, random_sheet

NODES = 20_000


def puzzles_of(game: str, settings: dict[str, str], seed: int, nodes: int = NODES) -> list[Puzzle]:
    sheet = random_sheet(game, settings, seed)
    engine = engine_of(rules_of(game, settings))
    return [each for each in find_puzzles(sheet, engine, Effort(nodes=nodes)) if each is not None]


def test_the_puzzles_of_tabik_are_exactly_the_positions_in_which_one_turn_alone_wins() -> None:
    settings = {"size": "3", "pie": "no"}
    rules = rules_of("tabik", settings)
    wins = person_wins(rules, "pie")
    total = 0
    for seed in range(8):
        expected = []
        position = rules.start()
        for line in random_sheet("tabik", settings, seed).lines:
            moves = rules.legal_moves(position)
            is_first = rules.turn(position) == rules.seats[0]
            good = [move for move in moves if wins(rules.play(position, move), False) is is_first]
            if len(moves) >= 4 and len(good) == 1:
                expected.append(rules.text(position, good[0]))
            position = rules.play(position, rules.parse(position, line.text))
        found = puzzles_of("tabik", settings, seed)
        assert [each.best for each in found] == expected
        assert all(each.proven and (each.value, each.second) == (1.0, 0.0) for each in found)
        total += len(found)
    assert total


def test_a_puzzle_of_tamsk_is_proven_against_every_other_turn() -> None:
    settings = {"level": "1", "ring": "auto"}
    found = [each for seed in range(6) for each in puzzles_of("tamsk", settings, seed, 3_000)]
    assert found
    for puzzle in found:
        rules, position, _ = puzzle.scene()
        assert rules.turn(position) == puzzle.player
        assert puzzle.value > puzzle.second
        for text in puzzle.line:
            position = rules.play(position, rules.parse(position, text))


def test_a_turn_of_tamsk_that_only_withholds_its_ring_is_no_other_turn() -> None:
    rules = rules_of("tamsk", {"level": "1"})
    engine, start = engine_of(rules), rules.start()
    move, withheld, other = (rules.parse(start, text) for text in ("D1-D2", "D1-D2=", "D1-E1"))
    assert move != withheld
    assert engine.is_alike(move, withheld)
    assert not engine.is_alike(move, other)


@pytest.mark.parametrize(("game", "settings"), [("tayu", {}), ("twenty-squares", {"counters": "2"})])
def test_other_games_have_puzzles_by_a_wide_margin_if_any(game: str, settings: dict[str, str]) -> None:
    for puzzle in puzzles_of(game, settings, 1, 60):
        rules, position, _ = puzzle.scene()
        assert rules.turn(position) != NATURE
        assert puzzle.proven or puzzle.value - puzzle.second >= 0.3


def test_puzzles_are_written_and_read_without_names() -> None:
    found = [each for seed in range(8) for each in puzzles_of("tabik", {"size": "3", "pie": "no"}, seed)]
    assert load_puzzles(json.loads(json.dumps(dump_puzzles(found)))) == found
    assert len({each.number for each in found}) == len(found)
    assert not any(each.sheet.players or each.sheet.headers for each in found)


def test_json_that_holds_no_puzzles_is_refused() -> None:
    refused: list[Any] = [[], {}, {"format": 2, "puzzles": []}, {"format": 1}, {"format": 1, "puzzles": [{}]}]
    refused += [{"format": 1, "puzzles": [{"sheet": "x", "line": []}]}]
    for bad in refused:
        with pytest.raises(ValueError, match=r"puzzles|line 1|values to unpack"):
            load_puzzles(bad)
