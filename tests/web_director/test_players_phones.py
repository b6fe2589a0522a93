"""Players on their own phones: they find their board by a code, and what both say of the result is entered."""

import html
import re
from collections.abc import Mapping
from datetime import date, timedelta

import httpx
import pytest

from gnomon.hall.rounds.board_assignment import Accept, BoardAssignment
from gnomon.hall.rounds.code_expiry import QUIET
from gnomon.hall.rounds.player_codes import Player, plain, readable
from gnomon.hall.rounds.results import PairingState
from gnomon.tournament.events import ResultWithdrawn
from gnomon.tournament.state.results import format_result
from gnomon.tournament.state.rounds import Pairing
from gnomon.tournament.state.settings import System
from gnomon.web.access import Authenticator
from gnomon.web.access.authenticator import AccessTerms
from gnomon.web.access.codes import ALPHABET
from gnomon.web.access.store import AccountStore
from gnomon.web.director import TournamentApp
from gnomon.web.hall._rounds import told_rounds
from tests.web.visitors import SetClock
from tests.web_director.houses import DirectorHouse, Person, application

NAME = "open"


def code(house: DirectorHouse, entrant: int | None) -> str:
    """The code of an entrant."""
    assert entrant is not None
    return house.hall.player_codes(NAME)[entrant]


def say(house: DirectorHouse, entrant: int | None, result: str, in_round: int = 1) -> httpx.Response:
    """Say as an entrant how the game ended, told as they see it."""
    answer = house.anybody().send(f"/my/{code(house, entrant)}/result", result=result, round=str(in_round))
    house.run()
    return answer


def entered(house: DirectorHouse, board: int = 1) -> str:
    """The result in the book."""
    return format_result(house.hall.book(NAME).tournament().round(1).results.get(board, ()))


def test_a_player_finds_the_board_without_an_account(house: DirectorHouse, pairing: Pairing) -> None:
    page = house.anybody().get(f"/my/{code(house, pairing.first)}")
    tournament = house.hall.book(NAME).tournament()
    assert page.status_code == 200
    assert tournament.entrants[pairing.first].name in page.text
    assert "Board 1</p>" in page.text
    assert tournament.entrants[pairing.second or 0].name in page.text
    assert f'href="/tournaments/{NAME}/standings"' in page.text
    assert page.headers["cache-control"] == "no-store"


def test_a_code_may_be_typed_as_people_write_it(house: DirectorHouse, pairing: Pairing) -> None:
    written = readable(code(house, pairing.first)).lower().replace("-", " - ")
    answer = house.anybody().get(f"/my?code={written}")
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/my/{code(house, pairing.first)}"
    assert "<form" in house.anybody().get("/my").text


def test_without_a_code_or_a_game_the_page_says_what_to_do(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=3)
    asked = house.anybody().page("/my")
    assert "Ask the arbiter for your code." in asked
    assert 'href="/tournaments"' in asked
    mine = f"/my/{code(house, 1)}"
    assert "Load this page again when it is" in house.anybody().page(mine)
    dora.send(f"/tournaments/{NAME}/entrants/1/bye", round="1", worth="zero")
    house.publish()
    assert "You have no game in this round. If you came to play, tell the arbiter." in house.anybody().page(mine)


def test_a_code_that_nobody_has_is_asked_for_again(house: DirectorHouse, pairing: Pairing) -> None:
    answer = house.anybody().get(f"/my/{code(house, pairing.first)[:-1]}b")
    assert answer.status_code == 404
    assert answer.headers["cache-control"] == "no-store"
    assert "No player has this code." in answer.text
    unused = sorted({*"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"} - {*ALPHABET}, key=lambda each: (each.isdigit(), each))
    assert f"codes have no {', '.join(unused[:-1])} or {unused[-1]}" in answer.text
    assert '<form method="get" action="/my"' in answer.text
    assert f'name="code" value="{code(house, pairing.first)[:-1]}B"' in answer.text
    assert 'role="alert"' not in house.anybody().page("/my")
    program = house.anybody().get("/my/AAAAAAAA", accept="application/json")
    assert program.status_code == 404
    assert program.json()["error"].startswith("No player has this code.")


