"""Find the translations of the rules pages, and keep of each the English text from which it was made.

    python -m tests.docs_examples.translated_rules de/tamsk fr/tamsk

writes down that these two say again what the English page says.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from tests.docs_examples.pages import DOCS, rules_page

FOLDER = Path(__file__).with_name("translated_from")
APPENDIX = "## Appendix\n"


def translations() -> Sequence[tuple[str, str]]:
    """Every translated page: its language and its game."""
    return sorted((page.parent.name, page.stem) for page in (DOCS / "rules").glob("*/*.md"))


def languages() -> Sequence[str]:
    """The languages into which rules have been translated."""
    return sorted({language for language, _ in translations()})


def english(game: str) -> str:
    """What is translated of an English page: all that precedes its appendix."""
    return rules_page(game).partition(APPENDIX)[0]


def digest(game: str) -> str:
    """The English text of a page in sixteen digits."""
    return sha256(english(game).encode()).hexdigest()[:16]


def translated_from(language: str) -> Mapping[str, str]:
    """By game, the digest of the English text from which the page was made."""
    file = FOLDER / f"{language}.json"
    digests: Mapping[str, str] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return digests


def main(pages: Sequence[str]) -> None:
    """Write down that these pages, as `de/tamsk`, are made from the English text of today."""
    for page in pages:
        language, game = page.split("/")
        digests = {**translated_from(language), game: digest(game)}
        text = json.dumps(digests, indent=2, sort_keys=True)
        (FOLDER / f"{language}.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
