"""Build cross tables, all-play-all tables and knockout brackets from a tournament."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from gnomon.tournament.pairing.double_elimination import losses, still_in
from gnomon.tournament.pairing.knockout import bracket, slots_of
from gnomon.tournament.scoring.keizer import keizer_steps
from gnomon.tournament.scoring.multiplayer import place_points
from gnomon.tournament.standings._ranking import Standing, standings, totals_of
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.notation import marks, points_text
from gnomon.tournament.state.results import Points, format_result
from gnomon.tournament.state.round_history import History, RoundKind, Turn, histories, winner
from gnomon.tournament.state.rounds import Pairing, Round
from gnomon.tournament.state.settings import System, TournamentSettings
from gnomon.tournament.strength.given_points import starting_points
from gnomon.tournament.teams.matches import game_view, match_score, source_of

FIRST: Final = "•"
"""Stands before the number of an opponent against whom one moved first."""
PENDING: Final = "…"
_UNPLAYED: Final = {RoundKind.PAIRING_BYE, RoundKind.FULL_BYE, RoundKind.HALF_BYE, RoundKind.ZERO_BYE}


class CrossTableRow(NamedTuple):
    """An entrant in a cross table: where they stand, and a cell for each round, or for each entrant of the table."""

    standing: Standing
    cells: tuple[str, ...]


class Slot(NamedTuple):
    """One place in a bracket: who stands there, None while that is open or for a bye, and whether they go on."""

    number: int | None
    won: bool = False


class Match(NamedTuple):
    """Two places of a bracket that meet, and how it ended."""

    round: int
    board: int
    slots: tuple[Slot, Slot]
    told: str = ""


class Bracket(NamedTuple):
    """The rounds of a knockout to the final, and the match for the third place where there is one.

    Of a double elimination `rounds` are those of the winners' bracket, and `lower` the published ones of those who have
    lost once, who are paired again each time; between two rounds they are `waiting`. `finals` are the final and the
    second one, which stands there until it is known not to be needed.
    """

    rounds: tuple[tuple[Match, ...], ...]
    third: Match | None = None
    lower: tuple[tuple[Match, ...], ...] = ()
    waiting: tuple[int, ...] = ()
    finals: tuple[Match, ...] = ()


def as_of(tournament: Tournament, rounds: int) -> Tournament:
    """The tournament as though only so many rounds had been published; corrections since then are in their results.

    Raises TournamentError for a round that is not published.
    """
    if rounds:
        tournament.round(rounds)
    return replace(tournament, rounds=tournament.rounds[:rounds])


class ScoreSteps(NamedTuple):
    """What somebody began with, and what each published round brought them; together it is what they have."""

    start: Points
    rounds: tuple[Points, ...]


def score_steps(tournament: Tournament) -> Mapping[int, ScoreSteps]:
    """How everybody came by their points, by the system's own score: in Keizer's by the values of now."""
    match tournament.settings.system:
        case System.KEIZER:
            return {number: ScoreSteps(steps[0], steps[1:]) for number, steps in keizer_steps(tournament).items()}
        case System.ARENA | System.LADDER:
            totals = [totals_of(as_of(tournament, rounds)) for rounds in range(len(tournament.rounds) + 1)]
            return {
                number: ScoreSteps(
                    totals[0][number], tuple(now[number] - was[number] for was, now in itertools.pairwise(totals))
                )
                for number in tournament.entrants
            }
        case _:
            return {
                number: ScoreSteps(starting_points(tournament, number), tuple(turn.points for turn in turns))
                for number, turns in histories(tournament).items()
            }


def cross_table(tournament: Tournament) -> tuple[CrossTableRow, ...]:
    """Everybody in the order of the standings, with a cell for each round."""
    if tournament.settings.system is System.TABLES:
        return tuple(
            CrossTableRow(one, tuple(_at_table(tournament, round_, one.number) for round_ in tournament.rounds))
            for one in standings(tournament)
        )
    told = _rounds_of(tournament)
    return tuple(
        CrossTableRow(one, tuple(cell(tournament.settings, turn) for turn in told[one.number]))
        for one in standings(tournament)
    )


def all_against_all(tournament: Tournament) -> tuple[CrossTableRow, ...]:
    """Everybody in the order of the standings, with a cell for each opponent in the same order."""
    ranked = standings(tournament)
    told = _rounds_of(tournament)
    order = [one.number for one in ranked]
    against = _against if source_of(tournament) is None else _points_against
    return tuple(CrossTableRow(one, tuple(against(told[one.number], other) for other in order)) for one in ranked)


def _at_table(tournament: Tournament, round_: Round, number: int) -> str:
    """A round at a table of several: `2 5:½` scored half a point against 2 and 5."""
    table = round_.table_of(number)
    if table is None:
        return ""
    others = " ".join(str(other) for other in table.seats if other != number)
    places = round_.places.get(table.board)
    if places is None:
        return f"{others}{PENDING}"
    return f"{others}:{points_text(place_points(tournament.settings, places)[table.seats.index(number)])}"


def _rounds_of(tournament: Tournament) -> Mapping[int, History]:
    """The rounds of everybody, of teams by game points: a table shows how a match ended, and not only who won it."""
    source = source_of(tournament)
    return histories(tournament if source is None else game_view(source))


def cell(settings: TournamentSettings, turn: Turn) -> str:
    """A round of an entrant, as a cross table shows it: `•12+`, `7=`, `3-`, `5:1½`, `(½)`."""
    if turn.kind in _UNPLAYED:
        return f"({points_text(turn.points)})"
    if turn.opponent is None:
        return ""
    opponent = f"{FIRST if turn.first and settings.balances else ''}{turn.opponent}"
    if turn.kind is RoundKind.PENDING:
        return f"{opponent}{PENDING}"
    if not turn.played:
        return f"{opponent}({points_text(turn.points)})"
    if len(turn.games) > 1:
        return f"{opponent}:{points_text(turn.points)}"
    return f"{opponent}{'+' if turn.units_won else '=' if turn.units_drawn else '-'}"


def _against(history: History, other: int) -> str:
    met = [turn for turn in history if turn.opponent == other]
    return " ".join(marks(turn.games) if turn.games else PENDING for turn in met)


def _points_against(history: History, other: int) -> str:
    met = [turn for turn in history if turn.opponent == other]
    return " ".join(points_text(turn.points) if turn.games else PENDING for turn in met)


def bracket_of(tournament: Tournament) -> Bracket:
    """The brackets of a knockout as far as they have come; an entrant who goes on stands in the next round at once."""
    rounds: list[tuple[Match, ...]] = []
    slots = _places(tournament)
    while len(slots) > 1:
        number = len(rounds) + 1
        matches = tuple(_match(tournament, number, board, slots) for board in range(1, len(slots) // 2 + 1))
        rounds.append(matches)
        slots = [next((slot.number for slot in match.slots if slot.won), None) for match in matches]
    upper = Bracket(tuple(rounds), _third(tournament, len(rounds)))
    return upper if tournament.settings.lives == 1 or not rounds else _with_lower(tournament, upper)


def _with_lower(tournament: Tournament, upper: Bracket) -> Bracket:
    """The brackets of a double elimination, of which those who never lost play the upper one."""
    lower: list[tuple[Match, ...]] = []
    finals: tuple[Match, ...] = ()
    for round_ in tournament.rounds:
        boards = (1 << len(upper.rounds)) >> round_.number  # those of the upper bracket come first
        numbers = sorted(pairing.board for pairing in round_.pairings if pairing.board > boards)
        matches = tuple(match for one in numbers if (match := _match_at(tournament, round_.number, one)) is not None)
        if finals or (not boards and _has_unbeaten(tournament, matches)):
            finals += matches
        elif matches:
            lower.append(matches)
    return upper._replace(lower=tuple(lower), waiting=_idle(tournament, finals), finals=_finals(tournament, finals))


def _has_unbeaten(tournament: Tournament, matches: Sequence[Match]) -> bool:
    """Whether somebody comes to these matches of a round without a loss."""
    lost = losses(as_of(tournament, matches[0].round - 1)) if matches else {}
    return any(slot.number is not None and not lost[slot.number] for match in matches for slot in match.slots)


def _idle(tournament: Tournament, finals: Sequence[Match]) -> tuple[int, ...]:
    """Those who have lost once, between two rounds and while it is open who comes to the final."""
    alive, lost = still_in(tournament), losses(tournament)
    beaten = [number for number in alive if lost[number]]
    is_open = len(beaten) > 1 or len(alive) > 2  # noqa: PLR2004 - one of each bracket: the final is theirs
    return tuple(beaten) if is_open and not finals and not tournament.waiting else ()


def _finals(tournament: Tournament, played: tuple[Match, ...]) -> tuple[Match, ...]:
    """The finals that are published, and those that are to come or may come."""
    coming, alive, lost = tournament.next_round, still_in(tournament), losses(tournament)
    open_ = Match(coming, 1, (Slot(None), Slot(None)))
    if not played:
        unbeaten = [number for number in alive if not lost[number]]
        if not unbeaten or len(alive) == 1:
            return ()  # the last of those who have lost once have no other left to meet
        beaten = [number for number in alive if lost[number]]
        first = unbeaten[0] if len(unbeaten) == 1 else None
        second = beaten[0] if first is not None and len(beaten) == 1 else None
        return (open_._replace(slots=(Slot(first), Slot(second))), open_)
    if len(played) == 1 and len(alive) == 2:  # noqa: PLR2004 - both of the final
        is_over = all(lost[number] for number in alive)
        one, other = alive if is_over else (None, None)
        return (*played, open_._replace(slots=(Slot(one), Slot(other))))
    return played


def _places(tournament: Tournament) -> Sequence[int | None]:
    """Who stands where before the first round."""
    if not tournament.rounds:
        return slots_of(tournament)
    pairings = {pairing.board: pairing for pairing in tournament.rounds[0].pairings}
    boards = len(bracket(2 * max(pairings))) // 2
    places: list[int | None] = []
    for board in range(1, boards + 1):
        pairing = pairings.get(board)
        places += [None, None] if pairing is None else [pairing.first, pairing.second]
    return places


def _match(tournament: Tournament, number: int, board: int, slots: Sequence[int | None]) -> Match:
    one, other = slots[2 * board - 2 : 2 * board]
    return _match_at(tournament, number, board) or Match(number, board, (Slot(one), Slot(other)))


def _match_at(tournament: Tournament, number: int, board: int) -> Match | None:
    if number > len(tournament.rounds):
        return None
    round_ = tournament.rounds[number - 1]
    pairing = next((pairing for pairing in round_.pairings if pairing.board == board), None)
    if pairing is None:
        return None
    result = round_.results.get(board, ())
    won = pairing.first if pairing.second is None else winner(pairing, result)
    first, second = (Slot(one, one is not None and one == won) for one in (pairing.first, pairing.second))
    return Match(number, board, (first, second), _how_it_ended(tournament, round_, pairing))


def _how_it_ended(view: Tournament, round_: Round, pairing: Pairing) -> str:
    """The result of a match of a bracket; where teams play its game points, once all boards have a result."""
    source = source_of(view)
    if source is None:
        return format_result(round_.results.get(pairing.board, ()))
    score = match_score(source, source.round(round_.number), pairing)
    is_over = pairing.second is not None and not score.waiting
    return f"{points_text(score.first)}–{points_text(score.second)}" if is_over else ""


def _third(tournament: Tournament, final: int) -> Match | None:
    if not tournament.settings.third_place or final <= 1:
        return None
    return _match_at(tournament, final, 2) or Match(final, 2, (Slot(None), Slot(None)))


def is_table(tournament: Tournament) -> bool:
    """Whether all are to meet all, so that a table of all against all says everything."""
    return tournament.settings.system is System.ROUND_ROBIN


def points_before(tournament: Tournament, in_round: int) -> Mapping[int, str]:
    """The points of everybody when a round begins, as they are written."""
    return {number: points_text(points) for number, points in totals_of(as_of(tournament, in_round - 1)).items()}


def has_bracket(tournament: Tournament) -> bool:
    """Whether the way to the final is a bracket, or two."""
    return tournament.settings.system is System.KNOCKOUT
