"""Records a golden play-through: a game of random moves as it is spoken over the line protocol.

`python tests/rules/playthroughs/record.py tamsk SEED level=2 > tests/rules/playthroughs/tamsk-level-2.txt`

Lines that begin with `> ` are commands, the line after each is its reply. Read a new recording before it is trusted:
it says what the rules do, and only a reader can say that they should.
"""

import random
import sys
from collections.abc import Iterator

from gnomon.cli.game_commands.rules import Talk
from gnomon.rules.registry import rules_of
from gnomon.timekeeping.instants import MILLISECOND, seconds

LONGEST = 400  # turns


def spoken(game: str, settings: list[str], seed: int) -> Iterator[str]:
    """The lines of a play-through."""
    yield f"# gnomon rules {' '.join([game, *(f'--set {setting}' for setting in settings)])}"
    talk = Talk(rules_of(game, dict(setting.split("=", 1) for setting in settings)))
    chance = random.Random(seed)
    timed = settings and settings[0] in {"level=2", "level=3"}
    now, move = 0, ""

    def say(command: str) -> Iterator[str]:
        reply = talk.reply(command.encode())
        yield f"> {command}"
        yield reply or ""

    yield from say("state")
    for _ in range(LONGEST):
        if timed:
            hesitates = move.startswith(("flip15", "lift")) and chance.random() < 0.3
            now += chance.randrange(16_000 if hesitates else 6_000) * MILLISECOND
            yield from say(f"at {seconds(now)}")
        lines = list(say("moves"))
        yield from lines
        moves = lines[1].removeprefix("ok").split()
        if not moves:
            break
        move = _chosen(moves, chance)
        yield from say(f"play {move}")
    yield from say("turn")
    yield from say("state")


def _chosen(moves: list[str], chance: random.Random) -> str:
    """A move; rare ones more often than their number would make them."""
    rare = [move for move in moves if move == "flip15" or move.startswith(("lift:", "+"))]
    return chance.choice(rare if rare and chance.random() < 0.5 else moves)


def main() -> None:
    """Record a play-through of the game, seed and settings given."""
    game, seed, *settings = sys.argv[1:]
    print("\n".join(spoken(game, settings, int(seed))))


if __name__ == "__main__":
    main()
