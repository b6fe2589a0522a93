"""Describe turns, refusals and results of games at a table in sentences.

Rule numbers are those of each game's rules in this project. A recent refusal is given
in the rules' own sentence, with its squares; the sentences by code alone are used when only the code is left.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from gnomon.referee.rulings import GameOver, GamePaused, IllegalRuled, QuestionAsked, Ruling, TurnRuled
from gnomon.rules.protocol import NATURE
from gnomon.views import repairs, wording
from gnomon.views.endings import ended
from gnomon.views.show import show
from gnomon.views.wording import Reason, name, shortened
from gnomon.words import ENGLISH, Words, upper


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
            return " ".join(filter(None, (won, ending(why, game, words).cited(words), scored(score, game, words))))
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
    rules = show(game).reasons
    if code in rules:
        return Reason(rules[code], words(f"reason.{game}.{code}"))
    return Reason(0, words(f"reason.{code}" if code in _EVERYWHERE else "reason.unknown"))


def ending(why: str, game: str, words: Words = ENGLISH) -> Reason:
    """Why a game at a table ended."""
    return ended(why, show(game).endings, words)


def scored(score: Mapping[str, int], game: str, words: Words = ENGLISH) -> str:
    """The score in words."""
    return show(game).score(score, words)


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
    for phrase in show(game).turns:
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