def test_what_both_say_is_entered_as_confirmed_by_both(house: DirectorHouse, pairing: Pairing) -> None:
    assert say(house, pairing.first, "1-0").status_code == 303
    assert entered(house) == ""
    assert say(house, pairing.second, "0-1").status_code == 303
    assert entered(house) == "1-0"
    told = house.hall.book(NAME).read()[-1]
    assert told.who == "both players"
    assert told.why == f"said by player {min(pairing.entrants)}: 1-0; said by player {max(pairing.entrants)}: 1-0"


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", {"1-0": "says: you lost.", "½-½": "says: a draw.", "0-1": "says: you won."}),
        ("de", {"1-0": "sagt: Sie haben verloren.", "½-½": "sagt: remis.", "0-1": "sagt: Sie haben gewonnen."}),
        (
            "fr",
            {
                "1-0": "indique : vous avez perdu.",
                "½-½": "indique : partie nulle.",
                "0-1": "indique : vous avez gagné.",
            },
        ),
    ],
)
def test_what_the_other_says_is_told_to_the_reader_as_the_reader_s_own_result(
    house: DirectorHouse, pairing: Pairing, language: str, told: Mapping[str, str]
) -> None:
    other = house.hall.book(NAME).tournament().entrants[pairing.first].name
    for result, words in told.items():
        assert say(house, pairing.first, result).status_code == 303
        address = f"/my/{code(house, pairing.second)}"
        page = house.anybody().get(address, **{"accept-language": language}).text
        assert f"{other} {words}" in " ".join(html.unescape(page).split())


def test_a_player_who_has_several_rounds_to_play_chooses_among_them(house: DirectorHouse) -> None:
    house.tournament(count=4, open_rounds=2)
    house.publish()
    house.publish()
    first, second = (house.hall.book(NAME).tournament().round(number).of(1) for number in (1, 2))
    assert first is not None
    assert second is not None
    mine = f"/my/{code(house, 1)}"
    page = house.anybody().page(mine)
    assert "Round 1 of 3" in page
    assert f'href="{mine}?round=2"' in page
    assert "Round 2 of 3" in house.anybody().page(f"{mine}?round=2")
    other = next(number for number in first.entrants if number != 1)
    assert say(house, 1, "1-0").headers["location"] == f"{mine}?round=1"
    say(house, other, "0-1")
    assert entered(house, first.board) == ("1-0" if first.first == 1 else "0-1")
    after = house.anybody().page(f"{mine}?round=1")
    assert "Round 2 of 3" in after
    assert "?round=" not in after


def test_in_an_arena_a_game_that_goes_on_is_not_lost_from_sight(house: DirectorHouse) -> None:
    house.tournament(count=4, system=System.ARENA, rounds=9, tie_breaks=())
    house.publish()
    pairings = house.hall.book(NAME).tournament().round(1).pairings
    done, playing = pairings[0], pairings[1]
    say(house, done.first, "1-0")
    say(house, done.second, "0-1")
    house.publish()
    assert len(house.hall.book(NAME).tournament().rounds) == 2
    assert f"Board {playing.board}</p>" in house.anybody().page(f"/my/{code(house, playing.first)}")
    name = house.hall.book(NAME).tournament().entrants[playing.first].name
    wall = house.anybody().page(f"/tournaments/{NAME}/wall")
    assert 'id="panel-boards-1"' in wall
    assert f'<span class="who">{name}</span><strong class="where">{playing.board}</strong>' in wall
    assert f"board {playing.board}" in house.anybody().page(f"/tournaments/{NAME}?find={name}")
    say(house, playing.first, "1-0")
    say(house, playing.second, "0-1")
    assert 'id="panel-boards-1"' not in house.anybody().page(f"/tournaments/{NAME}/wall")


def test_a_draw_is_the_same_from_both_sides(house: DirectorHouse, pairing: Pairing) -> None:
    say(house, pairing.second, "½-½")
    say(house, pairing.first, "½-½")
    assert entered(house) == "½-½"


