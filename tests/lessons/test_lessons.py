"""Every lesson of every game: its solutions are right, other turns are not, and the rules refuse the rest."""

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gnomon.cli import main
from gnomon.lessons import (
    Goal,
    Grade,
    Lesson,
    LessonError,
    LessonStep,
    faults,
    find_lesson,
    judge,
    lessons_of,
    register,
    step_start,
    taught_games,
    unregister,
)
from gnomon.lessons._judge import check
from gnomon.lessons._lesson import parse_lesson
from gnomon.refusals import Statement, sentence
from gnomon.rules.protocol import RulesError, SettingsError
from gnomon.rules.registry import GAMES
from gnomon.words import LANGUAGES, WordsError, own, words

EVERY = [pytest.param(lesson, id=lesson.key) for game in GAMES for lesson in lessons_of(game)]
STEPS = [
    pytest.param(lesson, number, id=f"{lesson.key}.{step.name}")
    for game in GAMES
    for lesson in lessons_of(game)
    for number, step in enumerate(lesson.steps)
]
CLUB = """\
game = "tabik"
settings = { size = 4, pie = "no" }

[[steps]]
name = "corner"
solution = "a1b1"
goal = { moves = ["a1b1", "a1a2"], turn = "white" }

[[steps]]
name = "answer"
play = ["d4c4"]
solution = "a2b2"
afresh = false
"""
CLUB_WORDS = {
    "lesson.tabik.corners": "Corners",
    "lesson.tabik.corners.corner": "Take a corner.",
    "lesson.tabik.corners.corner.done": "Yours.",
    "lesson.tabik.corners.answer": "Place a2b2.",
    "lesson.tabik.corners.answer.done": "Well.",
}


def learn(*arguments: str, text: str = "", language: str = "en") -> Result:
    return CliRunner().invoke(main, ["--language", language, "learn", *arguments], input=text)


# The lessons that Gnomon brings


def test_every_game_is_taught_in_six_steps_at_least() -> None:
    assert set(taught_games()) >= set(GAMES)
    assert {game: max(len(lesson.steps) for lesson in lessons_of(game)) >= 6 for game in GAMES} == dict.fromkeys(
        GAMES, True
    )
    assert faults() == ()


@pytest.mark.parametrize(("lesson", "number"), STEPS)
def test_a_step_is_solved_by_its_solution(lesson: Lesson, number: int) -> None:
    answer = judge(lesson, number, lesson.steps[number].solution)
    assert (answer.grade, answer.text) == (Grade.RIGHT, lesson.steps[number].solution)


@pytest.mark.parametrize(("lesson", "number"), STEPS)
def test_a_step_refuses_what_is_illegal_with_the_sentence_of_the_rules(lesson: Lesson, number: int) -> None:
    position = step_start(lesson, number).position
    of_the_game = {step.solution for each in lessons_of(lesson.game) for step in each.steps}
    refused = {text: why for text in sorted(of_the_game) if (why := refusal_of(lesson, position, text)) is not None}
    assert refused
    for text, why in refused.items():
        answer = judge(lesson, number, text)
        assert (answer.grade, answer.why) == (Grade.REFUSED, why)
        assert sentence(answer.why, words("de")) != sentence(answer.why)
    assert judge(lesson, number, "no move at all").grade is Grade.REFUSED


def refusal_of(lesson: Lesson, position: object, text: str) -> Statement | None:
    """What the rules have against a text, or None where it is legal."""
    try:
        lesson.rules.play(position, lesson.rules.parse(position, text))
    except RulesError as error:
        return error.statement
    return None


@pytest.mark.parametrize("lesson", EVERY)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lesson_speaks_every_language_itself(lesson: Lesson, language: str) -> None:
    assert [key for key in lesson.entries() if key not in own(language)] == []


@pytest.mark.parametrize("lesson", EVERY)
def test_a_lesson_is_finished_on_the_command_line_by_its_solutions(lesson: Lesson) -> None:
    answers = "".join(f"{step.solution}\n" for step in lesson.steps)
    result = learn(lesson.game, lesson.name, text=answers)
    assert result.exit_code == 0, result.output
    assert result.output.count("Right.") == len(lesson.steps)
    assert result.output.endswith("You have finished this lesson.\n")


def test_what_is_legal_and_not_asked_for_is_said_so() -> None:
    lesson = find_lesson("tabik", "first")
    assert judge(lesson, 1, "a1a2").grade is Grade.OTHER
    assert judge(lesson, 0, "c3c2").grade is Grade.RIGHT
    # As much as a goal can say: who acts, how the game ends, what the score and the state are.
    assert judge(lesson, 6, "b1~c1").grade is Grade.OTHER
    assert judge(find_lesson("tayu", "first"), 3, "137@g6/N").grade is Grade.OTHER


