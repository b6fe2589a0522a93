"""Make result slips and score sheets for the boards of a round."""

from typing import Final, NamedTuple

from gnomon.rules.registry import BARE_CLOCK, games
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.rounds import Pairing
from gnomon.tournament.state import Tournament
from gnomon.views.show import show
from gnomon.web.sheets._heads import day_of_round
from gnomon.web.sheets.halls import ONE_HALL, Halls, in_hall
from gnomon.web.sheets.paper import PrintedSheet
from gnomon.words import Words

ANY_GAME: Final = "any"
"""The score sheet of a game that nobody here knows."""


class _Slip(NamedTuple):
    where: str
    hall: str
    first: str
    second: str
    games: tuple[str, ...]


class _Score(NamedTuple):
    round: str = ""
    board: str = ""
    first: str = ""
    second: str = ""
    date: str = ""


def forms() -> tuple[str, ...]:
    """The games that have a score sheet, and `any`."""
    return (*games(), ANY_GAME)


def slips_sheet(tournament: Tournament, in_round: int, words: Words, halls: Halls = ONE_HALL) -> PrintedSheet:
    """A slip for every board of a round at which two play. Raises TournamentError for one that is not published."""
    round_ = tournament.round(in_round)
    slips = [
        _Slip(
            words("sheet.slip.where", round=in_round, board=pairing.board),
            in_hall(halls, pairing.board, words),
            _label(tournament, first),
            _label(tournament, second),
            _games(tournament, words),
        )
        for pairing, first, second in _meetings(round_.pairings)
    ]
    when = words("sheet.round.of", number=in_round, rounds=tournament.settings.rounds)
    return PrintedSheet(words("sheet.slips"), tournament.settings.name, when, "sheet_slips.html", {"slips": slips})


def score_sheets(
    tournament: Tournament | None, game: str, words: Words, in_round: int | None = None, halls: Halls = ONE_HALL
) -> PrintedSheet:
    """A score sheet of a game for every board of a round, with the names; or a blank one.

    Raises TournamentError for a game that has none, and for a round that is not published.
    """
    if game not in forms():
        message = f"there is no score sheet of {game}: take one of {', '.join(forms())}"
        raise TournamentError(message)
    scores = [_Score()]
    if tournament is not None and in_round is not None:
        pairings, day = tournament.round(in_round).pairings, day_of_round(tournament, in_round)
        scores = [
            _Score(
                str(in_round),
                f"{pairing.board} {in_hall(halls, pairing.board, words)}".rstrip(),
                _label(tournament, first),
                _label(tournament, second),
                day,
            )
            for pairing, first, second in _meetings(pairings)
        ]
    title = words("sheet.score") if game == ANY_GAME else words("sheet.score.of", game=words(f"game.{game}"))
    form = show(BARE_CLOCK if game == ANY_GAME else game).sheet_form(words)
    event = "" if tournament is None else tournament.settings.name
    return PrintedSheet(title, event, "", "sheet_scores.html", {"scores": scores, "form": form})


def _label(tournament: Tournament, number: int) -> str:
    """Who plays, and where teams play teams for which."""
    label, team = tournament.label_of(number), tournament.entrants[number].team
    return f"{label} · {team}" if tournament.teams is not None and team else label


def _meetings(pairings: tuple[Pairing, ...]) -> list[tuple[Pairing, int, int]]:
    return [(pairing, pairing.first, pairing.second) for pairing in sorted(pairings) if pairing.second is not None]


def _games(tournament: Tournament, words: Words) -> tuple[str, ...]:
    games = tournament.settings.games
    return ("",) if games == 1 else tuple(words("sheet.slip.game", number=number + 1) for number in range(games))
