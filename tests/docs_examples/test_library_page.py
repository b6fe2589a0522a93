"""Test the examples for programs that import gnomon, and that importing it costs as little as an empty package."""

import ast
import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import gnomon
from gnomon._names import HOMES
from tests.docs_examples.pages import codes, page, table

PAGE = "library.md"
NAMES = [name.partition("(")[0] for row in table(page(PAGE), "name", "what it is") for name in codes(row["name"])]


def test_the_examples_give_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    options = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    told = page(PAGE).replace("```", "")
    runner = doctest.DocTestRunner(optionflags=options)
    results = runner.run(doctest.DocTestParser().get_doctest(told, {}, PAGE, PAGE, 0))
    assert results.attempted > 30
    assert results.failed == 0


def test_the_page_lists_every_name_and_no_other() -> None:
    assert sorted(NAMES) == sorted(gnomon.__all__)
    assert len(NAMES) == len(set(NAMES))


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_there_and_shows_before_it_is_used(name: str) -> None:
    assert getattr(gnomon, name) is not None
    assert name in dir(gnomon)


def test_the_types_are_those_of_the_names() -> None:
    stub = ast.parse(Path(gnomon.__file__ or "").with_suffix(".pyi").read_text("utf-8"))
    typed: dict[str, str] = {}
    for node in stub.body:
        if isinstance(node, ast.ImportFrom):
            typed |= {alias.asname or alias.name: f"{node.module}:{alias.name}" for alias in node.names}
    wanted: dict[str, str] = {}
    for name, home in HOMES.items():
        module, colon, there = home.partition(":")
        wanted[name] = module.replace(f".{name}", f":{name}") if colon and not there else f"{module}:{there or name}"
    assert typed == wanted


def test_what_is_not_there_is_said() -> None:
    with pytest.raises(AttributeError, match="module 'gnomon' has no attribute 'nothing'"):
        _ = gnomon.nothing  # type: ignore[attr-defined]  # that is the point
    assert not hasattr(gnomon, "__wrapped__")


def test_importing_the_package_imports_nothing_else() -> None:
    said = "import sys; before = set(sys.modules); import gnomon; print(sorted(set(sys.modules) - before))"
    ran = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "['gnomon']"
