"""Derive the tournament of teams from the boards: matches with their results, and who plays for which team."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Final, NamedTuple

from gnomon.refusals import Statement, statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import TeamTold
from gnomon.tournament.state import TeamBook, Tournament
from gnomon.tournament.state.payments import Payment
from gnomon.tournament.state.results import NOTHING, GameResult, Points, Result, from_chair
from gnomon.tournament.state.round_history import worth
from gnomon.tournament.state.rounds import Pairing, Round
from gnomon.tournament.state.settings import Scoring, System, TournamentSettings
from gnomon.tournament.state.team_play import LOT, ORDER, CupVerdict, TeamPlay, decide_match

_LEVEL: Final = (GameResult.DRAWN, GameResult.BOTH_LOST)
_PLAYED: Final = {
    GameResult.FIRST_BY_FORFEIT: GameResult.FIRST_WON,
    GameResult.SECOND_BY_FORFEIT: GameResult.SECOND_WON,
    GameResult.DOUBLE_FORFEIT: GameResult.BOTH_LOST,
}


@dataclass(frozen=True, slots=True)
class MatchSettings(TournamentSettings):
    """Settings of the tournament of teams, which no event holds: a match has more games than two people play.

    `source` is the tournament with the boards, which the tie-breaks of teams look at.
    """

    source: Tournament | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        """The settings that these follow from were checked when they were announced."""


class MatchScore(NamedTuple):
    """The game points of a match as far as its boards have a result, and the boards that still wait for one."""

    first: Points
    second: Points
    waiting: tuple[int, ...]


def book_of(tournament: Tournament) -> TeamBook:
    """What a tournament of teams keeps. Raises TournamentError where nobody plays in teams."""
    if tournament.teams is None:
        raise TournamentError(statement("tournament.team.none_play", tournament=tournament.settings.name))
    return tournament.teams


def team_view(tournament: Tournament) -> Tournament:
    """The tournament of teams by what ranks first: its entrants are teams, and its pairings their matches."""
    play = book_of(tournament).play
    by_games = (play.games_first or play.scheveningen) and not is_knockout(tournament)
    return game_view(tournament) if by_games else match_view(tournament)


def is_knockout(tournament: Tournament) -> bool:
    """Whether teams play a cup."""
    return tournament.settings.system is System.KNOCKOUT


def match_view(tournament: Tournament) -> Tournament:
    """The tournament of teams by match points: a match is one game, which more game points win."""
    play = book_of(tournament).play
    return _view(tournament, _settings(tournament, 1, play.scoring), by_games=False)


def game_view(tournament: Tournament) -> Tournament:
    """The tournament of teams by game points: a match is as many games as are played at its boards."""
    play = book_of(tournament).play
    scoring = replace(tournament.settings.scoring, bye=play.board_bye)
    return _view(tournament, _settings(tournament, play.boards * tournament.settings.games, scoring), by_games=True)


def source_of(view: Tournament) -> Tournament | None:
    """The tournament with the boards, as of the round that a tournament of teams has come to; None of any other."""
    if not isinstance(view.settings, MatchSettings) or view.settings.source is None:
        return None
    source = view.settings.source
    return replace(source, rounds=source.rounds[: len(view.rounds)])


def as_shown(tournament: Tournament) -> Tournament:
    """The tournament whose entrants pairings, standings and cross tables are about: of teams where they play."""
    return tournament if tournament.teams is None else team_view(tournament)


def as_people(tournament: Tournament) -> Tournament:
    """The tournament of the people at the boards: each round a game, whatever the teams play."""
    if tournament.teams is None:
        return tournament
    # A player who sits alone at a board has won there, whatever a team gets for a bye.
    scoring = replace(tournament.settings.scoring, bye=tournament.settings.scoring.win)
    settings = replace(
        tournament.settings, system=System.SWISS, tie_breaks=(), accelerated=False, lives=1, scoring=scoring
    )
    return replace(tournament, settings=settings, teams=None)


def teams_of(tournament: Tournament) -> Mapping[int, int]:
    """The team of everybody who is in one, by their numbers."""
    rosters = book_of(tournament).rosters
    return {member: team for team, roster in rosters.items() for member in roster.members}


def all_payments(tournament: Tournament) -> tuple[Payment, ...]:
    """What is noted for the till, of entrants and of teams."""
    teams = () if tournament.teams is None else tournament.teams.matches.payments.values()
    return (*tournament.payments.values(), *teams)


def strength(tournament: Tournament, members: tuple[int, ...]) -> int | None:
    """The average rating of those who play first by the roster, halves rounded up; None where nobody has one."""
    first = members[: book_of(tournament).play.boards]
    rated = [one for number in first if (one := tournament.entrants[number].rating) is not None]
    return (2 * sum(rated) + len(rated)) // (2 * len(rated)) if rated else None


def match_boards(tournament: Tournament, round_: Round, match: Pairing) -> tuple[Result, ...]:
    """The games at each board of a match, told for its first team; nothing while one of them has no result.

    A player who sits alone at a board has won its games by forfeit.
    """
    return _whole(_boards(book_of(tournament).play, _seats(tournament, round_), match))


def match_games(tournament: Tournament, round_: Round, match: Pairing) -> Result:
    """The games of a match, board by board, as `match_boards` tells them."""
    return _games(match_boards(tournament, round_, match))


def match_score(tournament: Tournament, round_: Round, match: Pairing) -> MatchScore:
    """How a match stands."""
    numbers = book_of(tournament).play.boards_of(match.board)
    boards = _boards(book_of(tournament).play, _seats(tournament, round_), match)
    told = _games(board for board in boards if board is not None)
    waiting = tuple(number for number, board in zip(numbers, boards, strict=True) if board is None)
    scoring = tournament.settings.scoring
    return MatchScore(game_points(scoring, told), game_points(scoring, from_chair(told, first=False)), waiting)


def cup_verdict(tournament: Tournament, round_: Round, match: Pairing) -> CupVerdict | None:
    """Who goes on from a level match of a knockout, and by which rule; None of every other match."""
    if tournament.settings.system is not System.KNOCKOUT or match.second is None:
        return None
    return _verdict(tournament, round_, match, match_boards(tournament, round_, match))


def _verdict(tournament: Tournament, round_: Round, match: Pairing, boards: tuple[Result, ...]) -> CupVerdict | None:
    scoring, book = tournament.settings.scoring, book_of(tournament)
    if not boards or match.second is None or outcome(scoring, _games(boards)) not in _LEVEL:
        return None
    one, other = ([game_points(scoring, from_chair(board, first=side)) for board in boards] for side in (True, False))
    teams = match.first, match.second
    return decide_match(book.play.cup_breaks, (one, other), teams, *_decisions(tournament, round_.number))


def _decisions(tournament: Tournament, in_round: int) -> tuple[Sequence[Sequence[int]], Sequence[Sequence[int]]]:
    """The lots and orders that say who goes on from a round: where teams may meet again, those of that round alone."""
    book = book_of(tournament)
    lots, orders = book.matches.lots, book.matches.orders
    if tournament.settings.lives == 1:
        return lots, orders
    now = len(lots), len(orders)
    (lot, order), (next_lot, next_order) = (book.decided.get(number, now) for number in (in_round, in_round + 1))
    return lots[lot:next_lot], orders[order:next_order]


def describe_verdict(tournament: Tournament, round_: Round, match: Pairing) -> Statement | None:
    """Who goes on from a level match and why, or that nothing says so yet; None of a match that is not level."""
    verdict = cup_verdict(tournament, round_, match)
    if verdict is None or match.second is None:
        return None
    if verdict.first_goes_on is None:
        return statement("tournament.team.goes_on.nobody")
    team = match.first if verdict.first_goes_on else match.second
    rule = Statement(f"tournament.team.goes_on.{verdict.rule}") if verdict.rule in {LOT, ORDER} else verdict.rule
    return statement("tournament.team.goes_on", team=book_of(tournament).matches.entrants[team].name, rule=rule)


def undecided_matches(tournament: Tournament) -> tuple[Pairing, ...]:
    """The matches of a knockout's last round that are level, and from which nothing says who goes on."""
    if tournament.teams is None or not tournament.rounds:
        return ()
    round_, matches = tournament.rounds[-1], tournament.teams.matches.rounds[-1].pairings
    verdicts = ((match, cup_verdict(tournament, round_, match)) for match in matches)
    return tuple(match for match, verdict in verdicts if verdict is not None and verdict.first_goes_on is None)


