"""Write a drawing as a self-contained SVG document with accessible names."""

import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import Final, assert_never

from gnomon.views.pictures._letters import has_all, width
from gnomon.views.pictures.drawing import Circle, Drawing, Group, Path, Point, Polygon, Shape, Text
from gnomon.views.pictures.palette import LIGHT, Colour, Theme

_FONTS: Final = "Aileron, Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif"
# What XML 1.0 cannot carry, however it is written.
_FORBIDDEN: Final = re.compile("[\x00-\x1f\ud800-\udfff\ufffe\uffff]")


def to_svg(drawing: Drawing, theme: Theme = LIGHT, *, dark: Theme | None = None) -> str:
    """The drawing as an SVG document; `dark` is the theme for a viewer who prefers dark, if it is to follow them."""
    follow = dark is not None
    width, height = number(drawing.width), number(drawing.height)
    left, top = map(number, drawing.corner)
    paper = "" if drawing.paper is None else _colour("fill", drawing.paper, theme, follow=follow)
    root = (
        'xmlns="http://www.w3.org/2000/svg"',
        f'viewBox="{left} {top} {width} {height}"',
        'role="img" aria-labelledby="title desc"',
        f"font-family={_quote(_FONTS)}",
        'stroke-linecap="round" stroke-linejoin="round"',
    )
    lines = (
        f"<svg {' '.join(root)}>",
        f'<title id="title">{_text(drawing.title)}</title>',
        f'<desc id="desc">{_text(drawing.description)}</desc>',
        *_styles(theme, dark),
        *([f'<rect width="{width}" height="{height}"{paper}/>'] if paper else []),
        *_SvgWriter(theme, follow=follow).elements(drawing.shapes),
        "</svg>",
    )
    return "".join(f"{line}\n" for line in lines)


def number(value: float) -> str:
    """A length with at most two decimals, without empty ones."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class _SvgWriter:
    """Writes shapes in one theme."""

    def __init__(self, theme: Theme, *, follow: bool) -> None:
        self._theme = theme
        self._follow = follow

    def elements(self, shapes: Iterable[Shape]) -> Iterator[str]:
        """One element a line."""
        for shape in shapes:
            match shape:
                case Circle((x, y), radius):
                    place = f'cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'
                    yield f"<circle {place}{self._element(shape)}/>"
                case Polygon(points):
                    yield f'<polygon points="{" ".join(map(_pair, points))}"{self._element(shape)}/>'
                case Path():
                    dash = f' stroke-dasharray="{" ".join(map(number, shape.dash))}"' if shape.dash else ""
                    ends = ' stroke-linecap="butt"' if shape.flat else ""
                    yield f'<path d="{_steps(shape)}"{self._element(shape)}{dash}{ends}/>'
                case Text():
                    yield self._line(shape)
                case Group():
                    key = f" data-key={_quote(shape.key)}" if shape.key else ""
                    data = "".join(f" data-{name}={_quote(value)}" for name, value in shape.data)
                    hidden = ' hidden=""' if shape.hidden else ""
                    yield f"<g{key}{data}{hidden}>"
                    if shape.title:
                        yield f"<title>{_text(shape.title)}</title>"
                    yield from self.elements(shape.shapes)
                    yield "</g>"
                case _:
                    assert_never(shape)

    def _element(self, shape: Circle | Polygon | Path) -> str:
        fill = self._colour("fill", shape.fill) if shape.fill else ' fill="none"'
        if shape.stroke is None:
            return fill
        return f'{fill}{self._colour("stroke", shape.stroke)} stroke-width="{number(shape.width)}"'

    def _line(self, text: Text) -> str:
        anchor = f' text-anchor="{text.anchor}"' if text.anchor != "start" else ""
        weight = ' font-weight="bold"' if text.bold else ""
        spacing = f' letter-spacing="{number(text.spacing)}"' if text.spacing else ""
        place = f'x="{number(text.at[0])}" y="{number(text.at[1])}" font-size="{number(text.size)}"'
        colour = self._colour("fill", text.colour)
        return f"<text {place}{anchor}{weight}{spacing}{_text_width(text)}{colour}>{_text(text.text)}</text>"

    def _colour(self, what: str, colour: Colour) -> str:
        return _colour(what, colour, self._theme, follow=self._follow)


def _text_width(text: Text) -> str:
    """How wide a text is, so that it keeps clear of its neighbours in whatever font the viewer has."""
    if len(text.text) == 1 or not has_all(text.text):
        return ""
    wide = width(text.text, text.size, text.spacing, bold=text.bold)
    return f' textLength="{number(wide)}" lengthAdjust="spacingAndGlyphs"'


def _colour(what: str, colour: Colour, theme: Theme, *, follow: bool) -> str:
    """A plain attribute, which every program reads; one that may change is a variable, which browsers read."""
    return f' {what}="var(--{colour})"' if follow else f' {what}="{theme[colour]}"'


def _styles(theme: Theme, dark: Theme | None) -> Iterator[str]:
    if dark is not None:
        yield f"<style>svg{{{_variables(theme)}}}@media(prefers-color-scheme:dark){{svg{{{_variables(dark)}}}}}</style>"


def _variables(theme: Theme) -> str:
    return ";".join(f"--{colour}:{theme[colour]}" for colour in Colour)


def _steps(path: Path) -> str:
    parts = [f"M{_pair(path.start)}"]
    parts += [f"{'L' if len(step) == 1 else 'C'}{' '.join(map(_pair, step))}" for step in path.steps]
    return "".join((*parts, "Z" if path.closed else ""))


def _pair(point: Point) -> str:
    return f"{number(point[0])},{number(point[1])}"


def _text(text: str) -> str:
    # Not by xml.sax.saxutils: that brings urllib.request with it, http and email behind that.
    return escape(_legible(text), quote=False)


def _quote(text: str) -> str:
    return '"' + _text(text).replace('"', "&quot;") + '"'


def _legible(text: str) -> str:
    return _FORBIDDEN.sub(" ", text)
