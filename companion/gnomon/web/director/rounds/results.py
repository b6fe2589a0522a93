"""Serve the results table of a round: entry by hand, import from the boards, and corrections."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gnomon.hall.rounds.results import PairingState, Proposal
from gnomon.tournament.event_log.codec import LoggedEvent
from gnomon.tournament.events import DeadlineSet, ResultCorrected, ResultEntered, ResultWithdrawn
from gnomon.tournament.state.deadlines import deadline_of
from gnomon.tournament.state.results import GameResult, Result, format_result, parse_result
from gnomon.tournament.state.settings import System
from gnomon.web import forms
from gnomon.web.access import Role, visitor_of
from gnomon.web.director import _event_writer as event_writer
from gnomon.web.director._event_writer import ClashError, announce
from gnomon.web.director._office import (
    FormError,
    FormInput,
    FormMistake,
    FormProblem,
    OfficePage,
    TournamentApp,
    TournamentSnapshot,
    page_response,
    path_of,
)
from gnomon.web.director._tables import BoardRow, board_rows

PATH: Final = "/tournaments/{name}/results"
SHORT: Final[Mapping[str, GameResult]] = {
    "1": GameResult.FIRST_WON,
    "0": GameResult.SECOND_WON,
    "=": GameResult.DRAWN,
    "½": GameResult.DRAWN,
    "+": GameResult.FIRST_BY_FORFEIT,
    "-": GameResult.SECOND_BY_FORFEIT,
    "--": GameResult.DOUBLE_FORFEIT,
    "00": GameResult.BOTH_LOST,
}
"""What is quicker to write."""
_SIGNS: Final = {"1", "0", "="}  # of several games without a blank between; 1-0 is a result and no three
NONE: Final = "none"
"""In place of a result: there is none yet."""


class ResultRow(NamedTuple):
    """A board of a round: who, the result in the book, and what the boards and the two players tell of it."""

    row: BoardRow
    standing: str
    told: str = ""
    source: str = ""
    is_confirmed: bool = False
    devices: tuple[str, ...] = ()
    said: tuple[tuple[str, str], ...] = ()


def routes(office: TournamentApp) -> Sequence[BaseRoute]:
    """The table for arbiters; corrections and what boards tell otherwise are for directors."""
    page = _Results(office)
    actions = {
        "enter": (Role.ARBITER, page.enter),
        "accept": (Role.ARBITER, page.accept),
        "correct": (Role.DIRECTOR, page.correct),
        "settle": (Role.DIRECTOR, page.settle),
        "deadline": (Role.DIRECTOR, page.set_deadline),
    }
    return page.routes(PATH, Role.ARBITER, actions)


def shorthand(text: str, count: int = 1) -> Result:
    """A result as people write it quickly: `1`, `=`, `1=` for two games, `+`; or as it is written in full.

    `count` is how many games there are: of two, `00` are both lost, and of one nobody has won. Raises TournamentError
    for anything else.
    """
    plain = text.strip()
    each_has_a_sign = len(plain) == count > 1 and {*plain} <= SHORT.keys()
    if each_has_a_sign or (plain not in SHORT and {*plain} <= _SIGNS):
        games = [*plain]
    else:
        games = [plain] if plain in SHORT else plain.split()
    return tuple(game for word in games for game in ((SHORT[word],) if word in SHORT else parse_result(word)))


class _Results(OfficePage):
    """What is answered at each address."""

    async def page(self, request: Request, look: TournamentSnapshot, wrong: FormMistake) -> Response:
        rounds = len(look.tournament.rounds)
        wished = forms.number(wrong.sent.get("round", "") or request.query_params.get("round", ""))
        in_round = wished if wished is not None and 1 <= wished <= rounds else rounds
        rows = await self._office.ask(lambda: self._rows(look, in_round)) if in_round else []
        plan = await self._office.ask(lambda: self._office.hall.plan(look.name))
        return page_response(
            request,
            "director_results.html",
            look,
            wrong,
            in_round=in_round,
            rows=rows,
            has_devices=bool(plan.boards),
            waits=len(look.tournament.round(in_round).waiting) if in_round else 0,
            at_tables=look.tournament.settings.system is System.TABLES,
            boards=sum(row.row.second is not None for row in rows),
            wrong_board=forms.number(wrong.sent.get("board", "")),
            is_last=in_round == rounds,
            open_rounds=[each.number for each in look.tournament.open_rounds],
            until=look.tournament.deadlines.get(in_round, ""),
        )

    def _rows(self, look: TournamentSnapshot, in_round: int) -> list[ResultRow]:
        told = {one.board: one for one in self._office.hall.proposals(look.name, in_round)}
        return [_row(row, told.get(row.board)) for row in board_rows(look.tournament, in_round)]

    async def enter(self, wish: FormInput) -> str:
        """Enter the result of a board that has none; what stands there is corrected, with a reason."""
        in_round, board, was = self._parse_shown(wish)
        if not wish.text("result"):
            raise FormError(FormProblem.NOTHING)
        result = shorthand(wish.text("result"), wish.look.tournament.settings.games)
        if was:
            if format_result(result) == was:
                return _address(wish, in_round)
            raise FormError(FormProblem.CORRECT)
        event = ResultEntered(in_round, board, result)
        await self._office.tell(wish, [event], event_writer.of_board(in_round, board))
        return _address(wish, in_round)

    async def correct(self, wish: FormInput) -> str:
        in_round, board, was = self._parse_shown(wish)
        text, why, count = wish.text("result"), wish.reason(), wish.look.tournament.settings.games
        if text in {"", NONE}:
            event: ResultWithdrawn | ResultCorrected | ResultEntered = ResultWithdrawn(in_round, board, why)
        elif was:
            event = ResultCorrected(in_round, board, shorthand(text, count), why)
        else:
            event = ResultEntered(in_round, board, shorthand(text, count))
        await self._office.tell(wish, [event], event_writer.of_board(in_round, board))
        return _address(wish, in_round)

    async def accept(self, wish: FormInput) -> str:
        """Enter what the boards tell, or correct the book by it."""
        in_round, board, was = self._parse_shown(wish)
        if was and not visitor_of(wish.request).may(Role.DIRECTOR):
            raise FormError(FormProblem.CORRECT)
        hall, name = self._office.hall, wish.look.name
        why = wish.reason() if was else wish.text("why")
        expected = wish.text("told")

        def accept() -> bool:
            told = next((one for one in hall.proposals(name, in_round) if one.board == board), None)
            if told is None or told.result is None or format_result(told.result) != expected:
                return False
            hall.accept(name, in_round, board, wish.who, why)
            return True

        if not await self._office.ask(accept):
            raise FormError(FormProblem.CHANGED)
        return _address(wish, in_round)

    async def settle(self, wish: FormInput) -> str:
        """Let the book's result stand."""
        in_round, board, _ = self._parse_shown(wish)
        hall, name, why = self._office.hall, wish.look.name, wish.reason()

        def settle() -> None:
            hall.settle(name, in_round, board, wish.who, why)
            announce(hall, name)

        await self._office.ask(settle)
        return _address(wish, in_round)

    async def set_deadline(self, wish: FormInput) -> str:
        """Say until when the results of the round may come in, or that there is no deadline."""
        in_round, until = wish.number("round"), wish.text("until")
        event = DeadlineSet(in_round, deadline_of(until) if until else "")
        await self._office.tell(wish, [event], event_writer.conflicts_with_nothing)
        return _address(wish, in_round)

    def _parse_shown(self, wish: FormInput) -> tuple[int, int, str]:
        """The round, the board and the result that the page had shown there.

        Raises ClashError where somebody has told another since, FormError, and TournamentError for no such board.
        """
        in_round, board, was = wish.number("round"), wish.number("board"), wish.text("was")
        round_ = wish.look.tournament.round(in_round)
        round_.at(board, wish.look.tournament.label_of)
        if format_result(round_.results.get(board, ())) != was:
            raise ClashError(_last_about(wish.look.told, in_round, board))
        return in_round, board, was


def _last_about(told: Sequence[LoggedEvent], in_round: int, board: int) -> LoggedEvent:
    """The event that made a board's result what it is."""
    about = event_writer.of_board(in_round, board)
    return next((each for each in reversed(told) if about(each.event)), told[-1])


def _row(row: BoardRow, told: Proposal | None) -> ResultRow:
    if told is None:
        return ResultRow(row, "")
    standing = told.standing
    if standing is PairingState.TO_SEND and row.result:
        standing = PairingState.ENTERED
    names = {seat.number: seat.name for seat in (row.first, row.second) if seat is not None}
    said = tuple((names[entrant], format_result(each)) for entrant, each in told.said)
    result = "" if told.result is None else format_result(told.result)
    return ResultRow(row, standing.name.lower(), result, told.source, told.is_confirmed, told.devices, said)


def _address(wish: FormInput, in_round: int) -> str:
    after = "" if in_round == len(wish.look.tournament.rounds) else f"?round={in_round}"
    return f"{path_of(wish.look.name)}/results{after}"
