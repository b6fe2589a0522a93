"""Define prizes by place and category, and parse and format the list of them, one line for each.

`Women = sex w` says who is in a category, `Women 1: 150 cup` what its first gets, and `1: 300` what the winner gets.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError, quote
from gnomon.tournament.state.payments import amount_text, parse_amount

_EVERYBODY: Final = ""
_PRIZE: Final = re.compile(r"(?P<category>.*?)\s*(?P<place>[0-9]{1,3})\s*:\s*(?P<what>.*)")
_NUMBERS: Final = ("born since", "born until", "rating below", "rating from", "board")
_BEST: Final = re.compile(r"best 0{0,2}(?P<best>[1-9][0-9]{0,2}) of (?P<best_of>club|team)")
_TEXTS: Final = ("sex", "club", "team", "federation", "title")


class Sharing(StrEnum):
    """What becomes of the prizes of those who are level on points."""

    SPLIT = "split"
    TIE_BREAK = "tie-break"


class BestOf(StrEnum):
    """To what the best players of a category belong who count for it together."""

    NOBODY = ""
    CLUB = "club"
    TEAM = "team"


class Category(NamedTuple):
    """Who may win the prizes of a name: all that is told must be so; a year, rating or board of 0 bounds nothing.

    With a board it is for players where teams play: those who sat there most often. With `best` it is for the clubs or
    teams (`best_of`) of those who are in it, by the points of so many of their best.
    """

    name: str
    sex: str = ""
    club: str = ""
    team: str = ""
    federation: str = ""
    title: str = ""
    born_since: int = 0
    born_until: int = 0
    rating_below: int = 0
    rating_from: int = 0
    unrated: bool = False
    board: int = 0
    best: int = 0
    best_of: BestOf = BestOf.NOBODY


class Prize(NamedTuple):
    """What a place in a category is worth, in hundredths and in a thing; without a category it is for everybody."""

    category: str
    place: int
    amount: int = 0
    thing: str = ""


@dataclass(frozen=True, slots=True)
class PrizeList:
    """The prizes as they were announced; with `one_each` nobody gets money twice."""

    categories: tuple[Category, ...] = ()
    prizes: tuple[Prize, ...] = ()
    sharing: Sharing = Sharing.TIE_BREAK
    one_each: bool = True

    def __post_init__(self) -> None:
        """Raise TournamentError for a prize that stands twice, of no category, or worth more than that before it."""
        known = {_EVERYBODY, *(category.name for category in self.categories)}
        best: dict[str, int] = {}
        seen = set[tuple[str, int]]()
        for prize in sorted(self.prizes, key=lambda one: (one.category, one.place)):
            if prize.category not in known:
                raise TournamentError(statement("tournament.prize.category", category=prize.category))
            called = f"{prize.category} {prize.place}".strip()
            if (prize.category, prize.place) in seen or prize.place < 1:
                raise TournamentError(statement("tournament.prize.twice", prize=called))
            if prize.amount > best.setdefault(prize.category, prize.amount):
                raise TournamentError(statement("tournament.prize.rising", prize=called))
            seen.add((prize.category, prize.place))
            best[prize.category] = prize.amount


NO_PRIZES: Final = PrizeList()


def parse_prizes(text: str, sharing: Sharing, *, one_each: bool) -> PrizeList:
    """The prizes that some lines tell. Raises TournamentError with the number of the line that tells none."""
    categories: list[Category] = []
    prizes: list[Prize] = []
    for number, line in enumerate(text.splitlines(), start=1):
        told = " ".join(line.split())
        name, is_category, conditions = told.partition(" = ")
        found = _PRIZE.fullmatch(told)
        if is_category:
            categories.append(_category(name, conditions, number))
        elif found is not None:
            prizes.append(_prize(found, number))
        elif told:
            raise TournamentError(statement("tournament.prize.line", line=number, text=quote(told)))
    return PrizeList(tuple(categories), tuple(prizes), sharing, one_each)


def prizes_text(told: PrizeList) -> str:
    """The prizes as `parse_prizes` reads them."""
    lines = [f"{category.name} = {', '.join(_conditions(category))}" for category in told.categories]
    lines += [f"{prize.category} {prize.place}: {prize_text(prize)}".strip() for prize in told.prizes]
    return "\n".join(lines)


def prize_text(prize: Prize) -> str:
    """What a prize is: its amount, its thing, or both."""
    return " ".join(filter(None, (amount_text(prize.amount) if prize.amount else "", prize.thing)))


def _prize(found: re.Match[str], line: int) -> Prize:
    what = found["what"]
    first, _, rest = what.partition(" ")
    is_amount = re.fullmatch(r"[0-9]+([.,][0-9]{1,2})?", first)
    if not what:
        raise TournamentError(statement("tournament.prize.line", line=line, text=quote(found[0])))
    amount, thing = (parse_amount(first), rest) if is_amount else (0, what)
    return Prize(found["category"], int(found["place"]), amount, thing)


def _category(name: str, conditions: str, line: int) -> Category:
    told: dict[str, Any] = {}
    for condition in filter(None, map(str.strip, conditions.split(","))):
        told |= _condition(condition, line)
    if not told:
        raise TournamentError(statement("tournament.prize.line", line=line, text=quote(f"{name} = {conditions}")))
    return Category(name)._replace(**told)


def _condition(text: str, line: int) -> Mapping[str, object]:
    if text == "unrated":
        return {"unrated": True}
    if (found := _BEST.fullmatch(text)) is not None:
        return {"best": int(found["best"]), "best_of": BestOf(found["best_of"])}
    bound = next((each for each in _NUMBERS if re.fullmatch(rf"{each} 0{{0,3}}[1-9][0-9]{{0,3}}", text)), None)
    if bound is not None:
        return {bound.replace(" ", "_"): int(text.rpartition(" ")[2])}
    thing, _, value = text.partition(" ")
    if thing not in _TEXTS or not value or (thing == "sex" and value not in {"m", "w"}):
        known = [*(f"{each} {_SAMPLES[each]}" for each in (*_TEXTS, *_NUMBERS)), "unrated", "best 3 of club"]
        raise TournamentError(statement("tournament.prize.condition", line=line, text=quote(text), known=known))
    return {thing: value}


_SAMPLES: Final[Mapping[str, str]] = {
    "sex": "w",
    "club": "NAME",
    "team": "NAME",
    "federation": "GER",
    "title": "FM",
    "born since": "2008",
    "born until": "1966",
    "rating below": "1600",
    "rating from": "1200",
    "board": "1",
}


def _conditions(category: Category) -> list[str]:
    texts = [f"{each} {getattr(category, each)}" for each in _TEXTS if getattr(category, each)]
    bounds = [(each, getattr(category, each.replace(" ", "_"))) for each in _NUMBERS]
    best = [f"best {category.best} of {category.best_of}"] if category.best else []
    return [*best, *texts, *(f"{each} {bound}" for each, bound in bounds if bound), *(["unrated"] * category.unrated)]
