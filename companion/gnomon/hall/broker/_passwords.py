"""Read and write the password file of Mosquitto 2 (`user:hash`), and hash passwords with PBKDF2-SHA512."""

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from typing import Final

from gnomon.refusals import InvalidValueError, statement

_ROUNDS: Final = 101
"""What Mosquitto takes itself. More would protect words that people think of; ours have 128 bits of chance, and a
thousand boards come back at once."""
_SALT: Final = 12  # bytes, as many as Mosquitto 2.0 takes
_LINE: Final = re.compile(
    r"((?:[a-z0-9][a-z0-9-]{0,31}/)?[a-z0-9][a-z0-9-]{0,31}):(\$7\$[0-9]+\$[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+)"
)


class PasswordsError(InvalidValueError):
    """The list cannot be read; the sentence names the line."""


def hash_password(password: str) -> str:
    """A password as it is kept: `$7$`, PBKDF2 with SHA-512, with salt of its own."""
    salt = secrets.token_bytes(_SALT)
    return f"$7${_ROUNDS}${_base64(salt)}${_base64(_derive_key(password, salt, _ROUNDS))}"


def is_right(password: str, kept: str) -> bool:
    """Whether a password is the one that is kept. Raises ValueError for what `hash_password` did not make."""
    _, kind, rounds, salt, derived = kept.split("$")
    if kind != "7":
        message = f"the hash is of kind {kind[:8]!r}, and only 7 is known"
        raise ValueError(message)
    expected = base64.b64decode(derived)
    return hmac.compare_digest(_derive_key(password, base64.b64decode(salt), int(rounds)), expected)


def parse_passwords(text: str, where: str) -> dict[str, str]:
    """The hash of each user. Raises PasswordsError for a line that Mosquitto might take for something else."""
    found: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        match = _LINE.fullmatch(line)
        if match is None or match[1] in found:
            raise PasswordsError(statement("hall.folder.password_line", file=where, line=number))
        found[match[1]] = match[2]
    return found


def format_passwords(hashes: Mapping[str, str]) -> str:
    """The text of the list."""
    return "".join(f"{user}:{hashes[user]}\n" for user in sorted(hashes))


def _derive_key(password: str, salt: bytes, rounds: int) -> bytes:
    return hashlib.pbkdf2_hmac("sha512", password.encode(), salt, rounds)


def _base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")
