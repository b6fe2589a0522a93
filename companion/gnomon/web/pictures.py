"""Prepare game pictures for pages: remove their styles, and make the style sheet of their colours.

The content security policy of the pages forbids inline styles. A picture's colours are names, for which the sheet
gives values for light and dark.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from gnomon.rules.protocol import SettingsError
from gnomon.rules.registry import rules_of
from gnomon.views.pictures import DARK, LIGHT, Colour, Theme, picture, to_svg
from gnomon.views.show import show
from gnomon.words import ENGLISH, Words

_STYLE: Final = re.compile(r"<style>.*?</style>\n?", re.DOTALL)


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
    try:
        shown = show(name)
    except SettingsError as error:
        message = "There is no such game."
        raise NoPictureError(message) from error
    rules = rules_of(name, shown.sample_settings)
    position: Any = rules.start()
    for text in shown.sample.split():
        position = rules.play(position, rules.parse(position, text))
    return to_svg(picture(rules, position, words=words), LIGHT, dark=DARK)


def _variables(theme: Theme) -> str:
    return " ".join(f"--{colour}: {theme[colour]};" for colour in Colour)


def shown(told: Mapping[str, object]) -> str | None:
    """The picture that a summary holds, fit for the page; None where there is none (TAMSK is drawn by the page)."""
    svg = told.get("picture")
    return for_the_page(svg) if isinstance(svg, str) else None
