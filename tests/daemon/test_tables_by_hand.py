"""What people enter, throw, read and start in the games at a table, and what they are told."""

import pytest

from gnomon.records.bundles import bundle, difference
from gnomon.records.journal.entries import EntryKind
from gnomon.referee.events import Paused, ResultDeclared, Resumed, TurnsVoided
from gnomon.referee.judgement import Temperament
from gnomon.referee.rulings import FaultRuled, TurnRuled
from gnomon.referee.setup import GameSetup
from gnomon_pi.runtime.recovery import RecoveryError
from gnomon_pi.runtime.runner import RunnerError
from gnomon_pi.runtime.system.randomness import SeededChance
from gnomon_pi.runtime.tag_input import TagInput
from gnomon_pi.simulated._virtual_watch import VirtualWatch
from tests.daemon.halves import entries, let_pass, notebook, restarted, summarized
from tests.daemon.places import PLACES, SENSED, Settings, at_a_table, entered, turns
from tests.virtual_daemon import VirtualDaemon, virtual_board

# By hand


@pytest.mark.parametrize("temperament", Temperament)
def test_the_temperament_reaches_the_game_and_is_written_down(temperament: Temperament) -> None:
    daemon = VirtualDaemon.of_new_board("table")
    daemon.new_game(GameSetup("tabik", temperament=temperament))
    let_pass(daemon, 1)
    refused = entered(daemon, "a1a3"), entered(daemon, "a1b1")
    assert refused == (["illegal"], ["turn"])
    assert at_a_table(daemon).temperament is temperament
    assert notebook(daemon).games[0].start.temperament == temperament.value
    assert at_a_table(restarted(daemon)).temperament is temperament
    # A referee that only records makes no noise about a refusal.
    assert (len(daemon.board.sounds()) > 0) is (temperament is not Temperament.SILENT)


def test_corrections_reach_every_game_and_survive_a_kill() -> None:
    daemon = PLACES["tabik"].begun()
    for text in ("a1b1", "h8h7", "c1c2"):
        entered(daemon, text)
    runner = daemon.runner
    runner.correct(TurnsVoided(runner.now(), 2, give_back=True, who="arbiter", why="wrong row"))
    assert [ply.text for ply in at_a_table(daemon).plies] == ["a1b1"]
    runner.correct(Paused(runner.now(), "arbiter", "tea"))
    with pytest.raises(RunnerError, match="The game is paused; resume it first"):
        entered(daemon, "h8h7")
    runner.correct(Resumed(runner.now(), "arbiter"))
    following = restarted(daemon)
    let_pass(following, 1)
    assert [ply.text for ply in at_a_table(following).plies] == ["a1b1"]
    following.runner.correct(ResultDeclared(following.runner.now(), "white", "resigned", "arbiter"))
    let_pass(following, 1)
    assert not following.runner.is_unfinished
    assert notebook(following).games[0].ended is not None


def test_a_square_that_chattered_is_believed_again_when_it_has_been_quiet() -> None:
    daemon = SENSED.begun()
    for _ in range(40):
        let_pass(daemon, 0.03)
        daemon.touch("a1.tile", value=not daemon.board.inputs()["a1.tile"])
    let_pass(daemon, 2)
    assert at_a_table(daemon).quarantined == ("a1.tile",)
    let_pass(daemon, 1.1)
    assert at_a_table(daemon).quarantined == ()
    assert [ruling.input for ruling in daemon.rulings if isinstance(ruling, FaultRuled)] == ["a1.tile"]


def test_a_tabiks_board_hears_nothing_of_the_squares_of_tayus() -> None:
    daemon = PLACES["tabik beside the tayu board"].begun()
    let_pass(daemon, 1)
    daemon.touch("a1.tile", value=True)
    daemon.touch("button.enter", value=True)
    let_pass(daemon, 1)
    assert [record.entry.body["input"] for record in entries(daemon, EntryKind.RAW)] == ["button.enter"]


