"""Whatever the inputs do, the referee stands: no error, no time running backwards, and the same rulings again."""

from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.games.tamsk.rules import BOARD, CAPACITY, Tamsk
from gnomon.games.tamsk.sensing.board import new_game
from gnomon.games.tamsk.sensing.inputs import INPUTS
from gnomon.referee.debounce import CALM
from gnomon.referee.events import DeadlineReached, InputChanged
from gnomon.referee.evidence import STANDING
from gnomon.referee.judgement import Phase
from gnomon.referee.step import step
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Instant
from tests.conftest import examples
from tests.referee.scripted_board import ScriptedBoard, short

NEAR = ("D1", "D2", "D3", "A1", "B2", "C1", "E1", "timer15", "button")
LIVELY = tuple(name for name in INPUTS if name.startswith(NEAR))
GAPS = st.one_of(st.integers(0, 30 * MILLISECOND), st.integers(0, 2 * SECOND), st.integers(0, 60 * SECOND))
EDGES = st.lists(st.tuples(GAPS, st.sampled_from(LIVELY)), max_size=60)


def ruled(level: int, edges: list[tuple[int, str]], *, hand_over: bool) -> list[str]:
    """The rulings of a stream of edges, with every deadline handed over at its instant or none but by the edges."""
    board = ScriptedBoard(level=level)
    at = 0
    for gap, name in edges:
        at += gap
        event = InputChanged(Instant(at), name, value=name not in board.on)
        (board.on.discard if name in board.on else board.on.add)(name)
        if hand_over:
            board.tell(event)
        else:
            board._step(event)
    board.tell(DeadlineReached(Instant(at + 10 * SECOND)))
    position = board.game.position
    assert sum(position.rings_left) + sum(map(position.rings_on, range(len(BOARD.names)))) == sum(CAPACITY)
    assert len(set(position.glasses)) == 6
    return [short(ruling) for ruling in board.rulings]


@settings(max_examples=examples(150))
@given(st.integers(1, 3), EDGES)
def test_any_stream_of_edges_is_ruled_on_alike_however_deadlines_are_handed_over(
    level: int, edges: list[tuple[int, str]]
) -> None:
    assert ruled(level, edges, hand_over=True) == ruled(level, edges, hand_over=False)


@settings(max_examples=examples(100))
@given(st.integers(1, 3), EDGES)
def test_deadlines_lie_ahead_and_end(level: int, edges: list[tuple[int, str]]) -> None:
    game = new_game(Tamsk.from_settings({"level": level}))
    at = 0
    on: set[str] = set()
    for gap, name in edges:
        at += gap
        while (deadline := game.deadline()) is not None and deadline < at:
            game, _ = step(game, DeadlineReached(deadline))
            later = game.deadline()
            assert later is None or later > deadline
        game, _ = step(game, InputChanged(Instant(at), name, value=name not in on))
        on ^= {name}


@given(st.permutations(["D1.north", "D2.south", "D2.ring1"]))
def test_edges_of_one_instant_are_ruled_on_alike_in_any_order(names: list[str]) -> None:
    board = ScriptedBoard(level=2)
    board.lift(1, "A1")
    board.place(1.1, "A1", "north")
    for name in names:
        board.edge(2, name, 0 if name == "D1.north" else 1)
    # No hand is so fast, and both sensors are named.
    assert board.until(9) == ["2 turn red D1-D2", "2 fault D1.north unsure", "2 fault D2.south unsure"]


def test_nothing_is_ruled_before_it_is_evidence_and_shown_when_the_calm_is_over() -> None:
    board = ScriptedBoard(level=1)
    board.lift(1, "D1")
    board.place(1.5, "D2")
    board.ring(2, "D2")
    calm, stands = CALM / SECOND, STANDING.stands / SECOND
    board.until(2 + calm - 0.000001)
    assert board.game.judgement.phase is Phase.MAY_GO_ON
    board.until(2 + calm)
    assert (board.game.judgement.phase, len(board.game.plies)) == (Phase.AGREED, 1)
    assert board.until(2 + stands - 0.000001) == []
    assert board.until(2 + stands) == ["2 turn red D1-D2"]
