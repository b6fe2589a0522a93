"""What the rules pages draw and count of each board: computed once more from the rules."""

import re
from fractions import Fraction
from itertools import pairwise
from math import sqrt

import pytest

from gnomon.games.tabik.rules import Tabik
from gnomon.games.tamsk.rules import BLACK, BOARD, CAPACITY, RED, Tamsk
from gnomon.games.tau.rules import Tau
from gnomon.games.tau.rules.solver import PerfectPlay
from gnomon.games.tayu.rules import KINDS, Tayu
from gnomon.games.tayu.rules.tiles import RINGED
from gnomon.games.twenty_squares.rules import Position, TwentySquares
from tests.docs_examples.pages import Row, codes, drawings, rules_page, settings, table

TAMSK, TAYU, TABIK, TAU, TWENTY_SQUARES = map(rules_page, ("tamsk", "tayu", "tabik", "tau", "twenty-squares"))

# TAMSK


def hexagon(words: list[str]) -> list[str]:
    """The board with a word on every space, as it is drawn: two lines a row, four letters a column."""
    lines = [""] * (2 * BOARD.side * 2 - 3)
    for space, word in enumerate(words):
        x, y = BOARD.centre(space)
        line, column = round(2 * y) + len(lines) // 2, round(x / (sqrt(3) / 2)) + BOARD.side - 1
        lines[line] = lines[line].ljust(4 * column + 4) + word
    return lines


def test_tamsk_s_spaces_are_drawn_where_they_lie() -> None:
    assert drawings(TAMSK)[0].splitlines() == hexagon(list(BOARD.names))


def test_tamsk_s_tubes_and_glasses_are_drawn_where_they_stand() -> None:
    start = Tamsk().start()
    marks = {RED: "r", BLACK: "b"}
    words = [marks.get(start.owner_of(space), "") + str(CAPACITY[space]) for space in range(len(BOARD.names))]
    assert drawings(TAMSK)[1].splitlines() == hexagon(words)


# Tayu


def test_tayu_s_kinds_and_marked_kinds_are_listed() -> None:
    ringed = [kind for tile, kind in enumerate(KINDS) if RINGED >> tile & 1]
    _, kinds, marked, *_ = drawings(TAYU)
    assert (kinds.split(), marked.split()) == (list(KINDS), ringed)


def test_tayu_s_board_is_drawn_with_its_centre_and_double_squares() -> None:
    rules = Tayu()
    doubles = {name for side in rules.double_squares.values() for name in side}
    marks = dict.fromkeys(rules.centre, "o") | dict.fromkeys(doubles, "2")
    size = rules.settings.size
    columns = [chr(ord("a") + column) for column in range(size)]
    lines = [
        f"    {row:2}  {' '.join(marks.get(f'{column}{row}', '.') for column in columns)}" for row in range(size, 0, -1)
    ]
    assert drawings(TAYU)[3].splitlines() == [*lines, f"        {' '.join(columns)}"]


@pytest.mark.parametrize("row", table(TAYU, "edition"), ids=lambda row: codes(row["edition"])[0])
def test_tayu_s_editions_have_what_is_named(row: Row) -> None:
    (edition,) = codes(row["edition"])
    named = {name: codes(row[name])[0] for name in ("size", "doubles", "copies")}
    rules = Tayu.from_settings({"edition": edition})
    assert rules == Tayu.from_settings({"edition": edition, **named})
    assert [str(guess).split()[0] for guess in rules.settings.guesses] == row["guessed"].split(", ")


@pytest.mark.parametrize("size", [15, 17, 19])
def test_tayu_s_second_tile_has_as_many_placements_as_are_counted(size: int) -> None:
    rules = Tayu.from_settings({"size": size})
    middle = (size + 1) // 2
    first = f"012@{chr(ord('a') + middle - 2)}{middle}/E"
    position = rules.start()
    assert {len(rules.placements(position, tile)) for tile in range(len(KINDS))} == {12}
    for text in ("draw:012", first):
        position = rules.play(position, rules.parse(position, text))
    counted = {
        kind: int(row["placements of each"])
        for row in table(TAYU, "placements of each")
        for kind in codes(row["kinds"])
    }
    assert counted == {kind: len(rules.placements(position, tile)) for tile, kind in enumerate(KINDS)}
    assert sum(counted.values()) == 118


# Tabik


def stones(rules: Tabik, texts: list[str]) -> list[str]:
    """A board as the page draws it, with rods between the squares."""
    position = rules.start()
    for text in texts:
        position = rules.play(position, rules.parse(position, text))
    state = rules.state(position)
    board, rods = state["board"], state["rods"]
    assert isinstance(board, list)
    assert isinstance(rods, list)
    lines = []
    for above, row in enumerate(board):
        number = len(board) - above
        squares = [f"{chr(ord('a') + column)}{number}" for column in range(len(row))]
        beside = ["-" if one + other in rods else " " for one, other in pairwise(squares)]
        lines.append(f"{number}  " + "".join(f"{stone}{gap}" for stone, gap in zip(row, [*beside, ""], strict=True)))
        below = ["|" if f"{square[0]}{number - 1}{square}" in rods else " " for square in squares]
        lines.append("   " + " ".join(below))
    return [*lines[:-1], " " * 8, "   " + " ".join("abc")]


def test_tabik_s_three_turns_lead_to_what_is_drawn() -> None:
    rules = Tabik.from_settings({"size": 3})
    (drawing,) = drawings(TABIK)
    boards = [stones(rules, ["a1b1", "b2b3", "b1~b2"][:turns]) for turns in (1, 2, 3)]
    beside = ["        ".join(f"{part:8}" for part in parts).rstrip() for parts in zip(*boards, strict=True)]
    assert drawing.splitlines() == [f"    {line}".rstrip() for line in beside]


