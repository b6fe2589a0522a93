"""Manage the folder of a hall's broker: its settings, enrolled users and every file that Mosquitto reads."""

import fcntl
import os
import pwd
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Final

from gnomon.bounded_toml import parse_toml
from gnomon.hall.broker import _authority as authority
from gnomon.hall.broker import _passwords as passwords
from gnomon.hall.broker._access import HUB, Access, hub_users, recorder_users
from gnomon.hall.exposure import is_this_machine
from gnomon.hall.messaging import enrolment as enrolments
from gnomon.hall.messaging.enrolment import Enrolment, EnrolmentError
from gnomon.hall.messaging.hall_names import AT, join_hall, split_hall
from gnomon.hall.messaging.hall_topics import checked_hall
from gnomon.hall.messaging.messages import MessageError, checked_board
from gnomon.refusals import InvalidValueError, Statement, join, statement

ALWAYS: Final = ("localhost", "127.0.0.1")
"""The names of the machine that the broker runs on, for the hub beside it."""
HALL: Final = "hall"
"""What a hall is called in topics if nobody says otherwise."""
_SETTINGS: Final = "broker.toml"
_BOARDS, _READERS = "boards", "readers"
_NAME: Final = re.compile(r"[A-Za-z0-9 .'-]{1,40}")
_PUBLIC: Final = 0o644
_PROGRAM: Final = "/usr/sbin/mosquitto"
"""Where Debian puts it, which is on no user's path."""


class FolderError(InvalidValueError):
    """The folder of a broker cannot be made, read or changed; one sentence."""


