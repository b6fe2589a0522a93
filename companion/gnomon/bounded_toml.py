"""Parse TOML from outside in bounded time.

The standard library's `tomllib` copies what leads to a key for each of its parts: one key of 64 KiB, `a.a.a…`, takes
it 38 s. It also goes as deep as brackets are nested until the interpreter refuses, which also refuses numbers of
thousands of digits. Texts are parsed here alone.
"""

import re
import tomllib
from typing import Any, Final

DEEPEST: Final = 16
"""Parts of a dotted key, at most; the files of Gnomon need four."""

TOMLDecodeError = tomllib.TOMLDecodeError

# A text without an end is the last thing that is looked at, since there tomllib ends, too: with another try behind
# each of its quotes, this would take as long as what it prevents.
_TOKEN: Final = re.compile(
    r'''#[^\n]*|"""(?:(?:[^\\]|\\.)*?"{3,5}|.*)|\'{3}(?:.*?\'{3,5}|.*)|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|["'].*''',
    re.DOTALL,
)
_END_OF_KEY: Final = re.compile(r"[^\w. \t-]+")


class TomlBoundsError(ValueError):
    """A text is not parsed since it is beyond the bounds; it may be TOML."""


class TomlDigitsError(TomlBoundsError):
    """A number has thousands of digits."""


class TomlDepthError(TomlBoundsError):
    """Brackets or dotted keys are nested too deeply."""


def parse_toml(text: str) -> dict[str, Any]:
    """The outermost table of a text. Raises TOMLDecodeError for what is no TOML, and TomlBoundsError."""
    if text.count(".") >= DEEPEST and _deepest(text) >= DEEPEST:
        message = f"a key has more than {DEEPEST} parts"
        raise TomlDepthError(message)
    try:
        return tomllib.loads(text)
    except TOMLDecodeError:
        raise
    except ValueError as error:
        message = "a number has thousands of digits"
        raise TomlDigitsError(message) from error
    except RecursionError as error:
        message = "brackets are nested too deeply"
        raise TomlDepthError(message) from error


def _deepest(text: str) -> int:
    """The most dots of a dotted key. Nothing else in TOML has more than one without a sign between, but texts."""
    bare = _TOKEN.sub(lambda match: "" if match[0][0] == "#" else "_", text)
    return max(run.count(".") for run in _END_OF_KEY.split(bare))