@pytest.mark.parametrize("row", table(TABIK, "board"), ids=lambda row: row["board"])
def test_tabik_s_boards_score_what_is_said(row: Row) -> None:
    (drawn,) = codes(row["board"])
    rules = Tabik.from_settings({"size": 4})
    assert rules.score(rules.set_up(drawn.split("/"))) == {"black": int(row["black"]), "white": int(row["white"])}


# TAU


def test_tau_s_grid_has_the_product_that_is_said() -> None:
    rules = Tau.from_settings({"rows": 5, "columns": 7, "limit": 0})
    position = rules.start()
    for text in ("r3", "cb", "r4", "cf"):
        position = rules.play(position, rules.parse(position, text))
    assert rules.outcome(position) is not None
    product = rules.score(position)["product"]
    assert f"their product is {product}." in TAU
    (drawing,) = drawings(TAU)
    left = [line.split()[1:] for line in drawing.splitlines()[1:]]
    assert [line for line in left if set(line) != {"-" * 29}] == [list(".|...|.")] * 3
    assert [number for number, line in enumerate(left, 1) if set(line) == {"-" * 29}] == [3, 4]


@pytest.mark.parametrize("row", table(TAU, "settings", "V"), ids=lambda row: row["settings"])
def test_tau_s_values_are_those_of_perfect_play(row: Row) -> None:
    rules = Tau.from_settings({**settings(row["settings"]), "limit": 0})
    start = rules.start()
    assert PerfectPlay(start).value(start) == int(row["V"])


# Twenty Squares


@pytest.mark.parametrize("row", table(TWENTY_SQUARES, "board"), ids=lambda row: row["board"])
def test_a_board_of_twenty_squares_has_what_is_named(row: Row) -> None:
    (name,) = codes(row["board"])
    rules = TwentySquares.from_settings({"board": name})
    assert (len(rules.board.squares), rules.board.last) == (int(row["squares"]), int(row["steps"]))
    named = {"counters": row["counters"], "dice": codes(row["dice"])[0]}
    assert rules == TwentySquares.from_settings({"board": name, **named})
    assert rules.board.rosettes == set(row["rosettes"].replace("none", "").split())


def files(rules: TwentySquares) -> list[str]:
    """A board as the page draws it: rosettes with a star, marked squares with an exclamation mark."""
    board = rules.board
    marks = dict.fromkeys(board.rosettes, "*") | dict.fromkeys(board.marked, "!")
    width = 1 + max(board.place(square)[0] for square in board.squares)
    lines = []
    for row in (3, 2, 1):
        names = [f"{chr(ord('a') + file)}{row}" for file in range(width)]
        words = [f"{name}{marks.get(name, ' ')}" if name in board.squares else "" for name in names]
        lines.append("    " + "".join(f"{word:4}" for word in words).rstrip())
    return lines


def test_the_boards_of_twenty_squares_are_drawn_as_they_are() -> None:
    boards = [TwentySquares.from_settings({"board": name}) for name in ("tau", "double", "jiroft", "asha")]
    assert [drawing.splitlines() for drawing in drawings(TWENTY_SQUARES)] == [files(rules) for rules in boards]


def test_the_ways_over_twenty_squares_are_those_that_are_written() -> None:
    first = TwentySquares().board.routes[0]
    assert re.findall(r"`(d1(?: [a-l][12])+)`", TWENTY_SQUARES) == [" ".join(first)]
    double = TwentySquares.from_settings({"board": "double"}).board.routes[0]
    assert f"`{' '.join(double[-4:])}` for the first player" in TWENTY_SQUARES


@pytest.mark.parametrize("row", table(TWENTY_SQUARES, "settings", "0"), ids=lambda row: row["settings"])
def test_the_odds_of_a_throw_are_exact(row: Row) -> None:
    rules = TwentySquares.from_settings(settings(row["settings"]))
    odds = {int(number): Fraction(chance) for number, chance in row.items() if number != "settings" and chance}
    assert odds == rules.odds


@pytest.mark.untraced
@pytest.mark.parametrize("row", table(TWENTY_SQUARES, "settings", "p1"), ids=lambda row: row["settings"])
def test_the_first_player_wins_as_often_as_is_said(row: Row) -> None:
    rules = TwentySquares.from_settings(settings(row["settings"]))
    assert f"{chance_of_p1(rules):.10f}" == row["p1"]


def chance_of_p1(rules: TwentySquares) -> float:
    """How likely p1 wins a game in which every throw has one answer.

    The chance in a position is a mean of those that may follow; going over all of them again and again settles it.
    """
    means: dict[Position, list[tuple[float, Position]]] = {}
    to_do = [rules.start()]
    while to_do:
        position = to_do.pop()
        if position in means or rules.outcome(position) is not None:
            continue
        moves = rules.legal_moves(position)
        weights = [float(rules.odds[move.number]) for move in moves] if rules.turn(position) == "nature" else [1.0]
        means[position] = [(weight, rules.play(position, move)) for weight, move in zip(weights, moves, strict=True)]
        to_do += [following for _, following in means[position]]
    chances = {
        following: float(outcome.winner == "p1")
        for after in means.values()
        for _, following in after
        if (outcome := rules.outcome(following)) is not None
    }
    change = 1.0
    while change > 1e-14:
        change = 0.0
        for position, after in means.items():
            chance = sum(weight * chances.get(following, 0.5) for weight, following in after)
            change = max(change, abs(chance - chances.get(position, 0.5)))
            chances[position] = chance
    return chances[rules.start()]
