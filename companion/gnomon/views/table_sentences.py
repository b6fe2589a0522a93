"""Describe turns, refusals and results of Tabik, TAU, Tayu and Tau (Twenty Squares) in sentences.

Rule numbers are those of each game's rules in this project. A recent refusal is given
in the rules' own sentence, with its squares; the sentences by code alone are used when only the code is left.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from gnomon.games.bids import digits
from gnomon.games.protocol import NATURE
from gnomon.games.registry import BARE_CLOCK
from gnomon.referee.rulings import GameOver, GamePaused, IllegalRuled, QuestionAsked, Ruling, TurnRuled
from gnomon.views import repairs, wording
from gnomon.views.endings import ended
from gnomon.views.wording import Reason, name, shortened
from gnomon.words import ENGLISH, Words, upper

TITLES: Final[Mapping[str, str]] = {
    "tamsk": "TAMSK",
    "tayu": "Tayu",
    "tabik": "Tabik",
    "tau": "TAU",
    "twenty-squares": "Tau (Twenty Squares)",
}


UNKNOWN_GAME: Final = "Match clock"
"""What stands where a game's title does, of a game that is not known."""


class Phrase(NamedTuple):
    """A kind of turn: its grammar, and the entries that say it at length and in brief.

    The groups of the grammar are the values of the entries, and may be a part of their keys.
    """

    grammar: re.Pattern[str]
    said: str
    brief: str


def _phrase(grammar: str, said: str, brief: str = "") -> Phrase:
    return Phrase(re.compile(grammar), said, brief or f"{said}.brief")


# The first that fits counts.
TURNS: Final[Mapping[str, tuple[Phrase, ...]]] = {
    "tabik": (
        _phrase("pie", "turn.tabik.pie"),
        _phrase("(?P<first>[a-z][0-9]+)~(?P<second>[a-z][0-9]+)", "turn.tabik.swap"),
        _phrase("(?P<first>[a-z][0-9]+)(?P<second>[a-z][0-9]+)", "turn.tabik.place"),
    ),
    "tau": (
        _phrase("r(?P<line>[0-9]+)", "turn.tau.row"),
        _phrase("c(?P<line>[a-z]+)", "turn.tau.column"),
        _phrase("bid:(?P<bid>[0-9]+)", "turn.tau.bid"),
        _phrase("pass", "turn.tau.pass"),
    ),
    "tayu": (
        _phrase("draw:(?P<tile>[0-7]{3})", "turn.tayu.draw"),
        _phrase("pick:(?P<pick>ring|plain|left|right)", "turn.tayu.pick.{pick}"),
        _phrase("bid:(?P<bid>[0-9]+)", "turn.tayu.bid"),
        _phrase(
            "(?P<tile>[0-7]{3})@(?P<square>[a-z][0-9]+)/(?P<direction>[ESWN])",
            "turn.tayu.lay.{direction}",
            "turn.tayu.lay.brief",
        ),
    ),
    "twenty-squares": (
        _phrase("throw:(?P<number>[0-9])", "turn.twenty-squares.throw"),
        _phrase("convert", "turn.twenty-squares.convert"),
        _phrase("forfeit", "turn.twenty-squares.forfeit"),
        _phrase("in-(?P<square>[a-z][0-9])", "turn.twenty-squares.enter"),
        _phrase("(?P<square>[a-z][0-9])-off", "turn.twenty-squares.off"),
        _phrase("(?P<first>[a-z][0-9])-(?P<second>[a-z][0-9])", "turn.twenty-squares.move"),
    ),
    BARE_CLOCK: (_phrase("press", "turn.clock.press"),),
}
REASONS: Final[Mapping[str, Mapping[str, int]]] = {
    "tabik": {
        "not_adjacent": 4,
        "occupied": 4,
        "empty": 4,
        "same_colour": 4,
        "rod": 5,
        "no_pie": 8,
        "not_now": 8,
    },
    "tau": {
        "no_limit": 2,
        "limit_settled": 2,
        "must_bid": 2,
        "too_low": 2,
        "last_line": 4,
        "no_square": 4,
    },
    "tayu": {
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
    },
    "twenty-squares": {
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
    },
}
"""The rule that forbids what has the code, 0 when none does; what it says is the entry `reason.GAME.CODE`."""
ENDINGS: Final[Mapping[str, int]] = {
    "larger_groups": 7,
    "last_move": 7,
    "above_limit": 6,
    "within_limit": 6,
    "higher_score": 7,
    "equal_scores": 7,
    "target_missed": 9,
    "borne_off": 8,
}


