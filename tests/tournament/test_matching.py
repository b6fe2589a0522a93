"""Test matching itself: no other way to match everybody costs less, whatever the costs."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import settings as tried
from hypothesis import strategies as st

from gnomon.tournament.pairing import _matching as matching
from gnomon.tournament.pairing._matching import Costs, Edge, best_matching
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.pairing.swiss import MEETINGS, SEARCHES, PairingProgress
from gnomon.tournament.state.settings import System
from tests.conftest import examples
from tests.tournament._evening import gathered, pairs, played, settings

COSTS = st.tuples(*[st.sampled_from([0, 0, 1, 2, 9])] * 4)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, dict[Edge, Costs]]:
    """A few to be matched, of whom some cannot meet, with costs that are often equal."""
    size = 2 * draw(st.integers(1, 4))
    edges = [(one, other) for one in range(size) for other in range(one + 1, size)]
    return size, {edge: draw(COSTS) for edge in edges if draw(st.integers(0, 4))}


def all_ways(rest: tuple[int, ...]) -> Iterator[tuple[Edge, ...]]:
    if not rest:
        yield ()
        return
    one, *others = rest
    for other in others:
        for way in all_ways(tuple(number for number in others if number != other)):
            yield ((one, other), *way)


def cost(edges: dict[Edge, Costs], way: tuple[Edge, ...]) -> Costs:
    return tuple(map(sum, zip(*(edges[edge] for edge in way), strict=True)))


@pytest.mark.untraced
@tried(max_examples=examples(100))
@given(graphs())
def test_no_way_to_match_everybody_costs_less(graph: tuple[int, dict[Edge, Costs]]) -> None:
    size, edges = graph
    possible = [way for way in all_ways(tuple(range(size))) if all(edge in edges for edge in way)]
    found = best_matching(size, edges.items())
    if found is None:
        assert not possible
    else:
        assert cost(edges, found) == min(cost(edges, way) for way in possible)


def test_few_meetings_of_every_class_pair_a_field_as_well_as_all(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = played(gathered(40, settings()), 4, lambda p: ("1-0", "½-½", "0-1")[(p.board + p.first) % 3])
    whole = pair(tournament)
    monkeypatch.setattr(matching, "WHOLE", 0)
    assert pair(tournament) == whole


@pytest.mark.untraced
def test_everybody_is_matched_though_the_cheapest_meetings_leave_somebody_out() -> None:
    # Forty who would all rather meet the first thirty, and two whom only the dearest meetings include.
    edges = {(one, other): (0, other - one) for one in range(30) for other in range(one + 1, 70)}
    edges |= {(one, other): (1, 0) for one in range(30, 70) for other in range(one + 1, 70)}
    pairs_found = best_matching(70, edges.items())
    assert pairs_found is not None
    assert sorted(one for pair_ in pairs_found for one in pair_) == list(range(70))
    assert sum(edges[pair_][0] for pair_ in pairs_found) == 5


def test_a_field_that_only_its_dearest_meetings_can_match_is_matched_after_all() -> None:
    # More than are matched over every edge, and each would rather meet the first ten; then the next try keeps more.
    size = matching.WHOLE + 20
    edges = {(one, other): (one >= 10, other - one) for one in range(size) for other in range(one + 1, size)}
    found = best_matching(size, edges.items())
    assert found is not None
    assert sorted(one for edge in found for one in edge) == list(range(size))


def test_who_waits_is_told_how_far_the_pairing_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "TOLD_EACH", 20)
    tournament = played(gathered(60, settings(accelerated=True)), 2)
    told: list[PairingProgress] = []
    watched = pair(tournament, watcher=told.append)
    assert pairs(watched) == pairs(pair(tournament))
    assert told[:2] == [PairingProgress(MEETINGS, 0, 60), PairingProgress(MEETINGS, 50, 60)]
    assert [one.done for one in told[2:]] == [20 * (tenth + 1) for tenth in range(len(told) - 2)]
    assert {(one.doing, one.of) for one in told[2:]} == {(SEARCHES, 0)}


def test_nobody_waits_for_a_round_that_a_table_pairs() -> None:
    told: list[PairingProgress] = []
    pair(gathered(6, settings(System.ROUND_ROBIN)), watcher=told.append)
    assert told == []
