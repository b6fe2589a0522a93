"""What the rules of every game promise, whatever the game: the contract of `gnomon.rules.protocol.Rules`."""

import json
import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from gnomon.rules.perft import perft
from gnomon.rules.protocol import NATURE, OVER, GameOverError, IllegalMoveError, NotationError, Rules, SettingsError
from gnomon.rules.registry import GAMES, rules_of
from gnomon.timekeeping.instants import SECOND, Instant

# Settings under which a game is worth another look; every game is looked at with its defaults.
VARIANTS: Mapping[str, list[dict[str, object]]] = {
    "tamsk": [
        {"level": 2},
        {"level": 3},
        {"ring": "auto"},
        {"level": 2, "ring": "auto"},
        {"level": 3, "late": "skip_turn"},
    ],
    "tabik": [{"size": 3}, {"size": 5, "pie": "no"}],
    "tau": [{"limit": 70}, {"rows": 1, "columns": 12}, {"rows": 20, "columns": 20, "limit": 2**80}],
    "tayu": [
        {"players": 3, "auction": "yes"},
        {"players": 4, "edition": "kosmos", "draw": "stacks"},
        {"players": 3, "draw": "backs", "size": 8},
    ],
    "twenty-squares": [
        {"ruleset": "aseb"},
        {"board": "double", "players": 4, "stacking": "invincible"},
        {"board": "asha", "entry": "auto"},
    ],
}
CASES = [(game, settings) for game in GAMES for settings in [{}, *VARIANTS.get(game, [])]]
every_game = pytest.mark.parametrize(
    "rules",
    [
        pytest.param(rules_of(game, settings), id=" ".join([game, *(f"{k}={v}" for k, v in settings.items())]))
        for game, settings in CASES
    ],
)
LONGEST_LOOK = 300  # positions of one random game


def positions(rules: Rules[Any, Any], seed: int) -> Iterator[Any]:
    """The positions of a random game, with time passing now and then."""
    chance = random.Random(seed)
    position, now = rules.start(), 0
    for _ in range(LONGEST_LOOK):
        yield position
        moves = rules.legal_moves(position)
        if not moves:
            return
        if chance.random() < 0.3:
            now += chance.randrange(12 * SECOND)
            position = rules.elapse(position, Instant(now))
        else:
            position = rules.play(position, chance.choice(moves))


@every_game
def test_the_start_is_the_same_every_time_and_nobody_has_won(rules: Rules[Any, Any]) -> None:
    start = rules.start()
    assert start == rules.start()
    assert hash(start) == hash(rules.start())
    assert rules.outcome(start) is None
    assert rules.turn(start) in {*rules.players, NATURE}


@pytest.mark.untraced
@every_game
@pytest.mark.parametrize("seed", range(3))
def test_there_are_legal_moves_exactly_until_the_game_is_over(rules: Rules[Any, Any], seed: int) -> None:
    for position in positions(rules, seed):
        over = rules.turn(position) == OVER
        assert rules.turn(position) in {*rules.players, NATURE, OVER}
        assert (not rules.legal_moves(position)) is over
        outcome = rules.outcome(position)
        assert (outcome is not None) is over
        assert outcome is None or outcome.winner is None or outcome.winner in rules.players


@pytest.mark.untraced
@every_game
@pytest.mark.parametrize("seed", range(3))
def test_every_legal_move_has_a_text_of_its_own_that_reads_back(rules: Rules[Any, Any], seed: int) -> None:
    for position in positions(rules, seed):
        texts = {rules.text(position, move): move for move in rules.legal_moves(position)}
        assert len(texts) == len(rules.legal_moves(position))
        for text, move in texts.items():
            assert text.isascii()
            assert not set(text) & set(" \t\n")
            assert rules.parse(position, text) == move
            assert hash(rules.parse(position, text)) == hash(move)


@pytest.mark.untraced
@every_game
@pytest.mark.parametrize("seed", range(3))
def test_playing_gives_a_new_position_and_leaves_the_old_one_alone(rules: Rules[Any, Any], seed: int) -> None:
    for position in positions(rules, seed):
        before = hash(position)
        for move in list(rules.legal_moves(position))[:5]:
            after = rules.play(position, move)
            assert after == rules.play(position, move)
            assert after != position
            assert hash(after) == hash(rules.play(position, move))
        assert hash(position) == before


