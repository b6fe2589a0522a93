"""Run a relay for games between two boards (`gnomon relay`)."""

from pathlib import Path
from threading import Event

import click

from gnomon.cli import localized
from gnomon.cli.words import UnusableError, command_words
from gnomon.refusals import statement


@localized.command(help="command.relay")
@localized.option("--host", default="0.0.0.0", show_default=True, help="option.relay.host")  # noqa: S104 - that is its use
@localized.option("--port", type=click.IntRange(0, 65535), default=8884, show_default=True, help="option.relay.port")
@localized.option("--tls-certificate", type=click.Path(path_type=Path), help="option.relay.tls_certificate")
@localized.option("--tls-key", type=click.Path(path_type=Path), help="option.tls_key")
@localized.option(
    "--websocket",
    metavar="ADDRESS",
    help="option.relay.websocket",
)
def relay(host: str, port: int, tls_certificate: Path | None, tls_key: Path | None, websocket: str | None) -> None:
    """Relay games between two boards until it is stopped; boards reach it with `gnomond --relay`."""
    from gnomon.hall.relay import Relay, RelayError, tls_of, web_door

    if tls_key is not None and tls_certificate is None:
        raise localized.WrongUsageError(statement("usage.needs", option="--tls-key", other="--tls-certificate"))
    try:
        tls = None if tls_certificate is None else tls_of(tls_certificate, tls_key)
        web = None if websocket is None else web_door(websocket, tls)
        opened = Relay(host, port, tls, web=web)
    except RelayError as error:
        raise UnusableError(error) from error
    scheme = "mqtt" if tls is None else "mqtts"
    words = command_words()
    click.echo(words("cli.relay.listens", address=f"{scheme}://{host}:{opened.port}"))
    if websocket is not None:
        address = f"{websocket.rstrip('/').rpartition(':')[0]}:{opened.web_port}"
        click.echo(words("cli.relay.listens", address=address))
    try:
        Event().wait()
    finally:
        opened.close()
