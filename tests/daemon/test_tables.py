"""Every other game under the same daemon, in virtual time: played by hands, killed, cut off, corrected, replayed."""

import json
from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from itertools import pairwise
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.records.bundles import bundle, difference, read_bundle
from gnomon.records.entries import Kind
from gnomon.records.traces import ruling_record
from gnomon.referee.events import InputChanged, Paused, ResultDeclared, Resumed, TurnEntered, TurnsVoided
from gnomon.referee.judgement import Phase, Temperament
from gnomon.referee.rulings import FaultRuled, GameOver, GamePaused, IllegalRuled, Ruling, TurnRuled
from gnomon.referee.table_game import TableGame
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Instant
from gnomon_pi import config
from gnomon_pi.chance import SeededChance
from gnomon_pi.reading import Reading
from gnomon_pi.recovery import RecoveryError
from gnomon_pi.runner import RunnerError
from gnomon_pi.simulated.choices import pick
from gnomon_pi.simulated.deeds import Deed
from gnomon_pi.simulated.habits import PATIENT, TableHabits, TileClumsiness, TileMistake
from gnomon_pi.simulated.noise import Noise, glitch
from gnomon_pi.simulated.surface import Surface
from gnomon_pi.simulated.table_hands import Manner
from gnomon_pi.simulated.virtual import VirtualDaemon, VirtualWatch, virtual_board
from gnomon_pi.simulated.virtual_table import PlayedAtATable, do_all, hands_at, play_virtual_at_a_table
from tests.daemon.halves import entries, let_pass, notebook, restarted, sitting

Settings = dict[str, object]


class Place(NamedTuple):
    """A game, how it is set, and the board on which it is played."""

    game: str
    settings: Settings
    board: str = "table"
    size: int | None = None

    def begun(self) -> VirtualDaemon:
        """A daemon whose game has just begun."""
        daemon = VirtualDaemon.of_new_board(self.board, self.size)
        daemon.new_game(self.settings, game=self.game)
        return daemon

    def played(self, seed: int, manner: Manner | None = None) -> PlayedAtATable:
        """A whole game by hands."""
        return play_virtual_at_a_table(self.game, self.settings, seed, board=self.board, size=self.size, manner=manner)


PLACES = {
    "tabik": Place("tabik", {}),
    "tabik with pie": Place("tabik", {"size": 6, "pie": "yes"}),
    "tau with bidding": Place("tau", {}),
    "tau": Place("tau", {"rows": 5, "columns": 7, "limit": "60"}),
    "twenty squares": Place("twenty-squares", {}),
    "twenty squares with a cube": Place("twenty-squares", {"dice": "cube", "counters": 7}),
    "tayu by hand": Place("tayu", {"size": 11}),
    "tayu with an auction": Place("tayu", {"players": 3, "auction": "yes"}),
    "tayu beside the tamsk board": Place("tayu", {"size": 9}, "tamsk"),
    "tayu, sensed": Place("tayu", {}, "tayu"),
    "tayu by backs, sensed": Place("tayu", {"draw": "backs", "players": 4}, "tayu"),
    "kosmos, sensed": Place("tayu", {"edition": "kosmos", "draw": "stacks"}, "tayu", 19),
    "a small game on a large board": Place("tayu", {"size": 9}, "tayu"),
    "tabik beside the tayu board": Place("tabik", {"size": 5}, "tayu"),
}
EVERYWHERE = pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
SENSED = PLACES["tayu, sensed"]
SQUARES = Surface.of(config.bundled("tayu")).squares
ENTERING = Manner(TableHabits(picks=0.0))
PICKING = Manner(TableHabits(picks=1.0, reads=0.0), noise=Noise(bounces=1.0))


def manner_at(place: Place) -> Manner:
    """A board of TAMSK has no buttons with which to pick a move."""
    return ENTERING if place.board == "tamsk" else Manner()


def turns(rulings: Sequence[Ruling]) -> list[tuple[str, str]]:
    return [(ruling.player, ruling.text) for ruling in rulings if isinstance(ruling, TurnRuled)]


def meant(played: PlayedAtATable) -> list[tuple[str, str]]:
    return [(move.player, move.text) for move in played.score]


def at_a_table(daemon: VirtualDaemon) -> TableGame:
    game = sitting(daemon.runner).game
    assert isinstance(game, TableGame)
    return game


def journal(daemon: VirtualDaemon) -> str:
    return "\n".join(map(repr, [notebook(daemon).games, *notebook(daemon).records]))


# Whole games


