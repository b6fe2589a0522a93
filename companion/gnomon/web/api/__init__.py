"""HTTP API for programs: the actions of the pages as JSON, described in OpenAPI 3.1.

Each operation is one value in a table. The routes, the validation of requests and the description are all made of it.
"""

from gnomon.web.api._description import ROOT
from gnomon.web.api._routing import routes

__all__ = ["ROOT", "routes"]
