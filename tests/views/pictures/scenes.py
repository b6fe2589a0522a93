"""Provide positions for the pictures: some by name, and any that random games lead to."""

import random
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from hypothesis import strategies as st

from gnomon.rules.protocol import Rules
from gnomon.rules.registry import rules_of
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.views.pictures import Drawing, picture
from gnomon.words import ENGLISH, Words

# Lifts and turned timers are no turns: a random game would be made of them.
_ASIDE = ("lift:", "flip15")


class Scene(NamedTuple):
    """A position, and what is asked of its picture."""

    rules: Rules[Any, Any]
    position: Any
    last_move: str = ""
    highlights: tuple[str, ...] = ()
    caption: str = ""

    def drawn(self, words: Words = ENGLISH) -> Drawing:
        """The picture, in a language."""
        rules, position, last_move, highlights, caption = self
        return picture(rules, position, last_move=last_move, highlights=highlights, caption=caption, words=words)


class Wanted(NamedTuple):
    """How a scene comes about: so many random moves of a game, and seconds between them at most."""

    game: str
    settings: Mapping[str, object]
    plies: int
    seed: int = 1
    seconds: int = 0
    highlights: tuple[str, ...] = ()
    caption: str = ""


WANTED: Mapping[str, Wanted] = {
    "tamsk-start": Wanted("tamsk", {}, 0),
    "tamsk-middle": Wanted("tamsk", {"level": 3}, 27, 5, 6, ("D4", "C4")),
    "tamsk-end": Wanted("tamsk", {"ring": "auto"}, 200, 3, caption="Spring Open, round 3"),
    "tabik-start": Wanted("tabik", {}, 1),
    "tabik-middle": Wanted("tabik", {}, 31, 4, highlights=("d4",)),
    "tabik-end": Wanted("tabik", {}, 200, 3, caption="Club evening"),
    "tau-start": Wanted("tau", {}, 2),
    "tau-middle": Wanted("tau", {"limit": 70_000}, 5, 4, highlights=("r3", "cc")),
    "tau-end": Wanted("tau", {"limit": 72, "rows": 5, "columns": 7}, 50, 4),
    "tayu-start": Wanted("tayu", {}, 3),
    "tayu-middle": Wanted("tayu", {}, 121, 9, highlights=("b2",)),
    "tayu-end": Wanted("tayu", {"players": 3, "edition": "kosmos"}, 400, 8, caption="Three at a table"),
    "twenty-squares-start": Wanted("twenty-squares", {}, 0),
    "twenty-squares-middle": Wanted("twenty-squares", {}, 61, 4, highlights=("l2",)),
    "twenty-squares-end": Wanted("twenty-squares", {"dice": "cube", "board": "jiroft"}, 2000, 4),
    "twenty-squares-asha": Wanted("twenty-squares", {"board": "asha"}, 161, 5),
    "twenty-squares-double": Wanted("twenty-squares", {"board": "double", "players": 4, "counters": 7}, 120, 4),
    "twenty-squares-stacks": Wanted("twenty-squares", {"stacking": "invincible", "ruleset": "aseb"}, 62, 38),
}

# Under which settings random games are drawn.
CASES: tuple[tuple[str, Mapping[str, object]], ...] = (
    ("tamsk", {"level": 1}),
    ("tamsk", {"level": 2}),
    ("tamsk", {"level": 3, "late": "skip_turn"}),
    ("tabik", {"size": 2}),
    ("tabik", {}),
    ("tabik", {"size": 19, "pie": "no"}),
    ("tau", {}),
    ("tau", {"rows": 1, "columns": 2}),
    ("tau", {"rows": 40, "columns": 70, "limit": 2**300}),
    ("tayu", {}),
    ("tayu", {"size": 3, "doubles": "none"}),
    ("tayu", {"size": 26, "draw": "backs", "players": 4}),
    ("tayu", {"players": 3, "auction": "yes", "draw": "stacks"}),
    ("twenty-squares", {}),
    ("twenty-squares", {"board": "double", "players": 4}),
    ("twenty-squares", {"board": "double"}),
    ("twenty-squares", {"board": "asha", "stacking": "capture_together"}),
    ("twenty-squares", {"board": "jiroft", "dice": "cube", "ruleset": "tau"}),
)


def scene(wanted: Wanted) -> Scene:
    """Play at random, always the same way, whatever the order in which the rules list moves."""
    chance = random.Random(wanted.seed)
    rules = rules_of(wanted.game, wanted.settings)
    position, last_move, now = rules.start(), "", 0
    for _ in range(wanted.plies):
        if wanted.seconds:
            now += chance.randrange(wanted.seconds * SECOND)
            position = rules.elapse(position, Instant(now))
        texts = sorted(rules.text(position, move) for move in rules.legal_moves(position))
        if not texts:
            break
        turns = [text for text in texts if not text.startswith(_ASIDE)]
        last_move = chance.choice(turns if turns and chance.random() < 0.9 else texts)
        position = rules.play(position, rules.parse(position, last_move))
    return Scene(rules, position, last_move, wanted.highlights, wanted.caption)


@cache
def scenes() -> dict[str, Scene]:
    """Every scene by name."""
    return {name: scene(wanted) for name, wanted in WANTED.items()}


def random_scenes(*games: str) -> st.SearchStrategy[Scene]:
    """Positions of random games, of all games or of some."""
    cases = [case for case in CASES if not games or case[0] in games]
    wanted = st.builds(
        lambda case, plies, seed, seconds: Wanted(case[0], case[1], plies, seed, seconds, ("D4", "a1", "r1", "ca")),
        st.sampled_from(cases),
        st.integers(0, 70),
        st.integers(0, 2**16),
        st.integers(0, 20),
    )
    return wanted.map(scene)
