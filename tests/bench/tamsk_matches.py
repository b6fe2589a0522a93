"""How well the engine of TAMSK plays, by matches with random, one ply of territory, UCT, and one that knows no sand.

Every opening of a few random turns is played twice, with the colours changed; a draw counts half. With each score
stands its 95 % interval (Wilson). At level 2 a turn takes a hand half to one and a half times its expected duration,
by chance, and the clock of the board runs on meanwhile. Run it with `python -m tests.bench.tamsk_matches`.
"""

import argparse
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from math import log, sqrt
from typing import Final, NamedTuple

from gnomon.engines.protocol import Limits
from gnomon.games.tamsk.engine import TamskEngine, _search
from gnomon.games.tamsk.rules import BOARD, CAPACITY, PLAYERS, Move, Position, Tamsk
from gnomon.timekeeping.instants import Duration, after
from tests.bench._figures import say, say_machine

OPENING: Final = 4  # random turns
Chosen = tuple[Move, Duration]
Player = Callable[[Position, random.Random], Chosen]


def never() -> bool:
    """Nobody stops a search here."""
    return False


# Players


def engine_player(rules: Tamsk, limits: Limits, *, modelled: bool = True) -> Player:
    """The engine; not `modelled`, it is told that turns take no time, and does not wait."""
    engine = TamskEngine(rules)
    if not modelled:
        limits = limits._replace(hands=(Duration(0), Duration(0)))

    def play(position: Position, chance: random.Random) -> Chosen:
        report = list(engine.think(position, limits, chance, never))[-1]
        best = report.candidates[0]
        return best.move, best.wait if modelled else Duration(0)

    return play


def random_player(rules: Tamsk) -> Player:
    """Any legal turn."""

    def play(position: Position, chance: random.Random) -> Chosen:
        return chance.choice(turns(rules, position)), Duration(0)

    return play


def territory_player(rules: Tamsk) -> Player:
    """One ply: as many spaces as possible that it reaches first, and three fewer for every glass that is shut in."""

    def value(position: Position, player: int) -> float:
        distances = [reach(position, each) for each in (player, 1 - player)]
        spaces: int = sum((one < two) - (one > two) for one, two in zip(*distances, strict=True))
        shut = [shut_in(position, each) for each in (player, 1 - player)]
        return spaces + 3 * (shut[1] - shut[0])

    def play(position: Position, chance: random.Random) -> Chosen:
        moves = list(turns(rules, position))
        chance.shuffle(moves)
        return max(moves, key=lambda move: value(rules.play(position, move), position.mover)), Duration(0)

    return play


def reach(position: Position, player: int) -> list[int]:
    """By space: the number of moves in which a player could come there, if nobody else moved."""
    far = 99
    distances = [far] * len(BOARD.names)
    front = list(position.glasses[3 * player : 3 * player + 3])
    steps = 0
    while front:
        steps += 1
        near = {other for space in front for other in BOARD.neighbours[space] if position.enterable >> other & 1}
        front = [space for space in near if distances[space] == far]
        for space in front:
            distances[space] = steps
    return distances


def shut_in(position: Position, player: int) -> int:
    """How many of a player's glasses cannot move."""
    glasses = position.glasses[3 * player : 3 * player + 3]
    return sum(not position.enterable & BOARD.neighbour_masks[space] for space in glasses)


def turns(rules: Tamsk, position: Position) -> Sequence[Move]:
    """The legal moves that are whole turns."""
    return [move for move in rules.legal_moves(position) if rules.is_turn(move)]


class Node:
    """A position in the tree of UCT: how often it was visited, and what it brought to the player who moved there."""

    __slots__ = ("children", "moves", "visits", "wins")

    def __init__(self) -> None:
        self.visits = 0
        self.wins = 0.0
        self.children: dict[int, Node] = {}
        self.moves: list[int] | None = None


class Playout:
    """A game at level 1 with `ring=auto` on plain lists, as fast as it gets: room by space, glasses by player."""

    def __init__(self, position: Position) -> None:
        self.room = [
            0 if space in position.glasses else capacity - position.rings_on(space)
            for space, capacity in enumerate(CAPACITY)
        ]
        self.under = {space: CAPACITY[space] - position.rings_on(space) for space in position.glasses}
        self.glasses = [list(position.glasses[:3]), list(position.glasses[3:])]
        self.left = list(position.rings_left)
        self.mover = position.mover

    def moves(self) -> list[int]:
        """The moves of the player on turn, each as 64 · origin + target."""
        if not self.left[self.mover]:
            return []
        room = self.room
        return [
            space << 6 | other for space in self.glasses[self.mover] for other in BOARD.neighbours[space] if room[other]
        ]

    def play(self, move: int) -> None:
        """Make a move, or pass with -1."""
        if move >= 0:
            origin, target = move >> 6, move & 63
            glasses = self.glasses[self.mover]
            glasses[glasses.index(origin)] = target
            self.room[origin] = self.under.pop(origin)
            self.under[target] = self.room[target] - 1
            self.room[target] = 0
            self.left[self.mover] -= 1
        self.mover = 1 - self.mover

    def finish(self, chance: random.Random) -> float:
        """Play at random to the end: what red gets."""
        passes = 0
        pick = chance.random
        while passes < 2:
            moves = self.moves()
            passes = 0 if moves else passes + 1
            self.play(moves[int(pick() * len(moves))] if moves else -1)
        red, black = self.left
        return 0.5 if red == black else float(red < black)


