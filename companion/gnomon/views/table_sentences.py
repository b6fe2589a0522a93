"""The only place that says turns, refusals and ends of Tabik, TAU, Tayu and Tau (Twenty Squares) in plain words.

Rule numbers are those of each game's rules in this project. What was refused a moment ago is told in the rules' own
sentence, with its squares; here is what a code says when nothing but the code is left.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from gnomon.referee.rulings import GameOver, GamePaused, IllegalRuled, QuestionAsked, Ruling, TurnRuled
from gnomon.rules.protocol import NATURE
from gnomon.rules.tau_numbers import digits
from gnomon.views.wording import Reason, name, shortened, upper

TITLES: Final[Mapping[str, str]] = {
    "tamsk": "TAMSK",
    "tayu": "Tayu",
    "tabik": "Tabik",
    "tau": "TAU",
    "twenty-squares": "Tau (Twenty Squares)",
}


class Phrase(NamedTuple):
    """A kind of turn: its grammar, and how it is said at length (after the player's name) and in brief."""

    grammar: re.Pattern[str]
    said: str
    brief: str


def _phrase(grammar: str, said: str, brief: str) -> Phrase:
    return Phrase(re.compile(grammar), said, brief)


# {0} is the player, {1} and so on are the groups of the grammar. The first that fits counts.
TURNS: Final[Mapping[str, tuple[Phrase, ...]]] = {
    "tabik": (
        _phrase("pie", "{0} swaps sides (rule 8).", "{0} swaps sides"),
        _phrase(
            "([a-z][0-9]+)~([a-z][0-9]+)", "{0} swaps {1} and {2}, and a rod lies between them.", "{0}: {1} swaps {2}"
        ),
        _phrase(
            "([a-z][0-9]+)([a-z][0-9]+)",
            "{0} places black on {1}, white on {2} and a rod between them.",
            "{0}: black {1}, white {2}",
        ),
    ),
    "tau": (
        _phrase("r([0-9]+)", "{0} draws a line through row {1}.", "{0}: row {1}"),
        _phrase("c([a-z]+)", "{0} draws a line through column {1}.", "{0}: column {1}"),
        _phrase("bid:([0-9]+)", "{0} names {1}.", "{0} names {1}"),
        _phrase("pass", "{0} passes and is LOW; the last number is the LIMIT (rule 2).", "{0} passes and is LOW"),
    ),
    "tayu": (
        _phrase("draw:([0-7]{3})", "Tile {1} is drawn.", "Tile {1} drawn"),
        _phrase("pick:ring", "{0} picks a tile with a ring on its back.", "{0} picks a ring"),
        _phrase("pick:plain", "{0} picks a tile with a plain back.", "{0} picks plain"),
        _phrase("pick:(left|right)", "{0} picks from the {1} stack.", "{0} picks {1}"),
        _phrase("bid:([0-9]+)", "{0} would be the saboteur against {1} (rule 10).", "{0} bids {1}"),
        _phrase("([0-7]{3})@([a-z][0-9]+)/E", "{0} lays {1} on {2}, running east.", "{0}: {1} {2} E"),
        _phrase("([0-7]{3})@([a-z][0-9]+)/S", "{0} lays {1} on {2}, running south.", "{0}: {1} {2} S"),
        _phrase("([0-7]{3})@([a-z][0-9]+)/W", "{0} lays {1} on {2}, running west.", "{0}: {1} {2} W"),
        _phrase("([0-7]{3})@([a-z][0-9]+)/N", "{0} lays {1} on {2}, running north.", "{0}: {1} {2} N"),
    ),
    "twenty-squares": (
        _phrase("throw:([0-9])", "A throw of {1}.", "Thrown: {1}"),
        _phrase("convert", "{0} throws again to enter a counter (rule 4).", "{0} throws again"),
        _phrase("forfeit", "{0} cannot use the throw and forfeits it (rule 6).", "{0} forfeits"),
        _phrase("in-([a-z][0-9])", "{0} enters a counter on {1}.", "{0} enters {1}"),
        _phrase("([a-z][0-9])-off", "{0} bears a counter off from {1} (rule 8).", "{0}: {1} off"),
        _phrase("([a-z][0-9])-([a-z][0-9])", "{0} moves from {1} to {2}.", "{0}: {1} to {2}"),
    ),
}

_EVERYWHERE: Final[Mapping[str, Reason]] = {
    "no_such_move": Reason(0, "There is no such move in this game."),
    "over": Reason(0, "The game is over."),
    "by_hand": Reason(0, "Put right by hand: now the board must follow."),
}
REASONS: Final[Mapping[str, Mapping[str, Reason]]] = {
    "tabik": {
        "not_adjacent": Reason(4, "The two squares must lie side by side."),
        "occupied": Reason(4, "Stones are placed on two empty squares."),
        "empty": Reason(4, "A swap needs a stone on both squares."),
        "same_colour": Reason(4, "A swap needs stones of different colours."),
        "rod": Reason(5, "A rod lies between them already: they are never swapped again."),
        "no_pie": Reason(8, "This game is played without the pie."),
        "not_now": Reason(8, "Only White swaps sides, and only on White's first turn."),
    },
    "tau": {
        "no_limit": Reason(2, "Before the first line a pass must settle the LIMIT."),
        "limit_settled": Reason(2, "The LIMIT is settled: nobody bids or passes any more."),
        "must_bid": Reason(2, "Who begins the negotiation names a number and may not pass."),
        "too_low": Reason(2, "A higher number is due, or a pass."),
        "last_line": Reason(4, "The last row or column stays: some squares must be left."),
        "no_square": Reason(4, "A line must cross at least one square that is left."),
    },
    "tayu": {
        "no_pass": Reason(10, "Nobody passes: a bid is lower than the one before it, or equal to it."),
        "must_bid": Reason(10, "The saboteur's role is bid for before anything else."),
        "too_high": Reason(10, "A bid is at most the bid before it."),
        "must_pick": Reason(2, "Where the next tile comes from must be picked now."),
        "must_draw": Reason(2, "A tile must be drawn now."),
        "must_lay": Reason(2, "The tile that was drawn must be laid now."),
        "no_such_pick": Reason(2, "In this game no tile is picked that way."),
        "none_left": Reason(2, "No such tile is left."),
        "other_back": Reason(2, "This tile has not the back that was picked."),
        "other_tile": Reason(2, "Another tile was drawn."),
        "off_centre": Reason(3, "The first tile must cover the centre of the board."),
        "outside": Reason(4, "A tile stays on the board."),
        "occupied": Reason(4, "A tile lies there already."),
        "meets_blank": Reason(4, "An outflow of the tile meets a blank side."),
        "blocks_outflow": Reason(4, "A blank side of the tile blocks an outflow."),
        "not_joined": Reason(4, "An outflow of the tile must meet one on the board."),
        "tile_moved": Reason(0, "A tile that has been laid stays where it is."),
        "tile_removed": Reason(0, "A tile that has been laid stays on the board."),
        "no_tile_drawn": Reason(2, "A tile is drawn before it is laid."),
        "two_tiles": Reason(2, "One tile is laid a turn."),
        "no_footprint": Reason(0, "A tile covers three squares in a row."),
    },
    "twenty-squares": {
        "empty_hand": Reason(1, "No counter is in hand any more."),
        "throw_due": Reason(2, "A throw is due before anything is moved."),
        "no_such_throw": Reason(2, "The dice of this game do not show that number."),
        "answer_due": Reason(3, "The throw is to be answered first."),
        "not_the_throw": Reason(3, "A counter moves by the whole throw."),
        "backwards": Reason(3, "Counters move forward."),
        "off_route": Reason(3, "This square is not on the player's route."),
        "no_counter": Reason(3, "No counter of the player stands there."),
        "partner": Reason(3, "A counter of the partner stands there."),
        "no_chain": Reason(4, "This is the entry throw already: it is not converted again."),
        "entry_throw": Reason(4, "The entry throw enters a counter, and moves none on the board."),
        "no_gate": Reason(4, "Every throw enters a counter in this game, and none is converted."),
        "no_entry": Reason(4, "A counter enters only after a throw of 1 or 5, by a second throw."),
        "convert_first": Reason(4, "A counter enters by a second throw: convert this one first."),
        "must_convert": Reason(4, "In this game such a throw is converted, and moves no counter."),
        "not_convertible": Reason(4, "Only a throw of 1 or 5 is converted."),
        "own_counter": Reason(5, "An own counter stands there."),
        "safe": Reason(5, "A counter on a rosette is safe."),
        "stack": Reason(0, "No enemy lands on a stack in this game."),
        "nothing_thrown": Reason(0, "A throw of none loses the turn in this game."),
        "must_move": Reason(6, "A legal move must be made, and there is one."),
        "beyond": Reason(8, "A counter is borne off by the exact throw only."),
    },
}
ENDINGS: Final[Mapping[str, Reason]] = {
    "larger_groups": Reason(7, "The larger size of which a player has more groups decides."),
    "last_move": Reason(7, "No size decides, and whoever made the last move loses."),
    "above_limit": Reason(6, "The product is above the LIMIT."),
    "within_limit": Reason(6, "The product is not above the LIMIT."),
    "higher_score": Reason(7, "The higher product of two opposite sides wins."),
    "equal_scores": Reason(7, "Both products are equal."),
    "target_missed": Reason(9, "Neither of the others has reached the target."),
    "borne_off": Reason(8, "All counters are borne off."),
}
_QUESTIONS: Final[Mapping[str, str]] = {"which_turn": "Which way round does the tile lie?"}


def sentence(ruling: Ruling, game: str) -> str | None:
    """The ruling in plain words, or None where it is said as in every game."""
    match ruling:
        case TurnRuled(player=player, text=text):
            return turn(player, text, game)
        case IllegalRuled():
            return _refusal(ruling, game)
        case QuestionAsked(question=question, choices=choices):
            return f"{_QUESTIONS.get(question, question)} ({' or '.join(choices)})"
        case GamePaused():
            return "The game is paused."
        case GameOver(winner=winner, reason=why, score=score):
            won = f"{name(winner)} wins." if winner else "A draw."
            return " ".join(filter(None, (won, ending(why).sentence, scored(score, game))))
        case _:
            return None


def brief(ruling: Ruling, game: str) -> str | None:
    """The ruling in few words, or None where it is said as in every game."""
    match ruling:
        case TurnRuled(player=player, text=text):
            return _said(player, text, game, at_length=False)
        case IllegalRuled(code=code):
            return reason(code, game).text
        case QuestionAsked(question=question):
            return _QUESTIONS.get(question, question)
        case _:
            return None


def turn(player: str, text: str, game: str) -> str:
    """A turn in canonical text, in plain words; text of another grammar is given as it stands."""
    return _said(player, text, game, at_length=True)


def reason(code: str, game: str) -> Reason:
    """Why the code forbids what happened."""
    return REASONS.get(game, {}).get(code) or _EVERYWHERE.get(code) or Reason(0, "The rules do not allow it.")


def ending(why: str) -> Reason:
    """Why the game ended; a word that is not in the catalogue was declared by hand and stands as it is."""
    return ENDINGS.get(why) or Reason(0, f"{upper(why.replace('_', ' ')).rstrip('.')}." if why else "")


def scored(score: Mapping[str, int], game: str) -> str:
    """The score in words."""
    if game == "tau":
        return f"Product {shortened(digits(score['product']))}." if "product" in score else ""
    what = "Home: " if game == "twenty-squares" else ""
    points = ", ".join(f"{name(player)} {number}" for player, number in score.items())
    return f"{what}{points}."


def refused(said: str) -> Reason:
    """The rules' own sentence on what was refused, told apart from the rule that it names first."""
    found = _RULED.fullmatch(said)
    return Reason(int(found["rule"]), _ended(found["text"])) if found else Reason(0, _ended(said))


_RULED: Final = re.compile(r"rules? (?P<rule>[0-9]+)(?: and [0-9]+)?: (?P<text>.+)", re.DOTALL)


def _ended(text: str) -> str:
    return f"{upper(text).rstrip('.')}."


def squares(names: Sequence[str], most: int = 6) -> str:
    """Squares in words, the rest of many as a number."""
    more = len(names) - most
    return " ".join(names) if more <= 0 else f"{' '.join(names[:most])} and {more} more"


def _said(player: str, text: str, game: str, *, at_length: bool) -> str:
    for phrase in TURNS.get(game, ()):
        found = phrase.grammar.fullmatch(text)
        if found is not None:
            return shortened((phrase.said if at_length else phrase.brief).format(name(player), *found.groups()))
    return shortened(f"{name(player)}: {text}")


def _refusal(ruling: IllegalRuled, game: str) -> str:
    who = [] if ruling.player == NATURE else [name(ruling.player)]
    tried = " ".join([*who, *([ruling.text] if ruling.text else [])])
    steps = f" To put right: {'; '.join(ruling.put_right)}." if ruling.put_right else ""
    return shortened(f"Not allowed, {tried}. {reason(ruling.code, game).sentence}{steps}")