def sentence(ruling: Ruling, game: str, words: Words = ENGLISH) -> str | None:
    """The ruling in plain words, or None where it is said as in every game."""
    match ruling:
        case TurnRuled(player=player, text=text):
            return turn(player, text, game, words)
        case IllegalRuled():
            return _refusal(ruling, game, words)
        case QuestionAsked(question=question, choices=choices):
            return words("ruling.ask", question=_asked(question, game, words), choices=wording.either(choices, words))
        case GamePaused():
            return words("ruling.paused")
        case GameOver(winner=winner, reason=why, score=score):
            won = wording.won(winner, words, why)
            return " ".join(filter(None, (won, ending(why, words).cited(words), scored(score, game, words))))
        case _:
            return None


def brief(ruling: Ruling, game: str, words: Words = ENGLISH) -> str | None:
    """The ruling in few words, or None where it is said as in every game."""
    match ruling:
        case TurnRuled(player=player, text=text):
            return _said(player, text, game, words, at_length=False)
        case IllegalRuled(code=code):
            return reason(code, game, words).text
        case QuestionAsked(question=question):
            return _asked(question, game, words)
        case _:
            return None


def turn(player: str, text: str, game: str, words: Words = ENGLISH) -> str:
    """A turn in canonical text, in plain words; text of another grammar is given as it stands."""
    return _said(player, text, game, words, at_length=True)


def reason(code: str, game: str, words: Words = ENGLISH) -> Reason:
    """Why the code forbids what happened."""
    rules = REASONS.get(game, {})
    if code in rules:
        return Reason(rules[code], words(f"reason.{game}.{code}"))
    return Reason(0, words(f"reason.{code}" if code in _EVERYWHERE else "reason.unknown"))


def ending(why: str, words: Words = ENGLISH) -> Reason:
    """Why a game at a table ended."""
    return ended(why, ENDINGS, words)


def scored(score: Mapping[str, int], game: str, words: Words = ENGLISH) -> str:
    """The score in words."""
    if game == "tau":
        return words("score.tau", product=shortened(digits(score["product"]))) if "product" in score else ""
    if not score:
        return ""
    points = [words("score.player", player=name(player, words), points=number) for player, number in score.items()]
    key = "score.twenty-squares" if game == "twenty-squares" else "score.other"
    return words(key, score=", ".join(points))


def refused(said: str) -> Reason:
    """The rules' own sentence on what was refused, told apart from the rule that it names first."""
    found = _RULED.fullmatch(said)
    return Reason(int(found["rule"]), _ended(found["text"])) if found else Reason(0, _ended(said))


_EVERYWHERE: Final = frozenset({"no_such_move", "over", "by_hand"})
_RULED: Final = re.compile(r"rules? (?P<rule>[0-9]+)(?: and [0-9]+)?: (?P<text>.+)", re.DOTALL)


def _ended(text: str) -> str:
    return f"{upper(text).rstrip('.')}."


def squares(names: Sequence[str], most: int = 6, words: Words = ENGLISH) -> str:
    """Squares in words, the rest of many as a number."""
    more = len(names) - most
    return " ".join(names) if more <= 0 else words("squares.more", squares=" ".join(names[:most]), number=more)


def _said(player: str, text: str, game: str, words: Words, *, at_length: bool) -> str:
    for phrase in TURNS.get(game, ()):
        found = phrase.grammar.fullmatch(text)
        if found is not None:
            values = found.groupdict()
            key = (phrase.said if at_length else phrase.brief).format_map(values)
            return shortened(words(key, player=name(player, words), **values))
    return shortened(words("turn.other", player=name(player, words), text=text))


def _asked(question: str, game: str, words: Words) -> str:
    key = f"question.{game}.{question}"
    return words(key) if key in words.entries else question


def _refusal(ruling: IllegalRuled, game: str, words: Words) -> str:
    who = [] if ruling.player == NATURE else [name(ruling.player, words)]
    tried = " ".join([*who, *([ruling.text] if ruling.text else [])])
    return shortened(repairs.refusal(ruling, tried, reason(ruling.code, game, words), words))
