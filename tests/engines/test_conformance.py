"""Trying out engines: a good one is found good, and each fault is found."""

import asyncio
import subprocess
from pathlib import Path
from random import Random

import pytest

from gnomon.engines import conformance
from gnomon.engines.conformance import Trial, TrialGrade, examine
from gnomon.engines.plugins import EnginePlugin
from gnomon.rules.registry import rules_of
from tests.engines import foreign


def findings(plugin: EnginePlugin, **settings: str) -> list[Trial]:
    async def run() -> list[Trial]:
        rules = rules_of("tabik", settings)
        told = EnginePlugin(plugin.name, plugin.command, plugin.games, settings)
        return [each async for each in examine(told, rules, Random(1))]

    return asyncio.run(run())


def faults(plugin: EnginePlugin, **settings: str) -> dict[str, str]:
    """What is wrong, by the thing that was tried."""
    return {each.what.code: str(each.why) for each in findings(plugin, **settings) if each.grade is TrialGrade.FAULT}


def test_an_engine_in_c_plays_as_it_is_asked_for(tabik_in_c: EnginePlugin) -> None:
    found = findings(tabik_in_c, size="3")
    assert [each for each in found if each.grade is TrialGrade.FAULT] == []
    assert len(found) == 19


def planted(c_compiler: str, folder: Path, old: str, new: str) -> EnginePlugin:
    """The engine in C with one fault in it."""
    source = foreign.TABIK_IN_C.read_text("utf-8")
    assert old in source
    (folder / "faulty.c").write_text(source.replace(old, new), "utf-8")
    subprocess.run([c_compiler, "-w", "-o", folder / "faulty", folder / "faulty.c"], check=True)
    return EnginePlugin("faulty", (str(folder / "faulty"),))


@pytest.mark.parametrize(
    ("change", "code", "why"),
    [
        (("id name Tabik", "id game Tabik"), "hello", "there is no line id name"),
        (("type spin default 8", "spin 8"), "options", "this option cannot be read: "),
        (('!strcmp(line, "quit")', "0"), "quit", "it runs on"),
        (("    }\n    return 0;\n}\n", "    }\n    return 7;\n}\n"), "eof", "its exit status is 7"),
        (('"ponderhit")) && *held', '"ponderhit"))'), "idle", "nobody had asked for bestmove"),
        (('!strstr(line, "infinite") &&', ""), "infinite", "it named a move before it was asked for one"),
        (('swapped ? "p1win"', 'swapped ^ 1 ? "p1win"'), "game", "to query result it answers 'response p"),
        (("return plies % 2 == 0", "return 1"), "game", "to query p1turn it answers 'response true' instead of false"),
    ],
)
def test_a_fault_is_found(change: tuple[str, str], code: str, why: str, c_compiler: str, tmp_path: Path) -> None:
    found = faults(planted(c_compiler, tmp_path, *change), size="3")
    assert found.keys() == {code}
    assert found[code].startswith(why)


def test_what_only_uci_has_is_a_remark(c_compiler: str, tmp_path: Path) -> None:
    plugin = planted(c_compiler, tmp_path, 'strstr(words, "searchmoves")', "0")
    found = {each.what.code: each.grade for each in findings(plugin, size="3")}
    assert found["searchmoves"] is TrialGrade.REMARK
    assert TrialGrade.FAULT not in found.values()


@pytest.mark.parametrize("go", [foreign.LYING, foreign.DYING])
def test_an_engine_that_fails_is_tried_on(go: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "_ANSWER", 2.0)
    monkeypatch.setattr(conformance, "_QUIET", 0.05)
    found = findings(foreign.bad_engine(tmp_path, go))
    assert len(found) == 19
    assert {each.what.code for each in found if each.grade is TrialGrade.FINE} >= {"hello", "ready", "unknown", "quit"}
    assert {each.what.code for each in found if each.grade is TrialGrade.FAULT} >= {
        "nodes",
        "depth",
        "movetime",
        "game",
    }


@pytest.mark.parametrize(("answer", "grade"), [("bestmove D1-D2=", TrialGrade.FINE), ("", TrialGrade.FAULT)])
def test_who_is_not_on_turn_answers_too(
    answer: str, grade: TrialGrade, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conformance, "_ANSWER", 1.0)
    go = f'case $rest in offturn*) echo "{answer}";; *) echo bestmove D1-D2=;; esac'
    examiner = conformance._Examiner(foreign.bad_engine(tmp_path, go), rules_of("tamsk", {"level": "3"}), Random(1))

    async def run() -> Trial:
        try:
            trial = next(each for each in examiner.trials() if each.what.code == "additions")
            return await examiner.judge(trial)
        finally:
            await examiner.end()

    assert asyncio.run(run()).grade is grade
