"""Measure a game between two boards: how late a turn is shown, and whether each clock shows what its player thought.

Whole games of Tabik in virtual time, on two simulated boards with a match clock. The network delays each report by the
given time and up to half of it more, loses some and doubles one in twenty. People think for 0.1 to 3 s, and hands need
as long to follow. What the way would have cost is what a clock at the other board would have shown beyond what was
thought: the way there and back, and the hands.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration
from tests.bench._figures import Spread, parser, say, say_machine
from tests.relay.two_boards import CODE, STEP, Board, Evening

DELAYS: Final = (20, 100, 400)
LOSSES: Final = (0.0, 0.05)
GAMES: Final = 10


class Played(NamedTuple):
    """What was measured in games over one network."""

    shown: Sequence[float]  # µs from a turn to its announcement at the other board
    wrong: Sequence[int]  # µs by which a clock differs from what its player thought, for each player
    cost: Sequence[float]  # µs that the way and the hands would have cost, for each turn
    turns: int
    reports: int
    lost: int
    charged: int
    is_same: bool


def play(delay: int, loss: float, seed: int) -> Played:
    """Play one game."""
    evening = Evening(delay, loss, seed)
    settings = {"size": 4, "opponent": "another-board", "opponent_code": CODE, "clock": "30", "pie": "no"}
    evening.host.begin("tabik", settings)
    evening.guest.join()
    evening.pass_to(5 * SECOND)
    made: dict[int, int] = {}
    shown: dict[int, int] = {}
    while not evening.is_over:
        evening.pass_to(evening.now + STEP)
        for board in evening.boards.values():
            count = len(board.game.plies)
            if board.game.announced is not None:
                shown.setdefault(count, evening.now)
            evening.act(board)
            if len(board.game.plies) > count:
                made.setdefault(count, evening.now)
    evening.pass_to(evening.now + 5 * SECOND)
    clocks = [board.game.clock for board in evening.boards.values()]
    plies = evening.host.game.plies
    spent = [[30 * 60 * SECOND - account.left for account in clock.clock.accounts] for clock in clocks if clock]
    thought = [evening.thought["host"], evening.thought["guest"]]
    turns = range(1, len(plies) - 1)
    told = [made[number] - made[number - 1] - (plies[number].when - plies[number - 1].when) for number in turns]
    return Played(
        [at - made[number] for number, at in shown.items() if number in made],
        [abs(each - mine) for each, mine in zip(spent[0], thought, strict=True)],
        told,
        len(plies),
        evening.network.sent,
        evening.network.lost,
        sum(_charged(evening, board) for board in evening.boards.values()),
        spent[0] == spent[1] and evening.turns(evening.host) == evening.turns(evening.guest),
    )


def _charged(evening: Evening, board: Board) -> int:
    """What a board has taken from the clock of the other player, in microseconds."""
    if board.player is None:
        return 0
    return board.player.exchange.report(board.game, board.raw(evening.now)).charged


def main() -> None:
    """Print how late turns are shown, and how exact the clocks are, over each network."""
    command = parser(__doc__)
    command.add_argument("--games", type=int, default=GAMES, help="over each network")
    wanted = command.parse_args()
    games = 1 if wanted.quick else wanted.games
    say_machine()
    for delay in DELAYS:
        for loss in LOSSES:
            played = [play(delay, loss, seed) for seed in range(games)]
            name = f"{delay} ms, {loss:.0%} lost"
            turns = sum(each.turns for each in played)
            say(f"{name}: turns", f"{turns} in {games} games, all alike: {all(each.is_same for each in played)}")
            say(f"{name}: turn to announcement", Spread.of([each for one in played for each in one.shown]))
            say(f"{name}: way and hands, credited", Spread.of([each for one in played for each in one.cost]))
            most = max(each for one in played for each in one.wrong)
            say(f"{name}: a clock is wrong by at most", f"{Duration(most) / MILLISECOND:.0f} ms a game")
            say(f"{name}: charged", f"{sum(each.charged for each in played) / SECOND:.2f} s")
            reports = sum(each.reports for each in played)
            say(f"{name}: reports", f"{reports / turns:.1f} a turn, {sum(each.lost for each in played)} lost")


if __name__ == "__main__":
    main()
