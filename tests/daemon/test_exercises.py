"""Lessons and puzzles on the board, in virtual time: set out by the lights, judged by the referee, taken back."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from PIL.Image import Image

from gnomon.analysis import Effort
from gnomon.analysis.puzzles import Puzzle, dump_puzzles, find_puzzles
from gnomon.engines import engine_of
from gnomon.games.tamsk.show import _lights as lights
from gnomon.lessons import Lesson, find_lesson, lessons_of, register, taught_games, unregister
from gnomon.records.bundles import bundle, difference
from gnomon.records.formats.sheets import Sheet, SheetLine
from gnomon.records.transcripts import transcript
from gnomon.referee.events import Adjourned, ResultDeclared, TurnEntered
from gnomon.referee.exercises import EXERCISE, steps_done
from gnomon.referee.game import Exercise, Game
from gnomon.referee.games import begin, game_of
from gnomon.referee.judgement import BY_HAND, Judgement, Phase
from gnomon.referee.setup import GameSetup
from gnomon.rules.protocol import SettingsError
from gnomon.rules.registry import rules_of
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from gnomon.views.display import large_oled, oled
from gnomon.views.display.menus import game_menu
from gnomon.views.exercises import PAGE_TIME, exercise_payload
from gnomon.views.summary import summary
from gnomon.words import words
from gnomon_pi.runtime.controller import BoardController, ControllerError
from gnomon_pi.runtime.exercises import Tutor, tasks_of
from gnomon_pi.simulated._table import TableAct, TamskTable, Verb
from tests.analysis.test_game_analysis import random_sheet
from tests.daemon.halves import notebook, restarted
from tests.virtual_daemon import VirtualDaemon

Screen = Callable[..., Image]

STEP = Duration(100 * MILLISECOND)


@dataclass
class Practice:
    """A daemon whose board somebody practises at, and who looks after that."""

    daemon: VirtualDaemon
    tutor: Tutor

    @classmethod
    def begin(cls, board: str, setup: GameSetup, puzzles: Path | None = None) -> "Practice":
        daemon = VirtualDaemon.of_new_board(board)
        daemon.new_game(setup)
        practice = cls(daemon, Tutor(daemon.runner, puzzles))
        practice.wait(1)
        return practice

    @property
    def game(self) -> Game:
        live = self.daemon.runner.live_game
        assert live is not None
        game: Game = live.game
        return game

    @property
    def played(self) -> list[str]:
        return [ply.text for ply in self.game.plies]

    def told(self, language: str = "en") -> dict[str, object]:
        payload = exercise_payload(self.game, words(language))
        assert payload is not None
        return dict(payload)

    def wait(self, seconds: float) -> None:
        end = Instant(self.daemon.watch.now() + round(seconds * SECOND))
        while self.daemon.watch.now() < end:
            self.tutor.prepare()
            self.tutor.look()
            self.daemon.pass_to(min(end, Instant(self.daemon.watch.now() + STEP)))

    def enter(self, text: str) -> None:
        self.daemon.runner.correct(TurnEntered(self.daemon.runner.now(), text, "page"))
        self.wait(0.5)

    def show(self, *squares: str, value: bool = True) -> None:
        """Lay a tile on its squares, or take it off."""
        for square in squares:
            self.daemon.touch(f"{square}.tile", value=value)
        self.wait(2.5)


def lesson(game: str, name: str, step: int = 1) -> GameSetup:
    settings = find_lesson(game, name).settings
    return GameSetup(game, {**settings, EXERCISE: f"lesson:{name}:{step}"})


def test_a_lesson_at_a_table_asks_judges_and_goes_on() -> None:
    practice = Practice.begin("table", lesson("tabik", "first"))
    assert practice.told()["state"] == "asked"
    assert practice.told()["step"] == 1
    practice.enter("a1b1")
    assert practice.told()["state"] == "done"
    assert str(practice.told()["text"]).startswith("Right.")
    practice.wait(6)
    # The next step goes on from its own solution.
    assert practice.played == ["b2b1"]
    assert practice.told()["step"] == 2
    practice.enter("a1a2")
    assert practice.played == ["b2b1"]
    assert practice.told()["state"] == "wrong"
    practice.enter("pie")
    practice.wait(6)
    assert practice.told()["step"] == 3
    assert practice.played == ["a1b1", "b2b3"]


def test_the_menu_of_an_exercise_lets_nobody_resign_or_offer_a_draw() -> None:
    resign, offer, adjourn = (words("en")(f"menu.{name}") for name in ("resign", "offer", "adjourn"))
    practice = Practice.begin("table", lesson("tabik", "first"))
    assert {row.label for row in game_menu(practice.game).rows} & {resign, offer, adjourn} == {adjourn}
    assert {row.label for row in game_menu(begin("tabik", {"size": 3})).rows} >= {resign, offer}


def test_a_lesson_ends_and_leaves_no_result() -> None:
    practice = Practice.begin("table", lesson("tau", "first", 6))
    assert practice.played == ["bid:3", "bid:6", "pass", "r2", "r1"]
    practice.enter("r3")
    assert practice.told()["state"] == "wrong"
    practice.enter("cb")
    practice.wait(6)
    assert practice.told()["state"] == "finished"
    assert str(practice.told()["text"]).endswith("You have finished this lesson.")
    over = Practice.begin("table", lesson("tabik", "first", 6))
    over.enter("a2a3")
    over.wait(6)
    assert over.game.outcome is None
    assert steps_done(over.game) == 1
    over.enter("a1~b1")
    over.wait(6)
    assert over.told()["state"] == "finished"


WITHOUT_SAND = [lesson for game in taught_games() for lesson in lessons_of(game) if not lesson.is_timed]


@pytest.mark.parametrize("taught", WITHOUT_SAND, ids=lambda lesson: lesson.key)
def test_every_lesson_without_sand_is_done_by_its_solutions(taught: Lesson) -> None:
    board = taught.game if taught.game in {"tamsk", "tayu"} else "table"
    practice = Practice.begin(board, lesson(taught.game, taught.name))
    for number, step in enumerate(taught.steps, 1):
        assert practice.told()["step"] == number
        practice.enter(step.solution)
        practice.wait(6)
    assert practice.told()["state"] == "finished"
    assert practice.game.outcome is not None


def test_a_step_is_asked_whose_position_is_there_already() -> None:
    """The praise of the step before does not stand for ever, and nothing turns round in the meantime."""
    practice = Practice.begin("tamsk", lesson("tamsk", "first"))
    practice.enter("D1-D2")
    assert practice.told()["state"] == "done"
    practice.wait(6)
    assert practice.told()["step"] == 2
    assert practice.played == ["D1-D2"]
    told = practice.told()
    assert told["text"] == find_lesson("tamsk", "first").request(1, words("en"))
    assert practice.tutor.due() is None


def test_every_lesson_is_done_on_the_board() -> None:
    assert all(lesson.is_for_the_board() for game in taught_games() for lesson in lessons_of(game))


def test_a_lesson_with_time_that_has_no_words_for_a_board_stays_on_the_page(tmp_path: Path) -> None:
    text = 'game = "tamsk"\nsettings = { level = 3 }\n[[steps]]\nname = "wait"\nplay = ["at 5"]\nsolution = "D1-D2"\n'
    (tmp_path / "patience.toml").write_text(text, "utf-8")
    (tmp_path / "words").mkdir()
    said = {f"lesson.tamsk.patience{key}": "Wait." for key in ("", ".wait", ".wait.done")}
    (tmp_path / "words" / "en.json").write_text(json.dumps(said), "utf-8")
    register(tmp_path)
    try:
        assert not find_lesson("tamsk", "patience").is_for_the_board()
        assert tasks_of("tamsk", Exercise("lesson", "patience", 0), None) == ()
    finally:
        unregister(tmp_path)
    # What time has led to is set out by no hand: such a lesson begins with its first step.
    assert tasks_of("tamsk", Exercise("lesson", "sand", 3), None) == ()
    assert len(tasks_of("tamsk", Exercise("lesson", "sand", 0), None)) == 8


class AtTheGlasses:
    """Somebody who practises at the TAMSK board of level 3 with hands, and follows its lights."""

    def __init__(self) -> None:
        self.practice = Practice.begin("tamsk", lesson("tamsk", "sand"))
        self.table = TamskTable.set_out(3, self.practice.daemon.host.sensing)

    def do(self, *acts: TableAct, wait: float = 0.7) -> None:
        for act in acts:
            before, self.table = self.table.inputs(), self.table.after(act)
            for name, value in self.table.inputs().items():
                if before[name] != value:
                    self.practice.daemon.touch(name, value=bool(value))
            self.practice.wait(wait)

    def move(self, origin: str, target: str, player: str, *more: str) -> None:
        self.do(TableAct(Verb.LIFT, origin), TableAct(Verb.PLACE, target, turned=True))
        self.do(*(TableAct(Verb.DROP_RING, space, player) for space in (target, *more)))

    def hurry(self) -> None:
        self.do(TableAct(Verb.LIFT_TIMER15), TableAct(Verb.PUT_TIMER15, turned=True), wait=0.3)

    def follow(self) -> None:
        """Set out what the board asks for."""
        for _ in range(40):
            repairs = self.practice.game.judgement.repairs
            if not repairs:
                return
            by_kind = {each.action.value: each.space for each in reversed(repairs)}
            if "take_ring" in by_kind:
                self.do(TableAct(Verb.TAKE_RING, by_kind["take_ring"], "red"))
            elif "put_ring" in by_kind:
                self.do(TableAct(Verb.DROP_RING, by_kind["put_ring"], "black"))
            elif "take_glass" in by_kind:
                self.do(TableAct(Verb.LIFT, by_kind["take_glass"]))
            elif "put_glass" in by_kind:
                self.do(TableAct(Verb.PLACE, by_kind["put_glass"], turned=True))
            else:
                raise AssertionError(repairs)
        raise AssertionError(self.practice.game.judgement)

    def at(self, step: int) -> None:
        """The step before is praised, and then this one is asked for."""
        self.practice.wait(0.5)
        assert self.practice.told()["state"] == "done", self.practice.told()
        self.practice.wait(5.2)
        self.follow()
        self.practice.wait(0.5)
        assert (self.practice.told()["step"], self.practice.told()["state"]) == (step, "asked")


def test_the_lesson_of_sand_is_done_at_the_board_with_real_time() -> None:
    hands = AtTheGlasses()
    practice = hands.practice
    hands.move("D1", "D2", "red")
    hands.at(2)
    assert practice.played == ["D1-D2", "G1-F2"]
    hands.move("A4", "B4", "red")
    hands.at(3)
    assert (
        practice.told()["text"]
        == "Black is on turn and is taking their time. You are Red: hurry Black by turning the 15-second glass."
    )
    hands.hurry()
    hands.at(4)
    hands.move("A1", "B2", "black")
    hands.at(5)
    hands.hurry()
    hands.do(TableAct(Verb.LIFT, "G4"))
    assert practice.told()["state"] == "done"
    practice.wait(5.2)
    assert (practice.told()["step"], practice.told()["timed"]) == (6, True)
    practice.wait(11)
    hands.do(TableAct(Verb.PLACE, "F4", turned=True), TableAct(Verb.DROP_RING, "F4", "red"))
    hands.at(7)
    hands.move("D7", "D6", "black", "C4")
    hands.at(8)
    hands.hurry()
    practice.wait(16)
    assert practice.told()["state"] in {"done", "finished"}
    practice.wait(6)
    assert practice.told()["state"] == "finished"
    assert practice.played[-1] == "lost"


def test_an_exercise_goes_on_after_a_kill_and_is_replayed_from_its_trace() -> None:
    practice = Practice.begin("table", lesson("tabik", "first"))
    practice.enter("a1b1")
    practice.wait(6)
    following = restarted(practice.daemon)
    again = Practice(following, Tutor(following.runner))
    again.wait(1)
    assert again.told()["step"] == 2
    again.enter("pie")
    again.wait(6)
    assert again.told()["step"] == 3
    store = notebook(following)
    recorded = bundle(store.games[0], store.read(1))
    assert difference(recorded.trace) is None
    assert [line.text for line in transcript(recorded.trace).lines] == ["a1b1", "b2b3"]


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_page_is_told_in_every_language(language: str) -> None:
    practice = Practice.begin("table", lesson("tabik", "first"))
    told = summary(practice.game, practice.daemon.runner.now(), (), words(language))["exercise"]
    assert isinstance(told, dict)
    assert told["text"] == find_lesson("tabik", "first").request(0, words(language))


@pytest.mark.parametrize("draw", [oled.screen, large_oled.screen])
def test_the_display_tells_what_is_asked_part_by_part(draw: Screen) -> None:
    for board, setup in (("table", lesson("tabik", "first", 6)), ("tamsk", lesson("tamsk", "first"))):
        game = Practice.begin(board, setup).game
        pictures = {draw(game, at, (), "", words("de")).tobytes() for at in (Instant(0), Instant(PAGE_TIME))}
        assert len(pictures) == 2
        assert oled.changes_at(game, Instant(1)) == Instant(PAGE_TIME)
        plain = draw(replace(game, exercise=None), Instant(0), (), "", words("de")).tobytes()
        assert plain not in pictures


def test_a_lesson_is_set_out_on_the_tamsk_board_by_its_lights() -> None:
    practice = Practice.begin("tamsk", lesson("tamsk", "first", 5))
    table = TamskTable.set_out(1, practice.daemon.host.sensing)

    def do(act: TableAct) -> None:
        nonlocal table
        before, table = table.inputs(), table.after(act)
        for name, value in table.inputs().items():
            if before[name] != value:
                practice.daemon.touch(name, value=bool(value))
        practice.wait(0.7)

    way = list(practice.played)
    assert len(way) == 6
    judgement = practice.game.judgement
    assert (judgement.phase, judgement.code) == (Phase.WRONG, BY_HAND)
    assert practice.told()["state"] == "setting out"
    for _ in range(40):
        repairs = practice.game.judgement.repairs
        if not repairs:
            break
        assert any(lights.words(practice.game, practice.daemon.runner.now()))  # type: ignore[arg-type]  # a game of TAMSK
        by_kind = {each.action.value: each.space for each in reversed(repairs)}
        if "put_ring" in by_kind:
            do(TableAct(Verb.DROP_RING, by_kind["put_ring"], "red"))
        else:
            do(TableAct(Verb.LIFT, by_kind["take_glass"]))
            do(TableAct(Verb.PLACE, by_kind["put_glass"]))
    assert practice.told()["state"] == "asked"
    # Onto the full space: the game would be lost, and the step goes on all the same.
    do(TableAct(Verb.LIFT, "E2"))
    do(TableAct(Verb.PLACE, "F1"))
    practice.wait(8)
    assert practice.game.outcome is None
    assert practice.played == way
    do(TableAct(Verb.LIFT, "F1"))
    do(TableAct(Verb.PLACE, "E2"))
    practice.wait(2)
    assert practice.told()["state"] == "asked"
    # A right turn is ruled.
    do(TableAct(Verb.LIFT, "E2"))
    do(TableAct(Verb.PLACE, "E3"))
    do(TableAct(Verb.DROP_RING, "E3", "red"))
    practice.wait(2)
    assert practice.told()["state"] == "done"
    practice.wait(5)
    assert practice.told()["step"] == 6


def test_the_last_step_is_praised_on_the_display() -> None:
    practice = Practice.begin("tamsk", lesson("tamsk", "first", 6))
    practice.enter("F2-G2x")
    practice.wait(6)
    assert practice.told()["state"] == "finished"
    # The board lags behind what was entered on the page; once it does not, the praise stands in place of a result.
    over = replace(practice.game, judgement=Judgement(Phase.AGREED))
    plain = replace(over, exercise=None)
    for draw in (oled.screen, large_oled.screen):
        assert draw(over, Instant(0)).tobytes() != draw(plain, Instant(0)).tobytes()


@pytest.fixture
def tayu_puzzle(tmp_path: Path) -> Puzzle:
    """A puzzle on the small board: the tile in hand has one good place."""
    way = ("draw:025", "025@e5/E", "draw:056")
    sheet = Sheet("tayu", {"size": "9", "doubles": "2,6"}, lines=tuple(SheetLine(text) for text in way))
    puzzle = Puzzle(sheet, "east-west", ("056@f4/E",), proven=False, value=0.9, second=0.2)
    (tmp_path / "club.json").write_text(json.dumps(dump_puzzles([puzzle])))
    return puzzle


def of(puzzle: Puzzle) -> GameSetup:
    return GameSetup(puzzle.sheet.game, {**puzzle.sheet.settings, EXERCISE: f"puzzle:{puzzle.number}"})


def test_a_puzzle_is_set_out_and_a_wrong_turn_is_taken_back(tmp_path: Path, tayu_puzzle: Puzzle) -> None:
    practice = Practice.begin("tayu", of(tayu_puzzle), tmp_path / "own")
    assert practice.played == ["draw:025", "025@e5/E", "draw:056"]
    (step,) = practice.game.judgement.repairs
    assert practice.told()["state"] == "setting out"
    practice.show(*step.space.split())
    assert practice.told()["state"] == "asked"
    rules, position = practice.game.rules, practice.game.position
    moves = [rules.text(position, move) for move in rules.legal_moves(position)]
    wrong = next(text for text in moves if text != tayu_puzzle.best)
    squares = next(each.space.split() for each in practice.game.board.steps(practice.game, wrong))
    practice.show(*squares)
    if practice.game.question is not None:
        practice.enter(practice.game.question.asked.choices[0])
    assert practice.told()["state"] == "wrong"
    assert summary(practice.game, practice.daemon.runner.now())["reason"] == (
        "That is legal, but something else is asked for. Take it back."
    )
    practice.show(*squares, value=False)
    assert practice.game.judgement.phase is Phase.AGREED
    squares = next(each.space.split() for each in practice.game.board.steps(practice.game, tayu_puzzle.best))
    practice.show(*squares)
    if practice.game.question is not None:
        practice.enter(tayu_puzzle.best)
    assert practice.told()["text"] == "Right. The puzzle is solved."
    practice.wait(6)
    assert practice.game.outcome is not None
    assert practice.game.outcome.is_void


def test_a_puzzle_of_a_game_of_tamsk_is_set_out_by_lights_and_solved(tmp_path: Path) -> None:
    sheet = random_sheet("tamsk", {"level": "1", "ring": "auto"}, 1)
    engine = engine_of(rules_of(sheet.game, sheet.settings))
    puzzle = next(each for each in find_puzzles(sheet, engine, Effort(nodes=3000)) if each is not None)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "1-a-b.json").write_text(json.dumps(dump_puzzles([puzzle])))
    practice = Practice.begin("tamsk", of(puzzle), tmp_path / "own")
    table = TamskTable.set_out(1, practice.daemon.host.sensing)

    def do(*acts: TableAct) -> None:
        nonlocal table
        for act in acts:
            before, table = table.inputs(), table.after(act)
            for name, value in table.inputs().items():
                if before[name] != value:
                    practice.daemon.touch(name, value=bool(value))
            practice.wait(0.7)

    def fuller() -> str:
        return max(table.holders, key=lambda player: table.holders[player])

    assert practice.told()["state"] == "setting out"
    steps = 0
    while practice.game.judgement.repairs:
        assert any(lights.words(practice.game, practice.daemon.runner.now()))  # type: ignore[arg-type]  # a game of TAMSK
        by_kind = {each.action.value: each.space for each in reversed(practice.game.judgement.repairs)}
        if "put_ring" in by_kind:
            do(TableAct(Verb.DROP_RING, by_kind["put_ring"], fuller()))
        elif "take_glass" in by_kind:
            do(TableAct(Verb.LIFT, by_kind["take_glass"]))
        else:
            do(TableAct(Verb.PLACE, by_kind["put_glass"]))
        steps += 1
        assert steps < 100, practice.game.judgement
    assert practice.told()["state"] == "asked"
    origin, target = puzzle.best.rstrip("x=").split("-")
    do(TableAct(Verb.LIFT, origin), TableAct(Verb.PLACE, target), TableAct(Verb.DROP_RING, target, fuller()))
    practice.wait(2)
    assert practice.told()["text"] == "Right. The puzzle is solved."


def test_an_exercise_is_refused_in_a_tournament_and_while_a_game_goes_on(tmp_path: Path, tayu_puzzle: Puzzle) -> None:
    daemon = VirtualDaemon.of_new_board("tayu")

    def ask(setup: GameSetup, *, is_tournament: bool = False, abandoned_by: str = "") -> str:
        controller = BoardController(daemon.runner, is_tournament=is_tournament, puzzles=tmp_path / "own")

        async def begin() -> None:
            asking = asyncio.create_task(controller.new_game(setup, abandoned_by))
            while not asking.done():
                await asyncio.sleep(0.01)
                daemon.pass_to(Instant(daemon.watch.now() + STEP))
            await asking

        try:
            asyncio.run(begin())
        except ControllerError as error:
            return error.statement.key
        return ""

    assert ask(of(tayu_puzzle), is_tournament=True) == "told.exercise.tournament"
    assert ask(lesson("tayu", "first"), is_tournament=True) == "told.exercise.tournament"
    gone = GameSetup("tayu", {"size": 9, EXERCISE: "puzzle:0123456789ab"})
    assert ask(gone) == "told.exercise.none"
    assert not ask(GameSetup("tayu", {"size": 9}))
    assert ask(of(tayu_puzzle)) == "told.unfinished.who"
    daemon.runner.correct(Adjourned(daemon.runner.now(), "page"))
    assert not ask(of(tayu_puzzle))
    assert not ask(lesson("tayu", "first"), abandoned_by="page")


def test_a_result_that_somebody_declares_ends_the_exercise() -> None:
    practice = Practice.begin("table", lesson("tabik", "first", 4))
    practice.daemon.runner.correct(ResultDeclared(practice.daemon.runner.now(), None, "abandoned", "page"))
    practice.wait(1)
    assert practice.game.outcome is not None


@pytest.mark.parametrize(
    "settings",
    [
        {EXERCISE: "lesson"},
        {EXERCISE: "puzzle:../x"},
        {EXERCISE: "lesson:first:0"},
        {EXERCISE: "lesson:first:1", "opponent": "3"},
    ],
)
def test_a_setting_that_is_no_exercise_is_refused(settings: dict[str, object]) -> None:
    with pytest.raises(SettingsError, match="exercise"):
        game_of(GameSetup("tabik", settings))


def test_who_is_too_late_or_too_early_in_the_lesson_of_sand_tries_again() -> None:
    hands = AtTheGlasses()
    practice = hands.practice
    hands.move("D1", "D2", "red")
    hands.at(2)
    hands.move("A4", "B4", "red")
    hands.at(3)
    hands.hurry()
    hands.at(4)
    practice.wait(16)  # Black loses the turn
    assert practice.played == ["D1-D2", "G1-F2", "A4-B4"]
    assert "If you are too late, turn it once more and move." in str(practice.told()["text"])
    hands.hurry()
    hands.move("A1", "B2", "black")
    hands.at(5)
    practice.wait(9)  # the 15-second glass may be turned once it is empty
    hands.hurry()
    hands.do(TableAct(Verb.LIFT, "G4"))
    practice.wait(6)
    assert practice.told()["step"] == 6
    hands.do(TableAct(Verb.PLACE, "F4", turned=True), TableAct(Verb.DROP_RING, "F4", "red"))  # in time
    practice.wait(1)
    assert practice.played[-1] == "A1-B2"
    hands.follow()
    practice.wait(0.5)
    assert practice.told()["state"] == "wrong"
    hands.hurry()
    hands.do(TableAct(Verb.LIFT, "G4"))
    practice.wait(15)
    hands.do(TableAct(Verb.PLACE, "F4", turned=True), TableAct(Verb.DROP_RING, "F4", "red"))
    hands.at(7)
    assert len(practice.game.rulings) < 40


def test_a_lesson_whose_first_turn_is_lost_ends_and_is_not_taken_back_for_ever() -> None:
    hands = AtTheGlasses()
    hands.hurry()
    hands.practice.wait(17)
    assert hands.practice.game.outcome is not None
    assert len(hands.practice.game.rulings) < 6
