"""The documents stand alone and say what the code does: the walk-through names all that can happen, links lead on.

What single pages promise is held in `docs_examples`.
"""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from gnomon.games.tamsk.sensing.verdicts import Verdict
from gnomon.referee.effects import Effect
from gnomon.referee.events import Event
from gnomon.referee.rulings import Ruling
from gnomon.rules.registry import GAMES
from tests.cli import manual
from tests.conftest import FindProgram

ROOT = Path(__file__).parents[1]
WALKTHROUGH = (ROOT / "docs" / "walkthrough.md").read_text(encoding="utf-8")
ALPHABETS = (Event, Verdict, Ruling, Effect)
DOCUMENTS = sorted(
    path.relative_to(ROOT)
    for pattern in ("*.md", ".github/**/*.md", "docs/**/*.md", "companion/*.md", "firmware/*.md", "hardware/**/*.md")
    for path in ROOT.glob(pattern)
)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
# What is true on one machine only: absolute paths of somebody's files.
OF_ONE_MACHINE = re.compile(r"(?<![\w.`/])/(?:work|root|Users|tmp|home/(?!pi\b)\w+)/")


@pytest.mark.parametrize("name", [kind.__name__ for alphabet in ALPHABETS for kind in get_args(alphabet)])
def test_the_walk_through_names_everything_that_can_happen(name: str) -> None:
    assert f"`{name}`" in WALKTHROUGH


def package_table(package: Path) -> str:
    """The packages in a package, each with the first line of its docstring, as a table of Markdown."""
    folders = sorted(path.parent for path in package.glob("*/__init__.py"))
    first_lines = {
        folder.name: (folder / "__init__.py").read_text("utf-8").split("\n")[0].strip('"') for folder in folders
    }
    return "| package | what it is for |\n| --- | --- |\n" + "".join(
        f"| `{name}/` | {line} |\n" for name, line in first_lines.items()
    )


@pytest.mark.parametrize("package", ["companion/gnomon", "firmware/gnomon_pi"])
def test_the_table_of_packages_says_what_the_packages_say(package: str) -> None:
    assert package_table(ROOT / package) in (ROOT / package).with_name("README.md").read_text("utf-8")


def test_manual_pages_and_completions_say_what_the_help_says() -> None:
    wanted = {manual.ROOT / "docs" / file: text for file, text in manual.files()}
    stale = [path for path, text in wanted.items() if not path.is_file() or path.read_text("utf-8") != text]
    assert stale == [], "`make docs` writes them again"
    assert set(manual.there()) == set(wanted)


def test_manual_pages_can_be_set(find_program: FindProgram) -> None:
    groff = find_program("groff", package="groff-base")
    pages = sorted((ROOT / "docs" / "man").glob("*.1"))
    command: list[str | Path] = [groff, "-k", "-ww", "-b", "-z", "-man", "-Tutf8", *pages]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_first_page_leads_to_every_document() -> None:
    linked = set(LINK.findall((ROOT / "README.md").read_text("utf-8")))
    missing = [path.name for path in sorted((ROOT / "docs").glob("*.md")) if f"docs/{path.name}" not in linked]
    assert missing == []


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_page_of_its_own(game: str) -> None:
    assert Path("docs/rules") / f"{game}.md" in DOCUMENTS


@pytest.mark.parametrize(
    "section", re.split(r"^## ", (ROOT / "docs/glossary.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
)
def test_a_section_of_the_glossary_is_in_alphabetical_order(section: str) -> None:
    terms = [term.casefold() for term in re.findall(r"^- \*\*(.+?)\*\*:", section, re.MULTILINE)]
    assert terms == sorted(terms) != []


def links(document: Path) -> Iterator[tuple[Path, str]]:
    """The links of a document to others and to itself: the path, and the heading after `#` or nothing."""
    prose = FENCED.sub("", (ROOT / document).read_text(encoding="utf-8"))
    for link in LINK.findall(prose):
        if not re.match(r"[a-z]+:", link):
            path, _, heading = link.partition("#")
            yield (ROOT / document).parent / path if path else ROOT / document, heading


def anchors(document: Path) -> set[str]:
    """The names by which the headings of a document can be linked to."""
    prose = FENCED.sub("", document.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(prose)}


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_every_link_leads_somewhere(document: Path) -> None:
    missing = [
        f"{path.name}#{heading}"
        for path, heading in links(document)
        if not path.exists() or (heading and heading not in anchors(path))
    ]
    assert missing == []


def test_links_and_headings_are_found() -> None:
    tamsk = Path("docs/rules/tamsk.md")
    assert (ROOT / tamsk, "what-is-sure-and-what-is-not") in links(tamsk)
    assert {"the-board", "level-1-without-time"} <= anchors(ROOT / tamsk)


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_no_document_speaks_of_the_files_of_one_machine(document: Path) -> None:
    assert OF_ONE_MACHINE.findall((ROOT / document).read_text(encoding="utf-8")) == []
