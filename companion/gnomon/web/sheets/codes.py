"""Make the cards with the players' codes, to be cut out and handed to each of them."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from markupsafe import Markup

from gnomon.tournament.state import Tournament
from gnomon.views import qr
from gnomon.web.sheets.paper import PrintedSheet
from gnomon.words import Words


class _Card(NamedTuple):
    name: str
    code: str
    picture: Markup | None


class CardPlace(NamedTuple):
    """The address below which codes are good, empty for none, and the last day on which they are.

    `is_alone` where no phone reaches the pages.
    """

    address: str
    until: str = ""
    is_alone: bool = False


def codes_sheet(
    tournament: Tournament, codes: Mapping[int, str], place: CardPlace, written: Callable[[str], str], words: Words
) -> PrintedSheet:
    """A card for each entrant, by name: the code as it is `written`, and as a QR code below an address, if any."""
    address = place.address
    people = sorted(tournament.entrants.values(), key=lambda one: one.name.casefold())
    cards = [
        _Card(tournament.label_of(one.number), written(codes[one.number]), _picture(address, codes[one.number]))
        for one in people
    ]
    parts = {"cards": cards, "address": address, "until": place.until, "is_alone": place.is_alone}
    return PrintedSheet(words("sheet.codes"), tournament.settings.name, "", "sheet_codes.html", parts)


def _picture(address: str, code: str) -> Markup | None:
    return Markup(qr.svg(qr.code(f"{address}/my/{code}"))) if address else None  # noqa: S704 - squares
