"""Provide what every test shares: how it searches, what is traced, and what is said of a missing program."""

import gc
import os
import shutil
import signal
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Protocol

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from playwright.sync_api import Browser, sync_playwright

from tests.bench_page.visits import FLAGS
from tests.chromium import NAMES, PACKAGE

CI = "CI"
HERE = Path(__file__).parent

# The tests of the pure packages, of which every branch is held to coverage. The other tests run the pure packages, too,
# but to follow them makes them two to three times as slow: `make test TRACED=all` does so, and reports the coverage of
# the shells as well.
TRACED = {
    "boards",
    "people",
    "coaching",
    "distance",
    "referee",
    "rules",
    "timekeeping",
    "tournament",
    "test_outside.py",
    "faults/test_found.py",
}
PURE = (
    "gnomon.timekeeping",
    "gnomon.boards",
    "gnomon.rules",
    "gnomon.games",
    "gnomon.referee",
    "gnomon.people",
    "gnomon.coaching",
    "gnomon.distance",
    "gnomon.tournament",
)
FOLLOWS_ALL = os.environ.get("TRACED") == "all"
# "traced", "others" or "long" runs one part of the tests. What a process keeps for good, such as the answers of a
# cached function, would be missing from the coverage if a test that is not traced had asked for it first.
PART = os.environ.get("PART", "")

# What `make check` runs after `make test`: pages in a browser, drills and benches of whole daemons, disks that fail,
# models, whole games. A browser alone takes two fifths of the time of all tests.
LONG = (
    "hall/test_drill.py",
    "daemon/test_drill.py",
    "power_cut/",
    "records/test_kill_storm.py",
    "relay/test_two_sensing_boards.py",
    "bench/",
    "hardware_folder/test_models.py",
    "web/test_sheets.py",
    # Whole programs and servers: commands, engines, brokers, databases and sites as processes of their own, and two
    # boards at once.
    "cli/test_analyse.py",
    "cli/test_engine.py",
    "cli/test_puzzles.py",
    "cli/test_replay.py",
    "cli/test_tournament_luck.py",
    "daemon/test_board_menu.py",
    "daemon/test_coach.py",
    "daemon/test_command.py",
    "daemon/test_demonstration.py",
    "daemon/test_draw_answers.py",
    "daemon/test_opponent",
    "daemon/test_play_from_here.py",
    "daemon/test_service",
    "daemon/test_signals.py",
    "docs_examples/test_engines_page.py",
    "engines/test_conformance.py",
    "engines/test_plain.py",
    "engines/test_process.py",
    "hall/test_broker_security.py",
    "hall/test_database_connections.py",
    "hall/test_embedded_broker.py",
    "hall/test_hall_attacks.py",
    "hall/test_hall_rounds.py",
    "hall/test_hub_thread.py",
    "hall/test_league.py",
    "hall/test_many_hubs.py",
    "hall/test_mqtt_bus.py",
    "hall/test_record_service.py",
    "hall/test_security.py",
    "hall/test_servers.py",
    "hall/test_shared_accounts.py",
    "hall/test_sql_book.py",
    "hall/test_store",
    "hall/test_two_halls.py",
    "hall/test_web_socket.py",
    "records/test_moved.py",
    "relay/test_relay.py",
    "relay/test_two_boards.py",
    "service/test_dist.py",
    "service/test_install_script.py",
    "service/test_safe_mode.py",
    "service/test_written_files.py",
    "sixth_game/test_coach.py",
    "sixth_game/test_sixth_game.py",
    "web/test_analysis_pages.py",
    "web/test_hostile_requests.py",
    "web/test_puzzle_maker.py",
    "web_director/test_even_luck.py",
    "web_hall/test_hall_demo.py",
    "web_hall/test_hall_service.py",
    "web_publication/test_copies_of_a_site.py",
    "web_publication/test_hall_over_http.py",
    "web_publication/test_killed_copies.py",
    "web_publication/test_published_boards.py",
    "web_publication/test_published_games.py",
    "web_publication/test_published_journal.py",
    "web_publication/test_published_luck.py",
    "web_publication/test_site_of_files.py",
    # Whole games, most of them against a second opinion, exhaustive searches, and circuit boards; their parts are
    # tested one by one as well.
    "accuracy/",
    "analysis/test_game_analysis.py",
    "analysis/test_puzzles.py",
    "daemon/test_codes_unseen.py",
    "daemon/test_recovery.py",
    "daemon/test_restoring.py",
    "daemon/test_single_pole_games.py",
    "daemon/test_tables",
    "daemon/test_trusted_inputs.py",
    "daemon/test_virtual_games.py",
    "drivers/test_mcp23017_games.py",
    "engines/test_tables.py",
    "engines/test_tamsk.py",
    "engines/test_tamsk_sand.py",
    "engines/test_twenty_squares.py",
    "faults/test_explorer.py",
    "faults/test_storage.py",
    "hall/test_report_checked.py",
    "hall/test_team_reports_checked.py",
    "hall/test_tie_breaks_checked.py",
    "records/test_bundles.py",
    "records/test_imports.py",
    "records/test_transcripts.py",
    "records/test_v0_1_0.py",
    "rules/test_tabik_against_oracle.py",
    "rules/test_tamsk_against_oracle.py",
    "rules/test_tayu_against_oracle.py",
    "rules/test_twenty_squares_against_oracle.py",
    "simulated/test_game_script.py",
    "simulated/test_hands.py",
    "simulated/test_hands_and_referee.py",
    "simulated/test_table_hands.py",
    "sixth_game/test_check_game.py",
    "walk/test_random_miswirings.py",
    "wiring/test_boards.py",
)
IN_A_BROWSER = "_in_a_browser.py"

