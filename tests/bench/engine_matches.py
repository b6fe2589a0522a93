"""How strong the engines of Tabik, Tayu and TAU play: matches against simple players and against each other.

Colours are changed after each game, on the same opening: in Tabik the same random turns, in Tayu the same order of the
tiles in the bag. A draw counts half. The interval is Wilson's, for 95 %.
Run it with `python -m tests.bench.engine_matches`; --match chooses among the matches, --games how many are played.
"""

import math
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from gnomon.engines.levels import choose
from gnomon.engines.protocol import Engine, Limits
from gnomon.games.tabik import KIND as TABIK
from gnomon.games.tabik.engine import TabikEngine
from gnomon.games.tabik.engine._endings import Endings
from gnomon.games.tabik.rules import Tabik
from gnomon.games.tau.engine import TauEngine
from gnomon.games.tau.rules import Tau
from gnomon.games.tayu import KIND as TAYU
from gnomon.games.tayu.engine import TayuEngine
from gnomon.games.tayu.rules import Move as TayuMove
from gnomon.games.tayu.rules import Tayu
from gnomon.rules.kinds import load
from gnomon.rules.protocol import NATURE, OVER, Rules
from tests.bench import _figures

Position = Any  # of whatever game
Move = Any
AnyRules = Rules[Any, Any]
Player = Callable[[Position, random.Random], Move]
Worth = Callable[[Position, str], float]
Z = 1.96  # of 95 %
SPEED = 2_000  # playouts
QUICK = ("tabik: greedy against random", "tayu: greedy against random", "tau: perfect against 20 nodes")


class Match(NamedTuple):
    """Two players of one game, and how many random turns come before they begin."""

    rules: AnyRules
    one: Player
    other: Player
    opening: int = 0


def engine_player(engine: Engine[Any], nodes: int | None, loss: float = 0.0) -> Player:
    """An engine with so many nodes for each move."""

    def player(position: Position, chance: random.Random) -> Move:
        *_, report = engine.think(position, Limits(nodes=nodes), chance, lambda: False)
        return choose(report.candidates, loss, chance).move

    return player


def timed_player(engine: Engine[Any], seconds: float) -> Player:
    """An engine with so many seconds of processor time for each move, which other work on the machine does not take."""

    def player(position: Position, chance: random.Random) -> Move:
        end = time.process_time() + seconds
        *_, report = engine.think(position, Limits(), chance, lambda: time.process_time() >= end)
        return report.candidates[0].move

    return player


def level_player(engine: Engine[Any], number: int) -> Player:
    """An engine at one of its levels, counted from 1."""
    level = engine.levels[number - 1]
    return engine_player(engine, level.limits.nodes, level.loss)


def random_player(rules: AnyRules) -> Player:
    """Any legal move."""
    return lambda position, chance: chance.choice(rules.legal_moves(position))


def greedy_player(rules: AnyRules, worth: Worth) -> Player:
    """The move after which a position is worth most to the player; any of those that are as good."""

    def player(position: Position, chance: random.Random) -> Move:
        name = rules.turn(position)
        moves = rules.legal_moves(position)
        values = [worth(rules.play(position, move), name) for move in moves]
        best = max(values)
        return chance.choice([move for move, value in zip(moves, values, strict=True) if value == best])

    return player


def lead(rules: AnyRules) -> Worth:
    """By how much a player's score is higher than the other's."""

    def worth(position: Position, name: str) -> float:
        score = rules.score(position)
        return sum(points if player == name else -points for player, points in score.items())

    return worth


def open_channels(rules: Tayu) -> Worth:
    """The lead in products, with each open channel as 0.55 to the power of its distance from each rim.

    It is written over the project's rules alone, square by square, so that the engine's own is not its measure.
    """
    board, size = rules.board, rules.board.size
    place = {square: divmod(number, size) for number, square in enumerate(board.squares.names)}

    def worth(position: Position, name: str) -> float:
        mouths = {
            square + board.neighbours[side]
            for side, flows in enumerate(position.outflows)
            for square in place
            if flows >> square & 1
        }
        sides: dict[str, float] = dict(rules.sides(position))
        for mouth in mouths:
            if mouth in place and not position.occupied >> mouth & 1:
                row, column = place[mouth]
                distances = {"n": size - 1 - row, "e": size - 1 - column, "s": row, "w": column}
                for side, distance in distances.items():
                    sides[side] += 0.55**distance
        products = {"north-south": sides["n"] * sides["s"], "east-west": sides["e"] * sides["w"]}
        own = products.pop(rules.role(position, name) or "", None)
        # The saboteur wants that neither of the others reaches much.
        return -max(products.values()) if own is None else own - sum(products.values())

    return worth


def channels_player(rules: Tayu) -> Player:
    """The turn that is best by open channels; in an auction a bid by the toss of a coin."""
    greedy = greedy_player(rules, open_channels(rules))

    def player(position: Position, chance: random.Random) -> Move:
        is_bidding = position.due == "bid"
        return chance.choice(rules.legal_moves(position)) if is_bidding else greedy(position, chance)

    return player


