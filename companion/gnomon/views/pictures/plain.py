"""Draw a game that has no picture of its own: the values of its position, line by line."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from PIL import Image

from gnomon.rules.protocol import OVER, Rules
from gnomon.views import fonts
from gnomon.views.pictures.drawing import Drawing, Text
from gnomon.views.pictures.frame import HEAD, MARGIN, Annotations, PictureText, frame, player_name, turn_of
from gnomon.views.pictures.miniatures import BOARD, MiniatureText
from gnomon.words import Words

_SIZE: Final = 30.0
_PITCH: Final = 44.0  # from line to line
_LONGEST: Final = 52  # letters of a line


def picture(rules: Rules[Any, Any], position: object, asked: Annotations) -> Drawing:
    """What the rules say of a position (`state`), as text; there is no place to highlight."""
    words, lines = asked.words, [_cut(line) for line in _lines(rules.state(position))]
    shapes = [Text((MARGIN, HEAD + _PITCH * number), line, _SIZE) for number, line in enumerate(lines, 1)]
    seen = PictureText(words(f"game.{rules.name}"), _status(rules, position, asked), ". ".join(lines))
    return frame(seen, asked, _PITCH * (len(lines) + 1), shapes)


def miniature(rules: Rules[Any, Any], position: object, image: Image.Image, words: Words) -> MiniatureText:
    """The same in the board's part of the display, as far as it has room."""
    for number, line in enumerate([*_lines(rules.state(position))][: BOARD // fonts.PITCH]):
        if line:
            fonts.write(image, (1, 1 + number * fonts.PITCH), fonts.shorten(line, BOARD - 2)[0])
    return MiniatureText(_status(rules, position, Annotations(words=words)), ())


def _status(rules: Rules[Any, Any], position: object, asked: Annotations) -> str:
    words = asked.words
    if (turn := turn_of(rules, position, asked)) != OVER:
        return words("picture.status.moves", player=player_name(turn, words))
    outcome = rules.outcome(position)
    if outcome is None or outcome.winner is None:
        return words("picture.status.draw")
    return words("picture.status.wins", player=player_name(outcome.winner, words))


def _lines(values: Mapping[str, object]) -> Iterator[str]:
    """A line for each value, headed by its name; rows of text have lines of their own."""
    for name, value in values.items():
        if isinstance(value, list | tuple) and value and all(isinstance(row, str) for row in value):
            yield from (name, *value)
        else:
            yield f"{name} {_text(value)}".rstrip()


def _text(value: object) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{name}:{_text(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return " ".join(map(_text, value))
    return "-" if value is None else str(value)


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…"