def test_where_they_disagree_the_director_decides(house: DirectorHouse, pairing: Pairing, dora: Person) -> None:
    say(house, pairing.first, "1-0")
    say(house, pairing.second, "1-0")
    assert entered(house) == ""
    assert house.hall.proposals(NAME, 1)[0].standing is PairingState.DISPUTED
    row = re.search(r'<tr id="b1".*?</tr>', dora.get(f"/tournaments/{NAME}/results").text, re.DOTALL)
    assert row is not None
    assert 'data-standing="disputed"' in row[0]
    assert "the players disagree" in row[0]
    assert row[0].count('class="said"') == 2
    link = '<a href="/tournaments/open/results?round=1">Round 1, board 1</a>'
    assert f"1 result is for you to decide. {link}" in dora.page(f"/tournaments/{NAME}/desk")
    assert '<a class="warn" href="/tournaments/open/desk">1 result is for you to decide.</a>' in dora.page(
        "/tournaments"
    )
    assert "disputed" not in house.anybody().page("/tournaments")
    [told] = told_rounds(house.hall)
    assert (told["disputed"], told["waiting"], told["tables"]) == (1, 4, 4)
    assert "the director decides" in house.anybody().get(f"/my/{code(house, pairing.first)}").text
    dora.send(f"/tournaments/{NAME}/results/enter", round="1", board="1", was="", result="=")
    assert entered(house) == "½-½"
    house.run()
    assert (house.hall.alarms(), told_rounds(house.hall)[0]["disputed"]) == ([], 0)
    assert "disputed" not in dora.page(f"/tournaments/{NAME}/desk") + dora.page("/tournaments")


def test_a_player_may_say_otherwise_until_it_is_entered(house: DirectorHouse, pairing: Pairing) -> None:
    say(house, pairing.first, "1-0")
    say(house, pairing.second, "1-0")
    say(house, pairing.second, "0-1")
    assert entered(house) == "1-0"
    late = say(house, pairing.second, "1-0")
    assert late.status_code == 409
    assert "is entered already" in late.text
    assert entered(house) == "1-0"


def test_a_code_is_worth_nothing_but_its_own_game(house: DirectorHouse, pairing: Pairing) -> None:
    other = house.hall.book(NAME).tournament().round(1).at(2)
    say(house, other.first, "1-0")
    say(house, other.second, "0-1")
    assert (entered(house, 1), entered(house, 2)) == ("", "1-0")
    alone = next(one for one in house.hall.book(NAME).tournament().round(1).pairings if one.second is None)
    assert say(house, alone.first, "1-0").status_code == 409
    assert say(house, pairing.first, "1-0", in_round=2).status_code == 409


@pytest.mark.parametrize("result", ["+/-", "1-0 1-0", "", "0-0", "won"])
def test_a_result_that_nobody_can_choose_is_refused(house: DirectorHouse, pairing: Pairing, result: str) -> None:
    assert say(house, pairing.first, result).status_code == 422
    assert house.hall.proposals(NAME, 1)[0].said == ()


def test_a_foreign_page_cannot_speak_for_a_player(house: DirectorHouse, pairing: Pairing) -> None:
    person = house.anybody()
    person.get("/sign-in")
    person.csrf = "0" * 64
    answer = person.send(f"/my/{code(house, pairing.first)}/result", result="1-0", round="1")
    house.run()
    assert answer.status_code == 403
    assert entered(house) == ""


def test_wrong_codes_count_at_all_processes_together(house: DirectorHouse, pairing: Pairing) -> None:
    store = AccountStore.in_memory()
    doors = [Authenticator(store, SetClock(), AccessTerms(is_shared=True)) for _ in range(2)]
    apps = [application(TournamentApp(house.hall, door=door), house.door) for door in doors]
    told = []
    for number in range(21):
        house.app = apps[number % 2]
        told.append(house.anybody().get("/my/AAAAAAAA").status_code)
    assert told == [404] * 20 + [429]
    house.app = apps[1]
    assert house.anybody().get(f"/my/{code(house, pairing.first)}").status_code == 429


def test_wrong_codes_cost_their_address_a_wait(house: DirectorHouse, pairing: Pairing) -> None:
    right = code(house, pairing.first)
    wrong = [house.anybody().get("/my/AAAAAAAA").status_code for _ in range(22)]
    assert wrong == [404] * 20 + [429] * 2
    waits = house.anybody().get(f"/my/{right}")
    assert waits.status_code == 429
    seconds = int(waits.headers["retry-after"])
    assert 0 < seconds <= 30
    assert f"Too many wrong codes have come from here. Try again in {seconds} s." in waits.text
    assert f'name="code" value="{right}"' in waits.text, "nobody types the code once more"
    assert "Too many wrong codes" in say(house, pairing.first, "1-0").text
    house.clock.wait(31)
    assert house.anybody().get(f"/my/{right}").status_code == 200