@EVERYWHERE
@pytest.mark.parametrize("seed", range(3))
def test_a_game_played_by_hands_is_ruled_as_it_was_meant(place: Place, seed: int) -> None:
    played = place.played(seed, manner_at(place))
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


@EVERYWHERE
def test_the_same_seed_gives_the_same_journal_and_another_one_another(place: Place) -> None:
    manner = manner_at(place)
    first = journal(place.played(5, manner).daemon)
    assert journal(place.played(5, manner).daemon) == first
    assert journal(place.played(6, manner).daemon) != first


@pytest.mark.parametrize("name", ["tabik", "tau with bidding", "twenty squares", "tayu by hand", "tayu, sensed"])
def test_moves_picked_with_bouncing_buttons_are_the_moves_that_were_meant(name: str) -> None:
    played = PLACES[name].played(4, PICKING)
    assert turns(played.rulings) == meant(played)
    pressed = [each for each in entries(played.daemon, Kind.RAW) if each.entry.body["input"] == "button.enter"]
    picked = [move for move in played.score if move.player != "nature"] if name != "tayu, sensed" else [()]
    assert len(pressed) >= 2 * len(picked)  # each press is two edges at least


@EVERYWHERE
def test_the_bundle_of_a_game_is_replayed_to_the_same_rulings(place: Place) -> None:
    played = place.played(2, manner_at(place))
    store = notebook(played.daemon)
    lines = list(bundle(store.games[0], store.read(1)).lines())
    header = json.loads(lines[0])
    assert (header["board"], header.get("game", header["board"])) == (store.games[0].start.board, place.game)
    read = read_bundle([line.encode() for line in lines])
    assert difference(read.trace) is None
    assert len(read.header.extras["ruled"]) == len(played.rulings)


@pytest.mark.parametrize("name", ["tabik", "tayu, sensed"])
def test_lights_sound_and_display_go_with_every_game(name: str) -> None:
    place = PLACES[name]
    played = play_virtual_at_a_table(place.game, place.settings, 3, board=place.board, with_display=True)
    assert played.daemon.board.lights() == ()
    assert played.daemon.board.display_image().getbbox() is not None
    assert len(played.daemon.board.sounds()) > 0
    assert played.daemon.runner.summary()["game"] == place.game


def test_the_lights_of_a_tamsk_board_are_dark_beside_another_game() -> None:
    played = PLACES["tayu beside the tamsk board"].played(1, ENTERING)
    assert set(played.daemon.board.lights()) == {(0, 0, 0)}


# Tiles that are laid wrong


@pytest.mark.parametrize("mistake", TileMistake)
@pytest.mark.parametrize("patient", [False, True])
def test_a_mistake_with_tiles_changes_nothing_of_the_game(mistake: TileMistake, patient: bool) -> None:
    clumsiness = TileClumsiness(frozenset({mistake}), 0.4, *((PATIENT,) if patient else ()))
    played = SENSED.played(1, Manner(mistakes=clumsiness))
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


@pytest.mark.parametrize("seed", range(4))
def test_hands_that_do_everything_wrong_still_play_the_game_that_they_mean(seed: int) -> None:
    played = SENSED.played(seed, Manner(mistakes=TileClumsiness(frozenset(TileMistake), 0.5)))
    assert turns(played.rulings) == meant(played)
    store = notebook(played.daemon)
    assert difference(bundle(store.games[0], store.read(1)).trace) is None


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


# In the same boot

KILLED = ("tabik", "twenty squares", "tayu, sensed")
TURNS = 14


class Course(NamedTuple):
    """The first deeds of a game, until when they are watched, and what is ruled when nobody is killed."""

    deeds: tuple[Deed, ...]
    end: Instant
    rulings: list[Ruling]


@cache
def course(name: str) -> Course:
    """The beginning of a game."""
    daemon = PLACES[name].begun()
    handled = hands_at(daemon, 8)
    until = handled.score[TURNS].at
    deeds = tuple(deed for deed in handled.deeds if deed.at < until)
    end = Instant(deeds[-1].at + 4 * SECOND)
    do_all(daemon, deeds)
    daemon.pass_to(end)
    return Course(deeds, end, daemon.rulings)


def killed(name: str, kills: list[float]) -> tuple[VirtualDaemon, list[Ruling]]:
    """A daemon killed and started again just before some of the deeds, as shares of them, and all that was shown."""
    deeds, end, _ = course(name)
    numbers = {round(share * (len(deeds) - 1)) for share in kills}
    daemon, shown = PLACES[name].begun(), []
    for number, deed in enumerate(deeds):
        if number in numbers:
            daemon.pass_to(deed.at)
            shown += daemon.rulings
            daemon = restarted(daemon)
        do_all(daemon, [deed])
    daemon.pass_to(end)
    return daemon, [*shown, *daemon.rulings]


