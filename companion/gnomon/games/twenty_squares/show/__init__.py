"""Show Tau (Twenty Squares): its turns in words, its picture, throws, and counters in hand and at home."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from gnomon.games.twenty_squares.rules import NO_THROW, Position, TwentySquares
from gnomon.referee.game import Game
from gnomon.refusals import Statement
from gnomon.views.phrases import player_list
from gnomon.views.pictures import picture as drawing_of
from gnomon.views.pictures.drawing import groups
from gnomon.views.places import around, place_marks, square_areas
from gnomon.views.show import Choice, Json, PictureArea, SheetColumn, SheetForm, Show, TurnPrompt, phrase, points_of
from gnomon.views.status_line import short_name
from gnomon.words import Words


class TwentySquaresShow(Show[Game]):
    """Tau (Twenty Squares) as it is shown."""

    title = "Tau (Twenty Squares)"
    numbers_players = True
    turns = (
        phrase("throw:(?P<number>[0-9])", "turn.twenty-squares.throw"),
        phrase("convert", "turn.twenty-squares.convert"),
        phrase("forfeit", "turn.twenty-squares.forfeit"),
        phrase("in-(?P<square>[a-z][0-9])", "turn.twenty-squares.enter"),
        phrase("(?P<square>[a-z][0-9])-off", "turn.twenty-squares.off"),
        phrase("(?P<first>[a-z][0-9])-(?P<second>[a-z][0-9])", "turn.twenty-squares.move"),
    )
    reasons: ClassVar[Mapping[str, int]] = {
        "empty_hand": 1,
        "throw_due": 2,
        "no_such_throw": 2,
        "answer_due": 3,
        "not_the_throw": 3,
        "backwards": 3,
        "off_route": 3,
        "no_counter": 3,
        "partner": 3,
        "no_chain": 4,
        "entry_throw": 4,
        "no_gate": 4,
        "no_entry": 4,
        "convert_first": 4,
        "must_convert": 4,
        "not_convertible": 4,
        "own_counter": 5,
        "safe": 5,
        "stack": 0,
        "nothing_thrown": 0,
        "must_move": 6,
        "beyond": 8,
    }
    endings: ClassVar[Mapping[str, int]] = {"borne_off": 8}
    choices = (
        Choice("board", "tau", ("tau", "double", "jiroft", "asha"), early=True),
        Choice("players", "2", ("2", "4"), early=True, when=("board", ("double",))),
        Choice("ruleset", "tau", ("tau", "aseb"), early=True, when=("board", ("tau", "double", "jiroft"))),
        Choice("counters", "", least=1, most=12),
        Choice("dice", "", ("", "sticks", "cube", "cowries"), when=("ruleset", ("tau",))),
        Choice("entry", "choice", ("choice", "auto", "any"), when=("ruleset", ("tau",))),
        Choice("stacking", "off", ("off", "capture_together", "invincible")),
        Choice("route", "", ("", "long", "short"), when=("board", ("double",))),
    )
    most_players = 4
    sample = (
        "throw:1 convert throw:4 in-a1 throw:3 a1-c2 throw:1 convert throw:4 in-a3 throw:2 a3-b2 "
        "throw:4 c2-g2 throw:1 convert throw:2 in-c3 throw:1 convert throw:3 in-b1"
    )
    example = "throw:1 convert throw:4 in-a1 throw:2 a1-b2 throw:5 convert throw:4 in-a3 throw:2 a3-b2"
    touch = "counters"
    picture = "gnomon.games.twenty_squares.show._picture:picture"
    miniature = "gnomon.games.twenty_squares.show._miniature:draw"
    miniature_at_end = "gnomon.games.twenty_squares.show._miniature:draw_end"
    score_key = "score.twenty-squares"

    def partners(self, game: Game, player: str) -> tuple[str, ...]:
        """The other player of the team."""
        return tuple(mate for mate in game.rules.team(player) if mate != player)

    def role(self, game: Game, player: str, words: Words) -> str:
        """With whom a player plays."""
        mates = self.partners(game, player)
        return words("seat.with", players=player_list(mates, words)) if mates else ""

    def sheet_form(self, words: Words) -> SheetForm:
        """The throw before each move."""
        sides = words("sheet.first"), words("sheet.second")
        columns = SheetColumn(words("sheet.throw"), is_narrow=True), SheetColumn(words("sheet.move"))
        return SheetForm(sides, sides, columns, points_of(sides, words))

    def prompt(self, game: Game, words: Words) -> TurnPrompt:
        """A throw, or the answer to one."""
        rules, position = game.rules, game.position
        kinds = {move.kind for move in rules.legal_moves(position)}
        if "throw" in kinds:
            key = "again" if position.entering else "throw"
            return TurnPrompt("throw", "throws", words(f"due.twenty-squares.{key}.{rules.settings.dice}"))
        throw = position.throw
        if kinds == {"forfeit"}:
            return TurnPrompt("move", "forfeits", words("due.twenty-squares.forfeit", throw=throw))
        if kinds == {"convert"}:
            return TurnPrompt("move", "converts", words("due.twenty-squares.convert", throw=throw))
        if all(move.start == 0 for move in rules.legal_moves(position)):
            return TurnPrompt("move", "enters", words("due.twenty-squares.enter", throw=throw))
        convert = ".convert" if "convert" in kinds else ""
        return TurnPrompt("move", "moves", words(f"due.twenty-squares.move{convert}", throw=throw))

    def lines(self, game: Game, words: Words) -> Sequence[str]:
        """The throw, and each player's counters in hand and at home."""
        rules, position = game.rules, game.position
        said: Any = rules.state(position)
        thrown = (
            [words("oled.thrown", number=position.throw)]
            if position.throw != NO_THROW
            else [words("oled.again")] * position.entering
        )
        rows = [
            f"{short_name(player, words)} {said['hand'][player]}/{said['home'][player]}" for player in rules.players
        ]
        return [*thrown, words("oled.hand_home"), *rows]

    def chances(self, rules: TwentySquares, position: Position, words: Words) -> Iterator[Json]:
        """What may be thrown, and how likely each throw is."""
        del words
        for move in rules.legal_moves(position):
            yield {"text": rules.text(position, move), "label": str(move.number), "odds": str(rules.odds[move.number])}

    def remarks(self, rules: TwentySquares) -> Sequence[Statement]:
        """How sure the rules are."""
        return [rules.conjecture]

    def places(self, rules: TwentySquares) -> Mapping[str, PictureArea]:
        """Every square, and the players' trays, which hold the counters in hand and at home."""
        drawn = groups(drawing_of(rules, rules.start()).shapes)
        trays = {group.key: around(group) for group in drawn if group.key in rules.players}
        return {**square_areas(place_marks(rules, rules.board.squares)), **trays}


SHOW: Final = TwentySquaresShow()
