"""Compute the tie-breaks that only teams have (FIDE C.07, articles 12 and 13) and choose the score of the others."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import HALF, NOTHING, ONE, Points, from_chair
from gnomon.tournament.state.round_history import RoundKind, histories
from gnomon.tournament.state.settings import System
from gnomon.tournament.teams.matches import book_of, game_points, game_view, match_boards, match_view
from gnomon.tournament.tiebreaks.direct_encounter import GROUP_TIE_BREAKS, Group, Values, ahead, direct_encounter, split
from gnomon.tournament.tiebreaks.fields import Field, parts
from gnomon.tournament.tiebreaks.values import NAMES, buchholz, is_tie_break, values_of

FieldOf = Callable[[Tournament], Field]

MATCH_POINTS: Final = "MP"
GAME_POINTS: Final = "GP"
_SCORES: Final = (MATCH_POINTS, GAME_POINTS)
# C.07, 12: a bye counts at every board as what it would bring a single entrant, that of the pairing as a win.
_AT_A_BOARD: Final = {RoundKind.PAIRING_BYE: ONE, RoundKind.FULL_BYE: ONE, RoundKind.HALF_BYE: HALF}


@dataclass(frozen=True, slots=True)
class TeamFields:
    """What the tie-breaks of teams look at: everybody's rounds by match points and by game points, and by board."""

    matches: Field
    games: Field
    boards: Mapping[int, tuple[Points, ...]]
    games_first: bool

    @classmethod
    def of(cls, tournament: Tournament, field_of: FieldOf) -> "TeamFields":
        """The fields of a tournament of teams."""
        play = book_of(tournament).play
        matches, games = field_of(match_view(tournament)), field_of(game_view(tournament))
        return cls(matches, games, _by_board(tournament), play.games_first or play.scheveningen)

    @property
    def primary(self) -> Field:
        """By what ranks first."""
        return self.games if self.games_first else self.matches

    @property
    def secondary(self) -> Field:
        """By the other kind of points."""
        return self.matches if self.games_first else self.games

    def scored_by(self, points: str) -> Field:
        """By match points or by game points."""
        return self.matches if points == MATCH_POINTS else self.games


TeamTieBreak = Callable[[TeamFields, Group], Values]


def team_values(fields: TeamFields, name: str, groups: Sequence[Group]) -> Values:
    """The values of a tie-break for teams that are level group by group. Raises TournamentError for an unknown name."""
    check_team_tie_break(name)
    if name in TEAM_TIE_BREAKS:
        return {one: value for group in groups for one, value in TEAM_TIE_BREAKS[name](fields, group).items()}
    base, _, points = name.rpartition(":") if ":" in name else (name, "", "")
    field = fields.scored_by(points) if points else fields.primary
    if base in GROUP_TIE_BREAKS:
        among = GROUP_TIE_BREAKS[base]
        return {one: value for group in groups for one, value in among(field, group, groups).items()}
    return values_of(field, base, [one for group in groups for one in group])


def check_team_tie_break(name: str) -> None:
    """Raise TournamentError when teams have no tie-break of a name."""
    base, colon, points = name.partition(":")
    if name not in TEAM_TIE_BREAKS and not (is_tie_break(base) and (not colon or points in _SCORES)):
        known = [*TEAM_TIE_BREAKS, *NAMES]
        raise TournamentError(statement("tournament.tiebreak.none", text=name, known=known))


def _other_points(fields: TeamFields, group: Group) -> Values:
    return {one: fields.secondary.total(one) for one in group}


def _sonneborn_berger(theirs: str, ours: str) -> TeamTieBreak:
    """13.2: what opponents have in the end, times what was made against them, each in match or in game points."""

    def value(fields: TeamFields, group: Group) -> Values:
        return {
            one: sum(
                (
                    each.opponent * made.points
                    for each, made in zip(
                        parts(fields.scored_by(theirs), one), parts(fields.scored_by(ours), one), strict=True
                    )
                ),
                NOTHING,
            )
            for one in group
        }

    return value


def _extended_encounter(fields: TeamFields, group: Group) -> Values:
    return ahead(_encounters(fields, list(group)))