# What is begun first: the long ones, and then the browsers.
FIRST = (
    *LONG,
    "bench_page/",
    "web/test_every_page_in_a_browser.py",
    "web/test_players",
    "web_director/test_director_in_a_browser.py",
    "web_hall/test_hall_in_a_browser.py",
)

USUAL = 40
SEARCHED = os.environ.get("EXAMPLES", "")
EXAMPLES = int(SEARCHED or USUAL)
SEED = int(os.environ.get("SEED") or 0)

# Every run tries a property with the same examples, so that it ends as the last one did. A search is asked for
# (`make test EXAMPLES=1000`): it tries fresh ones from a seed that it says, and remembers what it found. A busy machine
# is no fault of the code: examples have no deadline.
settings.register_profile("usual", deadline=None, max_examples=EXAMPLES, derandomize=True, database=None)
settings.register_profile("search", deadline=None, max_examples=EXAMPLES, derandomize=False, print_blob=True)
settings.load_profile("search" if SEARCHED else "usual")

# Hypothesis also draws from the constants in the sources of whatever modules a process has imported so far: others in
# each process and each run. To read them takes a process three seconds in a fresh clone. A search draws from them too.
NO_CONSTANTS = Constants()
if not SEARCHED:
    providers._get_local_constants = lambda: NO_CONSTANTS


