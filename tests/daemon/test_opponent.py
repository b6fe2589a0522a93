"""The running daemon against engines, in real time: whole games, kills, engines that fail, turns taken back."""

import asyncio
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from gnomon.records.journal.writer import Journal
from gnomon.referee.events import Adjourned, Paused, Resumed, RingsSet, TurnsVoided
from gnomon.referee.game import Announced, Game
from gnomon.referee.judgement import Action
from gnomon.referee.opponents import is_engines_turn, steps_due
from gnomon.referee.rulings import Corrected, IllegalRuled
from gnomon.referee.setup import GameSetup
from gnomon.refusals import Statement, sentence
from gnomon.timekeeping.instants import Instant
from gnomon_pi.cli.daemon import main
from gnomon_pi.runtime.controller import ControllerError
from gnomon_pi.runtime.service import Orders
from gnomon_pi.simulated._table import TableAct, Verb
from tests.daemon.halves import live_game
from tests.daemon.test_service import SimulatedService, nothing, run

PATIENCE = 60.0  # seconds; a bound for a machine in trouble, never waited for
MOST = 400  # turns of a game
TABIK = Orders(GameSetup("tabik", {"size": 4, "opponent": "1"}))


def present(service: SimulatedService) -> Game:
    """The game that goes on, whether it has been shown already or not."""
    return live_game(service.runner).game


def further(plies: int) -> Callable[[Game], bool]:
    """Whether a game has more turns than that."""
    return lambda game: len(game.plies) > plies


async def until(service: SimulatedService, is_so: Callable[[Game], bool]) -> Game:
    """The game, once something is so."""
    changed = asyncio.Event()
    service.runner.on_change(changed.set)
    async with asyncio.timeout(PATIENCE):
        while not is_so(present(service)):
            await changed.wait()
            changed.clear()
    return present(service)


async def announced(service: SimulatedService) -> Announced:
    """What the engine announces."""
    told = (await until(service, lambda game: game.announced is not None)).announced
    assert told is not None
    return told


async def play_one(service: SimulatedService) -> None:
    """Throw for nature, make the engine's turn once it is announced, or make the first turn there is."""
    game = present(service)
    if game.is_natures:
        await service.controller.throw()
    elif is_engines_turn(game):
        await service.controller.enter((await announced(service)).text)
    else:
        await service.controller.enter(game.texts()[0])


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("tabik", {"size": 4, "opponent": "1"}),
        ("tabik", {"size": 3, "opponent": "2", "opponent_plays": "black", "clock": "5+3"}),
        ("twenty-squares", {"counters": 2, "opponent": "1"}),
        ("tau", {"rows": 3, "columns": 3, "opponent": "2"}),
        ("tayu", {"size": 9, "opponent": "1"}),
    ],
)
def test_a_whole_game_is_played_against_an_engine(tmp_path: Path, game: str, settings: Mapping[str, object]) -> None:
    by_engine: list[bool] = []

    async def play(service: SimulatedService) -> None:
        for _ in range(MOST):
            if present(service).outcome is not None:
                break
            by_engine.append(is_engines_turn(present(service)) and not present(service).is_natures)
            await play_one(service)
        assert present(service).outcome is not None
        assert present(service).announced is None
        assert not service.health.sentences()

    run(tmp_path, Orders(GameSetup(game, settings)), play, "table")
    with Journal.open(tmp_path / "journal") as journal:
        events = [each.entry.body.get("event") for each in journal.read(1)]
        stored = journal.last_game()
    assert events.count("move_announced") == sum(by_engine) > 0
    assert stored is not None
    assert stored.start.settings == settings
    assert f"Gnomon {settings['opponent']}" in stored.start.players.values()


