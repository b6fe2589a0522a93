"""Define named time controls such as blitz, rapid and go, each with its purpose."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from gnomon.timekeeping.controls import TimeControl
from gnomon.timekeeping.notation import parse_time_control


class Preset(NamedTuple):
    """A time control with a name: how it is written, and what it is for, in words for people."""

    name: str
    text: str
    purpose: str

    @property
    def control(self) -> TimeControl:
        """The time control itself."""
        return parse_time_control(self.text)


PRESETS: Final[Mapping[str, Preset]] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            Preset("bullet", "2+1", "the shortest that can be played by hand"),
            Preset("blitz", "3+2", "FIDE World Blitz Championship"),
            Preset("rapid", "15+10", "FIDE World Rapid Championship"),
            Preset("club", "25+10", "a club evening"),
            Preset("gipf", "25", "GIPF world championship at the Mind Sports Olympiad: 25 minutes for the game"),
            Preset("standard", "90+30", "an open tournament"),
            Preset("long", "40/90+30 then 30+30", "40 moves in 90 minutes, then 30 minutes, 30 seconds a move"),
            Preset("classical", "40/120 then 20/60 then 30", "three controls without time for a move"),
            Preset("us-rapid", "25d5", "United States: five seconds pass in each move before the time falls"),
            Preset("bronstein", "25b10", "up to ten seconds of each move are given back"),
            Preset("go", "30 then byo-yomi 5x30", "Go and Shogi: five spells of 30 seconds after the main time"),
            Preset("go-canadian", "30 then canadian 20/5", "Go: 20 moves in each five minutes after the main time"),
            Preset("hourglass", "hourglass 3", "what one uses the other is given"),
            Preset("overtime", "25 then up", "overtime is counted and costs points, as in Scrabble"),
            Preset("casual", "up", "nobody loses on time; what each uses is counted"),
        )
    }
)


def control_of(text: str) -> TimeControl:
    """The time control of that name, or as it is written. Raises ControlNotationError for neither."""
    preset = PRESETS.get(text.strip().lower())
    return parse_time_control(text) if preset is None else preset.control
