"""A game that brings no engine of its own has an opponent all the same."""

from pathlib import Path
from random import Random

from gnomon.engines import engine_of
from gnomon.engines._plain import PlainEngine
from gnomon.engines.protocol import Limits
from gnomon.engines.ugi import UgiSession
from gnomon.rules.registry import rules_of
from gnomon.timekeeping.instants import Instant


def test_it_is_played_by_the_engine_that_knows_rules_only(installed: Path) -> None:
    assert installed.is_dir()
    rules = rules_of("hex7", {})
    engine = engine_of(rules)
    assert isinstance(engine, PlainEngine)
    assert len(engine.levels) >= 8
    reports = list(engine.think(rules.start(), Limits(nodes=200), Random(1), lambda: False))
    assert {each.move for each in reports[-1].candidates} < set(rules.legal_moves(rules.start()))


def test_it_is_played_by_lines_like_any_other(installed: Path) -> None:
    assert installed.is_dir()
    session = UgiSession("hex7", {}, Random)
    assert session.receive("position startpos moves d4 swap", Instant(0)) == []
    assert session.receive("query p1turn", Instant(0)) == ["response true"]  # they have changed sides
    assert session.receive("go nodes 200", Instant(0)) == []
    *_, answer = session.search(lambda: Instant(0))
    assert answer.startswith("bestmove ")
