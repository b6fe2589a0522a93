"""Every bench runs to its end and prints what it measures; how fast anything is fails no build."""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from gnomon.games.tamsk.rules import BOARD
from gnomon.games.tamsk.rules.position import BIT, ONE_RING
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.referee.replacement import replace
from gnomon.referee.setup import GameSetup
from gnomon.timekeeping.instants import Instant
from gnomon_pi.config.parser import load_bundled
from gnomon_pi.runtime.live_game import Host
from tests.bench.edge_to_light import answered_moves

ROOT = Path(__file__).parents[2]

FIGURES = {
    "board_process": (
        r"after interpreter +\d+\.\d MB +\d+ modules +0\.0 ms for it$",
        r"after pages +\d+\.\d MB +\d+ modules ",
        "all imports without the pages +best .* n 1$",
        r"  gnomon\.web +\d+\.\d% +\d+ modules$",
        r"scan thread: Tayu, 38 registers .* µs a scan .* n \d+$",
        r"scan thread: ten expanders, polled .*% of a core ",
    ),
    "bus_time": (
        r"tamsk: 19 registers, read twice +2 +38 +304 +0.608 ms +0.304 ms +0.152 ms$",
        r"tayu: 38 registers, read once +1 +38 +304 ",
        r"sk9822: a frame of 37 lights +1 +159 +1272 ",
        r"interrupts: nothing moves +5 +25 +240 ",
        r"polled: nothing moves +10 +50 +480 ",
        r"pn532: a look at nothing +7 +64 +590 +5.900 ms ",
        r"pn532: each question asked in vain +1 +2 +20 ",
        "a turn after each transaction .* ms .* n 5$",
        "a lock for each picture .* ms .* n 5$",
    ),
    "display_time": (
        r"ssd1306 on I2C: everything again +44 +1185 +10753 +107.530 ms +26.883 ms +10.753 ms$",
        r"ssd1309 on SPI: everything again +21 +1129 +9032 ",
        r"sh1106 on SPI: a second of sand, median +\d+ +\d+ +\d+ .* ms$",
        r"ssd1309: processor, a picture in play +median .* n \d+$",
    ),
    "drivers_on_chips": ("a scan in which nothing changed .* µs", "37 lights .* µs", "the same picture again .* µs"),
    "edge_to_light": (
        "journal on +[a-z]",
        "engines that think meanwhile +0$",
        "edge to light, lift .* n 3$",
        "edge to display, ring .* n 3$",
        "bounce, scan, and 21 ms of calm .* n 9$",
        "touches that were not answered +0$",
    ),
    "edge_to_ruling": tuple(rf"level {level}: step with a ruling .* n \d\d+$" for level in (1, 2, 3)),
    "engine_memory": tuple(
        rf"engine of {game} +ready +[\d.]+ MB +most +[\d.]+ MB$"
        for game in ("tamsk", "tabik", "tau", "tayu", "twenty-squares")
    ),
    "engine_matches": (
        r"^tabik: greedy against random +[\d.]+ % \[[\d.]+, [\d.]+\] of 2, \d+ ms a move$",
        r"^tayu: greedy against random .* of 2, ",
        r"^tau: perfect against 20 nodes .* of 2, ",
        r"^tabik: solved 14 turns before the end +\d of 2, median [\d,]+, [\d.]+ s$",
        r"^tayu: playouts a second +[\d,]+$",
    ),
    "event_to_pixel": (
        "edge to page, ring .* n 1$",
        r"edge to frame, all .* n \d+$",
        "touches that the page did not show +0$",
    ),
    "expiry_lateness": ("stopped glass .* n 6$", "lost turn .* n 2$", "beyond 120 ms .* of 8$", "by at most +0 µs$"),
    "hall_load": (
        r"^10 boards: states a second +\d+, \d+ rows$|^hall_load +needs Mosquitto",
        r"^10 boards: board to hub +median .* n \d\d$|^hall_load +needs",
        r"^10 boards: board to wall +median .* ms  n \d|^hall_load +needs",
        r"^10 boards: record to word +median .* ms  n \d|^hall_load +needs",
        r"^10 boards: hub with its pages +[\d.]+ % of a core, \d+\.\d MB resident$|^hall_load +needs",
    ),
    "journal_speed": (
        "entries in a row .* µs of processor time each$",
        "entry and disk +median .* ms, p95 .* ms$",
        r"opening +\d+ ms of processor time for 800 entries$",
    ),
    "house": (
        r"^modules +\d+$",
        r"^gnomon: floors +\d+$",
        "^gnomon: circles +0$",
        "^gnomon_pi: circles +0$",
        r"^files of the referee that one ring passes +\d+ with \d+ moves$",
    ),
    "hub_store": (
        r"^SQLite, many boards, new +\d+ records/s .* 600 added$",
        r"^SQLite, many boards, again +\d+ records/s .* 0 added$",
        r"^SQLite, from bus to acknowledgement +\d+ records/s +3000 records$",
        r"^PostgreSQL(, few boards, new +\d+ records/s .* 600 added| +not on this machine)",
    ),
    "idle_daemon": ("page served, not open .* MB resident", "page open .* MB resident", "no page .* MB resident"),
    "input_to_stamp": (
        "tamsk: registers at 1 MHz: by arithmetic +at most 10.00 ms late, 30.00 ms if it bounces, 0.30 ms early$",
        "what the interrupts may miss +1 in 11111, found in 250 ms$",
        "clean: late .* n 15$",
        "bouncing: not granted +[0-9]+ of 15, by at most .* ms$",
        "expanders by the clock: scans begin late .* n [0-9]+$",
    ),
    "noisy_turns": ("games +3$", r"wrong rulings +0 in \d+ turns", r"false alarms +0 in \d+ turns", "at once.*WRONG"),
    "luck_pages": (
        r"^the luck in all games +\d+\.\d s$",
        r"^/tournaments/open/standings meanwhile +median .* n \d+$",
        r"^/ afterwards +median .* n \d+$",
    ),
    "page_flood": (
        "in a thread, within bounds, flooded .* n 3$",
        r"the flood was told .*200 a second \d+",
        "in the referee's loop, no bounds, flooded .* n 3$",
        r"memory of each of 40 streams +[-\d.]+ KiB$",
    ),
    "page_weight": (r"^/board +\d+\.\d KiB in \d+ requests$", "first paint .* n 1$", "live, or loaded .* n 1$"),
    "pairing": (
        r"^40 entrants: a round paired +median .* n 9  in round \d$",
        r"^40 entrants: absolute rules broken +0, rounds without a pairing 0$",
        r"^40 entrants: quality +scores 0\.\d+ points apart .* pairs float; .* strong$",
    ),
    "pairing_quality": (
        r"^9 entrants, 4 rounds, 1 events: byes, withdrawals, late entries, 1 % forfeits$",
        r"^  our own +same opponents in 4 of 4 rounds, .*; absolute rules broken 0; without a pairing 0$",
        r"^(py4swiss is not installed: install it|  py4swiss +same opponents in \d of 4 rounds)",
    ),
    "start_to_first_scan": ("first scan, warm .* n 1$", "dropped from memory .* n 1$", "never compiled .* n 1$"),
    "publication": (
        r"^10 boards, 3 rounds +\d+\.\d s \(\d+\.\d s of work\) +\d+ files +\d+\.\d MB +\d+ written +\d+ MB resident$",
        r"^nothing is new +\d+\.\d s \(\d+\.\d s of work\) +\d+ files +\d+\.\d MB +0 written +\d+ MB resident$",
        r"^one result is corrected +\d+\.\d s \(\d+\.\d s of work\) +\d+ files ",
        r"^6 boards, 6 games +\d+\.\d s ",
        r"^a game takes \d+ kB in \d+\.\d files, 6 games$",
        r"^a second round, 1 game +\d+\.\d s ",
    ),
    "two_boards": (
        r"^20 ms, 0% lost: turns +\d+ in 1 games, all alike: True$",
        r"^400 ms, 5% lost: turn to announcement +median .* n \d+$",
        r"^400 ms, 5% lost: a clock is wrong by at most +\d+ ms a game$",
        r"^100 ms, 5% lost: charged +0\.00 s$",
    ),
    "wall_stream": (
        r"^40 boards, 3 walls: to each wall +\d+\.\d KiB/s in \d+ events of 2 s$",
        r"^40 boards, 3 walls: hall and pages +-?\d+% of a core, \d+ MB resident$",
        r"^40 boards, 3 walls: board to wall +median .* ms .* n \d+$",
    ),
    "tamsk_forecasts": (
        r"^30 to 39 rings fallen +error 0\.\d+, of 50 % 0\.\d+; from 70 % up: \d+, of which won .* n \d+$",
        r"^analysis of a game of \d+ turns +\d+\.\d s$",
    ),
    "tamsk_glasses": (
        r"^15 s a turn, 2 games +ran out \d+, savable \d+, waited too long 0, clearly better to save \d+, confirmed \d",
        r", confirmed \d+, best of all \d+, best of all still \d+$",
    ),
    "tamsk_matches": (
        r"^(plain Python|compiled): nodes a second, level 2 +[\d,]+$",
        r"^15 plies before the end: proven +\d of 2 within 1 s",
        r"^200 nodes v one ply of territory +\d+\.\d % .* rings$",
        r"^\d+ nodes v UCT, equal time 0.002 s +\d",
        r"^level 2, 15 s a turn: sand v no sand .* dead \d",
    ),
    "ratings": (
        r"^Glickman: 1464.06, 151.52, 0.05999 +1464.05, 151.52, 0.06000$",
        r"^FIDE's exercises, PTP +1 of 1$",
        r"^200 entrants in a list of 1,000 .* not found 0$",
        r"^the same from the events in another order +yes$",
    ),
    "tie_breaks": (r"^16 entrants, 3 rounds: PTP .* n 3$", r"^16 entrants, 3 rounds: APPO .* n 3$"),
    "virtual_time": (r"lights and sound .*\d x in", r"sound and display .*\d x in", r"journal on disk .*\d x in"),
}


@pytest.mark.parametrize("bench", FIGURES)
def test_a_short_run_prints_every_figure(bench: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", f"tests.bench.{bench}", "--quick"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("machine ")
    for figure in FIGURES[bench]:
        assert re.search(figure, run.stdout, re.MULTILINE), f"{figure} is not in\n{run.stdout}"


@pytest.mark.parametrize(("enterable", "moves"), [(("D2", "D3"), ["D1-D2"]), (("D2",), [])])
def test_the_hands_of_edge_to_light_end_no_game_by_a_ring_for_it_is_answered_seconds_later(
    enterable: Sequence[str], moves: Sequence[str]
) -> None:
    game = Host.of(load_bundled("tamsk")).begin(GameSetup(settings={"level": 1}))
    assert isinstance(game, TamskGame)
    # D1 is full, so no glass can go back there.
    position = game.position._replace(
        rings=game.position.rings + ONE_RING[BOARD.index["D1"]],
        enterable=sum(BIT[BOARD.index[space]] for space in enterable),
    )
    found = answered_moves(replace(game, position=position), Instant(0), frozenset())
    assert [f"{BOARD.names[move.origin]}-{BOARD.names[move.target]}" for move in found] == moves
