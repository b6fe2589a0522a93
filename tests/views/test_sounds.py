from itertools import combinations

import pytest

from gnomon.referee.effects import Tune
from gnomon.views.sounds import A3, A5, REST, notes

TUNES = pytest.mark.parametrize("tune", Tune)


def test_no_two_tunes_sound_alike() -> None:
    assert [pair for pair in combinations(Tune, 2) if notes(pair[0]) == notes(pair[1])] == []


def test_no_two_tunes_have_the_same_melody() -> None:
    melodies = [tuple(note.frequency for note in notes(tune)) for tune in Tune]
    assert len(set(melodies)) == len(Tune)


@TUNES
def test_a_tune_is_what_a_small_buzzer_plays(tune: Tune) -> None:
    assert all(note.frequency == REST or A3 <= note.frequency <= A5 for note in notes(tune))
    assert all(0 < note.seconds <= 1 for note in notes(tune))


@TUNES
def test_a_tune_is_over_before_it_annoys(tune: Tune) -> None:
    assert 0 < sum(note.seconds for note in notes(tune)) < 1.2


def test_what_happens_every_turn_is_the_shortest_sound() -> None:
    lengths = {tune: sum(note.seconds for note in notes(tune)) for tune in Tune}
    assert min(lengths, key=lambda tune: lengths[tune]) is Tune.ACCEPTED


@pytest.mark.untraced
@TUNES
def test_a_tune_begins_and_ends_with_a_tone(tune: Tune) -> None:
    assert notes(tune)[0].frequency != REST
    assert notes(tune)[-1].frequency != REST
