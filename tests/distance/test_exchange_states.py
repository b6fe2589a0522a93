"""Whatever a relay does to reports, no turn is lost or doubled, and both boards have them in the same order."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from gnomon.distance.reports import GUEST, HOST
from gnomon.timekeeping.instants import MILLISECOND
from tests.distance.pairs import OTHER, Pair

roles = st.sampled_from([HOST, GUEST])


class TwoBoards(RuleBasedStateMachine):
    """Boards that play, restart, send; a relay that loses, doubles, keeps and reorders."""

    reports = Bundle("reports")

    def __init__(self) -> None:
        super().__init__()
        self.pair = Pair(clock="60")
        self.ever: list[tuple[str, int]] = []

    @rule(role=roles, choice=st.integers(0, 30))
    def play(self, role: str, choice: int) -> None:
        self.pair.ends[role].play(choice)

    @rule(target=reports, role=roles)
    def send(self, role: str) -> object:
        return multiple((role, self.pair.ends[role].tell()))

    @rule(report=reports)
    def deliver(self, report: tuple[str, bytes]) -> None:
        role, payload = report
        self.pair.ends[OTHER[role]].take(payload)

    @rule(report=consumes(reports))
    def lose(self, report: tuple[str, bytes]) -> None:
        del report

    @rule(role=roles)
    def restart(self, role: str) -> None:
        self.pair.ends[role].restart()

    @rule(duration=st.integers(0, 8000))
    def wait(self, duration: int) -> None:
        self.pair.wait(duration * MILLISECOND)

    @invariant()
    def one_board_has_what_the_other_has_and_perhaps_more(self) -> None:
        one, other = self.pair.host.turns, self.pair.guest.turns
        shorter = min(len(one), len(other))
        assert one[:shorter] == other[:shorter]
        assert abs(len(one) - len(other)) <= 1
        longer = max(one, other, key=len)
        assert longer[: len(self.ever)] == self.ever  # what has been ruled stays
        self.ever = longer
        assert self.pair.host.exchange.differs is self.pair.guest.exchange.differs is None

    def teardown(self) -> None:
        self.pair.meet()
        for end in self.pair.ends.values():
            end.play()
        self.pair.meet()
        assert self.pair.host.exchange.differs is self.pair.guest.exchange.differs is None
        longer = max(self.pair.host.turns, self.pair.guest.turns, key=len)
        assert longer[: len(self.ever)] == self.ever


TestTwoBoards = TwoBoards.TestCase
TestTwoBoards.settings = settings(stateful_step_count=40)