@settings(max_examples=40)
@given(st.sampled_from(KILLED), st.lists(st.floats(0, 1), min_size=1, max_size=3))
def test_a_daemon_that_is_killed_anywhere_rules_the_same_turns(name: str, kills: list[float]) -> None:
    daemon, shown = killed(name, kills)
    assert turns(shown) == turns(course(name).rulings)
    written = [record.entry.body for record in entries(daemon, Kind.RULING)]
    assert written == [ruling_record(ruling) for ruling in shown]


@settings(max_examples=40)
@given(st.sampled_from(KILLED), st.floats(0, 1))
def test_wherever_the_journal_was_cut_every_ruling_stands_in_it_exactly_once(name: str, share: float) -> None:
    deeds, end, rulings = course(name)
    daemon = PLACES[name].begun()
    do_all(daemon, deeds)
    daemon.pass_to(end)
    notebook(daemon).lose(max(1, round(share * len(notebook(daemon).records))))
    kept = len(entries(daemon, Kind.RULING))
    following = restarted(daemon)
    following.pass_to(Instant(end + SECOND))
    game = at_a_table(following)
    assert [record.entry.body for record in entries(following, Kind.RULING)] == [
        ruling_record(ruling) for ruling in game.rulings
    ]
    assert list(game.rulings[:kept]) == rulings[:kept]


def test_a_tile_that_was_laid_while_the_daemon_was_dead_is_found() -> None:
    daemon = SENSED.begun()
    daemon.board.read_code("013")
    let_pass(daemon, 1)
    for square in ("g9", "h9", "i9"):
        daemon.board.set_input(f"{square}.tile", True)
    daemon.watch.go_to(Instant(daemon.watch.now() + 3 * SECOND))
    following = restarted(daemon)
    let_pass(following, 2)
    assert at_a_table(following).judgement.phase is Phase.ASKING
    assert [ruling.kind for ruling in following.rulings] == ["ask"]


# After a reboot


@pytest.mark.parametrize("name", KILLED)
def test_after_a_power_cut_the_game_is_paused_with_the_outage_and_goes_on_when_the_arbiter_says_so(name: str) -> None:
    daemon = PLACES[name].begun()
    handled = hands_at(daemon, 8)
    half = handled.score[TURNS].at
    do_all(daemon, [deed for deed in handled.deeds if deed.at <= half])
    daemon.pass_to(Instant(half + 2 * SECOND))
    before, boot = at_a_table(daemon), daemon.watch.boot
    daemon.watch.reboot(timedelta(minutes=3))
    following = restarted(daemon)
    let_pass(following, 1)
    game = at_a_table(following)
    assert daemon.watch.boot != boot
    assert game.paused_at is not None
    assert (game.position, game.plies) == (before.position, before.plies)
    assert isinstance(following.rulings[-1], GamePaused)
    assert "power was away for 3 min" in str([record.entry.body for record in entries(following, Kind.EVENT)][-1])
    following.touch("button.arbiter", value=True)
    let_pass(following, 0.2)
    following.touch("button.arbiter", value=False)
    let_pass(following, 0.2)
    assert at_a_table(following).paused_at is None
    rest = hands_at(following, 9)
    do_all(following, rest.deeds)
    let_pass(following, 2)
    assert turns(following.rulings) == [(move.player, move.text) for move in rest.score]


# By hand


def entered(daemon: VirtualDaemon, text: str, who: str = "page") -> list[str]:
    """What entering a turn now leads to."""
    receipt = daemon.runner.correct(TurnEntered(daemon.runner.now(), text, who))
    let_pass(daemon, 0.5)
    return [ruling.kind for ruling in receipt.rulings]


@pytest.mark.parametrize("temperament", Temperament)
def test_the_temperament_reaches_the_game_and_is_written_down(temperament: Temperament) -> None:
    daemon = VirtualDaemon.of_new_board("table")
    daemon.new_game({}, temperament, game="tabik")
    let_pass(daemon, 1)
    refused = entered(daemon, "a1a3"), entered(daemon, "a1b1")
    assert refused == (["illegal"], ["turn"])
    assert at_a_table(daemon).temperament is temperament
    assert notebook(daemon).games[0].start.temperament == temperament.value
    assert at_a_table(restarted(daemon)).temperament is temperament
    # Who only records makes no noise about a refusal.
    assert (len(daemon.board.sounds()) > 0) is (temperament is not Temperament.SILENT)


