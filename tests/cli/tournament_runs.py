"""Run `gnomon tournament` for the tests, with tournaments to begin with."""

from collections.abc import Callable
from datetime import UTC, datetime

from click.testing import Result

from gnomon.cli.tournament_commands._places import at_wall
from tests.tournament._evening import gathered, settings

FILE = "evening.gnomon-tournament"
TOLD = at_wall(lambda: datetime(2026, 11, 20, 18, 0, tzinfo=UTC))

Run = Callable[..., Result]
Told = Callable[..., str]
FOUR = (["new", "Evening", "--rounds", "3"], ["add", "Ada:2000", "Ben:1900", "Cleo:1800", "Dov"])
THREE = gathered(3, settings())
UNDER_WAY = (*FOUR, "publish", "result 1 1-0 2 ½-½", "publish")


def refused(run: Run, *arguments: str, code: int = 1) -> str:
    """What is said to a command that is refused, in one sentence."""
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    if code == 1:
        assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("Error: ").strip()