def test_a_person_plays_nothing_for_the_engine_but_what_it_announces(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        await service.controller.enter("a1b1")
        told = await announced(service)
        other = next(text for text in present(service).texts() if text != told.text)
        with pytest.raises(ControllerError, match=f"Only the announced turn counts: {told.text}"):
            await service.controller.enter(other)
        assert present(service).announced == told

    run(tmp_path, TABIK, play, "table")


def test_a_turn_that_is_taken_back_withdraws_the_announcement_and_the_engine_is_asked_anew(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        await service.controller.enter("a1b1")
        await announced(service)
        await service.controller.correct(TurnsVoided(Instant(0), 1, give_back=True, who="Ann"))
        assert present(service).announced is None
        assert not is_engines_turn(present(service))
        await service.controller.enter("b2b3")
        told = await announced(service)
        await service.controller.enter(told.text)
        assert [ply.text for ply in present(service).plies] == ["b2b3", told.text]

    run(tmp_path, TABIK, play, "table")


def test_a_game_goes_on_with_its_engine_after_the_daemon_was_ended(tmp_path: Path) -> None:
    kept: list[Announced] = []

    async def begin(service: SimulatedService) -> None:
        await service.controller.enter("a1b1")
        kept.append(await announced(service))

    async def go_on(service: SimulatedService) -> None:
        assert present(service).announced == kept[0]
        await service.controller.enter(kept[0].text)
        await play_one(service)
        await announced(service)

    run(tmp_path, TABIK, begin, "table")
    run(tmp_path, Orders(), go_on, "table")


def test_an_adjourned_game_goes_on_with_its_engine(tmp_path: Path) -> None:
    async def put_away(service: SimulatedService) -> None:
        await service.controller.enter("a1b1")
        await announced(service)
        await service.controller.correct(Adjourned(Instant(0), "Ann"))
        await service.controller.new_game(GameSetup("tabik", {"size": 3}))
        assert present(service).opponent is None
        assert not is_engines_turn(present(service))

    async def take_up(service: SimulatedService) -> None:
        await service.controller.correct(Adjourned(Instant(0), "Ann"))
        await service.controller.take_up(kept[0], kept[1])
        await service.controller.correct(Resumed(Instant(0), "Ann"))
        await service.controller.enter((await announced(service)).text)

    run(tmp_path, TABIK, put_away, "table")
    with Journal.open(tmp_path / "journal") as journal:
        kept = next(game for game in journal.games() if game.id == 1), journal.read(1)
    run(tmp_path, Orders(), take_up, "table")


def plug_in(folder: Path, monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """Plug in an engine of a few lines."""
    (folder / "gnomon" / "engines.d").mkdir(parents=True)
    code = folder / "odd.py"
    code.write_text(program, encoding="utf-8")
    plugin = f'command = ["{sys.executable}", "{code}"]\ngames = ["tabik"]\npatience = 1\n'
    (folder / "gnomon" / "engines.d" / "odd.toml").write_text(plugin, encoding="utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))


LIAR = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    said = {"ugi": "ugiok", "isready": "readyok", "go": "bestmove z9z8"}.get(word)
    if said:
        print(said, flush=True)
"""


@pytest.mark.parametrize("program", [LIAR, "raise SystemExit(3)", LIAR.replace("bestmove z9z8", "info depth 1")])
def test_when_an_engine_lies_dies_or_hangs_the_game_goes_on_between_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    plug_in(tmp_path, monkeypatch, program)

    async def play(service: SimulatedService) -> None:
        await service.controller.enter("a1b1")
        game = await until(service, lambda game: game.opponent is None)
        told = game.rulings[-1]
        assert isinstance(told, Corrected)
        assert isinstance(told.why, Statement)
        assert "for the second time; it no longer plays" in sentence(told.why)
        await service.controller.enter(present(service).texts()[0])
        assert len(present(service).plies) == 2

    run(tmp_path, Orders(GameSetup("tabik", {"size": 4, "opponent": "odd"})), play, "table")


def test_two_engines_show_a_game_each_at_its_level(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        for _ in range(MOST):
            if present(service).outcome is not None:
                break
            await play_one(service)
        assert present(service).outcome is not None
        assert not service.health.sentences()

    settings = {"size": 3, "opponent": "1", "opponent_plays": "all", "second_opponent": "2"}
    run(tmp_path, Orders(GameSetup("tabik", settings)), play, "table")
    with Journal.open(tmp_path / "journal") as journal:
        stored = journal.last_game()
    assert stored is not None
    assert stored.start.players == {"black": "Gnomon 1", "white": "Gnomon 2"}


def test_an_engine_that_is_not_there_is_refused_before_the_game_begins(tmp_path: Path) -> None:
    async def begin(service: SimulatedService) -> None:
        with pytest.raises(ControllerError, match="no engine 'nobody' that plays tabik"):
            await service.controller.new_game(GameSetup("tabik", {"opponent": "nobody"}))

    run(tmp_path, Orders(), begin, "table")


# On the TAMSK board, where sensors see what hands do


def move(service: SimulatedService, text: str) -> None:
    """Make a turn by hand, its ring too."""
    way, rings = text.rstrip("=x"), not text.endswith("=")
    origin, target = way.split("-")
    service.remote.playground.act(TableAct(Verb.LIFT, origin))
    service.remote.playground.act(TableAct(Verb.PLACE, target))
    if rings:
        service.remote.playground.act(TableAct(Verb.DROP_RING, target, present(service).turn))


TAMSK = Orders(GameSetup("tamsk", {"level": 1, "opponent": "1"}))


def test_turns_are_made_step_by_step_and_seen_by_the_sensors(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        for _ in range(2):
            before = len(present(service).plies)
            game = present(service)
            own = next(text for text in game.texts() if not text.endswith(("=", "pass")) and "," not in text)
            move(service, own)
            await until(service, further(before))
            told = await announced(service)
            steps = steps_due(present(service))
            assert [step.action for step in steps][:2] == [Action.TAKE_GLASS, Action.PUT_GLASS]
            assert f"{steps[0].space}-{steps[1].space}" == told.text[:5]
            move(service, told.text)
            game = await until(service, further(before + 1))
            assert [ply.text for ply in game.plies[-2:]] == [own, told.text]

    run(tmp_path, TAMSK, play)


def test_another_turn_than_the_announced_one_is_said_and_put_right(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        game = present(service)
        own = next(text for text in game.texts() if not text.endswith(("=", "pass")) and "," not in text)
        move(service, own)
        told = await announced(service)
        wrong = next(
            text
            for text in present(service).texts()
            if not text.endswith("=") and "," not in text and text[:2] != told.text[:2]
        )
        move(service, wrong)
        game = await until(service, lambda game: len(game.plies) == 2)
        assert [ply.text for ply in game.plies] == [own, told.text]
        last = game.rulings[-1]
        assert isinstance(last, IllegalRuled)
        assert (last.code, last.text) == ("not_announced", wrong)
        assert last.put_right == game.judgement.repairs
        assert {step.action for step in last.put_right} >= {Action.TAKE_GLASS, Action.PUT_GLASS, Action.TAKE_RING}
        service.remote.playground.act(TableAct(Verb.TAKE_RING, wrong[3:5], game.rules.players[1]))
        service.remote.playground.act(TableAct(Verb.LIFT, wrong[3:5]))
        service.remote.playground.act(TableAct(Verb.PLACE, wrong[:2]))
        move_as(service, told.text, game.rules.players[1])
        await until(service, lambda game: not game.judgement.repairs)
        assert len(present(service).plies) == 2

    run(tmp_path, TAMSK, play)


def move_as(service: SimulatedService, text: str, player: str) -> None:
    """Make a turn of a player by hand, its ring too."""
    origin, target = text[:2], text[3:5]
    service.remote.playground.act(TableAct(Verb.LIFT, origin))
    service.remote.playground.act(TableAct(Verb.PLACE, target))
    if not text.endswith("="):
        service.remote.playground.act(TableAct(Verb.DROP_RING, target, player))


def test_the_engine_is_asked_anew_after_an_arbiters_correction(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        own = next(text for text in present(service).texts() if not text.endswith(("=", "pass")) and "," not in text)
        move(service, own)
        first = await announced(service)
        await service.controller.correct(RingsSet(Instant(0), "D4", 1, "red", "Ann"))
        game = present(service)
        assert game.announced is None or game.announced.at > first.at
        await announced(service)

    run(tmp_path, TAMSK, play)


def test_a_game_between_people_is_as_it_was(tmp_path: Path) -> None:
    run(tmp_path, Orders(GameSetup("tabik", {"size": 4})), nothing, "table")
    with Journal.open(tmp_path / "journal") as journal:
        stored = journal.last_game()
    assert stored is not None
    assert (stored.start.settings, stored.start.players) == ({"size": 4}, {})


# Advice


def test_what_gnomon_advises_is_legal_and_is_written_down(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        game = present(service)
        text = await service.controller.advise()
        assert text in game.texts()
        await service.controller.enter(text)
        with pytest.raises(ControllerError, match="wait for its announcement"):
            await service.controller.advise()
        await service.controller.correct(Paused(service.controller.now(), "arbiter"))
        with pytest.raises(ControllerError, match="The game is paused"):
            await service.controller.advise()

    run(tmp_path, TABIK, play, "table")
    with Journal.open(tmp_path / "journal") as journal:
        notes = [each.entry.body for each in journal.read(1)]
    assert [(note["player"], note["text"]) for note in notes if note.get("note") == "hint"] == [
        ("black", next(note["text"] for note in notes if note.get("event") == "turn_entered"))
    ]


def test_who_asks_twice_is_told_that_gnomon_is_still_thinking(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        advice = asyncio.create_task(service.controller.advise())
        await asyncio.sleep(0.05)
        with pytest.raises(ControllerError, match="still thinking about a hint"):
            await service.controller.advise()
        assert await advice

    run(tmp_path, TABIK, play, "table")


def test_that_a_threat_was_told_is_written_down_once_in_each_position(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        await service.controller.note_threat()
        await service.controller.note_threat()
        await service.controller.enter("a1b1")
        await until(service, lambda game: len(game.plies) == 2 or game.announced is not None)
        await service.controller.note_threat()
        service.controller.know_pairing(service.controller.snapshot().number)
        with pytest.raises(ControllerError, match="tournament"):
            await service.controller.note_threat()

    run(tmp_path, TABIK, play, "table")
    with Journal.open(tmp_path / "journal") as journal:
        notes = [each.entry.body for each in journal.read(1) if each.entry.body.get("note") == "threat"]
    assert [note["player"] for note in notes] == ["black", "white"]


def test_without_a_game_nothing_is_advised(tmp_path: Path) -> None:
    async def ask(service: SimulatedService) -> None:
        with pytest.raises(ControllerError, match="There is no game"):
            await service.controller.advise()

    run(tmp_path, Orders(), ask, "table")


def test_advice_on_a_game_that_has_gone_stands_in_no_other_games_record(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        advice = asyncio.create_task(service.controller.advise())
        await asyncio.sleep(0.1)
        await service.controller.new_game(GameSetup("tau", {"rows": 3, "columns": 3}), "the arbiter")
        with pytest.raises(ControllerError, match="No engine can be asked"):
            await advice
        assert await service.controller.advise()

    run(tmp_path, TABIK, play, "table")
    with Journal.open(tmp_path / "journal") as journal:
        hints = [[each for each in journal.read(game) if each.entry.body.get("note") == "hint"] for game in (1, 2)]
    assert [len(each) for each in hints] == [0, 1]


def test_in_a_tournament_nobody_has_the_help_of_an_engine(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        with pytest.raises(ControllerError, match="This is a tournament"):
            await service.controller.advise()
        with pytest.raises(ControllerError, match="In a tournament nobody plays against an engine"):
            await service.controller.new_game(GameSetup("tabik", {"opponent": "1"}), "a player")
        assert service.controller.game() is not None
        exhibition = GameSetup("tabik", {"size": 4, "opponent": "1", "opponent_plays": "all"})
        await service.controller.new_game(exhibition, "the arbiter")

    run(tmp_path, Orders(GameSetup("tabik", {"size": 4}), is_tournament=True), play, "table")


def test_a_board_of_a_tournament_starts_no_game_against_an_engine(tmp_path: Path) -> None:
    told = CliRunner().invoke(
        main,
        [
            "--board=table", "--simulated", "--game=tabik", "--set=opponent=3", "--tournament", "--no-page",
            f"--journal={tmp_path / 'journal'}",
        ],
    )  # fmt: skip
    assert told.exit_code != 0
    assert "in a tournament nobody plays against an engine" in told.output.casefold()
