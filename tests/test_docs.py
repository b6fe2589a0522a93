"""The documents say what the code does: every event, verdict, ruling and order stands in the walk-through."""

from pathlib import Path
from typing import get_args

import pytest

from gnomon.referee.effects import Effect
from gnomon.referee.events import Event
from gnomon.referee.rulings import Ruling
from gnomon.referee.verdicts import Verdict

ROOT = Path(__file__).parents[1]
WALKTHROUGH = (ROOT / "docs" / "walkthrough.md").read_text(encoding="utf-8")
ALPHABETS = (Event, Verdict, Ruling, Effect)


@pytest.mark.parametrize("name", [kind.__name__ for alphabet in ALPHABETS for kind in get_args(alphabet)])
def test_the_walk_through_names_everything_that_can_happen(name: str) -> None:
    assert f"`{name}`" in WALKTHROUGH
