"""Publish tournaments, or the games of a board, as a site of files (`gnomon publish`)."""

from contextlib import suppress
from pathlib import Path

import click

from gnomon.cli.words import CommandRefusedError, command_words, say_sentence
from gnomon.words import LANGUAGES


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "source",
    metavar="SOURCE",
    help="The address of a running hall (http://…), which has live boards too; the folder of a hall's data, its"
    " database (a file, or postgresql://…), the file of a tournament, or the journal of a board."
    "  [default: the data of this user's hall]",
)
@click.option(
    "--in",
    "languages",
    type=click.Choice(LANGUAGES),
    multiple=True,
    help="A language of the site; may be repeated; the first is the site's own.  [default: that of this command]",
)
@click.option(
    "--to",
    "targets",
    multiple=True,
    metavar="TARGET",
    help="Copy the site to host:/folder with rsync, or to an object store (s3://bucket/folder, gs://…, az://…); may be"
    " repeated.",
)
@click.option(
    "--every", type=click.FloatRange(min=1), metavar="SECONDS", help="Keep running, and look for news this often."
)
def publish(
    folder: Path, source: str | None, languages: tuple[str, ...], targets: tuple[str, ...], every: float | None
) -> None:
    """Write pairings, standings, tables and games as a site of files to FOLDER, for any web server.

    The site changes as a whole or not at all, and unchanged files are not written again. FOLDER becomes a symbolic
    link to the present set of files, in a folder beside it.
    """
    from gnomon.cli.hall import data_folder
    from gnomon.web.publication import Publication, PublicationError, Written, keep_published
    from gnomon.web.publication import publish as publish_site

    words = command_words()
    chosen = tuple(dict.fromkeys(languages)) or (words.language,)
    publication = Publication(source or str(data_folder()), folder, chosen, tuple(dict.fromkeys(targets)))

    def report(told: Written | PublicationError) -> None:
        if isinstance(told, PublicationError):
            click.echo(say_sentence(told), err=True)
            return
        size = round(told.size / 1024)
        click.echo(words("cli.publish.done", folder=folder, files=told.files, changed=told.changed, size=size))

    try:
        if every is None:
            report(publish_site(publication))
        else:
            with suppress(KeyboardInterrupt):
                keep_published(publication, every, report)
    except PublicationError as error:
        raise CommandRefusedError(error) from error
