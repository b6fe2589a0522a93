"""The rules of Tau (Twenty Squares) once more, written from the rules file alone: plain lists of squares, no tricks.

Slow and simple; it shares no code with the product. Every answer is found by asking each counter by itself.
"""

from collections import Counter
from fractions import Fraction
from itertools import product

ROSETTES = {
    "tau": {"a1", "a3", "d2", "h2", "l2"},
    "double": {"a1", "a3", "o1", "o3", "d2", "h2", "l2"},
    "jiroft": {"a1", "a3", "d2", "h2"},
    "asha": set(),
}
ROUTES = {
    "tau": ["d1 c1 b1 a1 a2 b2 c2 d2 e2 f2 g2 h2 i2 j2 k2 l2", "d3 c3 b3 a3 a2 b2 c2 d2 e2 f2 g2 h2 i2 j2 k2 l2"],
    "jiroft": ["d1 c1 b1 a1 a2 b2 c2 d2 e2 f2 g2 h2", "d3 c3 b3 a3 a2 b2 c2 d2 e2 f2 g2 h2"],
    "asha": ["e1 d1 c1 b1 a1 a2 b2 c2 d2 e2 f2 g2 h2 i2 j2", "e3 d3 c3 b3 a3 a2 b2 c2 d2 e2 f2 g2 h2 i2 j2"],
    "double long": [
        "d1 c1 b1 a1 a2 b2 c2 d2 e2 f2 g2 h2 i2 j2 k2 l2 m2 n2 o2 o1 n1 m1 l1",
        "d3 c3 b3 a3 a2 b2 c2 d2 e2 f2 g2 h2 i2 j2 k2 l2 m2 n2 o2 o3 n3 m3 l3",
    ],
    "double short": [
        "d1 c1 b1 a1 a2 b2 c2 d2 e2 f2 g2 h2 i2 j2 k2 l2 m2 n2 o2",
        "d3 c3 b3 a3 a2 b2 c2 d2 e2 f2 g2 h2 i2 j2 k2 l2 m2 n2 o2",
    ],
    "double four": [
        "d1 c1 b1 a1 a2 b2 c2 d2 e2 f2 g2 h2 i2 j2 k2 l2 m2 n2 o2",
        "l1 m1 n1 o1 o2 n2 m2 l2 k2 j2 i2 h2 g2 f2 e2 d2 c2 b2 a2",
        "d3 c3 b3 a3 a2 b2 c2 d2 e2 f2 g2 h2 i2 j2 k2 l2 m2 n2 o2",
        "l3 m3 n3 o3 o2 n2 m2 l2 k2 j2 i2 h2 g2 f2 e2 d2 c2 b2 a2",
    ],
}


