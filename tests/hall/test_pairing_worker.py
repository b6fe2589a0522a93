"""A round is paired in a process of its own: it tells how far it has come, and ends at the deadline or when told to."""

from datetime import timedelta

import pytest

from gnomon.hall.pairing.errors import EngineError
from gnomon.hall.pairing.worker import PairingWorker, pair_in_worker, progress_of
from gnomon.refusals import Statement, sentence
from gnomon.tournament.errors import NoPairingError, TournamentError
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.pairing.swiss import MEETINGS, SEARCHES, PairingProgress
from tests.hall.worker_engines import crash, never, refuse
from tests.tournament._evening import gathered, published, settings


def test_a_process_of_its_own_pairs_as_this_one_does_and_tells_how_far_it_is() -> None:
    tournament = gathered(120, settings())
    told: list[Statement] = []
    assert pair_in_worker(tournament, tell=told.append) == pair(tournament)
    said = [sentence(one) for one in told]
    assert said[0] == "Round 1: pairing 120 players."
    assert any("meetings weighed" in one for one in said[1:])


def test_a_round_that_takes_too_long_is_given_up() -> None:
    with pytest.raises(EngineError, match=r"^round 1 is not paired after 0\.01 s: give it longer, pair with another"):
        pair_in_worker(gathered(4, settings()), never, timedelta(milliseconds=10))


def test_a_pairing_can_be_stopped() -> None:
    worker = PairingWorker(gathered(4, settings()), never)
    # The first word comes before the process, the stop therefore too: as when somebody is very quick.
    with pytest.raises(EngineError, match=r"^the pairing of round 1 was stopped: nothing is published$"):
        worker.run(lambda _: worker.stop())


def test_a_process_that_dies_is_no_pairing() -> None:
    with pytest.raises(EngineError, match=r"^the process that pairs round 1 ended without an answer \(code 3\)"):
        pair_in_worker(gathered(4, settings()), crash)


def test_what_the_engine_refuses_comes_back_as_it_was() -> None:
    with pytest.raises(NoPairingError, match=r"^round 1 cannot be paired: everybody is asleep$"):
        pair_in_worker(gathered(4, settings()), refuse)


def test_no_process_is_started_for_a_round_that_must_wait() -> None:
    with pytest.raises(TournamentError, match="round 2 must wait: round 1 has no result yet at board 1"):
        pair_in_worker(published(gathered(2, settings())), never)


@pytest.mark.parametrize(
    ("progress", "text"),
    [
        (PairingProgress(MEETINGS, 50, 200), "Round 4: 50 of 200 players' meetings weighed."),
        (PairingProgress(SEARCHES, 50, 0), "Round 4: 50 players looked at so far."),
    ],
)
def test_how_far_it_has_come_is_a_sentence(progress: PairingProgress, text: str) -> None:
    assert sentence(progress_of(4, progress)) == text
