"""Prepare game pictures for pages: remove their styles, and make the style sheet of their colours.

The content security policy of the pages forbids inline styles. A picture's colours are names, for which the sheet
gives values for light and dark.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from gnomon.games.registry import BARE_CLOCK, rules_of
from gnomon.views.pictures import DARK, LIGHT, Colour, Theme, picture, to_svg
from gnomon.words import ENGLISH, Words

_STYLE: Final = re.compile(r"<style>.*?</style>\n?", re.DOTALL)

# What each game looks like when something is going on: shown where one is chosen.
_SAMPLES: Final[Mapping[str, str]] = {
    "tamsk": "D1-D2 G1-F2 A4-B4 D7-D6 G4-F4 A1-B2 D2-D3 F2-E3 B4-B3 D6-D5",
    "tayu": (
        "draw:057 057@k9/W draw:023 023@k8/E draw:014 014@n7/N draw:167 167@o8/N draw:024 024@j10/W "
        "draw:136 136@h13/S draw:034 034@e13/E draw:017 017@e14/N draw:135 135@m11/S draw:026 026@l10/N "
        "draw:026 026@g12/W draw:026 026@p6/N draw:023 023@m7/S draw:067 067@q6/N draw:037 037@d15/W "
        "draw:023 023@i12/N draw:015 015@a14/N draw:057 057@e11/S draw:037 037@m4/S draw:037 037@q5/S "
        "draw:014 014@d8/N draw:012 012@c8/S draw:036 036@q2/W draw:236 236@k1/E draw:135 135@j15/W "
        "draw:016 016@g16/S"
    ),
    "tabik": "f5e5 f3f2 d6d5 f4g4 h5h6 b5b6 e3d3 g8g7 c6c5 a7a8 c4d4 b3c3 g6g5 g6~g7 f6e6 d1e1 d7e7",
    "tau": "bid:512 pass r4 cd r8 ci ch",
    "twenty-squares": (
        "throw:1 convert throw:4 in-a1 throw:3 a1-c2 throw:1 convert throw:4 in-a3 throw:2 a3-b2 "
        "throw:4 c2-g2 throw:1 convert throw:2 in-c3 throw:1 convert throw:3 in-b1"
    ),
    BARE_CLOCK: "press press press",
}


class NoPictureError(ValueError):
    """There is no such picture; the message is one sentence for people."""


def for_the_page(svg: str) -> str:
    """A picture without the style that it brings."""
    return _STYLE.sub("", svg)


def sheet() -> str:
    """The style sheet of the colours that pictures name."""
    light, dark = _variables(LIGHT), _variables(DARK)
    return (
        "/* Colours of pictures, written from their palette. */\n"
        f".picture {{ {light} }}\n@media (prefers-color-scheme: dark) {{ .picture {{ {dark} }} }}\n"
    )


@cache
def sample(name: str, words: Words = ENGLISH) -> str:
    """A picture of a game that has been played for a while. Raises NoPictureError for a game that there is not."""
    if name not in _SAMPLES:
        message = "There is no such game."
        raise NoPictureError(message)
    rules = rules_of(name, {"level": 1} if name == "tamsk" else {})
    position: Any = rules.start()
    for text in _SAMPLES[name].split():
        position = rules.play(position, rules.parse(position, text))
    return to_svg(picture(rules, position, words=words), LIGHT, dark=DARK)


def _variables(theme: Theme) -> str:
    return " ".join(f"--{colour}: {theme[colour]};" for colour in Colour)


def shown(told: Mapping[str, object]) -> str | None:
    """The picture that a summary holds, fit for the page; None where there is none (TAMSK is drawn by the page)."""
    svg = told.get("picture")
    return for_the_page(svg) if isinstance(svg, str) else None
