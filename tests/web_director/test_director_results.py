"""Results: entered by hand, taken from the boards, corrected; two people at once."""

import pytest

from gnomon.hall.rounds.board_assignment import Accept, BoardAssignment
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.state.results import GameResult, format_result
from gnomon.web.access import Role
from gnomon.web.director.rounds.results import shorthand
from tests.hall.boards import ModelBoard
from tests.web_director.houses import DirectorHouse, Person

PAGE = "/tournaments/open/results"
DESK = "/tournaments/open/desk"


@pytest.fixture
def playing(house: DirectorHouse) -> DirectorHouse:
    house.tournament(count=8)
    house.publish()
    return house


def result(house: DirectorHouse, board: int, in_round: int = 1) -> str:
    return format_result(house.hall.book("open").tournament().round(in_round).results.get(board, ()))


def enter(person: Person, board: int, text: str, **more: str) -> int:
    fields = {"round": "1", "board": str(board), "was": "", "result": text, **more}
    return person.send(f"{PAGE}/enter", **fields).status_code


def test_a_hall_without_boards_does_not_say_of_every_board_that_there_is_none(
    playing: DirectorHouse, anna: Person
) -> None:
    assert "stand-to_send" not in anna.page(PAGE)
    assert "without a board" not in anna.page(DESK)
    playing.hall.set_plan("open", BoardAssignment("tamsk", boards={1: "t01"}))
    assert anna.page(PAGE).count("stand-to_send") == 4  # the device has told of no game yet
    assert "without a board: 4" in anna.page(DESK)
    assert enter(anna, 2, "1") == 303
    assert "entered: 1" in anna.page(DESK)


def test_a_board_without_a_device_has_told_nothing(playing: DirectorHouse, anna: Person) -> None:
    playing.hall.set_plan("open", BoardAssignment("tamsk", boards={2: "t01"}))
    assert "stand-to_send" in anna.page(PAGE)
    assert enter(anna, 1, "1") == 303
    assert result(playing, 1) == "1-0"
    assert "stand-entered" not in anna.page(PAGE)


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("1", "1-0"),
        ("0", "0-1"),
        ("=", "½-½"),
        ("½", "½-½"),
        ("½-½", "½-½"),
        ("1/2-1/2", "½-½"),
        ("+", "+/-"),
        ("-", "-/+"),
        ("--", "-/-"),
        ("00", "0-0"),
        ("-/+", "-/+"),
        ("1=", "1-0 ½-½"),
        ("1 0", "1-0 0-1"),
        (" 1-0  = ", "1-0 ½-½"),
    ],
)
def test_results_are_written_quickly(text: str, full: str) -> None:
    assert format_result(shorthand(text)) == full


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("00", "0-1 0-1"),
        ("++", "+/- +/-"),
        ("--", "-/+ -/+"),
        ("1-", "1-0 -/+"),
        ("=0", "½-½ 0-1"),
        ("-- --", "-/- -/-"),
        ("1 00", "1-0 0-0"),
        ("1-0 ½-½", "1-0 ½-½"),
        ("+", "+/-"),
    ],
)
def test_of_two_games_each_has_a_sign(text: str, full: str) -> None:
    assert format_result(shorthand(text, 2)) == full


@pytest.mark.parametrize("text", ["2", "2-0", "won", "1x"])
def test_what_is_no_result_is_refused(text: str) -> None:
    with pytest.raises(TournamentError, match="is not a result"):
        shorthand(text)


def test_an_arbiter_enters_results_and_a_director_corrects_them(
    playing: DirectorHouse, anna: Person, dora: Person
) -> None:
    assert "4 results are missing" in anna.page(PAGE)
    assert enter(anna, 1, "1") == 303
    assert (result(playing, 1), playing.hall.book("open").read()[-1].who) == ("1-0", "Anna")
    answer = anna.send(f"{PAGE}/enter", round="1", board="1", was="1-0", result="0")
    assert (answer.status_code, "a director has to correct it" in answer.text) == (422, True)
    assert enter(anna, 1, "1", was="1-0") == 303  # the same again changes nothing
    fields = {"round": "1", "board": "1", "was": "1-0", "result": "="}
    assert anna.send(f"{PAGE}/correct", **fields, why="typing").status_code == 403
    assert "Give a reason" in dora.send(f"{PAGE}/correct", **fields).text
    assert dora.send(f"{PAGE}/correct", **fields, why="typing").status_code == 303
    assert result(playing, 1) == "½-½"
    taken = {"round": "1", "board": "1", "was": "½-½", "result": "", "why": "of board 2"}
    assert dora.send(f"{PAGE}/correct", **taken).status_code == 303
    assert result(playing, 1) == ""


def test_two_arbiters_at_two_boards_do_not_disturb_each_other(playing: DirectorHouse, anna: Person) -> None:
    emil = playing.person(Role.ARBITER, "Emil")
    seen = str(len(playing.hall.book("open").read()))
    assert enter(anna, 1, "1", seen=seen) == 303
    assert enter(emil, 2, "0", seen=seen) == 303
    assert (result(playing, 1), result(playing, 2)) == ("1-0", "0-1")


