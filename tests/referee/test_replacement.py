from dataclasses import FrozenInstanceError, dataclass, field, replace
from functools import cached_property

import pytest

from gnomon.referee import replacement
from gnomon.referee.game import Game
from gnomon.referee.games import begin


@dataclass(frozen=True)
class Pair:
    one: int
    other: int = field(default=2, compare=False)

    @cached_property
    def total(self) -> int:
        return self.one + self.other


@dataclass(frozen=True, slots=True)
class Slotted:
    one: int


def test_a_copy_differs_in_what_was_changed_and_has_computed_nothing_yet() -> None:
    pair = Pair(1)
    assert pair.total == 3
    copy = replacement.replace(pair, other=5)
    assert (copy.one, copy.other, copy.total, pair.other) == (1, 5, 6, 2)
    with pytest.raises(FrozenInstanceError):
        copy.one = 4  # type: ignore[misc]  # that is what is tried


def test_a_dataclass_with_slots_is_copied_as_usual() -> None:
    assert replacement.replace(Slotted(1), one=2) == Slotted(2)


def test_a_field_that_is_not_there_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="Pair has no field 'third'"):
        replacement.replace(Pair(1), third=3)  # type: ignore[call-arg]  # that is what is tried
    with pytest.raises(TypeError, match="Pair has no field 'total'"):
        replacement.replace(Pair(1), total=3)  # type: ignore[call-arg]  # as above


def test_a_copy_of_a_game_is_the_one_that_the_library_makes() -> None:
    game: Game = begin("tabik", {})
    for changes in ({}, {"adjourned": True}, {"standstill": 5, "quarantined": ("button.accept",)}):
        assert replacement.replace(game, **changes) == replace(game, **changes)