def _encounters(fields: TeamFields, group: list[int]) -> list[list[int]]:
    """13.3: by the points that rank first, by the others where those part nobody, and again for all who stay level."""
    for field in (fields.primary, fields.secondary):
        parted = split(group, direct_encounter(field, group, [group]))
        if len(parted) > 1:
            return [one for part in parted for one in _encounters(fields, part)]
    return [group]


def _board_count(fields: TeamFields, group: Group) -> Values:
    """12.1: who made the same game points at higher boards; it says nothing of teams with other game points."""
    if len({fields.games.total(one) for one in group}) > 1:
        return dict.fromkeys(group, NOTHING)
    return ahead(split(list(group), {one: -_weigh(fields.boards[one]) for one in group}))


def _top_boards(fields: TeamFields, group: Group) -> Values:
    """12.2: the points at board 1, then at board 2, and so on."""
    return ahead(split(list(group), {one: fields.boards[one] for one in group}))


def _without_bottom(fields: TeamFields, group: Group) -> Values:
    """12.3: the points without the last board, then without the last two, and so on."""
    sums = {
        one: tuple(sum(made[:count], NOTHING) for count in range(len(made) - 1, 0, -1))
        for one, made in fields.boards.items()
    }
    return ahead(split(list(group), {one: sums[one] for one in group}))


def _berlin(fields: TeamFields, group: Group) -> Values:
    """Points at board 1 times the number of boards, at the next times one less, and at the last once."""
    return {one: _weigh(fields.boards[one][::-1]) for one in group}


def _schedule_strength(fields: TeamFields, group: Group) -> Values:
    """13.4: the points that come second, with the Buchholz of those that rank first brought to their measure."""
    most = fields.primary.win * fields.primary.rounds
    factor = max(1, int(most / fields.secondary.win))
    strength = buchholz()
    return {one: fields.secondary.total(one) + strength(fields.primary, one) / factor for one in group}


TEAM_TIE_BREAKS: Final[Mapping[str, TeamTieBreak]] = {
    "MPVGP": _other_points,
    "EDE": _extended_encounter,
    "EMMSB": _sonneborn_berger(MATCH_POINTS, MATCH_POINTS),
    "EMGSB": _sonneborn_berger(MATCH_POINTS, GAME_POINTS),
    "EGMSB": _sonneborn_berger(GAME_POINTS, MATCH_POINTS),
    "EGGSB": _sonneborn_berger(GAME_POINTS, GAME_POINTS),
    "SSSC": _schedule_strength,
    "BC": _board_count,
    "TBR": _top_boards,
    "BBE": _without_bottom,
    "BERLIN": _berlin,
}

USUAL: Final[Mapping[System, tuple[str, ...]]] = {
    System.SWISS: ("MPVGP", "BH:MP", "EMGSB", "EDE"),
    System.ROUND_ROBIN: ("MPVGP", "EDE", "EMGSB", "BERLIN"),
}
"""The tie-breaks of teams unless others are announced."""


def _by_board(tournament: Tournament) -> Mapping[int, tuple[Points, ...]]:
    """What every team made at each of its boards, no matter who played there."""
    book, scoring = book_of(tournament), tournament.settings.scoring
    made = {number: [NOTHING] * book.play.boards for number in book.matches.entrants}
    for round_, matches in zip(tournament.rounds, book.matches.rounds, strict=False):
        for match in matches.pairings:
            boards = () if match.second is None else match_boards(tournament, round_, match)
            for team in match.entrants:
                for place, games in enumerate(boards):
                    made[team][place] += game_points(scoring, from_chair(games, first=team == match.first))
    for number, turns in histories(match_view(tournament)).items():
        idle = (
            sum((_AT_A_BOARD.get(turn.kind, NOTHING) for turn in turns), NOTHING)
            * scoring.win
            * tournament.settings.games
        )
        made[number] = [points + idle for points in made[number]]
    return {number: tuple(points) for number, points in made.items()}


def _weigh(points: Sequence[Points]) -> Points:
    """The points of each place times its number, counted from 1."""
    return sum((place * made for place, made in enumerate(points, start=1)), NOTHING)
