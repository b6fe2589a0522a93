"""Draw the board after the example turn of each game as docs/pictures/rules/GAME.svg (`make docs`)."""

from collections.abc import Mapping
from pathlib import Path

from gnomon.rules.registry import GAMES
from gnomon.web._pictures import example
from tests.docs_examples.pages import DOCS

FOLDER = DOCS / "pictures" / "rules"


def pictures() -> Mapping[Path, str]:
    """Every picture by its file."""
    drawn = {game: example(game) for game in GAMES}
    return {FOLDER / f"{game}.svg": each.after for game, each in drawn.items() if each is not None}


def main() -> None:
    """Write them."""
    FOLDER.mkdir(exist_ok=True)
    for file, svg in pictures().items():
        file.write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
