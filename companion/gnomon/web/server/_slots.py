"""Share a bounded number of connections fairly among networks.

A connection costs a descriptor of the process in which the journal is written. A network that opens many must not
take the pages from others: once all public places are taken, a newcomer is given one of the network that holds most.
Some places are kept for people who have signed in; nobody can prove that before the first request has been read, so a
connection may use one of these for a moment, as a guest.

Times are seconds of a monotonic clock.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from gnomon.web.access.attempts import network

GUESTS_OF_ONE: Final = 8
"""Guests of one network at a time: a browser opens six connections."""
GRACE: Final = 1.0
"""Seconds in which a guest has to send its first request; a browser does so at once."""
REMEMBERED: Final = 256
"""Networks in which somebody has signed in that are remembered."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many connections there may be, and how long they may take, in seconds.

    An address of IPv4 is a network of its own; of IPv6 all addresses of a /64 are one, since a single phone has many.
    """

    at_most: int = 640  # streams included
    at_most_of_one: int = 80
    at_most_of_network: int = 240  # of IPv6: all phones of a hall are in one
    kept: int = 96  # of all, for those who have signed in
    head: float = 15.0  # for a request's first line and headers to come
    stuck: float = 30.0  # without anything being read of an answer
    guest: float = 10.0  # for the only request of a guest
    opened: float = 20.0  # connections a second that one network may open, in the long run
    opened_at_once: float = 240.0


class SlotTerms(Enum):
    """On what terms a connection has its place."""

    PUBLIC = "public"
    GUEST = "guest"
    KNOWN = "known"


def _do_nothing() -> None:
    """Close nothing yet."""


@dataclass(eq=False, slots=True)
class ConnectionSlot:
    """The place of one connection; `close` lets it go at once."""

    address: str
    network: str
    since: float
    standing: SlotTerms
    places: "ConnectionSlots" = field(repr=False)
    close: Callable[[], object] = _do_nothing
    has_asked: bool = False
    is_busy: bool = False

    def know(self) -> None:
        """Somebody who has signed in asks over this connection: keep it."""
        self.places.know(self)


class ConnectionSlots:
    """Who has a place."""

    def __init__(self, bounds: Bounds, proxies: Collection[str] = ()) -> None:
        """From the addresses of `proxies` comes everybody: these count like any number of networks."""
        self.bounds: Final = bounds
        self._proxies = frozenset(proxies)
        self._taken: dict[ConnectionSlot, None] = {}
        self._addresses: Counter[str] = Counter()
        self._networks: Counter[str] = Counter()
        self._standings: Counter[SlotTerms] = Counter()
        self._opened: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._signed_in: OrderedDict[str, None] = OrderedDict()

    @property
    def number(self) -> int:
        """How many there are."""
        return len(self._taken)

    def is_full(self, now: float) -> bool:
        """Whether there is none for anybody now, so that there is no use in taking up a connection."""
        return self.number >= self.bounds.at_most and self._late_guest(now) is None and self._greediest("") is None

    def enter(self, address: str, now: float) -> ConnectionSlot | None:
        """A place for a connection from an address, or None. Somebody else's connection may be closed for it."""
        where = network(address)
        if not self._may_open(where, now):
            return None
        standing = SlotTerms.PUBLIC if self._has_room(address, where) else SlotTerms.GUEST
        if standing is SlotTerms.GUEST and where not in self._signed_in:
            return None
        if standing is SlotTerms.PUBLIC and self._is_crowded:
            greedy = self._greediest(where)
            if greedy is None:
                standing = SlotTerms.GUEST
            else:
                self._evict(greedy)
        if standing is SlotTerms.GUEST and not self._has_guest_room(where, now):
            return None
        place = ConnectionSlot(address, where, now, standing, self)
        self._taken[place] = None
        self._addresses[address] += 1
        self._networks[where] += 1
        self._standings[standing] += 1
        return place

    def leave(self, place: ConnectionSlot) -> None:
        """Give a place back; once is enough."""
        if place not in self._taken:
            return
        del self._taken[place]
        self._standings[place.standing] -= 1
        for counter, key in ((self._addresses, place.address), (self._networks, place.network)):
            counter[key] -= 1
            if not counter[key]:
                del counter[key]

    def know(self, place: ConnectionSlot) -> None:
        """Keep a place for good, and remember that people who sign in come from its network."""
        self._signed_in[place.network] = None
        self._signed_in.move_to_end(place.network)
        while len(self._signed_in) > REMEMBERED:
            self._signed_in.popitem(last=False)
        if place in self._taken and place.standing is not SlotTerms.KNOWN:
            self._standings[place.standing] -= 1
            place.standing = SlotTerms.KNOWN
            self._standings[place.standing] += 1

    @property
    def _is_crowded(self) -> bool:
        """Whether all public places are taken; guests and the known take theirs once the kept ones are used up."""
        public = self._standings[SlotTerms.PUBLIC]
        return public + max(self.bounds.kept, self.number - public) >= self.bounds.at_most

    def _may_open(self, where: str, now: float) -> bool:
        if where in self._proxies:
            return True
        rate, burst = self.bounds.opened, self.bounds.opened_at_once
        left, filled = self._opened.pop(where, (burst, now))
        left = min(burst, left + (now - filled) * rate)
        self._opened[where] = (left - 1 if left >= 1 else left, now)
        while len(self._opened) > self.bounds.at_most:
            self._opened.popitem(last=False)
        return left >= 1

    def _has_room(self, address: str, where: str) -> bool:
        if address in self._proxies:
            return True
        is_single = where == address
        return self._addresses[address] < self.bounds.at_most_of_one and (
            is_single or self._networks[where] < self.bounds.at_most_of_network
        )

    def _has_guest_room(self, where: str, now: float) -> bool:
        guests = [place for place in self._taken if place.standing is SlotTerms.GUEST]
        if where not in self._proxies and sum(place.network == where for place in guests) >= GUESTS_OF_ONE:
            return False
        if self.number < self.bounds.at_most:
            return True
        late = self._late_guest(now)
        if late is not None:
            self._evict(late)
        return late is not None

    def _late_guest(self, now: float) -> ConnectionSlot | None:
        """The oldest guest that has not asked for anything in time."""
        if not self._standings[SlotTerms.GUEST]:
            return None
        late = (
            place
            for place in self._taken
            if place.standing is SlotTerms.GUEST and not place.has_asked and now - place.since >= GRACE
        )
        return next(late, None)

    def _greediest(self, where: str) -> ConnectionSlot | None:
        """A connection of the network that holds most, if that is more than the network `where` would then hold.

        The oldest over which nothing is being answered, and a stream only where there is none.
        """
        public: Counter[str] = Counter(
            place.network
            for place in self._taken
            if place.standing is SlotTerms.PUBLIC and place.address not in self._proxies
        )
        if not public:
            return None
        greedy, number = public.most_common(1)[0]
        if number <= self._networks[where] + 1:
            return None
        theirs = [place for place in self._taken if place.network == greedy and place.standing is SlotTerms.PUBLIC]
        return min(theirs, key=lambda place: place.is_busy)

    def _evict(self, place: ConnectionSlot) -> None:
        self.leave(place)
        place.close()