def examples(usual: int) -> int:
    """How many examples a property is tried with that takes so many of its own; in a search as many times more."""
    return max(1, usual * EXAMPLES // USUAL)


def random_games(examples: int) -> range:
    """The seeds of random games of which each takes as long as so many examples."""
    return range(SEED, SEED + max(1, EXAMPLES // examples))


# The tests keep thousands of objects for good and throw few circles of them away: the collector would look through the
# syntax trees of the sources four times as long as it takes to read them.
gc.set_threshold(20_000, 50, 100)

# Engines and analyses have what others leave over, which is nothing where tests keep every core busy: here they run as
# everything does. The fixture `lowest_priority` gives the system's functions back.
PRIORITY = {name: getattr(os, name) for name in ("setpriority", "sched_setscheduler") if hasattr(os, name)}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "untraced: goes over the same lines so often that coverage would make it three times as slow; "
        "other tests must cover what it runs",
    )
    config.addinivalue_line(
        "markers", "long: one of the tests of its file that `make test-long` runs, because all others are quick"
    )
    for name in PRIORITY:
        setattr(os, name, lambda *_given: None)
    let_children_hear()


def let_children_hear() -> None:
    """Let what the tests start be ended by every signal that this process ignores, as under nohup or in a script.

    A signal that is ignored is so in children, too; one that is handled is as usual there, and here it does nothing.
    """
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_given: None)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Collect the tests without a tracer, once the pure packages have been imported with it."""
    tracer = sys.gettrace()
    if tracer is None or FOLLOWS_ALL:
        import_a_share(session.config)
        return (yield)
    for package in PURE:
        for module in walk_packages(import_module(package).__path__, f"{package}."):
            import_module(module.name)
    sys.settrace(None)
    try:
        import_a_share(session.config)
        return (yield)
    finally:
        sys.settrace(tracer)


def import_a_share(config: pytest.Config) -> None:
    """Import every test of a part, each process from another one on: what one has compiled the others only read.

    A fresh clone holds nothing compiled, and processes that go through the files in the same order all compile all.
    """
    given = getattr(config, "workerinput", None)
    if not PART or given is None:
        return
    number, workers = int(given["workerid"].removeprefix("gw")), given["workercount"]
    files = [file for file in sorted(HERE.rglob("test_*.py")) if not pytest_ignore_collect(file)]
    begin = len(files) * number // workers
    for file in (*files[begin:], *files[:begin]):
        # What is wrong with it is said when it is collected.
        with suppress(Exception, pytest.skip.Exception):
            import_module(".".join(file.relative_to(HERE.parent).with_suffix("").parts))


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out a file without a test of the part that is asked for: to import all of them takes ten seconds."""
    if not PART or collection_path.suffix != ".py" or collection_path.name == "conftest.py":
        return None
    held = {part_of(collection_path)}
    source = collection_path.read_text(encoding="utf-8")
    if "traced" in held and "untraced" in source:
        held.add("others")
    if "mark.long" in source:
        held.add("long")
    return None if PART in held else True


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the part that is asked for, and begin with what takes longest, so that all processes end together."""
    if PART:
        parts = [(item, part_of_item(item)) for item in items]
        config.hook.pytest_deselected(items=[item for item, part in parts if part != PART])
        items[:] = [item for item, part in parts if part == PART]
    items.sort(key=rank)


def part_of_item(item: pytest.Item) -> str:
    """The part of the tests to which a test belongs."""
    if item.get_closest_marker("long"):
        return "long"
    return "traced" if is_traced(item) else part_of(item.path, traced=False)


@cache
def part_of(path: Path, *, traced: bool = True) -> str:
    """The part of the tests to which a file belongs; unless `traced`, that of its tests that coverage leaves alone."""
    if traced and in_traced_folder(path):
        return "traced"
    return "long" if place(path).startswith(LONG) or path.name.endswith(IN_A_BROWSER) else "others"


def rank(item: pytest.Item) -> int:
    """The place in the order of a test: those that wait for processes and browsers first, all others as they stand."""
    return rank_of(place(item.path))


@cache
def rank_of(place: str) -> int:
    """The place in the order of the tests of a file."""
    return next((number for number, begin in enumerate(FIRST) if place.startswith(begin)), len(FIRST))


@cache
def place(path: Path) -> str:
    """Where a file of the tests stands, below their folder."""
    return path.relative_to(HERE).as_posix()


def pytest_collection_finish() -> None:
    """Let the collector of garbage leave ten thousand tests alone: it would look through them all over and over."""
    gc.freeze()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Run a test without a tracer, its fixtures and threads too, when coverage can do without it.

    The marker `no_cover` of pytest-cov has no effect beside pytest-xdist: in a worker two collectors run, one within
    the other, and the inner one alone is stopped.
    """
    tracer, tracer_of_threads = sys.gettrace(), threading.gettrace()
    if tracer is None or is_traced(item):
        return (yield)
    sys.settrace(None)
    threading.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(tracer)
        threading.settrace(tracer_of_threads)


def is_traced(item: pytest.Item) -> bool:
    """Whether coverage counts what a test runs."""
    if item.get_closest_marker("untraced"):
        return False
    return FOLLOWS_ALL or in_traced_folder(item.path)


def in_traced_folder(path: Path) -> bool:
    """Whether a file is one of the tests of the pure packages."""
    return not TRACED.isdisjoint({place(path), place(path).split("/")[0]})


class FindProgram(Protocol):
    """Finds the first of several programs, or ends the test saying what to install."""

    def __call__(self, *names: str, package: str) -> str:
        """The path of the program."""
        ...


@pytest.fixture
def lowest_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes may be given what others leave over."""
    for name, function in PRIORITY.items():
        monkeypatch.setattr(os, name, function)


@pytest.fixture(scope="session")
def find_program() -> FindProgram:
    """Look for a program that pip does not bring: the test skips without it, and fails where CI=true."""
    # Servers stand where a user's PATH does not lead.
    servers = ("/usr/sbin", *sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")), reverse=True))
    places = os.pathsep.join((os.environ.get("PATH", os.defpath), *servers))

    def find(*names: str, package: str) -> str:
        path = next(filter(None, (shutil.which(name, path=places) for name in names)), None)
        if path is not None:
            return path
        message = f"{names[0]} is missing (Debian: sudo apt-get install {package})"
        if os.environ.get(CI) == "true":
            pytest.fail(message)
        pytest.skip(message)

    return find


@pytest.fixture(scope="session")
def chromium(find_program: FindProgram) -> str:
    """The path of a Chromium for Playwright."""
    return find_program(*NAMES, package=PACKAGE)


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """A browser for the tests of one module: Playwright keeps a loop running, and no other can run beside it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS.split())
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def c_compiler(find_program: FindProgram) -> str:
    """The path of a C compiler."""
    return find_program("cc", "gcc", "clang", package="gcc libc6-dev")