# Chance


@pytest.mark.parametrize("name", ["twenty squares", "tayu by hand", "tayu, sensed"])
def test_the_companion_throws_and_says_by_what_chance(name: str) -> None:
    daemon, chance = PLACES[name].begun(), SeededChance(11)
    receipt = daemon.throw(chance)
    let_pass(daemon, 1)
    (ruling,) = receipt.rulings
    assert isinstance(ruling, TurnRuled)
    assert ruling.player == "nature"
    (event,) = (record.entry.body for record in entries(daemon, EntryKind.EVENT))
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
    (event,) = (record.entry.body for record in entries(daemon, EntryKind.EVENT))
    assert (event["text"], event["who"]) == ("draw:013", "reader")


def test_codes_may_be_named_in_the_board_description() -> None:
    daemon = SENSED.begun()
    daemon.reading = TagInput(daemon.runner, daemon.health, {"04A1B2C3": "123"})
    daemon.board.read_code("04A1B2C3")
    let_pass(daemon, 1)
    assert turns(daemon.rulings) == [("nature", "draw:123")]


def test_what_cannot_be_made_anything_of_is_a_sentence_of_health_until_a_code_is_good_again() -> None:
    daemon = SENSED.begun()
    daemon.board.read_code("4006381333931")
    let_pass(daemon, 1)
    said = "The code '4006381333931' is on no tile: give it a kind in [reader.codes]."
    assert daemon.health["reader"] == said
    assert said in str(summarized(daemon.runner)["health"])
    daemon.runner.correct(Paused(daemon.runner.now(), "arbiter"))
    daemon.board.read_code("013")
    assert daemon.health["reader"] == "The code '013' was read but not used: the game is paused; resume it first."
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
    assert daemon.health["reader"] == "The code '013' was read but not used: there is no game yet."


# Boards and games


def test_a_game_is_not_gone_on_with_where_it_cannot_be_sensed() -> None:
    watch, tamsk = VirtualWatch(), VirtualDaemon.of_new_board()
    tamsk.new_game(GameSetup(settings={"level": 1}))
    let_pass(tamsk, 1)
    elsewhere = VirtualDaemon(watch, tamsk.store, virtual_board(watch, "table"))
    with pytest.raises(RecoveryError, match="TAMSK is played on its own board"):
        elsewhere.recover()
    kosmos = PLACES["kosmos, sensed"].begun()
    let_pass(kosmos, 1)
    smaller = VirtualDaemon(watch, kosmos.store, virtual_board(watch, "tayu"))
    with pytest.raises(RecoveryError, match="larger board than this one"):
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
        ("table", "", {}, "Say which game: tabik, tau, tayu, twenty-squares"),
        ("table", "chess", {}, "There is no game 'chess'"),
        ("table", "tabik", {"Size": 1}, "size"),
        ("tayu", "", {"size": 19}, "larger board than this one, which lacks a18 and 71 more"),
    ],
)
def test_what_cannot_be_played_here_is_refused_with_one_sentence(
    board: str, game: str, chosen: Settings, said: str
) -> None:
    daemon = VirtualDaemon.of_new_board(board)
    with pytest.raises(RunnerError, match=said):
        daemon.runner.new_game(GameSetup(game, chosen, temperament=Temperament.SILENT))
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
        daemon.new_game(GameSetup(game, chosen))
        let_pass(daemon, 1)
        assert summarized(daemon.runner)["game"] == game
        daemon.runner.correct(ResultDeclared(daemon.runner.now(), None, "abandoned", "arbiter"))
        let_pass(daemon, 1)
        daemon = restarted(daemon)
        let_pass(daemon, 1)
        assert summarized(daemon.runner)["game"] == game
    assert [(each.start.game, each.start.board) for each in notebook(daemon).games] == [
        ("tamsk", "tamsk"),
        ("tau", "table"),
        ("tamsk", "tamsk"),
    ]
