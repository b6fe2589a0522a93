"""Make result slips and score sheets for the boards of a round."""

from typing import Final, NamedTuple

from gnomon.rules.registry import GAMES
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.rounds import Pairing
from gnomon.tournament.state import Tournament
from gnomon.views.wording import name
from gnomon.web.sheets.heads import day_of_round
from gnomon.web.sheets.paper import Sheet
from gnomon.words import Words

ANY_GAME: Final = "any"
FORMS: Final = (*GAMES, ANY_GAME)
"""The games that have a score sheet; `any` is for a game that nobody here knows."""


class _Cell(NamedTuple):
    title: str
    narrow: bool = False


class _Form(NamedTuple):
    """What is written during a game: for each side the cells of a turn, and what is told in the end."""

    players: tuple[str, str]
    sides: tuple[str, str]
    cells: tuple[_Cell, ...]
    ends: tuple[str, ...]
    blocks: int = 2
    rows: int = 22


class _Slip(NamedTuple):
    where: str
    first: str
    second: str
    games: tuple[str, ...]


class _Score(NamedTuple):
    round: str = ""
    board: str = ""
    first: str = ""
    second: str = ""
    date: str = ""


def slips_sheet(tournament: Tournament, in_round: int, words: Words) -> Sheet:
    """A slip for every board of a round at which two play. Raises TournamentError for one that is not published."""
    round_ = tournament.round(in_round)
    slips = [
        _Slip(
            words("sheet.slip.where", round=in_round, board=pairing.board),
            tournament.called(first),
            tournament.called(second),
            _games(tournament, words),
        )
        for pairing, first, second in _met(round_.pairings)
    ]
    when = words("sheet.round.of", number=in_round, rounds=tournament.settings.rounds)
    return Sheet(words("sheet.slips"), tournament.settings.name, when, "sheet_slips.html", {"slips": slips})


def score_sheets(tournament: Tournament | None, game: str, words: Words, in_round: int | None = None) -> Sheet:
    """A score sheet of a game for every board of a round, with the names; or a blank one.

    Raises TournamentError for a game that has none, and for a round that is not published.
    """
    if game not in FORMS:
        message = f"there is no score sheet of {game}: take one of {', '.join(FORMS)}"
        raise TournamentError(message)
    scores = [_Score()]
    if tournament is not None and in_round is not None:
        pairings, day = tournament.round(in_round).pairings, day_of_round(tournament, in_round)
        scores = [
            _Score(str(in_round), str(pairing.board), tournament.called(first), tournament.called(second), day)
            for pairing, first, second in _met(pairings)
        ]
    title = words("sheet.score") if game == ANY_GAME else words("sheet.score.of", game=words(f"game.{game}"))
    event = "" if tournament is None else tournament.settings.name
    return Sheet(title, event, "", "sheet_scores.html", {"scores": scores, "form": _form(game, words)})


def _met(pairings: tuple[Pairing, ...]) -> list[tuple[Pairing, int, int]]:
    return [(pairing, pairing.first, pairing.second) for pairing in sorted(pairings) if pairing.second is not None]


def _games(tournament: Tournament, words: Words) -> tuple[str, ...]:
    games = tournament.settings.games
    return ("",) if games == 1 else tuple(words("sheet.slip.game", number=number + 1) for number in range(games))


def _form(game: str, words: Words) -> _Form:
    move, result = _Cell(words("sheet.move")), words("sheet.result")
    match game:
        case "tamsk":
            sides = (name("red", words), name("black", words))
            rings = tuple(words("sheet.score.rings", name=side) for side in sides)
            return _Form(sides, sides, (move, _Cell(words("sheet.flip15"), narrow=True)), (*rings, result))
        case "tayu":
            sides = (name("north-south", words), name("east-west", words))
            return _Form(sides, sides, (_Cell(words("sheet.tile"), narrow=True), move), _points(sides, words))
        case "tabik":
            sides = (name("black", words), name("white", words))
            return _Form(sides, sides, (move,), (words("sheet.score.pie"), *_points(sides, words)))
        case "tau":  # who is HIGH is settled by the bids, before the first move
            ends = (words("sheet.score.bids"), words("sheet.score.number"), words("sheet.score.product"), result)
            return _Form(_anybody(words), (name("high", words), name("low", words)), (move,), ends)
        case "twenty-squares":
            sides = _anybody(words)
            return _Form(sides, sides, (_Cell(words("sheet.throw"), narrow=True), move), _points(sides, words))
        case _:
            sides = _anybody(words)
            return _Form(sides, sides, (move, _Cell(words("sheet.time"))), _points(sides, words))


def _anybody(words: Words) -> tuple[str, str]:
    return words("sheet.first"), words("sheet.second")


def _points(sides: tuple[str, str], words: Words) -> tuple[str, ...]:
    return (*(words("sheet.score.points", name=side) for side in sides), words("sheet.result"))
