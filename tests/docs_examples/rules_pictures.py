"""Draw the board after the example turn of each game as docs/pictures/rules/GAME.svg (`make docs`).

Beside them, in a folder for each language, are the pictures of the translated pages: pictures have words.
"""

from collections.abc import Mapping
from pathlib import Path

from gnomon.rules.registry import GAMES
from gnomon.web._pictures import example
from gnomon.words import words
from tests.docs_examples.pages import DOCS
from tests.docs_examples.translated_rules import translations

FOLDER = DOCS / "pictures" / "rules"


def pictures() -> Mapping[Path, str]:
    """Every picture by its file."""
    drawn = {FOLDER / f"{game}.svg": example(game) for game in GAMES}
    for language, game in translations():
        drawn[FOLDER / language / f"{game}.svg"] = example(game, words(language))
    return {file: each.after for file, each in drawn.items() if each is not None}


def main() -> None:
    """Write them."""
    for file, svg in pictures().items():
        file.parent.mkdir(exist_ok=True)
        file.write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
