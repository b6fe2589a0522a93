"""Implement the rules of Tayu (Niek Neuwahl, Ta Yü, 1999 and 2008) for two, three or four players.

Rule numbers in this folder are those of the project's rules file. [D] marks a decision where no source gives the rule.
Chance stays outside: a move of nature gives the tile that was drawn (rule 2).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Self

from gnomon.boards.bitsets import BitGroups, places_of
from gnomon.games.tayu.rules._board import TayuGeometry, board_of, lays
from gnomon.games.tayu.rules._legality import BACKS, NO_PASS, PICKS, may_be_picked, why_not
from gnomon.games.tayu.rules._placement import demands_of, placements
from gnomon.games.tayu.rules.channels import Channels, Outflow, Point, channels
from gnomon.games.tayu.rules.notation import DRAWS, read, write
from gnomon.games.tayu.rules.position import BITS, NOBODY, NOTHING, Kind, Move, Position
from gnomon.games.tayu.rules.seats import AXES, PLAYERS, SABOTEUR, WITH_SABOTEUR, after, knocked_down, order, owners
from gnomon.games.tayu.rules.settings import EDITIONS, Doubles, Edition, TayuSettings
from gnomon.games.tayu.rules.tiles import CELLS, DIRECTIONS, KINDS, SIDES, TILE
from gnomon.refusals import Statement
from gnomon.rules import protocol
from gnomon.rules.bids import with_bids
from gnomon.rules.protocol import GameRules, Outcome, refusal

__all__ = [
    "BACKS",
    "DIRECTIONS",
    "EDITIONS",
    "KINDS",
    "SIDES",
    "TILE",
    "Channels",
    "Edition",
    "Move",
    "Outflow",
    "Point",
    "Position",
    "Tayu",
    "TayuSettings",
    "demands_of",
]

_DRAWS: Final = BitGroups([(draw,) for draw in DRAWS])


class Tayu(GameRules[Position, Move]):
    """The rules of Tayu under one choice of settings."""

    name: str = "tayu"

    __slots__ = ("_doubles", "_draw", "_first_due", "_followers", "board", "players", "settings")

    def __init__(self, settings: TayuSettings | None = None) -> None:
        self.settings = settings or TayuSettings()
        seats, self._draw = self.settings.players, self.settings.draw
        self.players: Sequence[str] = PLAYERS[seats]
        #: The geometry by which positions and moves number their squares and directions.
        self.board: Final = board_of(self.settings.size)
        self._doubles = double_squares(self.board, self.settings.doubles)
        self._first_due: Kind = "draw" if self._draw == "bag" else "pick"
        self._followers = {saboteur: after(seats, saboteur) for saboteur in (NOBODY, *range(seats))}

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> Self:
        """The rules under settings given as text or numbers. Raises SettingsError with one sentence."""
        return cls(TayuSettings.from_mapping(settings))

    # Questions

    def start(self) -> Position:
        """The position before the first draw, or before the first bid (rule 10)."""
        settings = self.settings
        agreed = settings.players == WITH_SABOTEUR and not settings.auction
        of_a_row = len(KINDS) * settings.copies // 2  # Rule 2: two stacks side by side, in two rows.
        return Position(
            mover=0,
            due="bid" if settings.auction else self._first_due,
            tile=NOTHING,
            left=sum(settings.copies << BITS * tile for tile in range(len(KINDS))),
            kinds=(1 << len(KINDS)) - 1,
            occupied=0,
            outflows=(0, 0, 0, 0),
            laid=(),
            placements=0,
            stacks=(of_a_row, of_a_row) if self._draw == "stacks" else (0, 0),
            saboteur=WITH_SABOTEUR - 1 if agreed else NOBODY,
            target=settings.target if agreed else NOTHING,
        )

    def turn(self, position: Position) -> str:
        """Who is to act: a player, `nature` when a tile is due to be drawn, or `over`."""
        if position.ending is not None:
            return protocol.OVER
        return protocol.NATURE if position.due == "draw" else self.players[position.mover]

    def legal_moves(self, position: Position) -> Sequence[Move]:
        """Every legal move, in no particular order; empty exactly when the game is over.

        In the auction some bids stand for all: see `may_bid`.
        """
        if position.ending is not None:
            return ()
        if position.due == "lay":
            return lays(self.board.size, position.tile, position.placements)
        if position.due == "draw":
            return _DRAWS.members(position.kinds & BACKS[position.pick])
        if position.due == "pick":
            picks = (pick for pick in PICKS[self._draw] if may_be_picked(self._draw, position, pick))
            return tuple(Move("pick", pick=pick) for pick in picks)
        return self._bids(position)

    def actor(self, position: Position) -> str:
        """Who is to act, or for whom a tile is drawn."""
        return self.players[position.mover]

    def entries(self, position: Position) -> Sequence[str]:
        """The texts of all legal moves, and in the auction of the numbers about those that are listed."""
        texts = super().entries(position)
        return with_bids(self, position, texts) if self.may_bid(position) else texts

    def may_bid(self, position: Position) -> bool:
        """Whether a number may be named now: then there may be more legal moves than are listed."""
        return position.ending is None and position.due == "bid"

    def why_not(self, position: Position, move: Move) -> Statement | None:
        """Why a move is illegal now, or None when it is legal."""
        return why_not(self.board, self._draw, position, move)

    def placements(self, position: Position, tile: int) -> Sequence[Move]:
        """Where a tile of some kind, an index of KINDS, could lie if it were in the hand now."""
        spots = placements(self.board, position.occupied, position.outflows, tile)
        return lays(self.board.size, tile, spots)

    def footprint(self, position: Position, squares: Iterable[str]) -> Sequence[Move]:
        """The two ways, legal or not, in which the tile in hand can cover exactly these squares; none if it cannot."""
        index = self.board.squares.index
        numbers = sorted({index[square] for square in squares if square in index})
        if position.due != "lay" or len(numbers) != CELLS:
            return ()
        low, middle, high = numbers
        step = middle - low
        if high - middle != step or step not in self.board.steps:
            return ()
        ends = {step: low, -step: high}
        return tuple(
            Move("lay", position.tile, ends[each], direction)
            for direction, each in enumerate(self.board.steps)
            if each in ends
        )

    def placements_on(self, position: Position, squares: Iterable[str]) -> Sequence[Move]:
        """The legal moves by which the tile in hand covers exactly these squares: none, one or two half turns."""
        return tuple(move for move in self.footprint(position, squares) if self.why_not(position, move) is None)

    def weight(self, position: Position, move: Move) -> int:
        """Every tile that is left, behind the back that was chosen, is as likely (rule 2)."""
        return position.copies_left(move.tile)

    def outcome(self, position: Position) -> Outcome | None:
        """How the game ended, or None while it goes on; a team of two goes by the name of its first player."""
        return position.ending

    def sides(self, position: Position) -> Mapping[str, int]:
        """The points of the four sides, by `n`, `e`, `s`, `w` (rule 7)."""
        return dict(zip(SIDES, sides(self.board, self._doubles, position.outflows), strict=True))

    def score(self, position: Position) -> Mapping[str, int]:
        """Each player's side times the opposite one; 0 for the saboteur, and for all before they are known."""
        owned = owners(len(self.players), position.saboteur)
        scores = dict.fromkeys(self.players, 0)
        for axis, product in zip(owned, self._products(position), strict=True):
            scores |= {self.players[player]: product for player in axis}
        return scores

    def role(self, position: Position, player: str) -> str | None:
        """What a player plays for: `north-south`, `east-west`, `saboteur`, or None while that is bid for."""
        number = self.players.index(player)
        if position.saboteur == number:
            return SABOTEUR
        owned = owners(len(self.players), position.saboteur)
        return next((axis for axis, seats in zip(AXES, owned, strict=True) if number in seats), None)

    def winners(self, position: Position) -> Sequence[str]:
        """Every player who has won: both of a team, none in a draw or before the end."""
        if position.ending is None or position.ending.winner is None:
            return ()
        role = self.role(position, position.ending.winner)
        return tuple(player for player in self.players if self.role(position, player) == role)

    def target(self, position: Position) -> int | None:
        """What one of two players must reach or the saboteur wins (rule 9); None without saboteur, or before."""
        return None if position.saboteur == NOBODY else position.target

    def state(self, position: Position) -> Mapping[str, object]:
        """The tile in hand, the tiles laid and the points of the sides, ready for JSON."""
        return {
            "tile": None if position.tile == NOTHING else KINDS[position.tile],
            "laid": [write(self.board.squares, move) for move in position.laid],
            "sides": dict(self.sides(position)),
        }

    # Pictures

    def channels(self, move: Move) -> Channels:
        """How the channels of a tile run where a move lays it."""
        return channels(self.board, move)

    def squares_of(self, move: Move) -> tuple[str, str, str]:
        """The squares under a tile where a move lays it, from its first cell."""
        names = self.board.squares.names
        first, second, third = self.board.cells(move.square, move.direction)
        return names[first], names[second], names[third]

    @property
    def centre(self) -> Sequence[str]:
        """The squares of which the first tile covers at least one (rule 3)."""
        return self._names_of(self.board.centre)

    @property
    def double_squares(self) -> Mapping[str, Sequence[str]]:
        """The squares at which an outflow counts twice, by side (rule 7)."""
        return dict(zip(SIDES, map(self._names_of, self._doubles), strict=True))

    # Text

    def parse(self, position: Position, text: str) -> Move:
        """Read canonical text. Raises NotationError, IllegalMoveError or GameOverError."""
        if text == "pass" and self.may_bid(position):
            # A player who knows the auctions of other games may try it.
            raise refusal(NO_PASS)
        move = read(self.board.squares, text)
        why = self.why_not(position, move)
        if why is not None:
            raise refusal(why)
        return move

    def text(self, _position: Position, move: Move) -> str:
        """The canonical text of a move."""
        return write(self.board.squares, move)

    # Changes

    def play(self, position: Position, move: Move) -> Position:
        """The position after a legal move. Raises IllegalMoveError or GameOverError."""
        why = why_not(self.board, self._draw, position, move)
        if why is not None:
            raise refusal(why)
        if move.kind == "lay":
            return self._after_lay(position, move)
        if move.kind == "draw":
            return self._after_draw(position, move.tile)
        if move.kind == "pick":
            return position._replace(due="draw", pick=move.pick)
        return self._after_bid(position, move.bid)

    def _after_lay(self, position: Position, move: Move) -> Position:
        shape = self.board.shapes[move.tile][move.direction]
        lowest = move.square - shape.reach
        north, east, south, west = position.outflows
        to_north, to_east, to_south, to_west = shape.outflows
        after_it = position._replace(
            mover=self._followers[position.saboteur][position.mover],
            due=self._first_due,
            tile=NOTHING,
            occupied=position.occupied | shape.cells << lowest,
            outflows=(
                north | to_north << lowest,
                east | to_east << lowest,
                south | to_south << lowest,
                west | to_west << lowest,
            ),
            laid=(*position.laid, move),
            placements=0,
        )
        return after_it if after_it.kinds else self._end(after_it)  # Rule 6: the tiles are used up.

    def _after_draw(self, position: Position, tile: int) -> Position:
        kinds, (left, right), pick = position.kinds, position.stacks, position.pick
        if position.copies_left(tile) == 1:
            kinds ^= 1 << tile
        after_it = position._replace(
            due="lay",
            tile=tile,
            left=position.left - (1 << BITS * tile),
            kinds=kinds,
            placements=placements(self.board, position.occupied, position.outflows, tile),
            pick="",
            stacks=(left - (pick == "left"), right - (pick == "right")),
        )
        return after_it if after_it.placements else self._end(after_it)  # Rule 6: the tile fits nowhere.

    def _after_bid(self, position: Position, bid: int) -> Position:
        bids = (*position.bids, bid)
        saboteur = knocked_down(bids)
        if saboteur == NOBODY:
            return position._replace(mover=len(bids) % WITH_SABOTEUR, bids=bids)
        mover, *_ = order(WITH_SABOTEUR, saboteur)
        return position._replace(mover=mover, due=self._first_due, bids=bids, saboteur=saboteur, target=bid)

    # Inside

    def _bids(self, position: Position) -> Sequence[Move]:
        """The usual number for the first bid; then the bid that ends the auction, and the next lower one."""
        if not position.bids:
            return (Move("bid", bid=self.settings.target),)
        last = position.bids[-1]
        return tuple(Move("bid", bid=bid) for bid in (last, last - 1) if bid >= 0)

    def _products(self, position: Position) -> tuple[int, int]:
        return products(sides(self.board, self._doubles, position.outflows))

    def _end(self, position: Position) -> Position:
        return position._replace(ending=outcome_of(len(self.players), position, self._products(position)))

    def _names_of(self, squares: int) -> Sequence[str]:
        return tuple(self.board.squares.names[square] for square in places_of(squares))


