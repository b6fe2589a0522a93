"""Count the move sequences of a given length (perft), to compare two implementations of the rules."""

from gnomon.rules.protocol import MoveT, PositionT, Rules


def perft(rules: Rules[PositionT, MoveT], position: PositionT, turns: int) -> int:
    """How many sequences of exactly so many turns there are from here, all at this instant.

    Lifts and turnings of a timer are no turns; a game that ends earlier does not count.
    """
    if turns == 0:
        return 1
    moves = [move for move in rules.legal_moves(position) if rules.is_turn(move)]
    if turns == 1:
        return len(moves)
    return sum(perft(rules, rules.play(position, move), turns - 1) for move in moves)