class OracleGame:
    """One game: where each counter of each player is, named by its square, `hand` or `home`."""

    def __init__(self, **settings: str) -> None:
        asha, four = settings.get("board") == "asha", settings.get("players") == "4"
        self.board = settings.get("board", "tau")
        self.count = int(settings.get("counters", "12" if asha else "5"))
        self.dice = settings.get("dice", "cowries" if asha else "sticks")
        self.aseb = settings.get("ruleset") == "aseb"
        self.entry = "any" if self.aseb else settings.get("entry", "choice")
        self.stacking = settings.get("stacking", "off")
        kind = self.board
        if kind == "double":
            kind += " four" if four else f" {settings.get('route', 'long')}"
        self.routes = {f"p{number}": route.split() for number, route in enumerate(ROUTES[kind], 1)}
        self.players = list(self.routes)
        self.counters = {name: ["hand"] * self.count for name in self.players}
        self.player = "p1"
        self.throw: int | None = None
        self.second = False
        self.winner: str | None = None

    # Who is who

    def partner(self, name: str) -> str | None:
        """The other player of a team: the third plays with the first, the fourth with the second."""
        return {"p1": "p3", "p2": "p4", "p3": "p1", "p4": "p2"}[name] if len(self.players) == 4 else None

    def on(self, square: str) -> str | None:
        """Who stands on a square."""
        return next((name for name in self.players if square in self.counters[name]), None)

    def turn(self) -> str:
        """Who is to act."""
        if self.winner:
            return "over"
        return "nature" if self.throw is None else self.player

    # Chance

    def odds(self) -> dict[int, Fraction]:
        """Every throw with its probability, by laying out all falls of the dice."""
        if self.dice == "cube":
            falls = [face for face in range(1, 7) if face != 6]
        else:
            pieces = 4 if self.dice == "sticks" else 5
            falls = [sum(fall) for fall in product((0, 1), repeat=pieces)]
            if not self.aseb:
                falls = [fall or pieces + 1 for fall in falls]
        return {number: Fraction(times, len(falls)) for number, times in Counter(falls).items()}

    # What may be done

    def moves(self) -> set[str]:
        """The text of everything that can be played."""
        if self.winner:
            return set()
        if self.throw is None:
            return {f"throw:{number}" for number in self.odds()}
        found = {text for place in set(self.counters[self.player]) if (text := self.move_of(place))}
        if self.may_convert():
            found = {"convert"} if self.entry == "auto" else found | {"convert"}
        return found or {"forfeit"}

    def may_convert(self) -> bool:
        """Rule 4: a 1 or 5, not a second throw, and a counter to enter."""
        return self.entry != "any" and not self.second and self.throw in (1, 5) and "hand" in self.counters[self.player]

    def move_of(self, place: str) -> str | None:
        """The move of a counter that is in a place, or None if it has none."""
        assert self.throw is not None
        if place == "home" or self.throw == 0:
            return None
        if place == "hand" and not (self.second or self.entry == "any"):
            return None
        if place != "hand" and self.second:
            return None
        route = ["hand", *self.routes[self.player], "home"]
        end = route.index(place) + self.throw
        if end >= len(route) or not self.may_land(route[end]):
            return None
        return f"{'in' if place == 'hand' else place}-{'off' if route[end] == 'home' else route[end]}"

    def may_land(self, square: str) -> bool:
        """Rules 3, 5 and 8, and stacking."""
        owner = self.on(square) if square != "home" else None
        if owner is None:
            return True
        if owner == self.player:
            return self.stacking != "off"
        if owner == self.partner(self.player) or square in ROSETTES[self.board]:
            return False
        return self.stacking != "invincible" or self.counters[owner].count(square) == 1

    # What it does

    def play(self, text: str) -> None:
        """Play a legal move."""
        kind, _, number = text.partition(":")
        if kind == "throw":
            self.throw = int(number)
            return
        self.throw, converted, self.second = None, text == "convert", text == "convert"
        if converted:
            return
        if text == "forfeit":
            self.pass_on()
            return
        place, end = text.split("-")
        end = "home" if end == "off" else end
        owner = self.on(end) if end != "home" else None
        if owner not in (None, self.player):
            assert owner is not None
            self.counters[owner] = ["hand" if counter == end else counter for counter in self.counters[owner]]
        mine = self.counters[self.player]
        mine[mine.index("hand" if place == "in" else place)] = end
        if self.finished(self.player) and self.finished(self.partner(self.player) or self.player):
            self.winner = self.player
        elif end not in ROSETTES[self.board]:
            self.pass_on()

    def finished(self, name: str) -> bool:
        """Whether a player has borne off every counter."""
        return self.counters[name] == ["home"] * self.count

    def pass_on(self) -> None:
        """The next player who still has counters throws."""
        while True:
            self.player = self.players[(self.players.index(self.player) + 1) % len(self.players)]
            if not self.finished(self.player):
                return

    # What is seen

    def state(self) -> dict[str, object]:
        """The state as the line protocol gives it."""
        return {
            "hand": {name: places.count("hand") for name, places in self.counters.items()},
            "home": {name: places.count("home") for name, places in self.counters.items()},
            "counters": {
                name: sorted((place for place in places if place in route), key=route.index)
                for (name, places), route in zip(self.counters.items(), self.routes.values(), strict=True)
            },
            "throw": self.throw,
            "player": None if self.winner else self.player,
        }
