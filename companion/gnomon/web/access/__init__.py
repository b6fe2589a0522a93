"""Who may do what: people, their sessions and tokens, the codes that pair them, and the one check of every action.

A page declares what it needs and never looks further:

    Route("/board/turn", allow(Role.PLAYER, enter), methods=["POST"])

and, inside an endpoint, `visitor_of(request)` says who asked.
"""

from gnomon.web.access.door import Door
from gnomon.web.access.gate import Gate, Guarded, allow, refuse_open_actions, role_of, signed_in, visitor_of
from gnomon.web.access.roles import Role, Visitor

__all__ = [
    "Door",
    "Gate",
    "Guarded",
    "Role",
    "Visitor",
    "allow",
    "refuse_open_actions",
    "role_of",
    "signed_in",
    "visitor_of",
]
