"""Show TAMSK: its settings and its picture."""

from collections.abc import Mapping
from typing import ClassVar, Final

from gnomon.views.show import Choice, Show

_TIMED: Final = ("level", ("2", "3"))


class TamskShow(Show):
    """TAMSK as it is shown."""

    title = "TAMSK"
    choices = (
        Choice("level", "3", ("1", "2", "3"), early=True),
        Choice("time", "electronic", ("electronic", "calibrated", "sand"), early=True, when=_TIMED),
        Choice("ring", "optional", ("optional", "auto")),
        Choice("full_space", "loses", ("loses", "take_back")),
        Choice("late", "two_rings", ("two_rings", "skip_turn"), when=("level", ("3",))),
        Choice("stall", "64", most=999999, when=("ring", ("optional",))),
    )
    sample = "D1-D2 G1-F2 A4-B4 D7-D6 G4-F4 A1-B2 D2-D3 F2-E3 B4-B3 D6-D5"
    sample_settings: ClassVar[Mapping[str, object]] = {"level": 1}
    picture = "gnomon.games.tamsk.show.picture:picture"


SHOW: Final = TamskShow()