def test_how_a_picture_is_touched_is_said_apart() -> None:
    lesson = find_lesson("tabik", "first")
    assert lesson.gesture(0, words()) == "On the picture, touch the square of the black stone first."
    assert lesson.gesture(1, words()) == ""


# The command line


def test_the_command_line_lists_all_lessons_by_game() -> None:
    result = learn(language="fr")
    assert result.exit_code == 0
    assert "tau first\xa0: Un nombre et trois traits (6 étapes)" in result.output.splitlines()


def test_the_command_line_asks_again_until_the_answer_is_right() -> None:
    result = learn("tabik", text="a1a3\n\nb2b1\nmoves\n?\na1a2\n")
    assert "Rule 4: a1 and a3 are not orthogonally adjacent." in result.output
    assert "The answer is pie." in result.output
    assert "a1a2 a2a1" in result.output
    assert "That is legal, but this step asks for something else. Now you are White." in result.output
    assert result.exit_code == 1
    assert result.output.endswith("Error: the lesson 'first' was left at step 2 of 7\n")


def test_the_command_line_says_what_is_on_the_board() -> None:
    told = learn("tabik", text="b2b1\n", language="de").output
    assert told.startswith("Tabik: Steine, Stäbe und Gruppen\n")
    assert "Schwarze Steine: b2. Weiße Steine: b1." in told


def test_the_command_line_says_what_was_played_before_a_step() -> None:
    result = learn("tayu", "first", text="draw:025\n025@e5/E\nquit\n056@f4/E\n")
    assert "  draw:056  " in result.output
    assert (result.exit_code, "step 3 of 6" in result.output) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("chess",), "there is no game 'chess'"),
        (("tau", "second"), "tau has no lesson 'second'; its lessons are: first"),
    ],
)
def test_an_unknown_game_or_lesson_is_one_sentence(arguments: tuple[str, ...], why: str) -> None:
    result = learn(*arguments)
    assert (result.exit_code, result.output.count("\n")) == (2, 1)
    assert why in result.output


# A club's own


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "lessons"
    (folder / "words").mkdir(parents=True)
    (folder / "words" / "en.json").write_text(json.dumps(CLUB_WORDS), encoding="utf-8")
    (folder / "corners.toml").write_text(CLUB, encoding="utf-8")
    (folder / "notes.txt").write_text("not a lesson", encoding="utf-8")
    yield folder
    unregister(folder)


def test_a_club_adds_lessons_by_a_folder(club: Path) -> None:
    register(club)
    register(club)
    assert faults() == ()
    assert [lesson.name for lesson in lessons_of("tabik")] == ["first", "corners"]
    result = learn("--lessons", str(club), "tabik", "corners", text="a1a2\na2b2\n")
    assert result.exit_code == 0, result.output
    # The solution is what the lesson goes on from.
    assert result.output.count("Right.") == 2


def test_a_folder_may_be_without_words_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "first.toml").write_text(CLUB, encoding="utf-8")
    register(tmp_path)
    assert [fault.key for fault in faults()] == ["told.lesson.words"]
    unregister(tmp_path)
    assert faults() == ()


def test_a_name_that_is_taken_is_left_out(club: Path) -> None:
    taken = {key.replace("corners", "first"): text for key, text in CLUB_WORDS.items()}
    (club / "words" / "en.json").write_text(json.dumps(CLUB_WORDS | taken), encoding="utf-8")
    (club / "first.toml").write_text(CLUB, encoding="utf-8")
    register(club)
    assert [str(fault) for fault in faults()] == [
        "the lesson first.toml is left out: tabik already has a lesson of this name"
    ]
    assert len(find_lesson("tabik", "first").steps) == 7