def test_new_codes_make_the_old_ones_worth_nothing(house: DirectorHouse, pairing: Pairing, dora: Person) -> None:
    old = code(house, pairing.first)
    assert house.anybody().send(f"/tournaments/{NAME}/codes/again").status_code == 401
    assert code(house, pairing.first) == old
    assert dora.send(f"/tournaments/{NAME}/codes/again").status_code == 303
    assert code(house, pairing.first) != old
    assert house.anybody().get(f"/my/{old}").status_code == 404
    assert house.anybody().get(f"/my/{code(house, pairing.first)}").status_code == 200


def test_codes_are_unlike_and_of_letters_that_nobody_confuses(house: DirectorHouse, pairing: Pairing) -> None:
    house.tournament("other")
    codes = [*house.hall.player_codes(NAME).values(), *house.hall.player_codes("other").values()]
    assert len(set(codes)) == 18
    assert all(len(each) == 8 and set(each) <= set(ALPHABET) for each in codes)
    assert all(plain(readable(each)) == each for each in codes)
    assert house.hall.find_player(codes[0]) == Player(NAME, 1)
    assert house.hall.find_player(codes[9]) == Player("other", 1)
    assert pairing.board == 1


def test_cards_with_codes_are_for_arbiters(house: DirectorHouse, pairing: Pairing, anna: Person) -> None:
    house.office.__dict__["address"] = lambda: "http://hall.local:8770/"
    path = f"/tournaments/{NAME}/print/codes"
    sheet = anna.get(path).text
    for entrant, each in house.hall.player_codes(NAME).items():
        assert readable(each) in sheet, entrant
    assert sheet.count("<svg") == 9
    assert "http://hall.local:8770/my" in sheet
    stranger = house.anybody().get(path)
    assert stranger.status_code == 303
    assert "sign-in" in stranger.headers["location"]
    assert pairing.board == 1


def test_cards_of_a_hall_behind_a_proxy_have_the_address_at_which_they_are_printed(
    house: DirectorHouse, pairing: Pairing, anna: Person
) -> None:
    path = f"/tournaments/{NAME}/print/codes"
    outside = anna.get(path, host="192.168.1.7:8443").text
    assert "http://192.168.1.7:8443/my" in outside
    assert outside.count("<svg") == len(house.hall.player_codes(NAME)) == 9
    assert "--known-as" not in outside
    for own in ("127.0.0.1:8770", "localhost", "[::1]:8770"):
        inside = anna.get(path, host=own).text
        assert inside.count("<svg") == 0, own
        assert "by which address phones reach it" in inside
        assert "<code>gnomon hall --behind-proxy 127.0.0.1 --known-as hall.example.org</code>" in inside
    assert pairing.board == 1


def test_sheet_and_desk_say_that_phones_cannot_reach_the_hall(
    house: DirectorHouse, pairing: Pairing, anna: Person
) -> None:
    pages = [f"/tournaments/{NAME}/{page}" for page in ("print/codes", "desk")]
    assert not any("Phones cannot reach this hall" in anna.page(page) for page in pages)
    house.app = application(TournamentApp(house.hall, is_alone=True), house.door)
    for page in pages:
        told = anna.page(page)
        assert told.count("Phones cannot reach this hall") == 1, page
        assert "<code>gnomon hall --host 0.0.0.0</code>" in told, page
    assert pairing.board == 1


def test_what_was_said_before_a_result_was_withdrawn_counts_no_more(house: DirectorHouse, pairing: Pairing) -> None:
    say(house, pairing.first, "1-0")
    say(house, pairing.second, "0-1")
    book = house.hall.book(NAME)
    house.hall.tell(NAME, ResultWithdrawn(1, 1, "wrong board"), "Dora", after=len(book.read()))
    house.run()
    assert entered(house) == ""
    assert house.hall.proposals(NAME, 1)[0].said == ()
    say(house, pairing.first, "0-1")
    say(house, pairing.second, "1-0")
    assert entered(house) == "0-1"


def test_where_results_are_entered_by_hand_what_both_say_waits(
    house: DirectorHouse, pairing: Pairing, dora: Person
) -> None:
    house.hall.set_plan(NAME, BoardAssignment(accept=Accept.BY_HAND))
    say(house, pairing.first, "1-0")
    say(house, pairing.second, "0-1")
    assert entered(house) == ""
    page = dora.get(f"/tournaments/{NAME}/results").text
    assert 'name="told" value="1-0"' in page
    dora.send(f"/tournaments/{NAME}/results/accept", round="1", board="1", was="", told="1-0")
    assert entered(house) == "1-0"


