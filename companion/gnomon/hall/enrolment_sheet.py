"""Draw the enrolment QR codes of a hall's boards, as an HTML page to print or in the terminal."""

from collections.abc import Sequence
from html import escape
from typing import Final

from gnomon.hall.messaging.enrolment import Enrolment, code
from gnomon.views.qr import Modules, svg
from gnomon.views.qr import code as modules_of
from gnomon.words import Words

_PAGE: Final = """\
<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{heading}</title>
<style>
@page {{ size: A4; margin: 10mm }}
body {{ font: 11pt/1.35 system-ui, sans-serif; margin: 0; color: #000; background: #fff }}
header {{ padding: 0 4mm 4mm }}
h1 {{ font-size: 16pt; margin: 0 }}
p {{ margin: 1mm 0 0 }}
main {{ display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 4mm }}
section {{ border: 1px dashed #888; padding: 3mm; text-align: center; break-inside: avoid }}
h2 {{ font-size: 20pt; margin: 0 }}
svg {{ width: 78mm; height: 78mm; display: block; margin: 0 auto }}
h1, h2, code {{ overflow-wrap: anywhere }}
code {{ font-size: 9pt }}
</style>
<header>
<h1>{title}</h1>
<p>{what}</p>
</header>
<main>
{sections}
</main>
</html>
"""
_SECTION: Final = """\
<section>
<h2>{user}</h2>
{picture}<p><code>{broker}</code></p>
</section>"""
_HALVES: Final = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
"""Two modules above each other as one letter, dark where a terminal is dark: its letters are light."""
_EDGE: Final = 2
"""Modules of light around a code in a terminal: half of what is asked for, and every reader takes it."""


def sheet(title: str, enrolments: Sequence[Enrolment], words: Words) -> str:
    """A page in HTML with a code for each."""
    heading = escape(words("hall.codes.title", hall=title))
    sections = (
        _SECTION.format(user=escape(one.user), picture=svg(modules_of(code(one))), broker=escape(one.broker))
        for one in enrolments
    )
    what = escape(words("hall.codes.what"))
    return _PAGE.format(
        language=words.language, heading=heading, title=escape(title), what=what, sections="\n".join(sections)
    )


def in_letters(enrolment: Enrolment) -> str:
    """The code for a dark terminal."""
    return for_terminal(modules_of(code(enrolment)))


def for_terminal(modules: Modules) -> str:
    """A code for a dark terminal."""
    width = len(modules) + 2 * _EDGE
    light = (False,) * width
    rows = [light] * _EDGE + [(*light[:_EDGE], *row, *light[:_EDGE]) for row in modules] + [light] * (_EDGE + 1)
    pairs = zip(rows[::2], rows[1::2], strict=False)
    return "\n".join("".join(_HALVES[both] for both in zip(upper, lower, strict=True)) for upper, lower in pairs)
