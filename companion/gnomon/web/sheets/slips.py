"""Make result slips and score sheets for the boards of a round."""

from typing import Final, NamedTuple

from gnomon.rules.registry import BARE_CLOCK, games
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.rounds import Pairing
from gnomon.views.show import SheetForm, show
from gnomon.web.sheets._heads import day_of_round
from gnomon.web.sheets.halls import ONE_HALL, Halls, in_hall
from gnomon.web.sheets.paper import PrintedSheet
from gnomon.web.sheets.rounds import round_heading
from gnomon.words import Words

ANY_GAME: Final = "any"
"""The score sheet of a game that nobody here knows."""


class _Slip(NamedTuple):
    """A slip; at a table of three and four, places are written beside `names` instead of results of `games`."""

    where: str
    hall: str
    names: tuple[str, ...]
    games: tuple[str, ...] = ()
    is_table: bool = False


class _Score(NamedTuple):
    form: SheetForm
    round: str = ""
    board: str = ""
    names: tuple[str, ...] = ("", "")
    date: str = ""


def forms() -> tuple[str, ...]:
    """The games that have a score sheet, and `any`."""
    return (*games(), ANY_GAME)


def slips_sheet(tournament: Tournament, in_round: int, words: Words, halls: Halls = ONE_HALL) -> PrintedSheet:
    """A slip for every board of a round at which two or more play. Raises TournamentError for one not published."""
    round_ = tournament.round(in_round)
    slips = [
        _Slip(
            words("sheet.slip.where", round=in_round, board=board),
            in_hall(halls, board, words),
            tuple(_label(tournament, number) for number in people),
            _games(tournament, words),
        )
        for board, *people in _meetings(round_.pairings)
    ]
    slips += [
        _Slip(
            words("sheet.slip.table", round=in_round, table=table.board),
            in_hall(halls, table.board, words),
            tuple(_label(tournament, number) for number in table.seats),
            is_table=True,
        )
        for table in round_.tables
    ]
    when = round_heading(tournament.settings, in_round, words)
    return PrintedSheet(words("sheet.slips"), tournament.settings.name, when, "sheet_slips.html", {"slips": slips})


def score_sheets(
    tournament: Tournament | None, game: str, words: Words, in_round: int | None = None, halls: Halls = ONE_HALL
) -> PrintedSheet:
    """A score sheet of a game for every board of a round, with the names; or a blank one.

    Where two play several games in a round, each has its own sheet, with the sides changed from one to the next.
    Raises TournamentError for a game that has none, and for a round that is not published.
    """
    if game not in forms():
        message = f"there is no score sheet of {game}: take one of {', '.join(forms())}"
        raise TournamentError(message)
    form = show(BARE_CLOCK if game == ANY_GAME else game).sheet_form(words)
    scores = [_Score(form)]
    if tournament is not None and in_round is not None:
        round_, day = tournament.round(in_round), day_of_round(tournament, in_round)
        scores = [
            _Score(
                form,
                " · ".join(filter(None, (str(in_round), game_number))),
                f"{board} {in_hall(halls, board, words)}".rstrip(),
                tuple(_label(tournament, number) for number in (two if at % 2 == 0 else two[::-1])),
                day,
            )
            for board, *two in _meetings(round_.pairings)
            for at, game_number in enumerate(_games(tournament, words))
        ]
        scores += [
            _Score(
                _form_of_table(form, len(table.seats), words),
                str(in_round),
                f"{table.board} {in_hall(halls, table.board, words)}".rstrip(),
                tuple(_label(tournament, number) for number in table.seats),
                day,
            )
            for table in round_.tables
        ]
    title = words("sheet.score") if game == ANY_GAME else words("sheet.score.of", game=words(f"game.{game}"))
    event = "" if tournament is None else tournament.settings.name
    return PrintedSheet(title, event, "", "sheet_scores.html", {"scores": scores})


def _form_of_table(form: SheetForm, people: int, words: Words) -> SheetForm:
    """The form for three or four: one block, in which each seat has its columns and everybody as many turns."""
    seats = tuple(words("sheet.seat", number=seat) for seat in range(1, people + 1))
    rows = -(-form.blocks * form.rows * len(form.sides) // people)
    return form._replace(players=seats, sides=seats, ends=(*form.ends, words("sheet.order")), blocks=1, rows=rows)


def _label(tournament: Tournament, number: int) -> str:
    """Who plays, and where teams play teams for which."""
    label, team = tournament.label_of(number), tournament.entrants[number].team
    return f"{label} · {team}" if tournament.teams is not None and team else label


def _meetings(pairings: tuple[Pairing, ...]) -> list[tuple[int, ...]]:
    """The boards at which two play, each with the two."""
    return [(each.board, each.first, each.second) for each in sorted(pairings) if each.second is not None]


def _games(tournament: Tournament, words: Words) -> tuple[str, ...]:
    games = tournament.settings.games
    return ("",) if games == 1 else tuple(words("sheet.slip.game", number=number + 1) for number in range(games))
