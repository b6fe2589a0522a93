"""Open, fill and play tournaments for the tests."""

from collections.abc import Callable, Iterable
from typing import Any

from gnomon.tournament.event_log.reducer import fold, step
from gnomon.tournament.events import EntrantRegistered, Event, ResultEntered, RoundPublished, TournamentOpened
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import parse_result
from gnomon.tournament.state.rounds import Pairing, at_boards
from gnomon.tournament.state.settings import System, TournamentSettings

NAMES = ("Ada", "Ben", "Cleo", "Dov", "Eva", "Finn", "Gus", "Hal")

Teller = Callable[[Pairing], str]


def settings(system: System = System.SWISS, rounds: int = 9, **others: Any) -> TournamentSettings:
    return TournamentSettings("Club evening", system, rounds, **others)


def opening(number: int, like: TournamentSettings) -> list[Event]:
    """So many entrants, the first the strongest."""
    entrants = (
        EntrantRegistered(one, NAMES[one - 1] if one <= len(NAMES) else f"Entrant {one}", 2000 - one)
        for one in range(1, number + 1)
    )
    return [TournamentOpened(like), *entrants]


def gathered(number: int, like: TournamentSettings) -> Tournament:
    return fold(opening(number, like))


def after(tournament: Tournament, *events: Event) -> Tournament:
    for event in events:
        tournament = step(tournament, event)
    return tournament


def stronger_wins(pairing: Pairing) -> str:
    return "1-0" if pairing.first < (pairing.second or 0) else "0-1"


def told(tournament: Tournament, teller: Teller) -> Tournament:
    """The round being played with a result at every board that waits for one."""
    round_ = tournament.rounds[-1]
    for board in round_.waiting:
        result = parse_result(teller(round_.at(board)))
        tournament = step(tournament, ResultEntered(round_.number, board, result))
    return tournament


def published(tournament: Tournament) -> Tournament:
    return step(tournament, RoundPublished(tournament.next_round, pair(tournament)))


def played(tournament: Tournament, rounds: int, teller: Teller = stronger_wins) -> Tournament:
    for _ in range(rounds):
        tournament = told(published(tournament), teller)
    return tournament


def by_hand(tournament: Tournament, *rounds: Iterable[tuple[int, int | None, str]]) -> Tournament:
    """Rounds as they were played, with their results; entrants who are not named are absent."""
    for games in rounds:
        listed = list(games)
        pairings = at_boards((first, second) for first, second, _ in listed)
        results = {board: result for board, (_, second, result) in enumerate(listed, start=1) if second is not None}
        number = tournament.next_round
        tournament = step(tournament, RoundPublished(number, pairings))
        for board, result in results.items():
            tournament = step(tournament, ResultEntered(number, board, parse_result(result)))
    return tournament


def pairs(pairings: Iterable[Pairing]) -> list[tuple[int, int | None]]:
    return [(pairing.first, pairing.second) for pairing in pairings]
