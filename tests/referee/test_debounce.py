"""Raw edges become changes: bounce and glitches end in the debouncer, whatever their order of arrival."""

from hypothesis import given
from hypothesis import strategies as st

from gnomon.referee.debounce import CALM, CHATTER_LENGTH, Change, Debouncer, Fault
from gnomon.referee.evidence import STANDING
from gnomon.timekeeping.instants import MILLISECOND, Instant

MS = MILLISECOND


def edges(debouncer: Debouncer, name: str, *milliseconds: float, value: bool = True) -> Debouncer:
    """Alternating edges of one input, the first to `value`."""
    for at in milliseconds:
        debouncer = debouncer.edge(Instant(round(at * MS)), name, value=value)
        value = not value
    return debouncer


def settled(debouncer: Debouncer, milliseconds: float) -> tuple[Change, ...]:
    return debouncer.settle(Instant(round(milliseconds * MS)))[1].changes


def test_a_change_settles_after_the_calm_with_the_stamp_of_its_first_edge() -> None:
    debouncer = edges(Debouncer(frozenset()), "A1.north", 100, 103, 109)
    assert debouncer.due() == (109 * MS) + CALM
    assert settled(debouncer, 129.999) == ()
    assert settled(debouncer, 130) == (Change(Instant(100 * MS), "A1.north", value=True),)


@given(st.integers(0, 5 * MS))
def test_a_glitch_of_up_to_5_ms_is_no_change(length: int) -> None:
    debouncer = edges(Debouncer(frozenset({"A1.north"})), "A1.north", 100, 100 + length / MS, value=False)
    after, result = debouncer.settle(Instant(200 * MS))
    assert result.changes == ()
    assert after.on == {"A1.north"}
    assert after.due() is None


@given(st.lists(st.integers(1, 20 * MS), max_size=12, unique=True).filter(lambda gaps: len(gaps) % 2 == 0))
def test_bounce_of_up_to_20_ms_is_one_change(bounces: list[int]) -> None:
    debouncer = edges(Debouncer(frozenset()), "D2.ring1", 100, *(100 + at / MS for at in sorted(bounces)))
    _, result = debouncer.settle(Instant(200 * MS))
    assert result.changes == (Change(Instant(100 * MS), "D2.ring1", value=True),)


def test_a_glitch_that_came_to_rest_while_nobody_looked_is_no_change() -> None:
    debouncer = edges(Debouncer(frozenset(), evidence=STANDING), "D1.north", 0, 3, 500)
    assert debouncer.bursts["D1.north"].first == 500 * MS
    assert debouncer.waiting == ()


def test_an_edge_to_the_level_that_stands_says_nothing() -> None:
    debouncer = Debouncer(frozenset({"A1.north"}))
    assert debouncer.edge(Instant(5), "A1.north", value=True) is debouncer
    moving = edges(debouncer, "A1.north", 100, value=False)
    assert moving.edge(Instant(101 * MS), "A1.north", value=False) is moving


def test_changes_are_let_go_in_the_order_of_their_stamps() -> None:
    debouncer = edges(Debouncer(frozenset()), "D2.ring1", 100, 110, 120)
    debouncer = edges(debouncer, "A1.north", 105)
    debouncer, first = debouncer.settle(Instant(126 * MS))
    assert first.changes == ()
    _, second = debouncer.settle(Instant(141 * MS))
    assert [change.input for change in second.changes] == ["D2.ring1", "A1.north"]


def test_a_change_held_back_by_a_glitch_is_let_go_when_the_glitch_is_over() -> None:
    debouncer = edges(Debouncer(frozenset()), "C3.ring1", 100, 104)
    debouncer = edges(debouncer, "A1.north", 101)
    debouncer, early = debouncer.settle(Instant(122 * MS))
    assert (early.changes, debouncer.waiting) == ((), (Change(Instant(101 * MS), "A1.north", value=True),))
    assert settled(debouncer, 125) == (Change(Instant(101 * MS), "A1.north", value=True),)


def test_edges_that_never_come_to_rest_are_chatter() -> None:
    debouncer = edges(Debouncer(frozenset()), "C3.north", *range(100, 400, 7))
    assert debouncer.due() == 100 * MS + CHATTER_LENGTH
    _, result = debouncer.settle(Instant(350 * MS))
    assert result.chattering == (Fault(Instant(100 * MS), "C3.north", ("C3.north",)),)
    assert result.changes == ()


def test_as_many_bursts_as_no_hand_can_make_are_chatter() -> None:
    debouncer = Debouncer(frozenset())
    found: list[str] = []
    for burst in range(20):
        debouncer = edges(debouncer, "C3.north", 100 + 100 * burst, value=burst % 2 == 0)
        debouncer, result = debouncer.settle(Instant((150 + 100 * burst) * MS))
        found += [fault.input for fault in result.chattering]
    assert found[:1] == ["C3.north"]


def test_a_glass_lifted_and_put_back_all_the_time_is_a_player() -> None:
    debouncer = Debouncer(frozenset())
    for burst in range(100):
        debouncer = edges(debouncer, "C3.north", 100 + 250 * burst, value=burst % 2 == 0)
        debouncer, result = debouncer.settle(Instant((150 + 250 * burst) * MS))
        assert len(result.changes) == 1


def test_an_input_that_is_not_believed_is_only_followed() -> None:
    debouncer = Debouncer(frozenset()).follow("A1.north", value=True)
    assert (debouncer.on, debouncer.due()) == (frozenset({"A1.north"}), None)
    assert debouncer.follow("A1.north", value=False).on == set()
