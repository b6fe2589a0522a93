"""Serve a board's pages and keep their application, so that a test can ask which addresses it has."""

from starlette.applications import Starlette
from starlette.types import ASGIApp

from gnomon_pi.pages.server import PageServer, SparingPages


class KeptPage(PageServer):
    """Pages that remember their application."""

    app: Starlette

    async def listen(self, page: ASGIApp) -> None:
        assert isinstance(page, SparingPages)
        assert isinstance(page.pages, Starlette)
        self.app = page.pages
        await super().listen(page)
