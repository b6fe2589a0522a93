"""Compare pictures of the display with approved ones, and note the lines of text that are drawn on it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from PIL import Image

from gnomon.views import fonts
from gnomon.views.fonts import ELLIPSIS

UPDATE = os.environ.get("GNOMON_UPDATE_GOLDEN") == "1"


class Written(NamedTuple):
    """One line of text on the display; the descenders are left out of its height."""

    left: int
    top: int
    right: int
    bottom: int
    text: str
    scale: int

    def touches(self, other: "Written") -> bool:
        """Whether letters stand on letters."""
        apart = self.right <= other.left or other.right <= self.left
        return not (apart or self.bottom <= other.top or other.bottom <= self.top)


@contextmanager
def written() -> Iterator[list[Written]]:
    """Every line of text that is drawn meanwhile, but those on small boards, which are pictures of their own."""
    lines: list[Written] = []
    write = fonts.write

    def note(image: Image.Image, at: tuple[int, int], text: str, *, ink: int = 1, scale: int = 1) -> None:
        left, top = at
        right, bottom = left + fonts.width(text, scale), top + (fonts.LINE - 1) * scale
        lines.append(Written(left, top, right, bottom, text, scale))
        write(image, at, text, ink=ink, scale=scale)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fonts, "write", note)
        patch.setattr("gnomon.views.display.table_oled.miniature", lambda *_, **_kept: Image.new("1", (128, 64)))
        yield lines


def check_golden(picture: Image.Image, golden: Path) -> None:
    """Compare a picture with the approved one, or approve it."""
    if UPDATE:
        golden.parent.mkdir(exist_ok=True)
        picture.save(golden)
    with Image.open(golden) as approved:
        assert approved.size == picture.size
        assert approved.convert("1").tobytes() == picture.tobytes()


def check_texts(lines: list[Written]) -> None:
    """No text is cut off, and none stands on another."""
    assert [line for line in lines if line.left < 0 or line.top < 0 or line.right > 128 or line.bottom > 64] == []
    assert [line for line in lines if ELLIPSIS in line.text] == []
    assert [(one.text, other.text) for one in lines for other in lines if one is not other and one.touches(other)] == []