class Score(NamedTuple):
    """What a match came to: points of the first player, and the seconds that a move of theirs took."""

    points: float
    games: int
    seconds: float

    def __str__(self) -> str:
        low, high = interval(self.points / self.games, self.games)
        share = 100 * self.points / self.games
        return (
            f"{share:5.1f} % [{100 * low:.1f}, {100 * high:.1f}] of {self.games}, {1000 * self.seconds:.0f} ms a move"
        )


def interval(share: float, games: int) -> tuple[float, float]:
    """Wilson's interval for a share, for 95 %."""
    spread = Z * math.sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    middle, unit = share + Z * Z / (2 * games), 1 + Z * Z / games
    return (middle - spread) / unit, (middle + spread) / unit


def play(match: Match, games: int, seed: int) -> Score:
    """Play a match; each opening is played twice, with the players changed."""
    points, seconds, moves = 0.0, 0.0, 0
    for game in range(games):
        first = game % 2 == 0
        outcome, spent, made = play_game(match, first, random.Random(f"{seed} {game // 2}"), random.Random(seed + game))
        points += outcome
        seconds += spent
        moves += made
        _figures.progress(f"{game + 1} of {games}: {points}")
    return Score(points, games, seconds / max(1, moves))


def play_game(match: Match, first: bool, nature: random.Random, chance: random.Random) -> tuple[float, float, int]:
    """One game: the result of the first player of the match, the seconds they took, and their moves."""
    rules = match.rules
    position = rules.start()
    bag: list[int] = []
    if isinstance(rules, Tayu):
        bag = [tile for tile in range(28) for _ in range(rules.settings.copies)]
        nature.shuffle(bag)
    for _ in range(match.opening):
        position = rules.play(position, nature.choice(rules.legal_moves(position)))
    seconds, moves = 0.0, 0
    while (turn := rules.turn(position)) != OVER:
        if turn == NATURE:
            position = rules.play(position, TayuMove("draw", bag.pop()))
            continue
        own = (_number(rules, position, turn) == 0) is first
        begun = time.process_time()
        move = (match.one if own else match.other)(position, chance)
        if own:
            seconds += time.process_time() - begun
            moves += 1
        position = rules.play(position, move)
    outcome = rules.outcome(position)
    assert outcome is not None
    if outcome.winner is None:
        return 0.5, seconds, moves
    return float((_number(rules, position, outcome.winner) == 0) is first), seconds, moves


class Seat(NamedTuple):
    """How often somebody won in one of three seats, and how often open channels won there with the same bags."""

    engine: int
    channels: int
    games: int

    def __str__(self) -> str:
        low, high = interval(self.engine / self.games, self.games)
        share = 100 * self.engine / self.games
        return (
            f"{share:5.1f} % [{100 * low:.1f}, {100 * high:.1f}] of {self.games}, open channels there {self.channels}"
        )


def three_at_tayu(seconds: float, games: int, seed: int) -> Iterator[tuple[str, Seat]]:
    """The engine in each of three seats against two that follow open channels, and three of these in the same games.

    Three players have a saboteur: he is agreed upon, or bid for in an auction.
    """
    for auction in ("no", "yes"):
        rules = Tayu.from_settings({"players": "3", "auction": auction})
        channels, engine = channels_player(rules), timed_player(TayuEngine(rules), seconds)
        for seat, name in enumerate(rules.players):
            wins = [0, 0]
            for game in range(games):
                for side, player in enumerate((engine, channels)):
                    players = [player if number == seat else channels for number in range(len(rules.players))]
                    final = _play_at_tayu(rules, players, random.Random(f"{seed} {game}"), random.Random(seed + game))
                    wins[side] += name in rules.winners(final)
                _figures.progress(f"{game + 1} of {games}: {wins}")
            yield f"tayu: three, auction {auction}, {seconds} s as {name}", Seat(wins[0], wins[1], games)


def _play_at_tayu(rules: Tayu, players: Sequence[Player], nature: random.Random, chance: random.Random) -> Position:
    """The end of a game, whose tiles come in the order of a shuffled bag."""
    bag = [tile for tile in range(28) for _ in range(rules.settings.copies)]
    nature.shuffle(bag)
    position = rules.start()
    while (turn := rules.turn(position)) != OVER:
        drawn = turn == NATURE
        move = TayuMove("draw", bag.pop()) if drawn else players[rules.players.index(turn)](position, chance)
        position = rules.play(position, move)
    return position


def _number(rules: AnyRules, position: Position, player: str) -> int:
    """Which of two persons somebody is: by where they sit, or by their role where roles are all there is."""
    seat = rules.seat(position, player)
    return rules.seats.index(seat if seat in rules.seats else player)


def tabik_matches() -> Iterator[tuple[str, Match]]:
    """Tabik on 8 by 8 without the pie, after two random turns."""
    rules = Tabik.from_settings({"pie": "no"})
    engine = TabikEngine(rules)
    greedy, anything = greedy_player(rules, lead(rules)), random_player(rules)
    yield "tabik: greedy against random", Match(rules, greedy, anything, 2)
    for nodes in (100, 1_000):
        yield f"tabik: {nodes} nodes against random", Match(rules, engine_player(engine, nodes), anything, 2)
        yield f"tabik: {nodes} nodes against greedy", Match(rules, engine_player(engine, nodes), greedy, 2)
    yield "tabik: 1000 against 100 nodes", Match(rules, engine_player(engine, 1_000), engine_player(engine, 100), 2)


