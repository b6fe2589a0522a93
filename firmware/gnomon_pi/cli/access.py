"""Run `gnomond access`: list people and their roles, and reset a lost PIN or password."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gnomon.cli import localized
from gnomon.cli.words import command_words, say
from gnomon.refusals import statement
from gnomon_pi.cli._failures import give_up

if TYPE_CHECKING:
    from gnomon.web.access.store import AccountStore


@localized.group(help="command.gnomond.access")
def access() -> None:
    """Say who may do what on the pages, and help when a PIN is lost."""


_STATE = localized.option("--state", type=click.Path(path_type=Path), help="option.gnomond.access.state")


@access.command("list", help="command.gnomond.access.list")
@_STATE
def list_people(state: Path | None) -> None:
    """List the people and devices that are known."""
    words = command_words()
    with _people(state) as store:
        for person in store.people():
            key = "cli.access.device" if person.is_device else "cli.access.person"
            click.echo(words(key, name=person.name, role=words(f"access.role.{person.role}")))
        if not store.has_admin():
            click.echo(words("cli.access.no_admin"))


@access.command(help="command.gnomond.access.reset")
@localized.argument("name", required=False)
@_STATE
@localized.option("--everyone", is_flag=True, help="option.gnomond.access.everyone")
def reset(*, name: str | None, state: Path | None, everyone: bool) -> None:
    """Give NAME a new PIN or password; a running daemon goes on, and all sessions and tokens of NAME end."""
    from gnomon.web.access import names

    if everyone == (name is not None):
        raise localized.WrongUsageError(statement("usage.whose_pin"))
    words = command_words()
    with _people(state) as store:
        if name is None:
            store.forget_everyone()
            click.echo(words("cli.access.forgotten"))
            return
        person = store.by_name(names.fold(name))
        if person is None:
            give_up("gnomond access", words("cli.access.nobody", name=name))
        store.change_secret(person.id, _new_secret())
        role = words(f"access.role.{person.role}")
        click.echo(words("cli.access.changed", name=person.name, role=role))


def _new_secret() -> str:
    """The hash of what is typed twice; ends the command when it may not be."""
    from gnomon.web.access import names
    from gnomon.web.access.password_hashes import argon2

    words = command_words()
    typed = click.prompt(words("cli.access.new"), hide_input=True, confirmation_prompt=words("cli.access.once_more"))
    try:
        return argon2().hash(names.secret(typed))
    except names.NameRefusedError as error:
        give_up("gnomond access", words(error.why))


@contextmanager
def _people(state: Path | None) -> Iterator["AccountStore"]:
    """The file of people, which must be there: a new one would belong to the calling user, and not to the daemon."""
    from gnomon.records.journal.folders import state_folder
    from gnomon.web.access.store import AccountStore, AccountStoreError
    from gnomon_pi.pages.pairing_codes import FILE

    path = (state or state_folder(os.environ)) / FILE
    if not path.exists():
        give_up("gnomond access", command_words()("cli.access.no_file", file=path))
    try:
        store = AccountStore.open(path)
    except AccountStoreError as error:
        give_up("gnomond access", say(error))
    try:
        yield store
    finally:
        store.close()
