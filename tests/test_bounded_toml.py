"""TOML from outside: what is in bounds is parsed as the standard library does, and what is not is refused at once."""

import re
import tomllib
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.bounded_toml import DEEPEST, TomlBoundsError, TomlDepthError, TomlDigitsError, parse_toml

DEEP: Final = ".".join("a" * (DEEPEST + 1))
ALLOWED: Final = ".".join("a" * DEEPEST)
ROOT: Final = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "text",
    [
        "a." * 32_766 + "a = 1",
        f"{DEEP} = 1",
        f"[{DEEP}]",
        f"[[{DEEP}]]",
        f"x = {{ {DEEP} = 1 }}",
        "x = 1\n" + DEEP.replace(".", " .\t") + " = 1",
        DEEP.replace("a", '"a.\\"b"') + " = 1",
        DEEP.replace("a", "'a\\'") + " = 1",
        f's = """one"\\"""\n"""\n{DEEP} = 1',
        f"s = '''it's'''''\n{DEEP} = 1",
        "x = " + "[" * 5_000,
    ],
)
def test_what_is_nested_too_deeply_is_refused(text: str) -> None:
    with pytest.raises(TomlDepthError):
        parse_toml(text)


def test_thousands_of_digits_are_refused() -> None:
    with pytest.raises(TomlDigitsError):
        parse_toml(f"x = {'9' * 5_000}")


@pytest.mark.parametrize(
    "text",
    [
        f"{ALLOWED} = 1\n[b.{ALLOWED[2:]}]\n",
        f'x = "{DEEP} = 1"',
        f'x = """\n{DEEP} = 1 "quoted" and \\""" {DEEP}\n"""""\ny = 1',
        f"x = '{DEEP}'\ny = '''\n{DEEP}\n'''",
        f"# {DEEP} = 1 \"'\nx = 1 # {DEEP}",
        f"x = [{', '.join(['1.5'] * 40)}]",
        "\n".join(f"d{number} = 1979-05-27T07:32:00.5Z" for number in range(40)),
    ],
)
def test_dots_that_lead_nowhere_are_not_counted(text: str) -> None:
    assert parse_toml(text) == tomllib.loads(text)


PIECES: Final = st.sampled_from(
    [
        "a",
        "b",
        ".",
        ".a" * 9,
        ".a" * 20,
        " ",
        "=",
        "1",
        "\n",
        "#",
        '"',
        "'",
        '"""',
        "'''",
        "\\",
        "[",
        "]",
        "{",
        "}",
        ",",
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_the_bounds_are_all_that_differs_from_the_standard_library(text: str) -> None:
    try:
        read = parse_toml(text)
    except TomlBoundsError:
        assert text.count(".") >= DEEPEST
    except tomllib.TOMLDecodeError:
        with pytest.raises(tomllib.TOMLDecodeError):
            tomllib.loads(text)
    else:
        assert read == tomllib.loads(text)


def test_nothing_else_of_the_product_parses_toml() -> None:
    sources = [*(ROOT / "companion").rglob("*.py"), *(ROOT / "firmware").rglob("*.py")]
    using = [path.name for path in sources if re.search(r"^\s*(import|from) tomllib", path.read_text(), re.MULTILINE)]
    assert using == ["bounded_toml.py"]
