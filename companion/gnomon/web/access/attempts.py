"""Delay repeated failed sign-in attempts by address and by name, longer after each failure."""

from collections import OrderedDict
from collections.abc import Hashable
from ipaddress import IPv6Address, ip_address
from typing import Final, NamedTuple

from gnomon.timekeeping.instants import SECOND, Duration, Instant

FREE: Final = 5
"""Failures that cost nothing: fingers slip."""
FIRST: Final = Duration(SECOND)
FORGOTTEN: Final = Duration(3600 * SECOND)
"""After which a failure no longer counts."""
REMEMBERED: Final = 4096
"""Keys at most; the one that failed longest ago is forgotten first."""

_NETWORK: Final = 64  # bits: one household has so many addresses of IPv6


class _Failures(NamedTuple):
    times: int
    last: Instant


class Attempts:
    """Failures by key (an address, a name), in memory and bounded. Instants are of a monotonic clock."""

    def __init__(self, longest: Duration, free: int = FREE, remembered: int = REMEMBERED) -> None:
        """`longest` is the longest wait, in microseconds."""
        self._longest = longest
        self._free = free
        self._remembered = remembered
        self._failed: OrderedDict[Hashable, _Failures] = OrderedDict()

    def wait(self, key: Hashable, now: Instant) -> Duration:
        """How long this key has to wait before it is looked at again, in microseconds; 0 when it may now."""
        failures = self._failed.get(key)
        return Duration(0) if failures is None else wait_after(*failures, now, self._longest, self._free)

    def attempt(self, key: Hashable, now: Instant) -> Duration:
        """Count a failure, unless the key has to wait; how long."""
        wait = self.wait(key, now)
        if not wait:
            self.count_failure(key, now)
        return wait

    def count_failure(self, key: Hashable, now: Instant) -> None:
        """Count a failure."""
        failures = self._failed.pop(key, None)
        count = 0 if failures is None or now - failures.last >= forgotten_after(self._longest) else failures.times
        self._failed[key] = _Failures(count + 1, now)
        while len(self._failed) > self._remembered:
            self._failed.popitem(last=False)

    def times(self, key: Hashable, now: Instant) -> int:
        """How many failures of a key count."""
        failures = self._failed.get(key)
        return 0 if failures is None or now - failures.last >= forgotten_after(self._longest) else failures.times

    def forgiven(self, key: Hashable) -> None:
        """Take one failure back: it was none."""
        failures = self._failed.get(key)
        if failures is not None:
            self._failed[key] = failures._replace(times=failures.times - 1)

    def forget(self, key: Hashable) -> None:
        """Forget the failures of a key."""
        self._failed.pop(key, None)


def forgotten_after(longest: Duration) -> Duration:
    """After which time a failure no longer counts where `longest` is the longest wait."""
    return max(FORGOTTEN, longest)


def wait_after(times: int, last: Instant, now: Instant, longest: Duration, free: int) -> Duration:
    """How long to wait after so many failures, of which `free` cost nothing."""
    over = times - free
    if over < 0 or now - last >= forgotten_after(longest):
        return Duration(0)
    delay = min(longest, FIRST << min(over, 40))  # bounded before it is shifted: 2^40 s is long enough
    return Duration(max(0, last + delay - now))


def network(address: str) -> str:
    """Where an address counts: itself, or of IPv6 the network of its household."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(IPv6Address(int(found) >> _NETWORK << _NETWORK))
    return str(found)
