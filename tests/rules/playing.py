"""Play any game by the texts of its moves."""

import pytest

from gnomon.rules.protocol import IllegalMoveError, MoveT, PositionT, Rules


def play(rules: Rules[PositionT, MoveT], position: PositionT, *texts: str) -> PositionT:
    """The position after some moves."""
    for text in texts:
        position = rules.play(position, rules.parse(position, text))
    return position


def legal(rules: Rules[PositionT, MoveT], position: PositionT) -> list[str]:
    """The texts of all legal moves, sorted."""
    return sorted(rules.text(position, move) for move in rules.legal_moves(position))


def legal_texts(rules: Rules[PositionT, MoveT], position: PositionT) -> set[str]:
    """The texts of all legal moves, whatever their order is."""
    return set(legal(rules, position))


def refusal(rules: Rules[PositionT, MoveT], position: PositionT, text: str) -> str:
    """The code of the error that refuses a text, and its sentence."""
    with pytest.raises(IllegalMoveError) as caught:
        rules.parse(position, text)
    return f"{caught.value.code}: {caught.value}"


def code_of(rules: Rules[PositionT, MoveT], position: PositionT, text: str) -> str:
    """The code of the error that refuses a text."""
    return refusal(rules, position, text).partition(":")[0]
