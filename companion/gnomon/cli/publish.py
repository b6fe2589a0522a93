"""Publish tournaments as a site of files (`gnomon publish`)."""

from pathlib import Path

import click

from gnomon.cli.words import CommandRefusedError, command_words
from gnomon.words import LANGUAGES


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "source",
    metavar="SOURCE",
    help="The folder of a hall's data, its database (a file, or postgresql://…), or the file of a tournament."
    "  [default: the hall of this user]",
)
@click.option(
    "--in",
    "languages",
    type=click.Choice(LANGUAGES),
    multiple=True,
    help="A language of the site; may be repeated; the first is the site's own.  [default: that of this command]",
)
def publish(folder: Path, source: str | None, languages: tuple[str, ...]) -> None:
    """Write pairings, standings and tables as a site of files to FOLDER, for any web server.

    The site changes whole or not at all, and files that say the same are not written again. FOLDER becomes a symbolic
    link to the present set of files, which stands in a folder beside it.
    """
    from gnomon.cli.hall import data_folder
    from gnomon.web.publication import Publication, PublicationError
    from gnomon.web.publication import publish as publish_site

    words = command_words()
    chosen = tuple(dict.fromkeys(languages)) or (words.language,)
    try:
        written = publish_site(Publication(source or str(data_folder()), folder, chosen))
    except PublicationError as error:
        raise CommandRefusedError(error) from error
    size = round(written.size / 1024)
    click.echo(words("cli.publish.done", folder=folder, files=written.files, changed=written.changed, size=size))