class _RoundBoards(NamedTuple):
    """A round's boards, looked up: a hundred teams have thousands of them, and every match asks for its own."""

    round: Round
    at: Mapping[int, Pairing]
    teams: Mapping[int, int]
    games_each: int  # at each board

    def games(self, board: int, first: int) -> Result | None:
        """How the games at a board ended for the first team of its match; None while it waits for its result."""
        pairing = self.at.get(board)
        if pairing is None:
            return (GameResult.DOUBLE_FORFEIT,) * self.games_each
        ours = self.teams[pairing.first] == first
        if pairing.second is None:
            return (GameResult.FIRST_BY_FORFEIT if ours else GameResult.SECOND_BY_FORFEIT,) * self.games_each
        result = self.round.results.get(board)
        return from_chair(result, first=ours) if result else None


def _seats(tournament: Tournament, round_: Round, teams: Mapping[int, int] | None = None) -> _RoundBoards:
    at = {pairing.board: pairing for pairing in round_.pairings}
    return _RoundBoards(round_, at, teams_of(tournament) if teams is None else teams, tournament.settings.games)


def _boards(play: TeamPlay, seats: _RoundBoards, match: Pairing) -> list[Result | None]:
    return [seats.games(board, match.first) for board in play.boards_of(match.board)]


def _whole(boards: list[Result | None]) -> tuple[Result, ...]:
    """The boards of a match that has ended; nothing while one of them has no result."""
    told = tuple(board for board in boards if board is not None)
    return told if len(told) == len(boards) else ()


