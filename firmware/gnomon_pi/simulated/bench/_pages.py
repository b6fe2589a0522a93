"""Give the pages of a simulated board its demonstration, and the controls of its bench."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gnomon.web.access import Role
from gnomon_pi.pages.live_board import LoopBridge
from gnomon_pi.pages.server import Ways
from gnomon_pi.simulated._demonstration import BoardDemonstration
from gnomon_pi.simulated.remote_control import RemoteControl

if TYPE_CHECKING:
    from gnomon.web.api.operation import Operation


@dataclass(frozen=True, slots=True)
class BenchPages:
    """What the pages of a board in software have besides: the controls of its bench, and the demonstration."""

    remote: RemoteControl

    def demonstration(self, bridge: LoopBridge) -> BoardDemonstration:
        """Hands that show a game."""
        return BoardDemonstration(self.remote, bridge)

    def operations(self, ways: Ways, looking: Role) -> "Sequence[Operation]":
        """The operations on the board; those who may do `looking` may see what is on it now."""
        from gnomon_pi.simulated.bench._operations import operations  # with the API, of which they are a part

        return operations(self.remote, ways, looking)
