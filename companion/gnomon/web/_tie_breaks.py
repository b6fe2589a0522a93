"""Describe tie-breaks and their modifiers for pages and sheets."""

from typing import Final

from gnomon.tournament.state.notation import points_text
from gnomon.tournament.state.results import HALF
from gnomon.tournament.tiebreaks.values import modifiers_of
from gnomon.words import Words

_OF: Final = {"MP": "sheet.tie.of.match_points", "GP": "sheet.tie.of.game_points"}


def tie_break_text(name: str, words: Words) -> str:
    """What a tie-break is, in the words of a language: `Buchholz, the points of all opponents; without the lowest`.

    For teams, `BH:GP` is Buchholz by game points.
    """
    name, _, points = name.partition(":")
    text = _own_text(name, words)
    return words(_OF[points], what=text) if points else text


def _own_text(name: str, words: Words) -> str:
    whole = f"sheet.tie.{name}"
    if whole in words.entries:
        return words(whole)
    plain, modifiers = modifiers_of(name)
    return "; ".join((words(f"sheet.tie.{plain}"), *(_modifier_text(plain, one, words) for one in modifiers)))


def _modifier_text(plain: str, modifier: str, words: Words) -> str:
    kind, number = modifier[0], modifier[1:]
    if kind == "L":
        moved = int(number) * HALF
        sign = "-" if moved < 0 else "+"
        return words("sheet.modified.limit", points=f"{sign}{points_text(abs(moved))}")
    if kind == "C":
        return words.plural("sheet.modified.first" if plain == "PS" else "sheet.modified.cut", int(number))
    if kind == "M":
        return words.plural("sheet.modified.median", int(number))
    return words({"P": "sheet.modified.played", "F": "sheet.modified.fore"}.get(kind, "sheet.modified.reversed"))