def test_two_arbiters_at_one_board_and_the_second_is_told(playing: DirectorHouse, anna: Person) -> None:
    emil = playing.person(Role.ARBITER, "Emil")
    seen = str(len(playing.hall.book("open").read()))
    assert enter(anna, 3, "1", seen=seen) == 303
    answer = emil.send(f"{PAGE}/enter", round="1", board="3", was="", result="0", seen=seen)
    assert answer.status_code == 409
    assert "Anna got there first, at " in answer.text
    assert "round 1, board 3:  1-0" in answer.text
    assert result(playing, 3) == "1-0"
    program = emil.send(f"{PAGE}/enter", wants="application/json", round="1", board="3", was="", result="0", seen=seen)
    assert (program.status_code, "Anna got there first" in program.json()["error"]) == (409, True)


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"result": ""}, "Write a result"),
        ({"result": "2-0"}, "is not a result"),
        ({"result": "1 0"}, "has 1 game"),
        ({"board": "9", "result": "1"}, "does not exist"),
        ({"board": "x", "result": "1"}, "Enter a number"),
        ({"round": "7", "result": "1"}, "is not published"),
    ],
)
@pytest.mark.usefixtures("playing")
def test_a_mistake_is_told_and_the_table_is_shown_again(anna: Person, sent: dict[str, str], said: str) -> None:
    answer = anna.send(f"{PAGE}/enter", **{"round": "1", "board": "1", "was": "", **sent})
    assert answer.status_code in {409, 422}
    assert said in answer.text
    assert answer.text.count('class="result"') == 4


def test_a_settled_round_is_only_corrected(playing: DirectorHouse, dora: Person) -> None:
    playing.play(results=[GameResult.FIRST_WON])
    playing.publish()
    text = dora.page(f"{PAGE}?round=1")
    assert 'class="result"' not in text
    fields = {"round": "1", "board": "2", "was": "1-0", "result": "0", "why": "slip was read upside down"}
    answer = dora.send(f"{PAGE}/correct", **fields)
    assert answer.headers["location"] == f"{PAGE}?round=1"
    assert result(playing, 2) == "0-1"
    assert dora.page("/tournaments/open/log").count("slip was read upside down") == 1, "a reason stands there once"


def test_two_games_in_a_round_have_a_score(house: DirectorHouse, anna: Person) -> None:
    house.tournament(count=4, games=2)
    house.publish()
    assert enter(anna, 1, "1=") == 303
    assert "1½ : ½" in anna.page(PAGE)
    assert enter(anna, 2, "1") == 409


def at_boards(house: DirectorHouse, accept: Accept) -> tuple[ModelBoard, ModelBoard]:
    """A round that was sent to two boards."""
    boards = house.board("t01"), house.board("t02")
    house.hall.set_plan("open", BoardAssignment("tamsk", boards={1: "t01", 2: "t02"}, accept=accept))
    house.hall.send_round("open", "Dora")
    house.run()
    return boards


def test_what_a_board_tells_is_shown_and_entered_by_hand(playing: DirectorHouse, anna: Person) -> None:
    board, _ = at_boards(playing, Accept.BY_HAND)
    assert anna.page(PAGE).count("stand-playing") == 2
    board.end("red")
    playing.run()
    text = anna.page(PAGE)
    assert "ended, not confirmed" in text
    assert "Enter 1-0" in text
    fields = {"round": "1", "board": "1", "was": ""}
    assert "something else now" in anna.send(f"{PAGE}/accept", **fields, told="0-1").text
    assert anna.send(f"{PAGE}/accept", **fields, told="1-0").status_code == 303
    assert (result(playing, 1), playing.hall.book("open").read()[-1].who) == ("1-0", "Anna, from board t01")


def test_what_both_have_confirmed_enters_itself(playing: DirectorHouse, anna: Person) -> None:
    board, _ = at_boards(playing, Accept.CONFIRMED)
    board.end("black")
    board.confirm("red", "black")
    playing.run()
    assert result(playing, 1) == "0-1"
    assert "confirmed by both" in anna.page(PAGE)


def test_boards_that_differ_from_the_book_are_for_the_director(
    playing: DirectorHouse, anna: Person, dora: Person
) -> None:
    one, two = at_boards(playing, Accept.BY_HAND)
    enter(anna, 1, "0")
    enter(anna, 2, "0")
    one.end("red")
    two.end("red")
    playing.run()
    text = dora.page(PAGE)
    assert text.count("The board reports 1-0.") == 2
    fields = {"round": "1", "board": "1", "was": "0-1", "told": "1-0", "why": "the slip was wrong"}
    assert "a director has to correct it" in anna.send(f"{PAGE}/accept", **fields).text
    assert dora.send(f"{PAGE}/accept", **fields).status_code == 303
    assert result(playing, 1) == "1-0"
    fields = {"round": "1", "board": "2", "was": "0-1", "told": "1-0", "why": "the board was bumped"}
    assert dora.send(f"{PAGE}/settle", **fields).status_code == 303
    assert (result(playing, 2), "differs, seen" in dora.page(PAGE)) == ("0-1", True)
