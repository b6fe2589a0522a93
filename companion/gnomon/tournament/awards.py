"""Award the prizes of a tournament by its standings, with shared places and categories."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from gnomon.tournament.payments import amount_text
from gnomon.tournament.prizes import Category, Prize, Sharing
from gnomon.tournament.standings import Standing, standings
from gnomon.tournament.state import Tournament


class Award(NamedTuple):
    """What somebody gets in a category, in hundredths and in things; `prizes` are the places that it comes from."""

    number: int
    category: str
    amount: int
    things: tuple[str, ...]
    prizes: tuple[int, ...]


class AwardRow(NamedTuple):
    """What somebody gets, as people read it: `Women 1+2` are the first two prizes of women, which they share."""

    place: int
    number: int
    name: str
    prize: str
    amount: str
    things: str


def awards(tournament: Tournament) -> tuple[Award, ...]:
    """Who gets what as things stand, the highest place first, and for each the most money first.

    Prizes are given one by one, the most money first and then the higher place, each to the highest placed who may have
    it. Whoever the last rule leaves level then share what fell to them in a category.
    """
    told = tournament.prizes
    ranked = standings(tournament)
    order = {one.number: at for at, one in enumerate(ranked)}
    members = {category.name: _members(tournament, category, ranked) for category in told.categories}
    members[""] = [one.number for one in ranked]
    given = _allot(told.prizes, members, one_each=told.one_each)
    level = _level(tournament, ranked)
    found: list[Award] = []
    for category in dict.fromkeys(prize.category for prize in told.prizes):
        mine = {prize: number for prize, number in given.items() if prize.category == category}
        elsewhere = {number for prize, number in given.items() if prize.category != category and prize.amount}
        taken = elsewhere if told.one_each else set[int]()
        found += _share_out(mine, [one for one in members[category] if one not in taken], level)
    return tuple(sorted(found, key=lambda award: (order[award.number], -award.amount, award.category)))


def award_rows(tournament: Tournament) -> list[AwardRow]:
    """Who gets what as things stand, in words. Raises TournamentError for an unknown tie-break."""
    places = {one.number: one.place for one in standings(tournament)}
    return [
        AwardRow(
            places[award.number],
            award.number,
            tournament.entrants[award.number].name,
            f"{award.category} {'+'.join(map(str, award.prizes))}".strip(),
            amount_text(award.amount) if award.amount else "",
            ", ".join(award.things),
        )
        for award in awards(tournament)
    ]


def _members(tournament: Tournament, category: Category, ranked: Sequence[Standing]) -> list[int]:
    return [one.number for one in ranked if is_in(tournament, category, one.number)]


def is_in(tournament: Tournament, category: Category, number: int) -> bool:
    """Whether an entrant is in a category; what is not known of them keeps them out."""
    entrant, person = tournament.entrants[number], tournament.person(number)
    born = int(person.born[:4] or 0)
    rating = entrant.rating or 0
    return all(
        (
            not category.sex or category.sex == person.sex,
            not category.club or category.club.casefold() == person.club.casefold(),
            not category.team or category.team.casefold() == entrant.team.casefold(),
            not category.federation or category.federation == person.federation,
            not category.title or category.title == person.title,
            not category.born_since or born >= category.born_since,
            not category.born_until or 0 < born <= category.born_until,
            not category.rating_below or 0 < rating < category.rating_below,
            not category.rating_from or rating >= category.rating_from,
            not category.unrated or not rating,
        )
    )


def _allot(prizes: Sequence[Prize], members: Mapping[str, Sequence[int]], *, one_each: bool) -> dict[Prize, int]:
    """Who each prize falls to before anything is shared; one for which nobody is left falls to nobody."""
    given: dict[Prize, int] = {}
    for prize in sorted(prizes, key=lambda one: (-one.amount, one.place)):
        in_category = {number for other, number in given.items() if other.category == prize.category}
        paid = {number for other, number in given.items() if other.amount} if one_each and prize.amount else set[int]()
        free = (number for number in members[prize.category] if number not in in_category | paid)
        number = next(free, None)
        if number is not None:
            given[prize] = number
    return given


def _level(tournament: Tournament, ranked: Sequence[Standing]) -> Callable[[int], int]:
    """The place of each among whom prizes are shared: before tie-breaks, or after them."""
    if tournament.prizes.sharing is Sharing.SPLIT:
        plain = replace(tournament.settings, tie_breaks=())
        ranked = standings(replace(tournament, settings=plain, lots=(), orders=()))
    places = {one.number: one.place for one in ranked}
    return lambda number: places[number]


def _share_out(given: Mapping[Prize, int], members: Sequence[int], level: Callable[[int], int]) -> list[Award]:
    """What fell to those who are level, in equal parts; a hundredth too many goes to those who stand higher.

    Things are not shared: each stays with the one to whom it fell.
    """
    groups: dict[int, list[Prize]] = {}
    for prize, number in given.items():
        groups.setdefault(level(number), []).append(prize)
    found = []
    for place, prizes in groups.items():
        amount = sum(prize.amount for prize in prizes)
        mates = [number for number in members if level(number) == place] if amount else []
        paid = tuple(sorted(prize.place for prize in prizes if prize.amount))
        for number in dict.fromkeys((*mates, *(given[prize] for prize in prizes))):
            share, rest = divmod(amount, len(mates)) if number in mates else (0, 0)
            own = [prize for prize in prizes if given[prize] == number]
            places = {prize.place for prize in own if not prize.amount} | {*(paid if number in mates else ())}
            things = tuple(prize.thing for prize in own if prize.thing)
            more = number in mates[:rest]
            found.append(Award(number, prizes[0].category, share + more, things, tuple(sorted(places))))
    return found