@dataclass(frozen=True, slots=True)
class BrokerSettings:
    """What the broker of a hall is: `hosts` are its names and addresses, the first the one that boards are told."""

    hosts: tuple[str, ...]
    port: int = enrolments.TLS_PORT
    name: str = "Gnomon hall"
    user: str = ""
    """The user of the machine that the broker runs as."""
    hubs: int = 1
    recorders: int = 0
    """How many processes of the hall there may be: each has a user of its own, since one user is one connection."""
    hall: str = HALL
    """The name of the hall in topics; empty in a folder of an earlier version, which knows protocol 1 alone."""
    other_halls: tuple[str, ...] = ()
    """Further halls on the same broker: their boards and processes are called `t01@south` and `hub@south` here."""

    @property
    def halls(self) -> tuple[str, ...]:
        """All of them, the first one first."""
        return (self.hall, *self.other_halls)

    @property
    def hub_names(self) -> tuple[str, ...]:
        """What the hubs of all halls are called here."""
        return self._in_halls(hub_users(self.hubs))

    @property
    def recorder_names(self) -> tuple[str, ...]:
        """What the recorders of all halls are called here."""
        return self._in_halls(recorder_users(self.recorders))

    @property
    def processes(self) -> tuple[str, ...]:
        """What all processes of all halls are called here."""
        return (*self.hub_names, *self.recorder_names)

    def user_name(self, name: str) -> str:
        """The user of the broker that somebody is who is called so here."""
        return enrolments.user_of(*split_hall(name, self.hall))

    def _in_halls(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(join_hall(name, hall, self.hall) for hall in self.halls for name in names)


class BrokerFolder:
    """The folder of a broker. Every change is whole or not at all, file by file, and no two go on at once."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def is_there(self) -> bool:
        """Whether it was laid out before."""
        return (self.path / _SETTINGS).exists()

    def lay_out(self, settings: BrokerSettings) -> None:
        """Make everything that is missing, and write again what follows from the settings.

        What was made stays: the authority, so that boards still know the broker, the hub's password, and the boards.
        Raises FolderError.
        """
        checked = _check(settings)
        with self._alone(checked):
            former = self._processes() if self.is_there else {}
            if taken := {*checked.processes} & {*self.boards(), *self.readers()}:
                raise FolderError(statement("hall.folder.hub", name=min(taken)))
            (self.path / "state").mkdir(exist_ok=True)
            for folder in (self.path, self.path / "state"):
                os.chown(folder, *_owner(checked))
            signer = self._signer(checked)
            issued = _attempt(lambda: authority.server([*checked.hosts, *ALWAYS], signer))
            self._keep("server.key", issued.key, checked)
            self._keep("server.crt", issued.certificate, checked)
            quoted, others = (
                ", ".join(f'"{each}"' for each in names) for names in (checked.hosts, checked.other_halls)
            )
            told = [
                f"hosts = [{quoted}]",
                f"port = {checked.port}",
                f'name = "{checked.name}"',
                f'user = "{checked.user}"',
                f"hubs = {checked.hubs}",
                f"recorders = {checked.recorders}",
                f'hall = "{checked.hall}"',
                f"other_halls = [{others}]",
            ]
            self._keep(_SETTINGS, "# Written by `gnomon hall broker`.\n" + "\n".join(told) + "\n", checked)
            self._keep("mosquitto.conf", self._configuration(checked), checked)
            self._keep("gnomon-broker.service", self._unit(checked), checked)
            hashes = self._enrol_processes(checked, former, signer.certificate)
            for kept in (*self._files(_BOARDS), *self._files(_READERS)):
                known = enrolments.read(kept)
                moved = replace(known, host=checked.hosts[0], port=checked.port)
                if known.hall and AT not in kept.stem and known.hall != checked.hall:  # it is called otherwise now
                    moved = replace(moved, user=enrolments.user_of(known.board, checked.hall), hall=checked.hall)
                    if known.user in hashes:
                        hashes[moved.user] = hashes.pop(known.user)
                enrolments.keep(kept, moved, _owner(checked))
            self._write_access(checked)
            self._keep("passwords", passwords.format_passwords(hashes), checked)

    def settings(self) -> BrokerSettings:
        """What the broker is. Raises FolderError where there is none."""
        path = self.path / _SETTINGS
        try:
            told = parse_toml(path.read_text(encoding="utf-8"))
            # An older version had one hub.
            later = (
                told.get("hubs", 1),
                told.get("recorders", 0),
                told.get("hall", ""),
                tuple(told.get("other_halls", ())),
            )
            return _check(BrokerSettings(tuple(told["hosts"]), told["port"], told["name"], told["user"], *later))
        except FileNotFoundError as error:
            raise FolderError(statement("hall.folder.none", folder=str(self.path))) from error
        except OSError as error:
            raise FolderError(statement("hall.folder.not_read", file=str(path), text=str(error.strerror))) from error
        except (ValueError, KeyError, TypeError) as error:
            raise FolderError(statement("hall.folder.not_ours", file=str(path))) from error

    def enrol(
        self,
        names: Sequence[str],
        *,
        again: bool = False,
        reader: bool = False,
        home_assistant: bool = False,
        former: bool = False,
    ) -> Sequence[Enrolment]:
        """Let boards (or readers) in, each with a new password; `again`: even who has one. Raises FolderError.

        `former`: they speak protocol 1.
        """
        settings = self.settings()
        with self._alone(settings):
            hashes = self._hashes()
            for name in names:
                self._check_new(name, settings, again=again)
            made: list[Enrolment] = []
            for name in dict.fromkeys(names):
                board, hall = split_hall(name, settings.hall)
                if former and hall != settings.hall:
                    raise FolderError(statement("hall.folder.former", name=name))
                hall = "" if former else hall
                user, proof = enrolments.user_of(board, hall), enrolments.new_password()
                host, port = settings.hosts[0], settings.port
                made.append(Enrolment(host, port, user, proof, self._authority(), home_assistant, hall))
                for earlier in self._users(name):
                    hashes.pop(earlier, None)
                self._forget(name)
                folder = _READERS if reader else _BOARDS
                enrolments.keep(self.path / folder / f"{name}.toml", made[-1], _owner(settings))
                hashes[user] = passwords.hash_password(proof)
            self._write_access(settings)
            self._keep("passwords", passwords.format_passwords(hashes), settings)
        return made

    def revoke(self, names: Sequence[str]) -> None:
        """Let boards or readers in no longer. Raises FolderError, and nothing is changed, where one is not enrolled."""
        settings = self.settings()
        with self._alone(settings):
            hashes = self._hashes()
            leaving = {name: self._users(name) for name in names}
            unknown = [name for name, users in leaving.items() if not users]
            if unknown:
                raise FolderError(statement("hall.folder.not_enrolled", boards=unknown))
            # The password goes first: whatever comes between, nobody stays in by it.
            gone = {user for users in leaving.values() for user in users}
            self._keep(
                "passwords", passwords.format_passwords({u: h for u, h in hashes.items() if u not in gone}), settings
            )
            for name in names:
                self._forget(name)
            self._write_access(settings)

    def boards(self) -> Sequence[str]:
        """The boards that are enrolled, by name."""
        return [path.stem for path in self._files(_BOARDS)]

    def readers(self) -> Sequence[str]:
        """Those who only look."""
        return [path.stem for path in self._files(_READERS)]

    def enrolment(self, name: str) -> Enrolment:
        """How a board, a reader or the hall gets in. Raises FolderError for one that is not enrolled."""
        if name in self.settings().processes:
            return _read(self.path / f"{name}.toml")
        for path in (*self._files(_BOARDS), *self._files(_READERS)):
            if path.stem == name:
                return _read(path)
        raise FolderError(statement("hall.folder.stranger", board=name, folder=str(self.path)))

    def access(self) -> Access:
        """Who may read and write what. Raises FolderError."""
        settings = self.settings()
        boards = [_read(path) for path in self._files(_BOARDS)]
        return Access(
            frozenset(_read(path).user for path in self._files(_READERS)),
            frozenset(one.user for one in boards if one.home_assistant),
            tuple(map(settings.user_name, settings.hub_names)),
            tuple(map(settings.user_name, settings.recorder_names)),
            settings.hall,
            settings.other_halls,
        )

    def hashes(self) -> Mapping[str, str]:
        """The hash of everybody's password. Raises FolderError."""
        try:
            return self._hashes()
        except passwords.PasswordsError as error:
            raise FolderError(error) from error

    def passwords_version(self) -> tuple[int, int]:
        """Something that is another each time the passwords were written. Raises FolderError."""
        try:
            kept = (self.path / "passwords").stat()
        except OSError as error:
            raise FolderError(
                statement("hall.folder.not_read", file=str(self.path / "passwords"), text=str(error.strerror))
            ) from error
        return kept.st_ino, kept.st_mtime_ns

    def upgrade_warning(self) -> Statement | None:
        """What has to be done where Mosquitto reads what this Gnomon would write otherwise; None for nothing.

        Nothing is known of files that only others may read.
        """
        try:
            settings = self.settings()
            should = {"mosquitto.conf": self._configuration(settings), "access": self.access().acl_text()}
            other = [name for name, text in should.items() if _text(self.path / name) != text]
        except FolderError:
            return None
        files = join(map(Statement.plain, other))
        return statement("hall.folder.other_version", files=files, folder=self.path) if other else None

    # What the files say

    def _configuration(self, settings: BrokerSettings) -> str:
        template = (files("gnomon.hall.broker") / "mosquitto.conf").read_text(encoding="utf-8")
        here = " 127.0.0.1" if all(map(is_this_machine, settings.hosts)) else ""
        # Mosquitto looks at the user only when root starts it.
        user = f"user {settings.user}"
        return template.format(port=f"{settings.port}{here}", folder=self.path.resolve(), user=user)

    def _unit(self, settings: BrokerSettings) -> str:
        template = (files("gnomon.hall.broker") / "gnomon-broker.service").read_text(encoding="utf-8")
        program = shutil.which("mosquitto") or _PROGRAM
        return template.format(program=program, folder=self.path.resolve(), user=settings.user)

    def _signer(self, settings: BrokerSettings) -> authority.Signed:
        certificate, key = self.path / "ca.crt", self.path / "ca.key"
        if certificate.exists() and key.exists():
            return authority.Signed(_text(certificate), _text(key))
        made = _attempt(lambda: authority.authority(settings.name))
        self._keep("ca.key", made.key, settings)
        self._keep("ca.crt", made.certificate, settings)
        certificate.chmod(_PUBLIC)
        return made

    def _enrol_processes(self, settings: BrokerSettings, former: Mapping[str, str], signer: str) -> dict[str, str]:
        """Give each process of the hall its file; the passwords of everybody."""
        hashes = self._hashes()
        for name in settings.processes:
            path, hall, user = (
                self.path / f"{name}.toml",
                split_hall(name, settings.hall).hall,
                settings.user_name(name),
            )
            before = _read(path) if path.exists() else None
            if before is not None and before.user in hashes:
                kept = replace(before, port=settings.port, authority=signer)
                hashes[user] = hashes[before.user]
            else:
                kept = Enrolment(ALWAYS[0], settings.port, user, enrolments.new_password(), signer)
                hashes[user] = passwords.hash_password(kept.password)
            understands_former = bool(hall) and hall == settings.hall
            named = replace(kept, user=user, hall=hall, understands_former=understands_former)
            enrolments.keep(path, named, _owner(settings))
        users = {settings.user_name(name) for name in settings.processes}
        for name, user in former.items():
            if user not in users:
                hashes.pop(user, None)
            if name not in settings.processes:
                (self.path / f"{name}.toml").unlink(missing_ok=True)
        return hashes

    def _processes(self) -> Mapping[str, str]:
        """The users that the processes of the halls were, by their names here."""
        try:
            names = self.settings().processes
        except FolderError:
            names = (HUB,)  # what it was is written again
        files = {name: self.path / f"{name}.toml" for name in names}
        return {name: _read(path).user for name, path in files.items() if path.exists()}

    def _users(self, name: str) -> tuple[str, ...]:
        """The user that a board or a reader is, if it is enrolled."""
        return tuple(
            _read(path).user for folder in (_BOARDS, _READERS) for path in self._files(folder) if path.stem == name
        )

    def _write_access(self, settings: BrokerSettings) -> None:
        self._keep("access", self.access().acl_text(), settings)

    def _check_new(self, name: str, settings: BrokerSettings, *, again: bool) -> None:
        try:
            hall = split_hall(checked_board(name), settings.hall).hall
        except MessageError as error:
            raise FolderError(error) from error
        if hall not in settings.halls or name.endswith(f"{AT}{settings.hall}"):
            raise FolderError(statement("hall.folder.no_hall", name=name, folder=str(self.path)))
        if name in settings.processes:
            raise FolderError(statement("hall.folder.hub", name=name))
        if self._users(name) and not again:
            raise FolderError(statement("hall.folder.enrolled", name=name))

    def _forget(self, name: str) -> None:
        for folder in (_BOARDS, _READERS):
            (self.path / folder / f"{name}.toml").unlink(missing_ok=True)

    # How they are kept

    def _keep(self, name: str, text: str, settings: BrokerSettings) -> None:
        enrolments.keep_secret(self.path / name, text, _owner(settings))

    def _authority(self) -> str:
        return _text(self.path / "ca.crt")

    def _hashes(self) -> dict[str, str]:
        path = self.path / "passwords"
        return passwords.parse_passwords(_text(path), str(path)) if path.exists() else {}

    def _files(self, folder: str) -> list[Path]:
        return sorted((self.path / folder).glob("*.toml"))

    @contextmanager
    def _alone(self, settings: BrokerSettings) -> Iterator[None]:
        """Change the folder while nobody else does; whatever goes wrong with its files is a FolderError."""
        try:
            for folder in (self.path, self.path / _BOARDS, self.path / _READERS):
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                os.chown(folder, *_owner(settings))
            with (self.path / ".lock").open("w", encoding="ascii") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                yield
        except (EnrolmentError, passwords.PasswordsError) as error:
            raise FolderError(error) from error
        except OSError as error:
            raise FolderError(
                statement("hall.folder.not_written", file=str(error.filename or self.path), text=str(error.strerror))
            ) from error


def _check(settings: BrokerSettings) -> BrokerSettings:
    if not settings.hosts:
        raise FolderError(statement("hall.folder.host"))
    try:
        for host in settings.hosts:
            enrolments.checked_host(host)
    except EnrolmentError as error:
        raise FolderError(error) from error
    try:
        for hall in settings.halls if settings.hall or settings.other_halls else ():
            checked_hall(hall)
        if len({*settings.halls}) < len(settings.halls):
            raise FolderError(statement("hall.folder.twice", hall=_twice(settings.halls)))
    except MessageError as error:
        raise FolderError(error) from error
    if not _NAME.fullmatch(settings.name):
        raise FolderError(statement("hall.folder.name", name=settings.name))
    _owner(settings)
    return settings


def _twice(halls: Sequence[str]) -> str:
    return next(hall for hall in halls if halls.count(hall) > 1)


def _owner(settings: BrokerSettings) -> tuple[int, int]:
    try:
        user = pwd.getpwnam(settings.user)
    except KeyError as error:
        raise FolderError(statement("hall.folder.user", user=settings.user)) from error
    return user.pw_uid, user.pw_gid


def _attempt(make: Callable[[], authority.Signed]) -> authority.Signed:
    try:
        return make()
    except authority.AuthorityError as error:
        raise FolderError(error) from error


def _read(path: Path) -> Enrolment:
    try:
        return enrolments.read(path)
    except EnrolmentError as error:
        raise FolderError(error) from error


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise FolderError(statement("hall.folder.not_read", file=str(path), text=str(error.strerror))) from error
