"""Show TAU: its turns in words, its picture, the bidders who become HIGH and LOW, and the LIMIT."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from gnomon.games.tau.rules import PLAYERS, Move, Tau
from gnomon.games.tau.rules.notation import write
from gnomon.referee.game import Game
from gnomon.rules.bids import digits
from gnomon.views.phrases import name, shorten_numbers
from gnomon.views.places import pitch, place_marks
from gnomon.views.show import Choice, Json, Mark, PictureArea, SheetColumn, SheetForm, Show, TurnPrompt, phrase
from gnomon.views.status_line import number
from gnomon.words import Words

_DEPTH: Final = 60.0  # of the names of rows and columns beside a grid: what a finger needs


class TauShow(Show[Game]):
    """TAU as it is shown."""

    title = "TAU"
    numbers_players = True
    turns = (
        phrase("r(?P<line>[0-9]+)", "turn.tau.row"),
        phrase("c(?P<line>[a-z]+)", "turn.tau.column"),
        phrase("bid:(?P<bid>[0-9]+)", "turn.tau.bid"),
        phrase("pass", "turn.tau.pass"),
    )
    reasons: ClassVar[Mapping[str, int]] = {
        "no_limit": 2,
        "limit_settled": 2,
        "must_bid": 2,
        "too_low": 2,
        "last_line": 4,
        "no_square": 4,
    }
    endings: ClassVar[Mapping[str, int]] = {"above_limit": 6, "within_limit": 6}
    choices = (
        Choice("rows", "10", least=1, most=999, early=True),
        Choice("columns", "10", least=1, most=999, early=True),
        Choice("limit", "", early=True),
    )
    most_players = 2
    sample = "bid:512 pass r4 cd r8 ci ch"
    example = "bid:512 pass r4 cd r8"
    touch = "lines"
    picture = "gnomon.games.tau.show._picture:picture"
    miniature = "gnomon.games.tau.show._miniature:draw"
    edges = (12, 12, 26, 26)

    def people(self, game: Game) -> Mapping[str, str]:
        """The names of the bidders go to HIGH and LOW (rule 2)."""
        names, rules = dict(game.people), game.rules
        sitting = {player: rules.seat(game.position, player) or player for player in rules.players}
        return {player: name for player, seat in sitting.items() if (name := names.get(player) or names.get(seat))}

    def seated_players(self, game: Game) -> tuple[str, ...]:
        """The bidders, then who became HIGH and LOW."""
        players = tuple(game.rules.players)
        if game.rules.settings.limit is not None:
            return players
        return players[:2] if game.position.high is None else players[2:]

    def named_by(self, rules: Tau) -> tuple[str, ...]:
        """The bidders, where there is a negotiation."""
        players = tuple(rules.players)
        if rules.settings.limit is not None:
            return players
        return tuple(player for player in players if player not in PLAYERS)

    def role(self, game: Game, player: str, words: Words) -> str:
        """Who bid for it."""
        if game.rules.settings.limit is not None or game.position.high is None:
            return ""
        seat = game.rules.seat(game.position, player)
        return "" if seat in (None, player) else name(seat, words)

    def marks(self, game: Game) -> Mapping[str, Mark]:
        """A person keeps theirs when they become HIGH or LOW."""
        rules = game.rules
        if rules.settings.limit is not None:
            return super().marks(game)
        persons = {player: Mark(place, place) for place, player in enumerate(rules.players[:2], 1)}
        taken = {seat: rules.seat(game.position, seat) for seat in rules.players[2:]}
        return persons | {seat: persons[bidder] for seat, bidder in taken.items() if bidder is not None}

    def sheet_form(self, words: Words) -> SheetForm:
        """The bids settle who is HIGH, before the first move."""
        players = words("sheet.first"), words("sheet.second")
        ends = tuple(words(f"sheet.{key}") for key in ("score.bids", "score.number", "score.product", "result"))
        sides = name("high", words), name("low", words)
        return SheetForm(players, sides, (SheetColumn(words("sheet.move")),), ends)

    def prompt(self, game: Game, words: Words) -> TurnPrompt:
        """A number, or a line."""
        position = game.position
        if position.high is not None:
            return TurnPrompt("line", "marks", words("due.tau.line"))
        if position.bid < 0:
            return TurnPrompt("bid", "bids", words("due.tau.first"))
        return TurnPrompt("bid", "bids", words("due.tau.higher", bid=shorten_numbers(digits(position.bid))))

    def lines(self, game: Game, words: Words) -> Sequence[str]:
        """The number that was named, or LIMIT and product."""
        rules, position = game.rules, game.position
        if position.high is None:
            begun = [words("oled.number"), number(position.bid), words("oled.number.higher")]
            return [words("oled.number.none")] if position.bid < 0 else begun
        limit = [
            words("oled.limit", number=number(position.bid)),
            words("oled.product", number=number(rules.score(position)["product"])),
        ]
        seat = rules.seat(position, "high")
        who = [words("oled.high", player=name(seat, words))] if rules.settings.limit is None and seat else []
        return [*limit, *who, *([words("oled.left", number=position.turns_left)] if position.turns_left else [])]

    def bids(self, game: Game) -> Json | None:
        """Any higher number."""
        position = game.position
        if not game.rules.may_bid(position):
            return None
        return {"least": digits(position.bid + 1), "most": None, "may_pass": position.bid >= 0}

    def score(self, score: Mapping[str, int], words: Words) -> str:
        """The product, whatever its length."""
        return words("score.tau", product=shorten_numbers(digits(score["product"]))) if "product" in score else ""

    def places(self, rules: Tau) -> Mapping[str, PictureArea]:
        """Rows and columns by their names beside the grid, as wide and as high as the squares."""
        settings = rules.settings
        columns = [write(Move("column", number)) for number in range(settings.columns)]
        rows = [write(Move("row", number)) for number in range(settings.rows)]
        middles = place_marks(rules, [*columns, *rows])
        side = pitch([middles[name] for name in columns if name in middles]) or pitch(
            [middles[name] for name in rows if name in middles]
        )
        return {
            name: PictureArea(x - side / 2, y - _DEPTH / 2, side, _DEPTH)
            if name in columns
            else PictureArea(x - _DEPTH / 2, y - side / 2, _DEPTH, side)
            for name, (x, y) in middles.items()
        }


SHOW: Final = TauShow()
