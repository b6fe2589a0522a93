"""Authenticate and authorize MQTT clients by the current password and access lists of a broker folder."""

import ssl
from collections.abc import Mapping
from pathlib import Path

from gnomon.hall.broker import _passwords as passwords
from gnomon.hall.broker._access import READ, WRITE, Access
from gnomon.hall.broker.folder import BrokerFolder, FolderError
from gnomon.refusals import statement


class FolderDoors:
    """Who may come in according to the folder of a broker as it is now: an enrolment or a revocation counts at once."""

    def __init__(self, folder: BrokerFolder) -> None:
        """Raises FolderError."""
        self._folder = folder
        self._hashes: Mapping[str, str] = {}
        self._access = Access()
        self._seen: object = None
        self._read_again()

    def have_changed(self) -> bool:
        """Look whether somebody was enrolled or revoked. Lists that cannot be read change nothing."""
        try:
            return self._read_again()
        except FolderError:
            return False

    def _read_again(self) -> bool:
        # The lists are written again each time, the passwords last or alone.
        now = self._folder.passwords_version()
        if now == self._seen:
            return False
        self._hashes, self._access = self._folder.hashes(), self._folder.access()
        self._seen = now
        return True

    def lets_in(self, user: str, password: str) -> bool:
        """Whether that is the user's password."""
        if user not in self._hashes:
            self.have_changed()
        kept = self._hashes.get(user)
        return kept is not None and passwords.is_right(password, kept)

    def may_write(self, user: str, topic: str) -> bool:
        """Whether a user may publish under a topic."""
        return self._access.may(user, WRITE, topic)

    def may_read(self, user: str, topic: str) -> bool:
        """Whether a user is told what is published under a topic."""
        return self._access.may(user, READ, topic)


def tls_of(folder: Path) -> ssl.SSLContext:
    """What shows the broker's certificate. Raises FolderError."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(folder / "server.crt", folder / "server.key")
    except OSError as error:
        raise FolderError(
            statement("hall.folder.certificate", folder=str(folder), text=str(error.strerror or error))
        ) from error
    return context
