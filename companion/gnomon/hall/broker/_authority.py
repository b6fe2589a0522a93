"""Create a hall's certificate authority and sign server certificates (P-256) with openssl."""

import ipaddress
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, Self

from gnomon.refusals import Refusal, statement

_DAYS: Final = 7300
"""Twenty years. Boards do not look at it, for they may have no clock that knows the day."""
_WITHIN: Final = 30  # seconds for openssl


class AuthorityError(Refusal):
    """A certificate cannot be made; one sentence."""


class Signed(NamedTuple):
    """A certificate and its key, in PEM."""

    certificate: str
    key: str


# No identifier of the issuer: it is itself, and a QR code has to hold the certificate.
_AUTHORITY: Final = """\
[req]
prompt = no
distinguished_name = name
x509_extensions = extensions
[name]
CN = {name}
[extensions]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
"""
_SERVER: Final = """\
[req]
prompt = no
distinguished_name = name
[name]
CN = {name}
[extensions]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = {hosts}
"""
_KEY: Final = ("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "key")


def authority(name: str) -> Signed:
    """A new authority of that name. Raises AuthorityError."""
    with _Openssl() as openssl:
        openssl.write("config", _AUTHORITY.format(name=name))
        openssl.run(*_KEY)
        openssl.run("req", "-new", "-x509", "-config", "config", "-key", "key", "-days", f"{_DAYS}", "-out", "made")
        return Signed(openssl.read("made"), openssl.read("key"))


def server(hosts: Sequence[str], by: Signed) -> Signed:
    """A certificate for a server with these names and addresses, the first its main one. Raises AuthorityError."""
    with _Openssl() as openssl:
        openssl.write("config", _SERVER.format(name=hosts[0][:64], hosts=", ".join(map(_subject, hosts))))
        openssl.write("ca.crt", by.certificate)
        openssl.write("ca.key", by.key)
        openssl.run(*_KEY)
        openssl.run("req", "-new", "-config", "config", "-key", "key", "-out", "wanted")
        signing = ("-CA", "ca.crt", "-CAkey", "ca.key", "-set_serial", f"0x{os.urandom(15).hex()}")
        extensions = ("-extfile", "config", "-extensions", "extensions")
        openssl.run("x509", "-req", "-in", "wanted", *signing, *extensions, "-days", f"{_DAYS}", "-out", "made")
        return Signed(openssl.read("made"), openssl.read("key"))


def _subject(host: str) -> str:
    try:
        return f"IP:{ipaddress.ip_address(host)}"
    except ValueError:
        return f"DNS:{host}"


class _Openssl:
    """The program openssl in a folder of its own, which goes with everything in it."""

    def __init__(self) -> None:
        program = shutil.which("openssl")
        if program is None:
            raise AuthorityError(statement("hall.authority.openssl"))
        self._program = program
        self._folder = TemporaryDirectory(prefix="gnomon-hall-")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def run(self, *words: str) -> None:
        """Run one of its commands. Raises AuthorityError with its last words."""
        try:
            ended = subprocess.run(  # noqa: S603 - our own words, and hosts that were checked
                [self._program, *words],
                cwd=self._folder.name,
                # The system's own configuration may ask for anything.
                env={"PATH": os.defpath, "OPENSSL_CONF": os.devnull, "LC_ALL": "C"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_WITHIN,
                text=True,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise AuthorityError(statement("hall.authority.not_run", command=words[0], text=str(error))) from error
        if ended.returncode != 0:
            raise AuthorityError(
                statement("hall.authority.failed", command=words[0], text=" ".join(ended.stderr.split())[-300:])
            )

    def write(self, name: str, text: str) -> None:
        """Leave a file for it."""
        Path(self._folder.name, name).write_text(text, encoding="ascii")

    def read(self, name: str) -> str:
        """Take a file of it."""
        return Path(self._folder.name, name).read_text(encoding="ascii")