def test_corrections_reach_every_game_and_survive_a_kill() -> None:
    daemon = PLACES["tabik"].begun()
    for text in ("a1b1", "h8h7", "c1c2"):
        entered(daemon, text)
    runner = daemon.runner
    runner.correct(TurnsVoided(runner.now(), 2, give_back=True, who="arbiter", why="wrong row"))
    assert [ply.text for ply in at_a_table(daemon).plies] == ["a1b1"]
    runner.correct(Paused(runner.now(), "arbiter", "tea"))
    with pytest.raises(RunnerError, match="the game is paused"):
        entered(daemon, "h8h7")
    runner.correct(Resumed(runner.now(), "arbiter"))
    following = restarted(daemon)
    let_pass(following, 1)
    assert [ply.text for ply in at_a_table(following).plies] == ["a1b1"]
    following.runner.correct(ResultDeclared(following.runner.now(), "white", "resigned", "arbiter"))
    let_pass(following, 1)
    assert not following.runner.is_unfinished
    assert notebook(following).games[0].ended is not None


def test_a_quarantined_square_is_trusted_again_by_hand() -> None:
    daemon = SENSED.begun()
    for _ in range(40):
        let_pass(daemon, 0.03)
        daemon.touch("a1.tile", value=not daemon.board.inputs()["a1.tile"])
    let_pass(daemon, 3)
    assert at_a_table(daemon).quarantined == ("a1.tile",)
    assert [ruling.input for ruling in daemon.rulings if isinstance(ruling, FaultRuled)] == ["a1.tile"]


def test_a_tabiks_board_hears_nothing_of_the_squares_of_tayus() -> None:
    daemon = PLACES["tabik beside the tayu board"].begun()
    let_pass(daemon, 1)
    daemon.touch("a1.tile", value=True)
    daemon.touch("button.enter", value=True)
    let_pass(daemon, 1)
    assert [record.entry.body["input"] for record in entries(daemon, Kind.RAW)] == ["button.enter"]


# Chance


@pytest.mark.parametrize("name", ["twenty squares", "tayu by hand", "tayu, sensed"])
def test_the_companion_throws_and_says_by_what_chance(name: str) -> None:
    daemon, chance = PLACES[name].begun(), SeededChance(11)
    receipt = daemon.throw(chance)
    let_pass(daemon, 1)
    (ruling,) = receipt.rulings
    assert isinstance(ruling, TurnRuled)
    assert ruling.player == "nature"
    (event,) = (record.entry.body for record in entries(daemon, Kind.EVENT))
    assert (event["text"], event["who"]) == (ruling.text, "companion")
    assert event["why"] == "thrown by chance of seed 11, ply 0"
    store = notebook(daemon)
    assert difference(bundle(store.games[0], store.read(1)).trace) is None


def test_a_killed_daemon_throws_what_it_would_have_thrown() -> None:
    def thrown(*, kill: bool) -> list[str]:
        daemon, texts = PLACES["tayu by hand"].begun(), []
        for _ in range(6):
            daemon.throw(SeededChance(3))
            let_pass(daemon, 1)
            game = at_a_table(daemon)
            texts.append(game.plies[-1].text)
            entered(daemon, game.texts()[0])
            daemon = restarted(daemon) if kill else daemon
        return texts

    assert thrown(kill=True) == thrown(kill=False)


# Codes


def test_a_code_that_is_read_draws_its_tile_in_the_name_of_the_reader() -> None:
    daemon = SENSED.begun()
    daemon.board.read_code("013")
    let_pass(daemon, 1)
    assert turns(daemon.rulings) == [("nature", "draw:013")]
    (event,) = (record.entry.body for record in entries(daemon, Kind.EVENT))
    assert (event["text"], event["who"]) == ("draw:013", "reader")


def test_codes_may_be_named_in_the_board_description() -> None:
    daemon = SENSED.begun()
    daemon.reading = Reading(daemon.runner, daemon.health, {"04A1B2C3": "123"})
    daemon.board.read_code("04A1B2C3")
    let_pass(daemon, 1)
    assert turns(daemon.rulings) == [("nature", "draw:123")]