def test_words_that_cannot_be_used_are_refused(club: Path) -> None:
    (club / "words" / "en.json").write_text("[]", encoding="utf-8")
    with pytest.raises(WordsError):
        register(club)
    assert "no JSON object" in learn("--lessons", str(club)).output
    (club / "words" / "en.json").write_text("{}", encoding="utf-8")
    register(club)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("game =", "game", "the lesson corners.toml cannot be read: "),
        ('game = "tabik"\n', "", "the lesson corners.toml: the field 'game' is missing or of the wrong kind"),
        ('"tabik"', '"chess"', "the lesson corners.toml cannot be used: there is no game 'chess'"),
        ("size = 4", "size = 99", "the lesson corners.toml cannot be used: size must be"),
        ('name = "corner"', 'name = "Corner"', "'Corner' is no name of small letters"),
        ('name = "corner"', "name = 3", "the field 'name' is missing"),
        ('name = "corner"', 'name = "c"\ncolour = "red"', "there is no field 'colour'"),
        ('play = ["d4c4"]', "play = [4]", "the field 'play' is missing or of the wrong kind"),
        ('turn = "white"', 'pattern = "("', "the field 'pattern' is missing or of the wrong kind"),
        ('play = ["d4c4"]', 'play = ["d4d4"]', "the lesson corners.toml, step answer: "),
        ('play = ["d4c4"]', 'play = ["at noon"]', "step answer: 'at noon' is no time"),
        ('play = ["d4c4"]', 'play = ["at 3", "at 2"]', "step answer: 'at 2' goes back in time"),
        ('name = "answer"', 'name = "corner"', "the lesson corners.toml: two steps have the same name"),
        ('solution = "a2b2"', 'solution = "a2d2"', "the lesson corners.toml, step answer: rule 4: "),
        ('turn = "white"', 'turn = "black"', "step corner: its own solution a1b1 is not what it asks for"),
        ('turn = "white"', 'winner = "black"', "its own solution a1b1 is not what it asks for"),
        ('turn = "white"', 'reason = "larger_groups"', "its own solution a1b1 is not what it asks for"),
        ('turn = "white"', "score = { green = 1 }", "its own solution a1b1 is not what it asks for"),
        ('turn = "white"', "state = { board = { a = 1 } }", "its own solution a1b1 is not what it asks for"),
        ('moves = ["a1b1", "a1a2"]', 'moves = ["a1a2"]', "its own solution a1b1 is not what it asks for"),
    ],
)
def test_a_broken_lesson_is_one_sentence_and_the_others_stay(club: Path, old: str, new: str, why: str) -> None:
    assert old in CLUB
    (club / "corners.toml").write_text(CLUB.replace(old, new), encoding="utf-8")
    register(club)
    (fault,) = faults()
    assert why in str(fault)
    assert "\n" not in str(fault)
    assert [lesson.name for lesson in lessons_of("tabik")] == ["first"]
    for language in LANGUAGES:
        assert sentence(fault, words(language))
    result = learn("--lessons", str(club), "tabik")
    assert sentence(fault) in result.output


@pytest.mark.parametrize(
    ("file", "text", "key"),
    [
        ("Big.toml", CLUB, "told.lesson.name"),
        ("a.toml", 'game = "tabik"\nsteps = []\n', "told.lesson.field"),
        ("a.toml", 'game = "tabik"\nsteps = [1]\n', "told.lesson.field"),
    ],
)
def test_a_lesson_without_steps_or_a_name_is_refused(file: str, text: str, key: str) -> None:
    with pytest.raises(LessonError) as refused:
        parse_lesson(file, text)
    assert refused.value.statement.key == key


def test_a_file_that_is_no_text_is_one_sentence(club: Path) -> None:
    (club / "corners.toml").write_bytes(b"\xff")
    register(club)
    assert [fault.key for fault in faults()] == ["told.lesson.unreadable"]


@pytest.mark.parametrize(
    "text", [f"x = {'[' * 20_000}", f"x = {'9' * 5_000}", f"{'a.' * 32_000}a = 1"], ids=["nested", "digits", "dotted"]
)
def test_a_file_that_nobody_can_read_is_one_sentence(club: Path, text: str) -> None:
    (club / "corners.toml").write_text(text)
    register(club)
    (fault,) = faults()
    assert str(fault) == (
        "the lesson corners.toml cannot be read: a number has too many digits, or lists or keys are nested too deeply"
    )


def test_a_goal_is_reached_by_any_part_of_the_state() -> None:
    text = 'game = "tabik"\nsteps = [{name = "a", solution = "a1b1", goal = {state = {rods = ["a1b1"]}}}]\n'
    check("a.toml", parse_lesson("a.toml", text))


def test_a_game_that_there_is_not_has_no_lessons() -> None:
    with pytest.raises(SettingsError):
        lessons_of("chess")


def test_the_lesson_of_the_guide_is_one() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "writing-lessons.md").read_text(encoding="utf-8")
    lesson = parse_lesson("corners.toml", guide.partition("```toml\n")[2].partition("```")[0])
    check("corners.toml", lesson)
    assert judge(lesson, 0, "a1a2").grade is Grade.RIGHT
    told = re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.*?) \|", guide, re.MULTILINE)))
    assert {each.name for each in (*fields(Goal), *fields(LessonStep))} <= set(told)
