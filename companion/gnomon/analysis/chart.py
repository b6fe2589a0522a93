"""Draw the chance of winning over a game as SVG, in the colours of the page that shows it."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from gnomon.analysis import report
from gnomon.analysis._game_analysis import Analysis, Forecast
from gnomon.words import Words

_WIDTH: Final = 720.0
_HEIGHT: Final = 300.0
_LEFT: Final = 76.0
_RIGHT: Final = 14.0
_TOP: Final = 18.0
_FOOT: Final = 40.0
_MARKS: Final = 8  # numbers under the chart, about
_STEPS: Final = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000)

_Point = tuple[int, Forecast]


def chart(analysis: Analysis, words: Words, address: str) -> str:
    """The chart as an element of a page: `address` with the number of a turn leads to what it cost.

    Classes say what each shape is; the page gives them their colours.
    """
    title = report.chance_heading(analysis, words)
    parts = [
        f'<svg class="chart" viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="group" aria-label="{escape(title)}">',
        *_grid(len(analysis.turns)),
        *_bands(analysis),
        *_lines(analysis),
        *_costly(analysis, words, address),
        "</svg>",
    ]
    return "".join(parts)


def _x(place: float, turns: int) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * place / max(1, turns)


def _y(chance: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _FOOT) * (1 - chance)


def _grid(turns: int) -> Iterator[str]:
    """The lines at every quarter, and the numbers of some turns."""
    right = _WIDTH - _RIGHT
    for quarter in range(5):
        height = _y(quarter / 4)
        kind = "even" if quarter == 2 else "grid"  # noqa: PLR2004 - the middle one
        yield f'<path class="{kind}" d="M{_LEFT:g} {height:.1f}H{right:g}"/>'
        if quarter % 2 == 0:
            yield f'<text x="{_LEFT - 8:g}" y="{height + 5:.1f}" text-anchor="end">{25 * quarter} %</text>'
    step = next((each for each in _STEPS if turns <= each * _MARKS), _STEPS[-1])
    for number in range(0, turns + 1, step):
        anchor = "end" if number == turns else "middle"
        yield f'<text x="{_x(number, turns):.1f}" y="{_HEIGHT - 10:g}" text-anchor="{anchor}">{number}</text>'


def _runs(points: Sequence[_Point], *, bands: bool) -> Iterator[Sequence[_Point]]:
    """The points one after the other that are bands, or are none."""
    run: list[_Point] = []
    for point in points:
        if point[1].is_band is bands:
            run.append(point)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _bands(analysis: Analysis) -> Iterator[str]:
    turns = len(analysis.turns)
    for run in _runs(analysis.points, bands=True):
        left, right = _x(run[0][0], turns), _x(min(turns, run[-1][0] + 1), turns)
        low, high = run[0][1][:2]
        yield (
            f'<rect class="band" x="{left:.1f}" y="{_y(high):.1f}" width="{right - left:.1f}" '
            f'height="{_y(low) - _y(high):.1f}"/>'
        )


def _lines(analysis: Analysis) -> Iterator[str]:
    turns = len(analysis.turns)
    for run in _runs(analysis.points, bands=False):
        places = [f"{_x(number, turns):.1f} {_y(forecast.low):.1f}" for number, forecast in run]
        yield f'<path class="line" d="M{"L".join(places)}"/>'
        for number, forecast in run:
            if forecast.is_result:
                yield f'<circle class="proven" cx="{_x(number, turns):.1f}" cy="{_y(forecast.low):.1f}" r="2.6"/>'


def _costly(analysis: Analysis, words: Words, address: str) -> Iterator[str]:
    """A mark at every turn that cost much, which leads to what was better."""
    turns = len(analysis.turns)
    for turn in sorted(analysis.costly, key=lambda each: each.number):
        if turn.forecast is None:
            continue
        name = words("watching.replay.turn", number=turn.number)
        label = words("page.named", name=name, value=report.cost_text(turn, words))
        across, down = _x(turn.number - 1, turns), _y(turn.forecast.low)
        yield (
            f'<a href="{escape(f"{address}{turn.number}#board")}" aria-label="{escape(label)}">'
            f'<circle class="reach" cx="{across:.1f}" cy="{down:.1f}" r="16"/>'
            f'<circle class="costly" cx="{across:.1f}" cy="{down:.1f}" r="6"/></a>'
        )
