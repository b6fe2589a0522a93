"""Publish tournaments, games and boards as a site of files that any web server can serve."""

from gnomon.web.publication._folder import Written
from gnomon.web.publication._page_client import PublicationError
from gnomon.web.publication._publisher import Publication, keep_published, publish

__all__ = ["Publication", "PublicationError", "Written", "keep_published", "publish"]