@pytest.mark.untraced
@every_game
@pytest.mark.parametrize("seed", range(3))
def test_a_move_of_an_earlier_position_is_legal_or_refused_and_never_breaks(rules: Rules[Any, Any], seed: int) -> None:
    seen: dict[Any, None] = {}
    for position in positions(rules, seed):
        legal = set(rules.legal_moves(position))
        for move in list(seen)[-40:]:
            if move in legal:
                rules.play(position, move)
            else:
                with pytest.raises((IllegalMoveError, GameOverError)):
                    rules.play(position, move)
        seen |= dict.fromkeys(legal)


@pytest.mark.untraced
@every_game
@pytest.mark.parametrize("seed", range(3))
def test_state_and_score_are_ready_for_json(rules: Rules[Any, Any], seed: int) -> None:
    for position in positions(rules, seed):
        state = dict(rules.state(position))
        assert json.loads(json.dumps(state)) == state
        # TAU has one score for both players.
        assert set(rules.score(position)) in ({*rules.players}, {"product"})


@pytest.mark.untraced
@every_game
@pytest.mark.parametrize("seed", range(3))
def test_nothing_changes_before_the_deadline_and_time_passes_alike_in_steps(rules: Rules[Any, Any], seed: int) -> None:
    for position in positions(rules, seed):
        deadline = rules.deadline(position)
        if deadline is None:
            continue
        just_before = rules.elapse(position, Instant(deadline - 1))
        assert rules.legal_moves(just_before) == rules.legal_moves(position)
        assert rules.outcome(just_before) == rules.outcome(position)
        assert rules.elapse(just_before, deadline) == rules.elapse(position, deadline)
        assert rules.elapse(rules.elapse(position, deadline), Instant(deadline - 1)) == rules.elapse(position, deadline)


@every_game
def test_after_the_end_every_move_is_refused_because_the_game_is_over(rules: Rules[Any, Any]) -> None:
    position = rules.start()
    chance = random.Random(1)
    last, text = None, ""
    while moves := rules.legal_moves(position):
        last = chance.choice(moves)
        text = rules.text(position, last)
        position = rules.play(position, last)
        deadline = rules.deadline(position)
        if deadline is not None and chance.random() < 0.1:
            position = rules.elapse(position, deadline)
    with pytest.raises(GameOverError):
        rules.play(position, last)
    with pytest.raises(GameOverError):
        rules.parse(position, text)
    assert rules.deadline(position) is None


@every_game
@pytest.mark.parametrize("text", ["", " ", "?", "nonsense", "\N{SNOWMAN}", "a" * 500])
def test_what_is_no_move_in_any_position_is_a_notation_error(rules: Rules[Any, Any], text: str) -> None:
    with pytest.raises(NotationError):
        rules.parse(rules.start(), text)


@every_game
def test_perft_counts_the_turns_that_can_be_played_one_by_one(rules: Rules[Any, Any]) -> None:
    start = rules.start()
    turns = [move for move in rules.legal_moves(start) if rules.is_turn(move)]
    assert perft(rules, start, 0) == 1
    assert perft(rules, start, 1) == len(turns)
    assert perft(rules, start, 2) == sum(perft(rules, rules.play(start, move), 1) for move in turns)


@pytest.mark.parametrize("game", GAMES)
def test_an_unknown_setting_is_refused_with_one_sentence(game: str) -> None:
    with pytest.raises(SettingsError, match="no_such_setting"):
        rules_of(game, {"no_such_setting": "1"})


def test_an_unknown_game_is_refused_with_the_names_of_those_there_are() -> None:
    with pytest.raises(SettingsError, match=r"^there is no game 'chess'; the games are .*tamsk"):
        rules_of("chess", {})


def test_where_nature_has_no_say_every_move_weighs_the_same() -> None:
    rules = rules_of("tabik", {})
    moves = rules.legal_moves(rules.start())
    assert {rules.weight(rules.start(), move) for move in moves} == {1}


def test_a_throw_weighs_what_the_sticks_give_it_and_a_tile_as_many_as_are_left() -> None:
    sticks, tiles = rules_of("twenty-squares", {}), rules_of("tayu", {})
    throws = sticks.legal_moves(sticks.start())
    assert sum(sticks.weight(sticks.start(), move) for move in throws) == 1
    draws = tiles.legal_moves(tiles.start())
    assert {move.tile: tiles.weight(tiles.start(), move) for move in draws} == {
        move.tile: tiles.start().copies_left(move.tile) for move in draws
    }


def test_the_whole_turns_of_tamsk_are_listed_in_order_without_the_turning_of_the_timer() -> None:
    rules = rules_of("tamsk", {"level": 3})
    texts = rules.entries(rules.start())
    assert texts == sorted(texts)
    assert "D1-D2" in texts
    assert all("-" in text for text in texts)
