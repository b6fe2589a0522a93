"""The line of every key of a TOML text, however it is written."""

import tomllib
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon_pi.config.checked_toml import Where, lines_of
from tests.firmware_config.files import FOLDER

TEXT = '''# "x" = 1
a = 1
[b.c]  # [z]
"d e" = "# no = comment"
'f' = """
g = 1
\\""" [h]
"""   # and on
i.j = [
  1, # one ]
  [2,
   { k = "}", l = [ ] }],
  """]"""
]
[[m]]
[[m]]
n = 2026-11-20 08:30:00
[m.o]
p = \'\'\'
it's ''\'\'\'
[b]
q = { r.s = 1 , "t\\u00e9" = 2 }
[[m]]
'''


def test_every_way_to_write_a_key_is_found() -> None:
    assert lines_of(TEXT) == {
        ("a",): 2,
        ("b",): 21,
        ("b", "c"): 3,
        ("b", "c", "d e"): 4,
        ("b", "c", "f"): 5,
        ("b", "c", "i"): 9,
        ("b", "c", "i", "j"): 9,
        ("b", "c", "i", "j", 0): 10,
        ("b", "c", "i", "j", 1): 11,
        ("b", "c", "i", "j", 1, 0): 11,
        ("b", "c", "i", "j", 1, 1): 12,
        ("b", "c", "i", "j", 1, 1, "k"): 12,
        ("b", "c", "i", "j", 1, 1, "l"): 12,
        ("b", "c", "i", "j", 2): 13,
        ("m",): 15,
        ("m", 0): 15,
        ("m", 1): 16,
        ("m", 1, "n"): 17,
        ("m", 1, "o"): 18,
        ("m", 1, "o", "p"): 19,
        ("m", 2): 23,
        ("b", "q"): 22,
        ("b", "q", "r"): 22,
        ("b", "q", "r", "s"): 22,
        ("b", "q", "té"): 22,
    }


def places(value: object, where: Where = ()) -> Iterator[Where]:
    """Every key and item of what the TOML reader gives."""
    if where:
        yield where
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*where, key))


@pytest.mark.parametrize("name", sorted(file.name for file in FOLDER.iterdir()))
def test_the_bundled_files_have_a_line_for_each_of_their_keys(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert set(lines_of(text)) == set(places(tomllib.loads(text)))


VALUES = st.sampled_from([
    "1",
    "0x1F",
    "true",
    "2026-11-20",
    '"a # [b] = \\" {"',
    "'c:\\'",
    '"""\n[x]\ny = "" 1\n""""',
    "'''\n]\n'''''",
    "[]",
    "[\n]",
    '[1, # "\n 2,]',
    '[["]"], [\n\'[\' , {a.b = "}", "c" = [1]}]\n]',
    "{}",
    "{ a = 1, b = { c = [2] } }",
])  # fmt: skip
KEYS = st.sampled_from(["{0}", '"{0}"', "'{0}'", '"{0}.[x]"', "{0}.in", ' {0} . "in" '])
BETWEEN = st.sampled_from(["", "\n", "# [no] = 1\n", "  \n\t# x\n"])


@given(st.lists(st.tuples(BETWEEN, KEYS, VALUES, st.sampled_from(["", " # ]", "\r"])), max_size=8), st.booleans())
def test_any_text_in_order_has_the_lines_on_which_it_was_written(
    statements: list[tuple[str, str, str, str]], is_in_tables: bool
) -> None:
    text, lines = "", []
    for number, (between, key, value, after) in enumerate(statements):
        text += between + (f"[[t.'u']] # {number}\n" if is_in_tables else "")
        lines.append(text.count("\n") + 1)
        text += f"{key.format(f'k{number}')} = {value}{after}\n"
    found = lines_of(text)
    assert set(found) == set(places(tomllib.loads(text)))
    keys = {where[-1 if where[-1] != "in" else -2]: line for where, line in found.items() if "k" in str(where[-1])}
    assert [line for key, line in keys.items() if str(key).startswith("k")] == lines