def uct_player(rules: Tamsk, seconds: float, constant: float = 0.7) -> Player:
    """Upper confidence bounds for trees with random playouts, for so many seconds of processor time."""

    def play(position: Position, chance: random.Random) -> Chosen:
        root = Node()
        until = time.process_time() + seconds
        while time.process_time() < until:
            one_playout(root, Playout(position), chance, constant)
        legal = turns(rules, position)
        if not root.children or -1 in root.children:
            return legal[0], Duration(0)
        best = max(root.children, key=lambda move: root.children[move].visits)
        return next(move for move in legal if move.origin == best >> 6 and move.target == best & 63), Duration(0)

    return play


def one_playout(root: Node, game: Playout, chance: random.Random, constant: float) -> None:
    """Descend by upper confidence bounds, add one node, play to the end, and count it on the way back."""
    path: list[tuple[Node, int]] = []
    node = root
    passes = 0
    while passes < 2:
        if node.moves is None:
            node.moves = game.moves() or [-1]
            chance.shuffle(node.moves)
        mover = game.mover
        if len(node.children) < len(node.moves):
            move = node.moves[len(node.children)]
            node.children[move] = child = Node()
        else:
            spread = constant * sqrt(log(node.visits))
            move, child = max(
                node.children.items(),
                key=lambda each: each[1].wins / each[1].visits + spread / sqrt(each[1].visits),
            )
        passes = passes + 1 if move < 0 else 0
        game.play(move)
        path.append((child, mover))
        node = child
        if not child.visits:
            break
    red = game.finish(chance)
    root.visits += 1
    for child, mover in path:
        child.visits += 1
        child.wins += red if mover == 0 else 1 - red


# Matches


