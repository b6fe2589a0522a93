"""Access control: people, roles, sessions, tokens, pairing codes, and the check of every action.

A page declares what it needs and never looks further:

    Route("/board/turn", allow(Role.PLAYER, enter), methods=["POST"])

and, inside an endpoint, `visitor_of(request)` returns who sent the request.
"""

from gnomon.web.access._roles import Role, Visitor
from gnomon.web.access.authenticator import Authenticator
from gnomon.web.access.gate import PUBLISHED, Gate, allow, refuse_open_actions, role_of, signed_in, visitor_of

__all__ = [
    "PUBLISHED",
    "Authenticator",
    "Gate",
    "Role",
    "Visitor",
    "allow",
    "refuse_open_actions",
    "role_of",
    "signed_in",
    "visitor_of",
]
