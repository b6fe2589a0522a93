"""Test what every test shares: how properties are searched, and what a missing program means."""

import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture.data import ConjectureData
from hypothesis.internal.conjecture.providers import HypothesisProvider

from tests import conftest
from tests.conftest import FindProgram
from tests.test_house import TEST_MODULES, source_of


def test_every_run_tries_the_same_examples_and_a_search_fresh_ones() -> None:
    assert settings.get_profile("usual").derandomize
    assert not settings.get_profile("search").derandomize
    assert settings.get_profile("search").max_examples == settings.get_profile("usual").max_examples


@pytest.mark.skipif(bool(conftest.SEARCHED), reason="a search draws from them")
def test_no_example_depends_on_the_modules_that_a_process_has_imported() -> None:
    data = ConjectureData(random=Random(0), provider=HypothesisProvider)
    assert isinstance(data.provider, HypothesisProvider)
    assert len(data.provider._local_constants) == 0


def test_a_search_goes_further_with_every_property() -> None:
    of_its_own = re.compile(r"max_examples=\d|(derandomize|database)=")
    assert [
        str(test) for test in TEST_MODULES if test.name != "conftest.py" and of_its_own.search(source_of(test))
    ] == []


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT, signal.SIGQUIT])
def test_a_signal_that_is_ignored_here_ends_what_the_tests_start(number: signal.Signals) -> None:
    command = [sys.executable, "-c", f"import signal; print(signal.getsignal({number}) is signal.SIG_IGN)"]
    before = signal.signal(number, signal.SIG_IGN)
    try:
        conftest.let_children_hear()
        assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "False\n"
        signal.raise_signal(number)  # nothing happens here
    finally:
        signal.signal(number, before)


def imported_by(worker: Mapping[str, object], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a process imports before it collects the long tests, in order."""
    imported: list[str] = []
    monkeypatch.setattr(conftest, "PART", "long")
    monkeypatch.setattr(conftest, "import_module", imported.append)
    conftest.import_a_share(cast("pytest.Config", SimpleNamespace(workerinput=worker)))
    return imported


def test_each_process_begins_to_compile_with_other_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third = (
        imported_by({"workerid": f"gw{number}", "workercount": 3}, monkeypatch) for number in range(3)
    )
    assert "tests.hall.test_drill" in first
    assert "tests.test_conftest" not in first
    assert sorted(first) == sorted(second) == sorted(third)
    assert first.index(second[0]) == len(first) // 3
    assert first.index(third[0]) == len(first) * 2 // 3


def test_a_missing_program_skips_the_test_and_says_what_to_install(
    find_program: FindProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="apt-get install no-such-package"):
        find_program("no-such-program", package="no-such-package")


def test_a_missing_program_fails_the_test_in_continuous_integration(
    find_program: FindProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="apt-get install no-such-package"):
        find_program("no-such-program", package="no-such-package")


def test_a_program_that_is_there_is_found(find_program: FindProgram) -> None:
    assert Path(find_program("no-such-program", "sh", package="dash")).name == "sh"


def test_a_fresh_machine_gets_every_package_that_a_test_asks_for() -> None:
    asked = {
        package
        for path in TEST_MODULES
        for packages in re.findall(r'find_program\([^)]*package="([a-z0-9 .+-]+)"', source_of(path))
        for package in packages.split()
    }
    assert {"pgbouncer", "device-tree-compiler"} <= asked
    needs = (Path(__file__).parents[1] / ".ci/needs").read_text(encoding="utf-8")
    packed = set(needs.replace('"', " ").split())
    assert asked - packed == {"no-such-package", "dash"}