def test_a_phone_confirms_what_a_board_has_ruled(house: DirectorHouse) -> None:
    house.tournament(count=2)
    house.publish()
    house.hall.set_plan(NAME, BoardAssignment("tamsk", boards={1: "t01"}))
    board = house.board("t01")
    house.hall.send_round(NAME, "Dora")
    house.run()
    board.end("red")
    house.run()
    pairing = house.hall.book(NAME).tournament().round(1).at(1)
    (told,) = house.hall.proposals(NAME, 1)
    assert told.result is not None
    ruled = format_result(told.result)
    mine = {"1-0": "1-0", "0-1": "0-1"}[ruled]
    board.confirm("red")
    house.run()
    assert entered(house) == ""
    loser = pairing.second if ruled == "1-0" else pairing.first
    say(house, loser, "0-1")
    assert entered(house) == mine
    assert house.hall.book(NAME).read()[-1].who == "board t01, confirmed by both"


def test_a_phone_that_contradicts_the_board_leaves_it_to_the_director(house: DirectorHouse) -> None:
    house.tournament(count=2)
    house.publish()
    house.hall.set_plan(NAME, BoardAssignment("tamsk", boards={1: "t01"}, accept=Accept.CONFIRMED))
    board = house.board("t01")
    house.hall.send_round(NAME, "Dora")
    house.run()
    pairing = house.hall.book(NAME).tournament().round(1).at(1)
    say(house, pairing.first, "½-½")
    board.end("red")
    house.run()
    board.confirm("red")
    board.confirm("black")
    house.run()
    assert house.hall.proposals(NAME, 1)[0].standing is PairingState.DISPUTED
    assert entered(house) == ""


def test_of_two_games_each_is_chosen(house: DirectorHouse) -> None:
    house.tournament(count=2, games=2, system=System.SWISS)
    house.publish()
    pairing = house.hall.book(NAME).tournament().round(1).at(1)
    page = house.anybody().get(f"/my/{code(house, pairing.first)}").text
    assert page.count('name="result"') == 9
    say(house, pairing.first, "1-0 ½-½")
    say(house, pairing.second, "0-1 ½-½")
    assert entered(house) == "1-0 ½-½"


def test_codes_end_some_days_after_the_event_and_say_so_in_one_sentence(
    house: DirectorHouse, pairing: Pairing, dora: Person
) -> None:
    desk = f"/tournaments/{NAME}/desk"
    mine = f"/my/{code(house, pairing.first)}"
    assert dora.send(f"{desk}/codes-day", day="2026-11-22").status_code == 303
    assert "Good until 2026-11-22." in dora.get(f"/tournaments/{NAME}/print/codes").text
    house.later = timedelta(days=2)
    assert house.anybody().get(mine).status_code == 200
    house.later = timedelta(days=3)
    gone = house.anybody().get(mine)
    assert gone.status_code == 410
    assert "This code was good until 2026-11-22: ask the arbiter if you need another one." in gone.text
    assert gone.headers["cache-control"] == "no-store"
    assert '<form method="get" action="/my"' in gone.text
    assert house.anybody().get(mine, accept="application/json").json()["error"].startswith("This code was good until")
    assert say(house, pairing.first, "1-0").status_code == 410
    assert house.hall.proposals(NAME, 1)[0].said == ()
    assert dora.send(f"{desk}/codes-day", day="").status_code == 303
    assert house.anybody().get(mine).status_code == 200


def test_a_day_that_is_none_is_said_on_the_desk(house: DirectorHouse, dora: Person) -> None:
    house.tournament()
    answer = dora.send(f"/tournaments/{NAME}/desk/codes-day", day="soon")
    assert answer.status_code == 422
    assert "Enter a day, such as 2026-11-30." in answer.text
    assert 'value="soon"' in answer.text
    assert house.anybody().send(f"/tournaments/{NAME}/desk/codes-day", day="2026-11-22").status_code == 401
    assert house.hall.codes_last_day(NAME) == date(2026, 11, 20) + QUIET


def test_new_codes_forget_the_day_that_was_chosen_for_the_old_ones(
    house: DirectorHouse, pairing: Pairing, dora: Person
) -> None:
    dora.send(f"/tournaments/{NAME}/desk/codes-day", day="2026-11-19")
    assert house.anybody().get(f"/my/{code(house, pairing.first)}").status_code == 410
    dora.send(f"/tournaments/{NAME}/codes/again")
    assert house.anybody().get(f"/my/{code(house, pairing.first)}").status_code == 200