def tayu_matches() -> Iterator[tuple[str, Match]]:
    """Tayu for two on the Goliath board, drawn from the bag."""
    rules = Tayu()
    engine = TayuEngine(rules)
    greedy, anything = greedy_player(rules, lead(rules)), random_player(rules)
    channels = channels_player(rules)
    yield "tayu: greedy against random", Match(rules, greedy, anything)
    yield "tayu: open channels against greedy", Match(rules, channels, greedy)
    for nodes in (1, 100, 400, 1_000, 3_000):
        yield f"tayu: {nodes} nodes against open channels", Match(rules, engine_player(engine, nodes), channels)
    for seconds in (0.05, 0.5):
        yield f"tayu: {seconds} s against open channels", Match(rules, timed_player(engine, seconds), channels)


def tau_matches() -> Iterator[tuple[str, Match]]:
    """TAU on 10 by 10, the negotiation included."""
    rules = Tau()
    engine = TauEngine(rules)
    perfect = engine_player(engine, None)
    for nodes in (20, 500):
        yield f"tau: perfect against {nodes} nodes", Match(rules, perfect, engine_player(engine, nodes))


def ladder() -> Iterator[tuple[str, Match]]:
    """Each level of each game against the one below it."""
    tabik, tayu, tau = Tabik.from_settings({"pie": "no"}), Tayu(), Tau()
    engines: tuple[tuple[str, AnyRules, Engine[Any]], ...] = (
        ("tabik", tabik, TabikEngine(tabik)),
        ("tayu", tayu, TayuEngine(tayu)),
        ("tau", tau, TauEngine(tau)),
    )
    for name, rules, engine in engines:
        for level in range(2, len(engine.levels) + 1):
            match = Match(rules, level_player(engine, level), level_player(engine, level - 1), 2 * (name == "tabik"))
            yield f"ladder: {name} level {level} against {level - 1}", match


def solved_ends(before: Sequence[int], games: int, positions: int, seed: int) -> Iterator[tuple[str, str]]:
    """How many ends of random games of Tabik on 8 by 8 are solved within so many positions, and how long that takes."""
    rules = Tabik.from_settings({"pie": "no"})
    for turns in before:
        solved, looked, begun = 0, [], time.process_time()
        for game in range(games):
            chance = random.Random(f"{seed} {game}")
            path = [rules.start()]
            while rules.outcome(path[-1]) is None:
                path.append(rules.play(path[-1], chance.choice(rules.legal_moves(path[-1]))))
            endings = Endings(rules.board, path[-1 - turns])
            solved += endings.solve(positions, lambda: False) is not None
            looked.append(endings.positions)
        seconds = (time.process_time() - begun) / games
        median = statistics.median(looked)
        yield (
            f"tabik: solved {turns} turns before the end",
            f"{solved} of {games}, median {median:,.0f}, {seconds:.2f} s",
        )


def speeds() -> Iterator[tuple[str, str]]:
    """Playouts a second from the start."""
    for name, kind in (("tabik", TABIK), ("tayu", TAYU)):
        rules = kind.rules_of({})
        position = rules.start()
        while rules.turn(position) == NATURE or (name == "tabik" and not position.rods):
            position = rules.play(position, rules.legal_moves(position)[0])
        engine = load(kind.engine)(rules)
        begun = time.process_time()
        *_, report = engine.think(position, Limits(nodes=SPEED), random.Random(1), lambda: False)
        yield f"{name}: playouts a second", f"{report.nodes / (time.process_time() - begun):,.0f}"


def main() -> None:
    """Play the matches that were asked for, and print their scores."""
    parser = _figures.parser("Matches of the engines of Tabik, Tayu and TAU.")
    parser.add_argument("--match", default="", help="only matches whose name contains this")
    parser.add_argument("--games", type=int, default=100)
    arguments = parser.parse_args()
    _figures.say_machine()
    games = 2 if arguments.quick else arguments.games
    matches = dict((*tabik_matches(), *tayu_matches(), *tau_matches(), *ladder()))
    if arguments.quick:
        matches = {name: match for name, match in matches.items() if name in QUICK}
    for name, match in matches.items():
        if arguments.match in name:
            _figures.say(name, play(match, games, arguments.seed))
    if not arguments.quick and arguments.match in "tayu: three":
        for name, seat in three_at_tayu(0.05, games, arguments.seed):
            _figures.say(name, seat)
    if arguments.match in "solved":
        before, ends_each = ((14,), 2) if arguments.quick else ((14, 18, 22, 26), 20)
        for name, ends in solved_ends(before, ends_each, 1_000_000, arguments.seed):
            _figures.say(name, ends)
    if arguments.match in "speed":
        for name, speed in speeds():
            _figures.say(name, speed)


if __name__ == "__main__":
    main()
