"""Parse directors' forms into requests to a board, and list the latest requests with their outcome."""

from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

from gnomon.hall.hall import Hall, HallError
from gnomon.hall.messaging.actions import GameRequest
from gnomon.hall.rounds.event_log import BookError
from gnomon.hall.rounds.results import Proposal
from gnomon.hall.store.database import StoreError
from gnomon.hall.store.requests import StoredRequest
from gnomon.referee.people import LONGEST, clean
from gnomon.referee.setup import GameSetup
from gnomon.refusals import sentence, statement
from gnomon.rules.protocol import SettingsError
from gnomon.rules.registry import rules_of
from gnomon.tournament.errors import TournamentError
from gnomon.web import forms
from gnomon.web.arbiter.orders import OrderError
from gnomon.words import Words

SHOWN: Final = 20
"""Wishes that are told of a board, the newest."""
NOTICE: Final = LONGEST
"""Letters of a notice: a board's display has room for no more, and more would be cut off on the way."""
_CLOCK: Final = 40
_SEATS: Final = 4

Json = Mapping[str, object]
Sent = Mapping[str, str]


class PairingAtBoard(NamedTuple):
    """A pairing of a tournament that is played at a board."""

    tournament: str
    title: str
    proposal: Proposal
    first: str
    second: str


def asked_of(hall: Hall, board: str, words: Words) -> list[Json]:
    """What was asked of a board last, the newest first, ready for JSON. Raises StoreError."""
    return [_payload(asked, words) for asked in hall.asked_of(board)[:SHOWN]]


def pairings_of(hall: Hall, board: str) -> list[PairingAtBoard]:
    """The pairings of the rounds being played that stand at a board. Raises StoreError."""
    return [seat for kept in hall.tournaments() for seat in _seats(hall, kept.id, kept.plan.boards, board)]


def notice(sent: Sent) -> str:
    """The text of a notice. Raises OrderError."""
    text = " ".join(sent.get("text", "").split())
    if not clean(text) or len(text) > NOTICE:
        key = "arbiter.wrong.long" if text else "arbiter.wrong.empty"
        raise OrderError(key)
    return text


def send_pairing(hall: Hall, board: str, sent: Sent, who: str) -> None:
    """Have the game of a pairing begun at its board. Raises HallError, PlanError, StoreError and TournamentError."""
    name, number = sent.get("tournament", ""), forms.number(sent.get("board", ""))
    plan = next((kept.plan for kept in hall.tournaments() if kept.id == name), None)
    if plan is None or number is None or plan.boards.get(number) != board:
        raise HallError(statement("director.refused.other_board", board=board))
    done = hall.send_round(name, who, boards=[number], abandon=sent.get("abandon") == "yes")
    if number not in done.requests:
        why = next((left.why for left in done.left if left.board == number), statement("hall.left.nothing"))
        raise HallError(why)


def new_game(sent: Sent, games: Collection[str], who: str) -> Json:
    """The request for a game without a tournament. Raises OrderError, and HallError for settings that cannot be."""
    game = sent.get("game", "")
    if game not in games:
        key = "players.new.wrong.game"
        raise OrderError(key)
    clock = sent.get("clock", "").strip()[:_CLOCK]
    try:
        players = rules_of(game, {}).players
    except SettingsError as error:
        raise HallError(error) from error
    names = {player: clean(sent.get(f"name-{number}", "")) for number, player in enumerate(players[:_SEATS], start=1)}
    known = {player: name for player, name in names.items() if name}
    setup = GameSetup(game, {"clock": clock} if clock else {}, players=known)
    return GameRequest(setup, abandoned_by=who if sent.get("abandon") == "yes" else "").dump()


def _seats(hall: Hall, name: str, boards: Mapping[int, str], board: str) -> Iterator[PairingAtBoard]:
    numbers = {number for number, device in boards.items() if device == board}
    if not numbers:
        return
    try:
        tournament = hall.book(name).tournament()
        told = hall.proposals(name, len(tournament.rounds)) if tournament.rounds else []
    except (StoreError, BookError, TournamentError):
        return  # its own pages say so
    for proposal in told:
        pairing = proposal.pairing
        if pairing.board in numbers and pairing.second is not None:
            first, second = (tournament.entrants[number].name for number in (pairing.first, pairing.second))
            yield PairingAtBoard(name, tournament.settings.name, proposal, first, second)


def _payload(asked: StoredRequest, words: Words) -> Json:
    event = asked.action.get("event")
    what = str(asked.action.get("do", ""))
    if what == "correct" and isinstance(event, Mapping):
        what = str(event.get("event", what))
    return {
        "id": asked.id,
        "what": what,
        "who": asked.actor,
        "at": asked.wall[11:19],
        "fate": asked.outcome,
        "why": sentence(asked.why, words),
        "proof": asked.proof,
        "text": str(asked.action.get("text", ""))[:NOTICE],
    }
