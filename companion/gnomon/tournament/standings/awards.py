"""Award the prizes of a tournament by its standings, with shared places and categories; teams and boards likewise."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from gnomon.tournament.standings._ranking import Standing, standings
from gnomon.tournament.state import Entrant, Tournament
from gnomon.tournament.state.particulars import PersonalData
from gnomon.tournament.state.payments import amount_text
from gnomon.tournament.state.prizes import BestOf, Category, Prize, PrizeList, Sharing
from gnomon.tournament.state.results import NOTHING, Points
from gnomon.tournament.teams.individuals import board_scores
from gnomon.tournament.teams.matches import as_people, as_shown, book_of, team_view


class Award(NamedTuple):
    """What somebody gets in a category, in hundredths and in things; `prizes` are the places that it comes from.

    `of_team` says where teams play whether the number is that of a team or of a player, and is None elsewhere. `group`
    is the club or the team that gets it by the points of its best players; it has no number.
    """

    number: int
    category: str
    amount: int
    things: tuple[str, ...]
    prizes: tuple[int, ...]
    of_team: bool | None = None
    group: str = ""


class AwardRow(NamedTuple):
    """What somebody gets, as people read it: `Women 1+2` are the first two prizes of women, which they share."""

    place: int
    number: int
    name: str
    prize: str
    amount: str
    things: str


class GroupPlace(NamedTuple):
    """Where a club or a team stands by its best players: their points, and their places, the best first."""

    place: int
    name: str
    points: Points
    places: tuple[int, ...]


class _Candidates(NamedTuple):
    """Whom prizes may go to: all of them, the best first, those in each category, and the place that two share."""

    ranked: Sequence[int]
    members: Mapping[str, Sequence[int]]
    level: Callable[[int], int]


def awards(tournament: Tournament) -> tuple[Award, ...]:
    """Who gets what as things stand, the highest place first, and for each the most money first.

    Prizes are given one by one, the most money first and then the higher place, each to the highest placed who may have
    it. Those whom the last rule leaves level then share what fell to them in a category. Where teams play, the prizes
    are theirs; those of a board are for players. Those for the best of a club or a team come last.
    """
    of_groups = {category.name: category for category in tournament.prizes.categories if category.best}
    told = tournament.prizes
    told = replace(told, prizes=tuple(prize for prize in told.prizes if prize.category not in of_groups))
    groups = (award for category in of_groups.values() for award in _to_groups(tournament, category))
    return (*_to_persons(tournament, told), *groups)


def _to_persons(tournament: Tournament, told: PrizeList) -> tuple[Award, ...]:
    if tournament.teams is None:
        return _give(told, _entrants(tournament))
    of_boards = {category.name for category in told.categories if category.board}
    theirs = replace(told, prizes=tuple(prize for prize in told.prizes if prize.category not in of_boards))
    players = replace(told, prizes=tuple(prize for prize in told.prizes if prize.category in of_boards))
    at_boards = (award._replace(of_team=False) for award in _give(players, _players(tournament)))
    return (*(award._replace(of_team=True) for award in _give(theirs, _teams(tournament))), *at_boards)


def award_rows(tournament: Tournament) -> list[AwardRow]:
    """Who gets what as things stand, in words. Raises TournamentError for an unknown tie-break."""
    shown = as_shown(tournament)
    groups = {
        (category.name, one.name): one.place
        for category in tournament.prizes.categories
        for one in group_places(tournament, category)
    }
    places = {one.number: one.place for one in standings(shown)}
    at_boards = {} if tournament.teams is None else {one.number: one.place for one in board_scores(tournament)}
    return [
        AwardRow(
            groups[award.category, award.group]
            if award.group
            else (places if award.of_team is not False else at_boards)[award.number],
            award.number,
            name_of(tournament, award),
            f"{award.category} {'+'.join(map(str, award.prizes))}".strip(),
            amount_text(award.amount) if award.amount else "",
            ", ".join(award.things),
        )
        for award in awards(tournament)
    ]


def name_of(tournament: Tournament, award: Award) -> str:
    """Whose an award is: the name of an entrant, of a team, or of a player and their team."""
    if award.group:
        return award.group
    if award.of_team:
        return book_of(tournament).matches.entrants[award.number].name
    one = tournament.entrants[award.number]
    return one.name if award.of_team is None or not one.team else f"{one.name} ({one.team})"


def group_places(tournament: Tournament, category: Category) -> tuple[GroupPlace, ...]:
    """The clubs or teams by the points of their best players in a category, those with fewer by what they have.

    Level ones stand as their best players do, unless prizes are split. Of another category it has none.
    """
    members: dict[str, list[Standing]] = {}
    names: dict[str, str] = {}
    for one in standings(as_people(tournament)) if category.best else ():
        entrant = tournament.entrants[one.number]
        name = tournament.person(one.number).club if category.best_of is BestOf.CLUB else entrant.team
        if name and is_in(tournament, category, one.number):
            names.setdefault(name.casefold(), name)
            members.setdefault(name.casefold(), []).append(one)
    best = {key: of[: category.best] for key, of in members.items()}
    found = [
        GroupPlace(0, names[key], sum((one.points for one in of), NOTHING), tuple(one.place for one in of))
        for key, of in best.items()
    ]
    is_split = tournament.prizes.sharing is Sharing.SPLIT
    found.sort(key=lambda one: (-one.points, one.places))
    keys = [(one.points, () if is_split else one.places) for one in found]
    return tuple(one._replace(place=1 + keys.index(key)) for one, key in zip(found, keys, strict=True))


def _to_groups(tournament: Tournament, category: Category) -> Iterator[Award]:
    ranked = group_places(tournament, category)
    mine = [prize for prize in tournament.prizes.prizes if prize.category == category.name]
    numbers = range(len(ranked))
    given = _allot(mine, {category.name: numbers}, one_each=False)
    for award in sorted(_share_out(given, numbers, lambda number: ranked[number].place)):
        yield award._replace(number=0, group=ranked[award.number].name)


def _give(told: PrizeList, field: _Candidates) -> tuple[Award, ...]:
    order = {number: at for at, number in enumerate(field.ranked)}
    members = {**field.members, "": field.ranked}
    given = _allot(told.prizes, members, one_each=told.one_each)
    found: list[Award] = []
    richest = sorted(told.prizes, key=lambda one: -one.amount)
    for category in dict.fromkeys(prize.category for prize in richest):
        mine = {prize: number for prize, number in given.items() if prize.category == category}
        elsewhere = {number for prize, number in given.items() if prize.category != category and prize.amount}
        shared = {award.number for award in found if award.amount}
        taken = elsewhere | shared if told.one_each else set[int]()
        found += _share_out(mine, [one for one in members[category] if one not in taken], field.level)
    return tuple(sorted(found, key=lambda award: (order[award.number], -award.amount, award.category)))


def _entrants(tournament: Tournament) -> _Candidates:
    ranked = [one.number for one in standings(tournament)]
    members = {
        category.name: [number for number in ranked if is_in(tournament, category, number)]
        for category in tournament.prizes.categories
    }
    return _Candidates(ranked, members, _level(tournament, tournament.prizes.sharing))


def _teams(tournament: Tournament) -> _Candidates:
    teams = team_view(tournament)
    ranked = [one.number for one in standings(teams)]
    members = {
        category.name: [number for number in ranked if _team_is_in(tournament, category, teams.entrants[number])]
        for category in tournament.prizes.categories
    }
    return _Candidates(ranked, members, _level(teams, tournament.prizes.sharing))


def _players(tournament: Tournament) -> _Candidates:
    """Players by board; with prizes that are split those of a board are level who made the same points there."""
    scores = board_scores(tournament)
    members = {
        category.name: [
            one.number for one in scores if one.board == category.board and is_in(tournament, category, one.number)
        ]
        for category in tournament.prizes.categories
    }
    places = {one.number: one.place for one in scores}
    if tournament.prizes.sharing is Sharing.SPLIT:
        points: dict[tuple[int, Points], int] = {}
        places = {one.number: points.setdefault((one.board, one.points), one.place) for one in scores}
    return _Candidates([one.number for one in scores], members, lambda number: places[number])


def is_in(tournament: Tournament, category: Category, number: int) -> bool:
    """Whether an entrant is in a category; what is not known of them keeps them out."""
    entrant = tournament.entrants[number]
    return _is_person(tournament.person(number), category) and _is_named_and_rated(entrant, entrant.team, category)


def _team_is_in(tournament: Tournament, category: Category, team: Entrant) -> bool:
    """Whether all members of a team are in a category; its rating is that of the team, as is its name."""
    members = book_of(tournament).rosters[team.number].members
    return _is_named_and_rated(team, team.name, category) and all(
        _is_person(tournament.person(number), category) for number in members
    )


def _is_person(person: PersonalData, category: Category) -> bool:
    born = int(person.born[:4] or 0)
    return all(
        (
            not category.sex or category.sex == person.sex,
            not category.club or category.club.casefold() == person.club.casefold(),
            not category.federation or category.federation == person.federation,
            not category.title or category.title == person.title,
            not category.born_since or born >= category.born_since,
            not category.born_until or 0 < born <= category.born_until,
        )
    )


def _is_named_and_rated(one: Entrant, team: str, category: Category) -> bool:
    rating = one.rating or 0
    return all(
        (
            not category.team or category.team.casefold() == team.casefold(),
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


def _level(tournament: Tournament, sharing: Sharing) -> Callable[[int], int]:
    """The place of each among whom prizes are shared: before tie-breaks, or after them."""
    if sharing is Sharing.SPLIT:
        plain = replace(tournament.settings, tie_breaks=())
        tournament = replace(tournament, settings=plain, lots=(), orders=())
    places = {one.number: one.place for one in standings(tournament)}
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
