"""Model the inputs of emulated chips: the level of each, stuck inputs, and foreign light."""

from abc import ABC, abstractmethod
from threading import RLock

from gnomon_pi.config.description import Chain, Expanders


class SolderedInputs(ABC):
    """The inputs of a chain or of expanders, a bit each.

    `set_input` says what is there; what is read depends on the emitters, on foreign light and on the faults besides.
    """

    def __init__(self, sensors: Chain | Expanders) -> None:
        self._bits = {name: 1 << bit for name, bit in zip(sensors.inputs, sensors.bits, strict=True)}
        self._strobed = sum(1 << bit for bit, strobed in zip(sensors.bits, sensors.strobed, strict=True) if strobed)
        self._lock = RLock()  # Hands and the scan have threads of their own.
        self._present = self._stuck_on = self._stuck_off = self._dazzled = 0

    def set_input(self, name: str, *, value: bool) -> None:
        """Make an input active or not. Raises KeyError when no chip has it."""
        bit = self._bits[name]
        self._change(present=self._present | bit if value else self._present & ~bit)

    def input(self, name: str) -> bool:
        """Whether an input is active, whatever is read."""
        return bool(self._present & self._bits[name])

    def stick(self, name: str, *, value: bool) -> None:
        """An input shows the same for ever. Raises KeyError when no chip has it."""
        bit = self._bits[name]
        self._change(
            stuck_on=self._stuck_on | bit if value else self._stuck_on & ~bit,
            stuck_off=self._stuck_off & ~bit if value else self._stuck_off | bit,
        )

    def dazzle(self, name: str) -> None:
        """Foreign light falls on a strobed input: it is active whether the emitters shine or not."""
        self._change(dazzled=self._dazzled | self._bits[name] & self._strobed)

    def _change(self, **what: int) -> None:
        with self._lock:
            for name, value in what.items():
                setattr(self, f"_{name}", value)
            self._show()

    @abstractmethod
    def _show(self) -> None:
        """Show at the pins of the chips what has changed."""
