"""Show Tayu: its turns in words, its picture, who plays for which sides, and the tile in hand."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final

from gnomon.games.tayu.rules import DIRECTIONS, KINDS, Position, Tayu
from gnomon.games.tayu.rules.position import NOTHING
from gnomon.games.tayu.rules.seats import AXES, SABOTEUR
from gnomon.referee import player_roles
from gnomon.referee.game import Game
from gnomon.refusals import Statement
from gnomon.views.phrases import name
from gnomon.views.places import place_marks, square_areas
from gnomon.views.show import Choice, Json, PictureArea, SheetColumn, SheetForm, Show, TurnPrompt, phrase, points_of
from gnomon.views.status_line import short_name
from gnomon.words import Words


def _bid(bids: Sequence[int], words: Words) -> str:
    return words("oled.bid.most", number=bids[-1]) if bids else words("oled.bid.first")


def _role(role: str, words: Words) -> str:
    return words("oled.role.saboteur") if role == SABOTEUR else short_name(role, words)


class TayuShow(Show[Game]):
    """Tayu as it is shown."""

    title = "Tayu"
    numbers_players = True
    turns = (
        phrase("draw:(?P<tile>[0-7]{3})", "turn.tayu.draw"),
        phrase("pick:(?P<pick>ring|plain|left|right)", "turn.tayu.pick.{pick}"),
        phrase("bid:(?P<bid>[0-9]+)", "turn.tayu.bid"),
        phrase(
            "(?P<tile>[0-7]{3})@(?P<square>[a-z][0-9]+)/(?P<direction>[ESWN])",
            "turn.tayu.lay.{direction}",
            "turn.tayu.lay.brief",
        ),
    )
    reasons: ClassVar[Mapping[str, int]] = {
        "no_pass": 10,
        "must_bid": 10,
        "too_high": 10,
        "must_pick": 2,
        "must_draw": 2,
        "must_lay": 2,
        "no_such_pick": 2,
        "none_left": 2,
        "other_back": 2,
        "other_tile": 2,
        "off_centre": 3,
        "outside": 4,
        "occupied": 4,
        "meets_blank": 4,
        "blocks_outflow": 4,
        "not_joined": 4,
        "tile_moved": 0,
        "tile_removed": 0,
        "no_tile_drawn": 2,
        "two_tiles": 2,
        "no_footprint": 0,
    }
    endings: ClassVar[Mapping[str, int]] = {"higher_score": 7, "equal_scores": 7, "target_missed": 9}
    choices = (
        Choice("players", "2", ("2", "3", "4"), early=True),
        Choice("edition", "goliath", ("goliath", "kosmos"), early=True),
        Choice("auction", "no", ("no", "yes"), early=True, when=("players", ("3",))),
        Choice("target", "24", most=9999, early=True, when=("players", ("3",))),
        Choice("draw", "bag", ("bag", "backs", "stacks")),
        Choice("size", "", least=3, most=26),
        Choice("copies", "", least=1, most=99),
        Choice("doubles", ""),
    )
    most_players = 4
    sample = (
        "draw:057 057@k9/W draw:023 023@k8/E draw:014 014@n7/N draw:167 167@o8/N draw:024 024@j10/W "
        "draw:136 136@h13/S draw:034 034@e13/E draw:017 017@e14/N draw:135 135@m11/S draw:026 026@l10/N "
        "draw:026 026@g12/W draw:026 026@p6/N draw:023 023@m7/S draw:067 067@q6/N draw:037 037@d15/W "
        "draw:023 023@i12/N draw:015 015@a14/N draw:057 057@e11/S draw:037 037@m4/S draw:037 037@q5/S "
        "draw:014 014@d8/N draw:012 012@c8/S draw:036 036@q2/W draw:236 236@k1/E draw:135 135@j15/W "
        "draw:016 016@g16/S"
    )
    example = sample.partition(" draw:014 014@d8/N")[0]
    touch = "tiles"
    picture = "gnomon.games.tayu.show._picture:picture"
    miniature = "gnomon.games.tayu.show._miniature:draw"
    edges = (104, 76, 72, 104)

    def role(self, game: Game, player: str, words: Words) -> str:
        """The sides that a player plays for, or that they are the saboteur."""
        played = game.rules.role(game.position, player)
        if played == SABOTEUR:
            return words("seat.saboteur", target=game.rules.target(game.position))
        return "" if played in (None, player) else words(f"seat.{played}")

    def partners(self, game: Game, player: str) -> tuple[str, ...]:
        """Who plays for the same sides."""
        rules = game.rules
        played = rules.role(game.position, player)
        others = (mate for mate in rules.players if mate != player and rules.role(game.position, mate) == played)
        return tuple(others) if played is not None else ()

    def hue(self, game: Game, player: str, place: int) -> int:
        """That of the sides that a player plays for."""
        played = game.rules.role(game.position, player)
        if played is None:
            return place
        return AXES.index(played) + 1 if played in AXES else 0

    def sheet_form(self, words: Words) -> SheetForm:
        """The tile before each move."""
        sides = name("north-south", words), name("east-west", words)
        columns = SheetColumn(words("sheet.tile"), is_narrow=True), SheetColumn(words("sheet.move"))
        return SheetForm(sides, sides, columns, points_of(sides, words))

    def prompt(self, game: Game, words: Words) -> TurnPrompt:
        """A tile is drawn, picked or laid, or the saboteur's role bid for."""
        position = game.position
        if position.due == "lay":
            return TurnPrompt("lay", "lays", words("due.tayu.lay", tile=KINDS[position.tile]))
        if position.due == "draw":
            return TurnPrompt("draw", "draws", words("due.tayu.draw"))
        if position.due == "bid":
            bid = words("due.tayu.bid", most=position.bids[-1]) if position.bids else words("due.tayu.bid.first")
            return TurnPrompt("bid", "bids", bid)
        return TurnPrompt("pick", "picks", words(f"due.tayu.pick.{game.rules.settings.draw}"))

    def lines(self, game: Game, words: Words) -> Sequence[str]:
        """What the sides have, and what the saboteur needs."""
        rules, position = game.rules, game.position
        points = rules.sides(position)
        if position.due == "bid":
            return [words("oled.bid.saboteur"), _bid(position.bids, words)]
        said = []
        for axis, one, other in zip(AXES, "ne", "sw", strict=True):
            said.append(f"{short_name(axis, words)} {points[one]}x{points[other]}={points[one] * points[other]}")
        player = "" if game.outcome is not None else player_roles.actor(rules, position)
        target = rules.target(position)
        saboteur = next((each for each in rules.players if rules.role(position, each) == SABOTEUR), "")
        if len(rules.players) > len(AXES) and player:
            said.append(f"{name(player, words)}: {_role(rules.role(position, player) or SABOTEUR, words)}")
        if target is not None:
            own = player == saboteur
            key = "oled.below" if own else "oled.below.of"
            said.append(words(key, player=name(saboteur, words), number=target))
        return said

    def chances(self, rules: Tayu, position: Position, words: Words) -> Iterator[Json]:
        """Which tiles may be drawn, and how many of each are left."""
        for move in rules.legal_moves(position):
            odds = words("chance.left", number=position.copies_left(move.tile))
            yield {"text": rules.text(position, move), "label": KINDS[move.tile], "odds": odds}

    def in_hand(self, rules: Tayu, position: Position) -> Json | None:
        """The tile in hand and where it may lie."""
        if position.tile == NOTHING or position.ending is not None:
            return None
        return {
            "kind": KINDS[position.tile],
            "placements": [
                {
                    "text": rules.text(position, move),
                    "squares": list(rules.squares_of(move)),
                    "direction": DIRECTIONS[move.direction],
                }
                for move in rules.legal_moves(position)
            ],
        }

    def bids(self, game: Game) -> Json | None:
        """Any number up to the bid before it."""
        position = game.position
        if not game.rules.may_bid(position):
            return None
        return {"least": "0", "most": str(position.bids[-1]) if position.bids else None, "may_pass": False}

    def remarks(self, rules: Tayu) -> Sequence[Statement]:
        """What is guessed of the edition."""
        return list(rules.settings.guesses)

    def places(self, rules: Tayu) -> Mapping[str, PictureArea]:
        """Every square."""
        return square_areas(place_marks(rules, list(rules.board.squares.names.values())))


SHOW: Final = TayuShow()
