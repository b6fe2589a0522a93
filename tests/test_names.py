"""Test how modules and functions are named, and what stands on first lines."""

import ast
import re
from typing import Final

import pytest

from tests.test_house import MODULES, ROOT, SOURCE_ROOTS, TEST_MODULES, source_of

NOTHING = {"util", "utils", "helper", "helpers", "common", "manager", "base", "misc"}


def test_no_module_is_named_after_nothing() -> None:
    said = {module: set(re.split(r"[_.]", module.stem)) | set(module.parts) for module in MODULES + TEST_MODULES}
    assert said
    assert {module: words & NOTHING for module, words in said.items() if words & NOTHING} == {}


# A function that answers is a noun or a question, one that acts a verb; a bare participle says neither.
ENDING: Final = re.compile(r"_*[a-z]+(?:ed|ing)")
IRREGULAR: Final = re.compile(
    r"_*(?:"
    r"begun|bound|broken|brought|built|bought|caught|chosen|done|drawn|driven|fallen|felt|flown|"
    r"forgotten|found|given|gone|grown|heard|held|hidden|kept|known|laid|left|lent|lost|made|met|"
    r"paid|risen|said|seen|sent|shown|shut|sold|spent|spoken|spread|stood|struck|stuck|swept|taken|"
    r"taught|thought|thrown|told|torn|undone|understood|woken|won|worn|wound|written"
    r")"
)
NOUNS_AND_VERBS: Final = {
    "feed",
    "heading",
    "mapping",
    "matching",
    "missing",
    "nothing",
    "remaining",
    "warning",
    "wiring",
}


DEFINED: Final = re.compile(r"\bdef\s+(\w+)")


def is_participle(name: str) -> bool:
    """Whether a name is a participle alone."""
    is_one = ENDING.fullmatch(name) or IRREGULAR.fullmatch(name)
    return is_one is not None and name.strip("_") not in NOUNS_AND_VERBS


def participles(source: str) -> set[str]:
    """The functions and methods that are called by a participle alone; a property may be an adjective."""
    if not any(map(is_participle, DEFINED.findall(source))):
        return set()  # nine hundred trees are a matter of seconds
    found = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return {
        node.name
        for node in found
        if is_participle(node.name)
        and not any(isinstance(each, ast.Name) and each.id == "property" for each in node.decorator_list)
    }


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def _told(): ...", {"_told"}),
        ("class A:\n    async def opening(self): ...", {"opening"}),
        ("class A:\n    @property\n    def failed(self): ...", set()),
        ("def read(): ...\ndef feed(): ...\ndef is_told(): ...\ndef told_text(): ...", set()),
    ],
)
def test_a_participle_is_found(source: str, names: set[str]) -> None:
    assert participles(source) == names


def test_no_function_is_called_by_a_participle_alone() -> None:
    named = {str(module): participles(source_of(module)) for module in MODULES}
    assert {module: names for module, names in named.items() if names} == {}


# One sentence and no more on the first line of a docstring that begins the module.
FIRST_SENTENCE = re.compile(r'"""(?!.*[.!?] [A-Z]).*\.(?:""")?$', re.MULTILINE)


def test_a_module_says_in_one_sentence_what_it_is_for() -> None:
    said = {module: FIRST_SENTENCE.match(source_of(module)) for module in MODULES}
    assert said
    assert {module for module, found in said.items() if found is None} == set()


FORMULA = re.compile(r'(?:#!.*\n)?(?:"""|# |// ?|/\*\*?\s*(?:\* )?|\{# ?)The only ')
COMMENTED = (
    ROOT / "Makefile",
    *(ROOT / ".ci").iterdir(),
    *(ROOT / "hardware/models").iterdir(),
    *(path for root in SOURCE_ROOTS for kind in ("css", "js", "html") for path in (ROOT / root).rglob(f"*.{kind}")),
)


@pytest.mark.parametrize(
    "source", ['"""The only place', "#!/bin/sh\n# The only entry", "/* The only place", "{# The only place"]
)
def test_a_formula_is_found(source: str) -> None:
    assert FORMULA.match(source)


def test_no_first_line_hides_its_subject_behind_a_formula() -> None:
    files = [path for path in COMMENTED if path.is_file()]
    assert len(files) > 80
    found = [path for path in files if FORMULA.match(path.read_text("utf-8"))]
    assert [*found, *(module for module in (*MODULES, *TEST_MODULES) if FORMULA.match(source_of(module)))] == []