def _games(boards: Iterable[Result]) -> Result:
    return tuple(game for board in boards for game in board)


def game_points(scoring: Scoring, games: Result) -> Points:
    """What some games bring who moves first in each."""
    return sum((worth(scoring, game) for game in games), NOTHING)


def outcome(scoring: Scoring, games: Result) -> GameResult:
    """How a match of several games ended: the team with more game points has won it.

    It was not played where one team came to no board. Where both have won boards by forfeit, both were there.
    """
    first, second = game_points(scoring, games), game_points(scoring, from_chair(games, first=False))
    played = any(game.played for game in games) or _both_came(games)
    if first == second:
        return GameResult.DRAWN if first else GameResult.BOTH_LOST if played else GameResult.DOUBLE_FORFEIT
    if played:
        return GameResult.FIRST_WON if first > second else GameResult.SECOND_WON
    return GameResult.FIRST_BY_FORFEIT if first > second else GameResult.SECOND_BY_FORFEIT


def _both_came(games: Result) -> bool:
    return {GameResult.FIRST_BY_FORFEIT, GameResult.SECOND_BY_FORFEIT} <= {*games}


def _as_games(scoring: Scoring, games: Result) -> Result:
    """The games of a match, as games that were played where both teams came and nobody met anybody.

    Where a loss brings points, which a forfeit does not, they stay what they were.
    """
    if any(game.played for game in games) or not _both_came(games) or scoring.loss:
        return games
    return tuple(_PLAYED[game] for game in games)


def _as_match(tournament: Tournament, round_: Round, match: Pairing, boards: tuple[Result, ...]) -> Result:
    """How a match ended; in a knockout a level one is won by who goes on, and has not ended before that is decided."""
    knockout = tournament.settings.system is System.KNOCKOUT
    verdict = _verdict(tournament, round_, match, boards) if knockout else None
    if verdict is None:
        return (outcome(tournament.settings.scoring, _games(boards)),)
    if verdict.first_goes_on is None:
        return ()
    return (GameResult.FIRST_WON if verdict.first_goes_on else GameResult.SECOND_WON,)


def _settings(tournament: Tournament, games: int, scoring: Scoring) -> TournamentSettings:
    told = {one.name: getattr(tournament.settings, one.name) for one in fields(TournamentSettings)}
    if book_of(tournament).play.scheveningen:
        told["cycles"] = tournament.settings.rounds
    # C.04.6: the sides of teams never keep two of them apart.
    told |= {"games": games, "match_score": False, "balance": False, "scoring": scoring}
    return MatchSettings(**told, source=tournament)


def _view(tournament: Tournament, settings: TournamentSettings, *, by_games: bool) -> Tournament:
    book, scoring = book_of(tournament), tournament.settings.scoring
    entrants = {
        number: team._replace(rating=strength(tournament, book.rosters[number].members))
        for number, team in book.matches.entrants.items()
    }
    rounds, teams = [], teams_of(tournament)
    for round_, matches in zip(tournament.rounds, book.matches.rounds, strict=False):
        results: dict[int, Result] = {}
        seats = _seats(tournament, round_, teams)
        for match in matches.pairings:
            boards = () if match.second is None else _whole(_boards(book.play, seats, match))
            if boards:
                told = _as_games(scoring, _games(boards)) if by_games else _as_match(tournament, round_, match, boards)
                results |= {match.board: told} if told else {}
        rounds.append(replace(matches, results=results))
    # What teams bring along is points of the kind that ranks first.
    primary = by_games == ((book.play.games_first or book.play.scheveningen) and not is_knockout(tournament))
    seeds = book.matches.stage_seeds
    brought = seeds if primary else {number: one._replace(carried=NOTHING) for number, one in seeds.items()}
    return replace(
        book.matches,
        stage_seeds=brought,
        settings=settings,
        entrants=entrants,
        rounds=tuple(rounds),
        corrections=tournament.corrections,
        heading=tournament.heading,
        checked_in=_checked_in(tournament),
    )


def _checked_in(tournament: Tournament) -> Mapping[int, int]:
    """From which round on a team is there: that of the first of its players who is."""
    there = {
        number: tournament.checked_in.get(number) if one.since == 1 else one.since
        for number, one in tournament.entrants.items()
    }
    since = {
        team: [at for member in roster.members if (at := there[member]) is not None]
        for team, roster in book_of(tournament).rosters.items()
    }
    return {team: min(rounds) for team, rounds in since.items() if rounds}


def named_teams(tournament: Tournament) -> Iterator[TeamTold]:
    """The teams that entrants name and that are not entered, with their members in the order of their numbers."""
    book = book_of(tournament)
    known = {one.name for one in book.matches.entrants.values()}
    members: dict[str, list[int]] = {}
    for number in sorted(tournament.entrants):
        name = tournament.entrants[number].team
        if name and name not in known:
            members.setdefault(name, []).append(number)
    first = max(book.rosters, default=0) + 1
    for number, (name, roster) in enumerate(members.items(), start=first):
        yield TeamTold(number, name, tuple(roster), since=tournament.next_round)
