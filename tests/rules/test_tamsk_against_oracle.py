"""The fast rules of TAMSK and the plain ones agree in every position of random games."""

import random
from itertools import product

import pytest

from gnomon.games.tamsk.rules import BOARD, LOST, PASS, PLAYERS, Position, Tamsk
from gnomon.timekeeping.instants import Instant
from tests.conftest import random_games
from tests.rules.tamsk_oracle import FIFTEEN_SECONDS, NEIGHBOURS, SIZE, SPACES, OracleGame

CHOICES = [
    (level, ring, late)
    for level, ring, late in product((1, 2, 3), ("optional", "auto"), ("two_rings", "skip_turn"))
    if level == 3 or late == "two_rings"
]


def test_both_know_the_same_board() -> None:
    assert list(BOARD.names) == SPACES
    for space, name in enumerate(SPACES):
        assert {BOARD.names[other] for other in BOARD.neighbours[space]} == set(NEIGHBOURS[name])
        assert Position(0, (), SIZE[name] << 3 * space, (0, 0), 0).is_full(space)


@pytest.mark.untraced
@pytest.mark.parametrize(("level", "ring", "late"), CHOICES)
@pytest.mark.parametrize("stall", [64, 6, 0])
def test_the_fast_rules_agree_with_the_plain_ones(level: int, ring: str, late: str, stall: int) -> None:
    rules = Tamsk.from_settings({"level": level, "ring": ring, "late": late, "stall": stall})
    turns = 0
    for seed in random_games(2 if level == 3 else 4):
        chance = random.Random(f"{level}{ring}{late}{stall}{seed}")
        turns += play_both(rules, OracleGame(level, ring, late, stall), chance)
    assert turns > 100


def play_both(rules: Tamsk, oracle: OracleGame, chance: random.Random) -> int:
    """Play a random game in both, comparing everything after every move and every lapse of time."""
    position = rules.start()
    patient = chance.random()
    bold = chance.random()
    for moves in range(400):
        compare(rules, position, oracle)
        if rules.turn(position) == "over":
            return moves
        if oracle.level > 1:
            then = some_later_instant(oracle, chance, patient)
            position = rules.elapse(position, Instant(then))
            oracle.wait_until(then)
            compare(rules, position, oracle)
            if rules.turn(position) == "over":
                return moves
        text = choose(sorted(oracle.turns()), chance, bold)
        if text == "flip15":
            position = rules.turn_timer15(position)
        else:
            position = rules.play(position, rules.parse(position, text))
        oracle.play(text)
    return 400


def choose(texts: list[str], chance: random.Random, bold: float) -> str:
    """A move: more often one that starts, hurries or punishes than their number would make it."""
    rare = [text for text in texts if ":" in text or text == "flip15" or text.startswith("+") or ",+" in text]
    return chance.choice(rare if rare and chance.random() < bold * 0.6 else texts)


def some_later_instant(oracle: OracleGame, chance: random.Random, patient: float) -> int:
    """Now, soon, or within a microsecond of a change: of the 15-second glass while it binds, of any glass at times."""
    kind = chance.random()
    if oracle.timer_ran_out_at is not None and kind < 0.4:
        return max(oracle.now, oracle.timer_ran_out_at + chance.choice((-1, 0, 1, 3_000_000)))
    changes = sorted(oracle.next_changes())
    if changes and kind < 0.25 * patient:
        return max(oracle.now, chance.choice(changes[:3]) + chance.choice((-1, 0, 1)))
    if kind < 0.5:
        return oracle.now
    return oracle.now + chance.randrange(int(FIFTEEN_SECONDS * patient**2) + 1)


def compare(rules: Tamsk, position: Position, oracle: OracleGame) -> None:
    moves = rules.legal_moves(position)
    texts = [rules.text(position, move) for move in moves]
    assert len(texts) == len(set(texts))
    assert set(texts) == oracle.turns()
    assert rules.turn(position) == ("over" if oracle.over else oracle.player)
    assert rules.outcome(position) == oracle.over
    assert rules.score(position) == oracle.holder
    assert rules.lost_is_due(position) == (oracle.turns() == {"lost"})
    turns = [move for move in moves if rules.is_turn(move)]
    assert rules.forced_turn(position) == (turns[0] if turns in ([PASS], [LOST]) else None)
    assert {name: position.rings_on(space) for space, name in enumerate(BOARD.names)} == oracle.rings
    assert [BOARD.names[space] for space in position.glasses] == [glass.space for glass in oracle.glasses]
    assert [PLAYERS[position.owner_of(BOARD.index[glass.space])] for glass in oracle.glasses] == [
        glass.player for glass in oracle.glasses
    ]
    if oracle.level > 1:
        assert [glass.remaining(position.now) for glass in position.sands] == [
            glass.sand(oracle.now) for glass in oracle.glasses
        ]
    if oracle.level == 3:
        assert position.timer15 is not None
        assert position.timer15.remaining(position.now) == oracle.timer.sand(oracle.now)
