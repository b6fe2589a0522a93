"""The pages for programs: everything that people do on the pages, as JSON, described by itself (OpenAPI 3.1).

Each operation is one value in a table. The routes, the checks of what is sent and the description are all made of it.
"""

from gnomon.web.api.description import ROOT
from gnomon.web.api.routing import routes

__all__ = ["ROOT", "routes"]
