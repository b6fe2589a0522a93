"""Derive results from rulings at boards: a proposal for each pairing, and whether it may be entered.

Nothing is remembered: proposals follow from the records of the boards, entered results from the book, and a result is
entered where none stands. So it is entered exactly once, even when a process is killed between any two steps.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from gnomon.hall.rounds.board_assignment import Accept
from gnomon.hall.store.requests import Seating
from gnomon.tournament.state.results import GameResult, Result, format_result
from gnomon.tournament.state.rounds import Pairing, Round

ABANDONED: Final = "abandoned"


class Ruled(NamedTuple):
    """How a game was ruled to have ended: by record `seq`, with the players who have confirmed it since.

    `score` is everybody's, where the ruling tells it.
    """

    seq: int
    winner: str | None
    reason: str
    confirmed: frozenset[str] = frozenset()
    score: Mapping[str, int] = {}


class PlayerClaim(NamedTuple):
    """What an entrant says of their round, told for `two` in this order, when the book had `told` events."""

    entrant: int
    two: tuple[int, int]
    result: Result
    told: int = 0

    def seen_from(self, pairing: Pairing) -> Result:
        """The same, told for the two of a pairing in their order."""
        if self.two[0] == pairing.first:
            return self.result
        return tuple(game.from_other_side for game in self.result)


class PairingGame(NamedTuple):
    """A game that was begun at a board for a pairing; `ruled` is None while it goes on.

    `players` are those who sit there in the words of the rules, as the ruling's winner is one of them. `kind` is the
    game that is played.
    """

    device: str
    epoch: str
    game: int
    seating: Seating
    players: tuple[str, ...] = ()
    ruled: Ruled | None = None
    kind: str = ""

    @property
    def is_confirmed(self) -> bool:
        """Whether everybody who plays has confirmed how it ended."""
        return self.ruled is not None and bool(self.players) and self.ruled.confirmed >= set(self.players)

    def is_confirmed_by(self, entrant: int) -> bool:
        """Whether an entrant has confirmed at the board how it ended."""
        mine = entrant == self.seating.first
        players = {player for player in self.players if (player == self.seating.player) is mine}
        return self.ruled is not None and bool(players) and self.ruled.confirmed >= players


class PairingState(StrEnum):
    """How far a pairing has come."""

    TO_SEND = "to send"  # no board knows of it
    PLAYING = "playing"
    BETWEEN = "between"  # a game has ended, and no board knows of the next one of the round
    PROPOSED = "proposed"  # it waits for the players, or the director
    UNCLEAR = "unclear"  # the board cannot say who has won
    DISPUTED = "disputed"  # the players do not agree with each other, or with the board: the director decides
    ENTERED = "entered"
    DIFFERS = "differs"  # the board tells another result than the book
    SETTLED = "settled"  # it does, and the director has seen it


class Proposal(NamedTuple):
    """What is told of a pairing; `result` is complete, or None, and `entered` is what the book says.

    `said` is what the two said on their phones, each by their number.
    """

    round: int
    pairing: Pairing
    standing: PairingState
    games: tuple[PairingGame, ...] = ()
    result: Result | None = None
    entered: Result | None = None
    said: tuple[tuple[int, Result], ...] = ()

    @property
    def board(self) -> int:
        """The number of the pairing."""
        return self.pairing.board

    @property
    def is_confirmed(self) -> bool:
        """Whether both have confirmed it, each at the board or on their phone."""
        if self.games and all(game.is_confirmed for game in self.games):
            return True
        return self.result is not None and all(map(self._is_confirmed_by, self.pairing.entrants))

    @property
    def devices(self) -> tuple[str, ...]:
        """The boards of the hall that have told it."""
        return tuple(dict.fromkeys(game.device for game in self.games))

    @property
    def source(self) -> str:
        """Who tells it, for the book: `board t07, confirmed by both`; both players, where no board has told an end."""
        tellers = tuple(dict.fromkeys(one.device for one in self.games if outcome(self.pairing, one) is not None))
        if not tellers:
            return "both players"
        boards = ("board " if len(tellers) == 1 else "boards ") + " and ".join(tellers)
        return f"{boards}, confirmed by both" if self.is_confirmed else boards

    @property
    def proof(self) -> str:
        """Where it is written: `blocked: t07, game 3, record 88`."""
        ruled = [
            f"{game.ruled.reason}: {game.device}, game {game.game}, record {game.ruled.seq}"
            for game in self.games
            if game.ruled is not None
        ]
        said = [f"said by player {entrant}: {format_result(result)}" for entrant, result in self.said]
        return "; ".join((*ruled, *said))

    def _is_confirmed_by(self, entrant: int) -> bool:
        if dict(self.said).get(entrant) == self.result:
            return True
        return bool(self.games) and all(game.is_confirmed_by(entrant) for game in self.games)

    def is_to_be_entered(self, accept: Accept) -> bool:
        """Whether the rule of the hall lets it be entered without the director."""
        if self.standing is not PairingState.PROPOSED or self.result is None:
            return False
        return accept is Accept.AT_ONCE or (accept is Accept.CONFIRMED and self.is_confirmed)


def proposals(
    round_: Round,
    games_in_round: int,
    played: Iterable[PairingGame],
    settled: Iterable[tuple[str, str, int, int]] = (),
    claims: Iterable[PlayerClaim] = (),
) -> list[Proposal]:
    """What is told of a round, by pairing, without byes. `played` is in the order of the requests.

    `claims` are what players say. `settled` are the rulings (device, epoch, game, record) of which the director has
    seen that the book says otherwise.
    """
    by_entrants: dict[frozenset[int], dict[int, PairingGame]] = {}
    for game in played:
        two = frozenset((game.seating.first, game.seating.second))
        by_entrants.setdefault(two, {})[game.seating.number] = game
    seen = frozenset(settled)
    told: dict[frozenset[int], list[PlayerClaim]] = {}
    for claim in claims:
        told.setdefault(frozenset(claim.two), []).append(claim)
    return [
        _with_claims(
            _proposal(round_, pairing, games_in_round, by_entrants.get(frozenset(pairing.entrants), {}), seen),
            told.get(frozenset(pairing.entrants), ()),
            games_in_round,
        )
        for pairing in round_.pairings
        if pairing.second is not None
    ]


def outcome(pairing: Pairing, game: PairingGame) -> GameResult | None:
    """How a game ended, told for the two of a pairing in their order; None where the ruling does not say."""
    ruled = game.ruled
    if ruled is None or ruled.reason == ABANDONED:
        return None
    if ruled.winner is None:
        return GameResult.DRAWN
    if ruled.winner not in game.players or game.seating.player not in game.players:
        return None
    first_won = (ruled.winner == game.seating.player) == (pairing.first == game.seating.first)
    return GameResult.FIRST_WON if first_won else GameResult.SECOND_WON


def _proposal(
    round_: Round,
    pairing: Pairing,
    games_in_round: int,
    by_number: Mapping[int, PairingGame],
    settled: frozenset[tuple[str, str, int, int]],
) -> Proposal:
    games = tuple(by_number[number] for number in sorted(by_number))
    entered = round_.results.get(pairing.board)
    result = _result(pairing, games, games_in_round)
    standing = _pairing_state(pairing, games, games_in_round, result, entered)
    if standing is PairingState.DIFFERS and _rulings(games) <= settled:
        standing = PairingState.SETTLED
    return Proposal(round_.number, pairing, standing, games, result, entered)


def _with_claims(proposal: Proposal, claims: Sequence[PlayerClaim], games_in_round: int) -> Proposal:
    """A proposal with what the players say; once a result is entered that is over."""
    pairing = proposal.pairing
    said = tuple((one.entrant, one.seen_from(pairing)) for one in claims if len(one.result) >= games_in_round)
    if not said or proposal.entered is not None:
        return proposal
    told = {each for _, each in said} | ({proposal.result} if proposal.result is not None else set())
    if len(told) > 1:
        return proposal._replace(standing=PairingState.DISPUTED, said=said)
    if proposal.result is None and len(said) > 1:
        return proposal._replace(standing=PairingState.PROPOSED, result=said[0][1], said=said)
    return proposal._replace(said=said)  # one of the two alone decides nothing


def _result(pairing: Pairing, games: Sequence[PairingGame], games_in_round: int) -> Result | None:
    """The result of all the games of a round, once all of them have one; a knockout may have had more."""
    told = {game.seating.number: outcome(pairing, game) for game in games}
    if set(told) != set(range(1, max(games_in_round, *told, 0) + 1)):
        return None
    result = tuple(one for _, one in sorted(told.items()) if one is not None)
    return result if len(result) == len(told) else None


def _pairing_state(
    pairing: Pairing, games: Sequence[PairingGame], games_in_round: int, result: Result | None, entered: Result | None
) -> PairingState:
    if entered is not None:
        # Boards that tell nothing, or not everything yet, contradict nobody.
        return PairingState.ENTERED if result is None or result == entered else PairingState.DIFFERS
    if not games:
        return PairingState.TO_SEND
    if result is not None:
        return PairingState.PROPOSED
    if any(game.ruled is None for game in games):
        return PairingState.PLAYING
    has_next = len(games) < games_in_round and all(outcome(pairing, game) is not None for game in games)
    return PairingState.BETWEEN if has_next else PairingState.UNCLEAR


def _rulings(games: Iterable[PairingGame]) -> frozenset[tuple[str, str, int, int]]:
    return frozenset((game.device, game.epoch, game.game, game.ruled.seq) for game in games if game.ruled is not None)