def test_what_cannot_be_made_anything_of_is_a_sentence_of_health_until_a_code_is_good_again() -> None:
    daemon = SENSED.begun()
    daemon.board.read_code("4006381333931")
    let_pass(daemon, 1)
    said = "The code '4006381333931' is on no tile: give it a kind in [reader.codes]."
    assert daemon.health["reader"] == said
    assert said in str(daemon.runner.summary()["health"])
    daemon.runner.correct(Paused(daemon.runner.now(), "arbiter"))
    daemon.board.read_code("013")
    assert daemon.health["reader"] == "The code '013' was read for nothing: the game is paused."
    daemon.runner.correct(Resumed(daemon.runner.now(), "arbiter"))
    daemon.board.read_code("013")
    let_pass(daemon, 1)
    assert daemon.health["reader"] == ""


def test_a_second_tile_that_is_read_is_refused_with_the_rule() -> None:
    daemon = SENSED.begun()
    for code in ("013", "123"):
        daemon.board.read_code(code)
        let_pass(daemon, 1)
    assert [ruling.kind for ruling in daemon.rulings] == ["turn", "illegal"]


def test_a_code_without_a_game_is_told_of() -> None:
    daemon = VirtualDaemon.of_new_board("tayu")
    daemon.board.read_code("013")
    assert daemon.health["reader"] == "The code '013' was read for nothing: There is no game yet."


# Boards and games


def test_a_game_is_not_gone_on_with_where_it_cannot_be_sensed() -> None:
    watch, tamsk = VirtualWatch(), VirtualDaemon.of_new_board()
    tamsk.new_game({"level": 1})
    let_pass(tamsk, 1)
    elsewhere = VirtualDaemon(watch, tamsk.store, virtual_board(watch, "table"))
    with pytest.raises(RecoveryError, match="TAMSK is played on its own board"):
        elsewhere.recover()
    kosmos = PLACES["kosmos, sensed"].begun()
    let_pass(kosmos, 1)
    smaller = VirtualDaemon(watch, kosmos.store, virtual_board(watch, "tayu"))
    with pytest.raises(RecoveryError, match="larger than the one that is here"):
        smaller.recover()


def test_a_game_at_a_table_goes_on_at_any_table() -> None:
    first = PLACES["tabik"].begun()
    entered(first, "a1b1")
    following = VirtualDaemon(first.watch, first.store, virtual_board(first.watch, "tayu"))
    following.recover()
    let_pass(following, 1)
    assert entered(following, "h8h7") == ["turn"]


@pytest.mark.parametrize(
    ("board", "game", "chosen", "said"),
    [
        ("table", "tamsk", {"level": 1}, "TAMSK is played on its own board"),
        ("tayu", "tamsk", {"level": 1}, "TAMSK is played on its own board"),
        ("table", "", {}, "say which game: tabik, tau, tayu, twenty-squares"),
        ("table", "chess", {}, "there is no game 'chess'"),
        ("table", "tabik", {"size": 1}, "size"),
        ("tayu", "", {"size": 19}, "larger than the one that is here, which lacks a18 and 71 more"),
    ],
)
def test_what_cannot_be_played_here_is_refused_with_one_sentence(
    board: str, game: str, chosen: Settings, said: str
) -> None:
    daemon = VirtualDaemon.of_new_board(board)
    with pytest.raises(RunnerError, match=said):
        daemon.runner.new_game(chosen, Temperament.SILENT, game)
    assert notebook(daemon).games == []


def test_each_board_says_which_games_can_be_started() -> None:
    games = {board: list(VirtualDaemon.of_new_board(board).host.games) for board in ("tamsk", "tayu", "table")}
    assert games == {
        "tamsk": ["tamsk", "tabik", "tau", "tayu", "twenty-squares"],
        "tayu": ["tayu", "tabik", "tau", "twenty-squares"],
        "table": ["tabik", "tau", "tayu", "twenty-squares"],
    }


def test_one_journal_holds_games_of_many_kinds_one_after_the_other() -> None:
    daemon = VirtualDaemon.of_new_board("tamsk")
    for game, chosen in (("tamsk", {"level": 1}), ("tau", {}), ("tamsk", {"level": 2})):
        daemon.new_game(chosen, game=game)
        let_pass(daemon, 1)
        assert daemon.runner.summary()["game"] == game
        daemon.runner.correct(ResultDeclared(daemon.runner.now(), None, "abandoned", "arbiter"))
        let_pass(daemon, 1)
        daemon = restarted(daemon)
        let_pass(daemon, 1)
        assert daemon.runner.summary()["game"] == game
    assert [(each.start.game, each.start.board) for each in notebook(daemon).games] == [
        ("tamsk", "tamsk"),
        ("tau", "table"),
        ("tamsk", "tamsk"),
    ]
