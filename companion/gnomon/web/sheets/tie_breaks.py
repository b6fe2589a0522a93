"""Say what a tie-break is, in the words of a language."""

from typing import Final

from gnomon.words import Words

_OF: Final = {"MP": "sheet.tie.of.match_points", "GP": "sheet.tie.of.game_points"}


def describe_tie_break(name: str, words: Words) -> str:
    """What a tie-break is, empty for one that has no words; `BH:GP` is Buchholz by game points."""
    base, _, points = name.partition(":")
    key = f"sheet.tie.{base}"
    if key not in words.entries:
        return ""
    return words(_OF[points], what=words(key)) if points in _OF else words(key)
