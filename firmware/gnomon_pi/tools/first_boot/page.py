"""Serve the page of the first start: a form for the machine's settings, and where to go when it has them."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from gnomon.refusals import Statement, sentence
from gnomon.web import forms
from gnomon.web.language import words_for
from gnomon.web.middleware.bodies import Bodies
from gnomon.web.middleware.limits import Allowance, RateLimits
from gnomon.web.middleware.origin_check import Guard
from gnomon.web.template_folder import templates_in
from gnomon.words import LANGUAGES, language_name
from gnomon_pi.config.checked_toml import MistakeError
from gnomon_pi.tools.first_boot.settings import (
    NAME,
    MachineSettings,
    Wifi,
    bundled_boards,
    dump,
    parse,
    time_zones,
)

HERE: Final = Path(__file__).parent
USUAL: Final[Mapping[str, str]] = {
    "name": "gnomon",
    "time_zone": "UTC",
    "board": "",
    "country": "",
    "network": "",
    "ssh_key": "",
}
"""What stands in the form at first."""


def application(keep: Callable[[str], None], hosts: tuple[str, ...] = ()) -> Starlette:
    """The page; `keep` is given the text of the settings' file, and the machine is started again after that.

    `hosts` are names of this machine. `keep` may raise OSError.
    """
    page = _FirstBootPage(keep)
    return Starlette(
        routes=[
            Route("/", page.show),
            Route("/", page.take, methods=["POST"]),
            Mount("/static", StaticFiles(packages=[("gnomon.web", "static")])),
        ],
        middleware=[Middleware(Guard, hosts=hosts), Middleware(RateLimits, Allowance()), Middleware(Bodies)],
    )


class _FirstBootPage:
    """What is answered."""

    def __init__(self, keep: Callable[[str], None]) -> None:
        self._keep = keep
        self._kept: MachineSettings | None = None
        self._template = templates_in(HERE / "templates").get_template("first_boot.html")

    async def show(self, request: Request) -> Response:
        """The form, or what happens now."""
        return self._page(request, USUAL)

    async def take(self, request: Request) -> Response:
        """Keep the settings, or say what is wrong with them."""
        sent = {**USUAL, **await forms.read(request)}
        if self._kept is not None:
            return self._page(request, sent, HTTPStatus.CONFLICT)
        text = dump(_settings(sent, words_for(request).language))
        try:
            settings = parse(text, NAME)
            self._keep(text)
        except MistakeError as error:
            wrong = sentence(_without_line(error), words_for(request))
            return self._page(request, sent, HTTPStatus.UNPROCESSABLE_ENTITY, wrong)
        except OSError as error:
            wrong = words_for(request)("first_boot.not_kept", detail=error.strerror or str(error))
            return self._page(request, sent, HTTPStatus.INTERNAL_SERVER_ERROR, wrong)
        self._kept = settings
        return self._page(request, sent)

    def _page(
        self, request: Request, sent: Mapping[str, str], status: HTTPStatus = HTTPStatus.OK, wrong: str = ""
    ) -> Response:
        say = words_for(request)
        text = self._template.render(
            say=say,
            sent=sent,
            kept=self._kept,
            wrong=wrong,
            boards=bundled_boards(),
            zones=time_zones(),
            languages=[(code, language_name(code)) for code in LANGUAGES],
        )
        return HTMLResponse(text, status, headers={"Content-Language": say.language, "Vary": "Accept-Language, Cookie"})


def _without_line(error: MistakeError) -> Statement:
    """What is wrong, without the line of a file that the person at the page has never seen."""
    what = error.statement.values.get("what")
    return what if isinstance(what, Statement) else error.statement


def _settings(sent: Mapping[str, str], language: str) -> MachineSettings:
    """The settings as they were sent, not examined yet."""
    wifi = None
    if sent["network"].strip():
        wifi = Wifi(sent["country"].strip().upper(), sent["network"].strip(), sent.get("passphrase", ""))
    return MachineSettings(
        sent["name"].strip().lower(),
        sent["time_zone"],
        sent["board"],
        sent.get("simulated", "") == "yes",
        sent.get("language", language),
        wifi,
        " ".join(sent["ssh_key"].split()),
        sent.get("puzzles", "") != "no",
    )