Four = tuple[int, int, int, int]


def double_squares(board: TayuGeometry, doubles: Doubles) -> Four:
    """The double squares of the north, east, south and west side, as sets of squares."""
    stride, last = board.squares.stride, board.size - 1
    north, east, south, west = doubles
    return (
        sum(1 << last * stride + column for column in north),
        sum(1 << row * stride + last for row in east),
        sum(1 << column for column in south),
        sum(1 << row * stride for row in west),
    )


def sides(board: TayuGeometry, doubles: Four, outflows: Four) -> Four:
    """The points of the north, east, south and west side: each outflow that faces its edge, twice at a double."""
    north, east, south, west = (
        (flows & rim).bit_count() + (flows & double).bit_count()
        for flows, rim, double in zip(outflows, board.rims, doubles, strict=True)
    )
    return north, east, south, west


def products(points: Four) -> tuple[int, int]:
    """The scores of those who own north and south, and of those who own east and west (rule 7)."""
    north, east, south, west = points
    return north * south, east * west


def outcome_of(players: int, position: Position, scores: tuple[int, int]) -> Outcome:
    """How a game ends with these scores; a team goes by the name of its first player (rule 8)."""
    names, saboteur = PLAYERS[players], position.saboteur
    if saboteur != NOBODY and max(scores) < position.target:
        return Outcome(names[saboteur], "target_missed")
    north_south, east_west = scores
    if north_south == east_west:
        return Outcome(None, "equal_scores")
    (first, *_), (second, *_) = owners(players, saboteur)
    return Outcome(names[first if north_south > east_west else second], "higher_score")
