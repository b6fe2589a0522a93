"""Serve the page that assigns hall boards to the pairings of a round and sends them their games."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gnomon.hall.board_registry import RegisteredBoard, natural
from gnomon.hall.hall import Hall
from gnomon.hall.messaging.hall_names import hall_of
from gnomon.hall.rounds.board_assignment import Accept, BoardAssignment, PlanError
from gnomon.hall.rounds.results import Proposal
from gnomon.hall.store.requests import UNDER_WAY
from gnomon.referee.clock_settings import FLAGS
from gnomon.referee.judgement import Temperament
from gnomon.refusals import NOTHING, Statement, statement
from gnomon.rules.registry import games
from gnomon.web.access import Role
from gnomon.web.director._office import (
    FormInput,
    FormMistake,
    OfficePage,
    RoundSent,
    TournamentApp,
    TournamentSnapshot,
    page_response,
    path_of,
)
from gnomon.web.director.rounds._play_form import form_of, settings_of
from gnomon.web.games import clock_choices
from gnomon.web.language import words_for

PATH: Final = "/tournaments/{name}/boards"
AT_ONCE: Final = 100
"""Boards of one form: more fields than that no form has."""
_WIDEST: Final = 26  # letters of a field for the name of a device
LEFT: Final = "left"
"""What became of sending a board its game where it was not even asked."""
_WORDS: Final = {Accept.CONFIRMED: "confirmed", Accept.AT_ONCE: "at_once", Accept.BY_HAND: "by_hand"}


class BoardPlan(NamedTuple):
    """A board of the pairings: what stands there, who sits there now, and what became of sending them their game."""

    board: int
    device: str
    presence: str
    phase: str
    met: str
    standing: str
    fate: str
    why: Statement | None
    proof: int

    @property
    def hall(self) -> str:
        """The other hall in which the device stands; empty for this one."""
        return hall_of(self.device)


def routes(office: TournamentApp) -> Sequence[BaseRoute]:
    """The page and its forms, for directors."""
    page = _Boards(office)
    actions = {"plan": page.set_plan, "assign": page.assign, "order": page.assign_in_order, "send": page.send}
    return page.routes(PATH, Role.DIRECTOR, {name: (Role.DIRECTOR, do) for name, do in actions.items()})


def _devices(hall: Hall) -> list[str]:
    """The names of all boards in order, those of other halls last."""
    return sorted((place.board for place in hall.places()), key=lambda board: (hall_of(board), natural(board)))


class _Boards(OfficePage):
    """What is answered at each address."""

    async def page(self, request: Request, look: TournamentSnapshot, wrong: FormMistake) -> Response:
        hall, tournament = self._office.hall, look.tournament
        plan = await self._office.ask(lambda: hall.plan(look.name))
        rows = await self._office.ask(lambda: self._rows(look, plan))
        start = _start(request, len(rows))
        places = _devices(hall)
        return page_response(
            request,
            "director_boards.html",
            look,
            wrong,
            plan=plan,
            games=games(),
            form=form_of(plan, wrong.sent if wrong.form == "plan" else {}, words_for(request)),
            offers=clock_choices.offers(words_for(request)),
            flags=FLAGS,
            accepts=[(accept.value, _WORDS[accept]) for accept in Accept],
            temperaments=[each.value for each in Temperament],
            rows=rows[start : start + AT_ONCE],
            widest=min(_WIDEST, max(len(row.device) for row in rows)),
            pages=range(0, len(rows), AT_ONCE),
            start=start,
            free=[name for name in places if name not in plan.boards.values()],
            places=places,
            in_round=len(tournament.rounds),
            may_send=bool(tournament.waiting and plan.game and plan.boards),
            is_sent=self._sent_of(look) is not None,
        )

    async def set_plan(self, wish: FormInput) -> None:
        """What is played, how it is refereed, and whose word counts."""
        game = wish.text("game")
        if game and game not in games():
            raise PlanError(statement("director.refused.no_game", game=game, known=[*games()]))
        settings = settings_of(game, wish.sent)
        accept = next((each for each in Accept if each == wish.text("accept")), Accept.CONFIRMED)
        temperament = wish.text("temperament") or Temperament.SILENT.value
        await self._change(
            wish,
            lambda plan: replace(plan, game=game, settings=settings, accept=accept, temperament=temperament),
        )

    async def assign(self, wish: FormInput) -> str:
        """Which device stands at which board; empty is none."""
        told = {int(field[6:]): wish.text(field) for field in wish.sent if re.fullmatch(r"board-[0-9]{1,4}", field)}

        def assign_boards(plan: BoardAssignment) -> BoardAssignment:
            boards = {board: one for board, one in plan.boards.items() if board not in told}
            return replace(plan, boards=dict(sorted({**boards, **{b: one for b, one in told.items() if one}}.items())))

        await self._change(wish, assign_boards)
        return f"{path_of(wish.look.name)}/boards?from={wish.text('from') or 0}"

    async def assign_in_order(self, wish: FormInput) -> None:
        """The devices of the hall at the boards 1, 2, 3 in the order of their names."""
        names = _devices(self._office.hall)
        await self._change(wish, lambda plan: replace(plan, boards=dict(enumerate(names, start=1))))

    async def send(self, wish: FormInput) -> None:
        """Have the games of the round begun at their boards."""
        hall, name = self._office.hall, wish.look.name
        one = wish.number_or_none("board")
        boards = None if one is None else [one]
        abandon = wish.text("abandon") == "yes"
        sent = await self._office.ask(lambda: hall.send_round(name, wish.who, boards=boards, abandon=abandon))
        before = self._sent_of(wish.look)
        kept = dict(before.requests) if before is not None else {}
        left = [each for each in before.left if boards and each.board not in boards] if before is not None else []
        in_round = len(wish.look.tournament.rounds)
        self._office.sent[name] = RoundSent(in_round, {**kept, **sent.requests}, [*left, *sent.left])

    async def _change(self, wish: FormInput, change: Callable[[BoardAssignment], BoardAssignment]) -> None:
        hall, name = self._office.hall, wish.look.name
        await self._office.ask(lambda: hall.set_plan(name, change(hall.plan(name))))

    def _sent_of(self, look: TournamentSnapshot) -> RoundSent | None:
        sent = self._office.sent.get(look.name)
        return sent if sent is not None and sent.round == len(look.tournament.rounds) else None

    def _rows(self, look: TournamentSnapshot, plan: BoardAssignment) -> list[BoardPlan]:
        hall, tournament = self._office.hall, look.tournament
        seats: Mapping[int, tuple[int, ...]] = {}
        told: Mapping[int, Proposal] = {}
        if tournament.rounds:
            last = tournament.rounds[-1]
            seats = {one.board: one.entrants for one in last.pairings if one.second is not None}
            seats |= {one.board: one.seats for one in last.tables}
            told = {one.board: one for one in hall.proposals(look.name, len(tournament.rounds))}
        most = max([*seats, *plan.boards, len(tournament.entrants) // 2, 1])
        return [self._row(look, plan, board, seats.get(board, ()), told.get(board)) for board in range(1, most + 1)]

    def _row(
        self,
        look: TournamentSnapshot,
        plan: BoardAssignment,
        board: int,
        seats: tuple[int, ...],
        told: Proposal | None,
    ) -> BoardPlan:
        hall, device = self._office.hall, plan.boards.get(board, "")
        place = hall.place(device) if device else RegisteredBoard("")
        names = look.tournament.entrants
        met = " – ".join(names[number].name for number in seats)
        fate, why, proof = self._fate(look, board)
        standing = "" if told is None else told.standing.name.lower()
        presence, phase = (place.presence.value, place.phase) if device else ("", "")
        return BoardPlan(board, device, presence, phase, met, standing, fate, why, proof)

    def _fate(self, look: TournamentSnapshot, board: int) -> tuple[str, Statement | None, int]:
        """What became of sending a board its game: LEFT or one of the OUTCOMES of a request, why, and its proof."""
        sent = self._sent_of(look)
        if sent is None:
            return "", None, 0
        left = next((each for each in sent.left if each.board == board), None)
        if left is not None and board not in sent.requests:
            return LEFT, left.why, 0
        if board not in sent.requests:
            return "", None, 0
        asked = self._office.hall.request_status(sent.requests[board])
        return (
            (UNDER_WAY, None, 0)
            if asked is None
            else (asked.outcome, asked.why if asked.why != NOTHING else None, asked.proof)
        )


def _start(request: Request, count: int) -> int:
    text = request.query_params.get("from", "0")
    start = int(text) if text.isdecimal() and len(text) <= 4 else 0  # noqa: PLR2004 - no hall has more boards
    return start - start % AT_ONCE if start < count else 0