class Score(NamedTuple):
    """What the first of two players got in a match."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    rings: int = 0
    dead: tuple[int, int] = (0, 0)

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses

    def __str__(self) -> str:
        """The score in per cent with its interval, and by how many rings."""
        part = (self.wins + self.draws / 2) / self.games
        low, high = wilson(part, self.games)
        dead = f"  dead {self.dead[0] / self.games:.1f} v {self.dead[1] / self.games:.1f}" if any(self.dead) else ""
        return (
            f"{100 * part:5.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
            f"  +{self.wins} ={self.draws} -{self.losses}  {self.rings / self.games:+.1f} rings{dead}"
        )


def wilson(part: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    z = 1.96
    middle = part + z * z / (2 * games)
    half = z * sqrt(part * (1 - part) / games + z * z / (4 * games * games))
    return (middle - half) / (1 + z * z / games), (middle + half) / (1 + z * z / games)


def match(rules: Tamsk, players: tuple[Player, Player], games: int, seed: int = 1, hand: float = 0.0) -> Score:
    """Play so many games, the second of each pair with the colours changed."""
    score = Score()
    for game in range(games):
        chance = random.Random(seed * 100_003 + game // 2)
        position = opened(rules, chance, OPENING)
        chance = random.Random(seed * 100_003 + game)
        sides = players if game % 2 == 0 else players[::-1]
        position = play_game(rules, position, sides, chance, hand)
        score = count(score, position, game % 2)
    return score


def opened(rules: Tamsk, chance: random.Random, plies: int) -> Position:
    """The position after so many random turns, each of which took a hand eight seconds."""
    position = rules.start()
    for _ in range(plies):
        position = rules.elapse(position, after(position.now, 8_000_000))
        position = rules.play(position, chance.choice(turns(rules, position)))
    return position


def play_game(
    rules: Tamsk, position: Position, sides: tuple[Player, Player], chance: random.Random, hand: float
) -> Position:
    """Play one game to its end, where a turn takes a hand `hand` seconds, give or take a half."""
    while position.ending is None:
        move, wait = sides[position.mover](position, chance)
        if position.sands and move.kind == "turn":
            mover = position.mover
            taken = wait + round(hand * 1_000_000 * (0.5 + chance.random()))
            position = rules.elapse(position, after(position.now, taken))
            if position.ending is not None or position.mover != mover or rules.why_not(position, move) is not None:
                continue  # the glass has run out meanwhile: another move, or a pass
        position = rules.play(position, move)
    return position


def count(score: Score, position: Position, first: int) -> Score:
    """The score with one more game, in which the first player was red (0) or black (1)."""
    winner = position.ending.winner if position.ending else None
    won = winner == PLAYERS[first]
    left = position.rings_left
    dead = [
        sum(not sand.is_running(position.now) for sand in position.sands[3 * side : 3 * side + 3]) for side in (0, 1)
    ]
    return Score(
        score.wins + won,
        score.draws + (winner is None),
        score.losses + (winner is not None and not won),
        score.rings + left[1 - first] - left[first],
        (score.dead[0] + dead[first], score.dead[1] + dead[1 - first]),
    )


def speed(rules: Tamsk, nodes: int) -> float:
    """Nodes a second of processor time in the middle of a game."""
    chance = random.Random(3)
    position = opened(rules, chance, 14)
    begun = time.process_time()
    report = list(TamskEngine(rules).think(position, Limits(nodes, spread=0.0), chance, never))[-1]
    return report.nodes / (time.process_time() - begun)


def proofs(rules: Tamsk, games: int, plies: int, seconds: float) -> str:
    """How many positions so many plies before the end of games of the engine are proven, and how fast."""
    spent = []
    for game in range(games):
        chance = random.Random(game)
        positions = [opened(rules, chance, OPENING)]
        player = engine_player(rules, Limits(1_000, spread=0.0))
        while positions[-1].ending is None:
            positions.append(rules.play(positions[-1], player(positions[-1], chance)[0]))
        spent.append(time_to_proof(rules, positions[-1 - plies], seconds))
    within = sorted(each for each in spent if each <= seconds)
    slowest = f"median {within[len(within) // 2]:.2f} s, slowest {within[-1]:.2f} s" if within else "none"
    return f"{len(within)} of {games} within {seconds:g} s  {slowest}"


def time_to_proof(rules: Tamsk, position: Position, seconds: float) -> float:
    """Processor time until the result is proven; more than `seconds` if it is not by then."""
    begun = time.process_time()
    reports = TamskEngine(rules).think(
        position, Limits(spread=0.0), random.Random(1), lambda: time.process_time() - begun > seconds
    )
    for report in reports:
        if report.candidates[0].score.proven:
            return time.process_time() - begun
    return seconds + 1


def main() -> None:
    """Play the matches that are asked for, and print their scores."""
    parser = argparse.ArgumentParser(description="Matches of the engine of TAMSK.")
    parser.add_argument("--quick", action="store_true", help="two games of each match")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=4_000)
    parser.add_argument("--uct", type=float, default=0.1, metavar="SECONDS", help="processor time of a move of UCT")
    parser.add_argument("--only", default="", metavar="WORDS", help="only the matches whose names contain this")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    games, nodes = (2, 200) if arguments.quick else (arguments.games, arguments.nodes)
    seconds = 0.002 if arguments.quick else arguments.uct
    say_machine()
    plain, sand = Tamsk.from_settings({"ring": "auto"}), Tamsk.from_settings({"level": 2, "ring": "auto"})
    kind = "plain Python" if _search.__file__.endswith(".py") else "compiled"
    plain_speed = speed(plain, 20 * nodes)
    say(f"{kind}: nodes a second, level 1", f"{plain_speed:,.0f}")
    say(f"{kind}: nodes a second, level 2", f"{speed(sand, 20 * nodes):,.0f}")
    limits = Limits(nodes, spread=0.0)
    equal = Limits(max(100, round(plain_speed * seconds)), spread=0.0)
    matches: dict[str, Callable[[], Score]] = {
        f"{nodes} nodes v random": lambda: match(
            plain, (engine_player(plain, limits), random_player(plain)), games, arguments.seed
        ),
        f"{nodes} nodes v one ply of territory": lambda: match(
            plain, (engine_player(plain, limits), territory_player(plain)), games, arguments.seed
        ),
        f"{equal.nodes} nodes v UCT, equal time {seconds:g} s": lambda: match(
            plain, (engine_player(plain, equal), uct_player(plain, seconds)), games, arguments.seed
        ),
    }
    for hand in (3, 8, 15):
        timed = limits._replace(hands=(Duration(hand * 1_000_000),) * 2)
        both = engine_player(sand, timed), engine_player(sand, timed, modelled=False)
        matches[f"level 2, {hand} s a turn: sand v no sand"] = partial(match, sand, both, games, arguments.seed, hand)
    if arguments.only in "proven":
        for plies in (12, 15, 18):
            say(f"{plies} plies before the end: proven", proofs(plain, games, plies, 1.0))
    for name, play in matches.items():
        if arguments.only in name:
            say(name, play())


if __name__ == "__main__":
    main()
