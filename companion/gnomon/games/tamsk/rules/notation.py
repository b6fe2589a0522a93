"""Parse and write TAMSK moves in canonical notation."""

import re
from typing import Final

from gnomon.games.tamsk.rules.position import BOARD, FLIP15, FREE_RINGS, LIFTS, LOST, NOWHERE, PASS, STOP15, STOPS, Move
from gnomon.refusals import statement
from gnomon.rules.protocol import NotationError

_SPACE: Final = "|".join(BOARD.names)
_TURN: Final = re.compile(
    rf"(?:\+(?P<forgotten>{_SPACE}),)?(?P<origin>{_SPACE})-(?P<target>{_SPACE})(?P<mark>[x=]?)(?:,\+(?P<free>{_SPACE}))?"
)
_WORDS: Final = {
    "pass": PASS,
    "lost": LOST,
    "flip15": FLIP15,
    **{f"lift:{name}": LIFTS[space] for space, name in enumerate(BOARD.names)},
    **{f"+{name}": FREE_RINGS[space] for space, name in enumerate(BOARD.names)},
}
_SEEN: Final = {"stop15": STOP15, **{f"stop:{name}": STOPS[space] for space, name in enumerate(BOARD.names)}}
"""What players say of sand that they watch."""
_TEXTS: Final = {move: word for word, move in (_WORDS | _SEEN).items()}


def write(move: Move, *, fills: bool) -> str:
    """The canonical text of a move; `fills`: its ring is the last for which the target has room."""
    word = _TEXTS.get(move)
    if word is not None:
        return word
    names = BOARD.names
    before = f"+{names[move.forgotten]}," if move.forgotten != NOWHERE else ""
    mark = "x" if fills else "" if move.ring else "="
    behind = f",+{names[move.free]}" if move.free != NOWHERE else ""
    return f"{before}{names[move.origin]}-{names[move.target]}{mark}{behind}"


def read(text: str, *, by_eye: bool = False) -> tuple[Move, bool]:
    """The move that a text means, and whether it claims with an `x` that its ring fills the target.

    With `by_eye` also what players say of sand: `stop:D2` and `stop15`.
    Raises NotationError for anything that is not a move of TAMSK in any position.
    """
    word = _WORDS.get(text) or (_SEEN.get(text) if by_eye else None)
    if word is not None:
        return word, False
    match = _TURN.fullmatch(text)
    if match is None:
        raise NotationError(statement("told.tamsk.notation", text=text))
    mark = match["mark"]
    move = Move(
        origin=BOARD.index[match["origin"]],
        target=BOARD.index[match["target"]],
        ring=mark != "=",
        forgotten=_space(match["forgotten"]),
        free=_space(match["free"]),
    )
    return move, mark == "x"


def _space(name: str | None) -> int:
    return NOWHERE if name is None else BOARD.index[name]
