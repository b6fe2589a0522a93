"""Every other game under the same daemon, in virtual time: played by hands, sensed, and replayed from its bundle."""

import json
from itertools import pairwise
from random import Random
from typing import Final

import pytest

from gnomon.records.bundles import bundle, difference, read_bundle
from gnomon.records.journal.entries import EntryKind
from gnomon.referee.events import InputChanged
from gnomon.referee.rulings import FaultRuled, GameOver, IllegalRuled
from gnomon.timekeeping.instants import MILLISECOND, Instant
from gnomon_pi.simulated._chance import pick
from gnomon_pi.simulated.players._noise import Noise, glitch
from gnomon_pi.simulated.players.input_actions import Deed
from gnomon_pi.simulated.players.table_hands import PlayingManner
from tests.daemon.halves import entries, let_pass, notebook, summarized
from tests.daemon.places import (
    ENTERING,
    EVERYWHERE,
    PICKING,
    PLACES,
    SENSED,
    SQUARES,
    Place,
    at_a_table,
    journal,
    manner_at,
    meant,
    turns,
)
from tests.player_mistakes import PATIENT
from tests.tile_mistakes import TileClumsiness, TileMistake
from tests.virtual_daemon import VirtualTableGame, do_all, hands_at, play_virtual_at_a_table

USUAL: Final[dict[tuple[str, int], VirtualTableGame]] = {}


def usual_game(place: Place, seed: int) -> VirtualTableGame:
    """A game as it is usually played somewhere: played once for all tests, which only look at it."""
    key = repr(place), seed
    if key not in USUAL:
        USUAL[key] = place.played(seed, manner_at(place))
    return USUAL[key]


@pytest.mark.untraced
@EVERYWHERE
@pytest.mark.parametrize("seed", range(3))
def test_a_game_played_by_hands_is_ruled_as_it_was_meant(place: Place, seed: int) -> None:
    played = usual_game(place, seed)
    assert turns(played.rulings) == meant(played)
    over = played.rulings[-1]
    assert isinstance(over, GameOver)
    game = at_a_table(played.daemon)
    assert over.score == game.rules.score(game.position)
    assert not [each for each in played.rulings if isinstance(each, FaultRuled | IllegalRuled)]
    assert played.daemon.health.sentences() == ()
    stored = notebook(played.daemon).games[0]
    assert stored.ended == over.at
    is_sensed = (place.game, place.board) == ("tayu", "tayu")
    assert (stored.start.game, stored.start.board) == (place.game, "tayu" if is_sensed else "table")


@pytest.mark.untraced
@EVERYWHERE
def test_the_same_seed_gives_the_same_journal_and_another_one_another(place: Place) -> None:
    first = journal(usual_game(place, 0).daemon)
    assert journal(place.played(0, manner_at(place)).daemon) == first
    assert journal(usual_game(place, 1).daemon) != first


@pytest.mark.untraced
@pytest.mark.parametrize("name", ["tabik", "tau with bidding", "twenty squares", "tayu by hand", "tayu, sensed"])
def test_moves_picked_with_bouncing_buttons_are_the_moves_that_were_meant(name: str) -> None:
    played = PLACES[name].played(4, PICKING)
    assert turns(played.rulings) == meant(played)
    pressed = [each for each in entries(played.daemon, EntryKind.RAW) if each.entry.body["input"] == "button.enter"]
    picked = [move for move in played.score if move.player != "nature"] if name != "tayu, sensed" else [()]
    assert len(pressed) >= 2 * len(picked)  # each press is two edges at least


@pytest.mark.untraced
@EVERYWHERE
def test_the_bundle_of_a_game_is_replayed_to_the_same_rulings(place: Place) -> None:
    played = usual_game(place, 2)
    store = notebook(played.daemon)
    lines = list(bundle(store.games[0], store.read(1)).lines())
    header = json.loads(lines[0])
    assert (header["board"], header.get("game", header["board"])) == (store.games[0].start.board, place.game)
    read = read_bundle([line.encode() for line in lines])
    assert difference(read.trace) is None
    assert len(read.header.extras["ruled"]) == len(played.rulings)


@pytest.mark.untraced
@pytest.mark.parametrize("name", ["tabik", "tayu, sensed"])
def test_lights_sound_and_display_go_with_every_game(name: str) -> None:
    place = PLACES[name]
    played = play_virtual_at_a_table(place.game, place.settings, 3, board=place.board, with_display=True)
    assert played.daemon.board.lights() == ()
    assert played.daemon.board.display_image().getbbox() is not None
    assert len(played.daemon.board.sounds()) > 0
    assert summarized(played.daemon.runner)["game"] == place.game


def test_the_lights_of_a_tamsk_board_are_dark_beside_another_game() -> None:
    played = PLACES["tayu beside the tamsk board"].played(1, ENTERING)
    assert set(played.daemon.board.lights()) == {(0, 0, 0)}


# Tiles that are laid wrong


@pytest.mark.untraced
@pytest.mark.parametrize("mistake", TileMistake)
@pytest.mark.parametrize("patient", [False, True])
def test_a_mistake_with_tiles_changes_nothing_of_the_game(mistake: TileMistake, patient: bool) -> None:
    clumsiness = TileClumsiness(frozenset({mistake}), 0.4, *((PATIENT,) if patient else ()))
    played = SENSED.played(1, PlayingManner(mistakes=clumsiness))
    assert turns(played.rulings) == meant(played)
    refused = [ruling.code for ruling in played.rulings if isinstance(ruling, IllegalRuled)]
    righted = [ruling for ruling in played.rulings if ruling.kind == "righted"]
    assert len(righted) == len(refused)
    assert bool(refused) is (patient and mistake is not TileMistake.NUDGED)
    codes = {
        TileMistake.LIFTED: {"tile_removed"},
        TileMistake.MOVED: {"tile_moved"},
        TileMistake.NOT_DRAWN: {"no_tile_drawn"},
        TileMistake.TWO_TILES: {"two_tiles"},
    }
    if mistake in codes:
        assert set(refused) <= codes[mistake]


@pytest.mark.untraced
@pytest.mark.parametrize("seed", range(4))
def test_hands_that_do_everything_wrong_still_play_the_game_that_they_mean(seed: int) -> None:
    played = SENSED.played(seed, PlayingManner(mistakes=TileClumsiness(frozenset(TileMistake), 0.5)))
    assert turns(played.rulings) == meant(played)
    store = notebook(played.daemon)
    assert difference(bundle(store.games[0], store.read(1)).trace) is None


@pytest.mark.untraced
@pytest.mark.parametrize("seed", range(3))
def test_stray_glitches_of_a_few_milliseconds_never_lead_to_a_ruling(seed: int) -> None:
    daemon, random = SENSED.begun(), Random(seed)
    handled = hands_at(daemon, seed)
    deeds: list[Deed] = []
    for deed, following in pairwise(handled.deeds):
        deeds.append(deed)
        if following.at - deed.at > 200 * MILLISECOND:
            name = f"{pick(random, sorted(SQUARES))}.tile"
            start = Instant(deed.at + 100 * MILLISECOND)
            lies = sum(isinstance(each, InputChanged) and each.input == name for each in deeds) % 2 == 1
            deeds += glitch(start, name, resting=lies, noise=Noise(), random=random)
    do_all(daemon, [*deeds, handled.deeds[-1]])
    let_pass(daemon, 5)
    assert turns(daemon.rulings) == [(move.player, move.text) for move in handled.score]
    assert not [each for each in daemon.rulings if isinstance(each, FaultRuled | IllegalRuled)]
