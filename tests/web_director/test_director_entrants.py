"""Who takes part: by hand, from a file, late, out, back, with a bye, kept apart."""

import pytest

from gnomon.tournament.formats.trf import TrfEdition, write_trf
from gnomon.tournament.state.settings import Bye, System
from tests.web_director.houses import DirectorHouse, Person

PAGE = "/tournaments/open/entrants"


def test_somebody_is_entered_put_right_withdrawn_and_lets_play_again(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=0)
    assert dora.send(f"{PAGE}/add", name="  Ada   Lovelace ", rating="1850", team="London").status_code == 303
    assert dora.send(f"{PAGE}/add", name="Ben", number="7").status_code == 303
    book = house.hall.book("open")
    assert [(one.number, one.name, one.rating) for one in book.tournament().entrants.values()] == [
        (1, "Ada Lovelace", 1850),
        (7, "Ben", None),
    ]
    dora.send(f"{PAGE}/1/correct", name="Ada King", rating="", team="", why="married")
    assert book.tournament().entrants[1].name == "Ada King"
    assert book.read()[-1].why == "married"
    dora.send(f"{PAGE}/1/withdraw", since="2")
    assert book.tournament().withdrawn == {1: 2}
    assert "out from round 2 on" in dora.page(f"{PAGE}/1")
    dora.send(f"{PAGE}/1/return")
    assert book.tournament().withdrawn == {}
    dora.send(f"{PAGE}/7/bye", round="2", worth="half")
    assert book.tournament().byes == {(7, 2): Bye.HALF}
    assert "round 2 off: half a point" in dora.page(PAGE)
    dora.send(f"{PAGE}/7/bye", round="2", worth="none")
    assert book.tournament().byes == {}
    dora.send(f"{PAGE}/apart", one="1", other="7", why="sisters")
    assert "1 Ada King – 7 Ben" in dora.page(PAGE)
    dora.send(f"{PAGE}/allow", one="1", other="7")
    assert book.tournament().prohibited == frozenset()
    assert dora.get(f"{PAGE}/99").status_code == 404


@pytest.mark.parametrize(
    ("action", "sent", "said"),
    [
        ("add", {"name": ""}, "A name is missing"),
        ("add", {"name": "Eve", "rating": "strong"}, "Enter a number"),
        ("add", {"name": "Eve", "rating": "99999"}, "Enter a number"),
        ("add", {"name": "Eve", "number": "1"}, "is taken"),
        ("apart", {"one": "1", "other": "1"}, "cannot be kept apart from themselves"),
        ("allow", {"one": "1", "other": "2"}, "not kept apart"),
        ("1/withdraw", {"since": "9"}, "name a round from 1 to 3"),
        ("1/return", {}, "has not withdrawn"),
        ("1/bye", {"round": "1", "worth": "none"}, "has no bye"),
        ("confirm", {"upload": "unknown"}, "no longer kept"),
    ],
)
def test_what_cannot_be_is_told_in_one_sentence(
    house: DirectorHouse, dora: Person, action: str, sent: dict[str, str], said: str
) -> None:
    house.tournament()
    answer = dora.send(f"{PAGE}/{action}", **sent)
    assert answer.status_code in {409, 422}
    assert answer.text.count('role="alert"') == 1
    assert said in answer.text


def test_two_directors_who_change_one_entrant_do_not_undo_each_other(house: DirectorHouse, dora: Person) -> None:
    house.tournament()
    seen = str(len(house.hall.book("open").read()))
    dora.send(f"{PAGE}/1/correct", name="Ada K.", seen=seen)
    dora.send(f"{PAGE}/2/correct", name="Ben M.", seen=seen)  # somebody else: no clash
    answer = dora.send(f"{PAGE}/1/correct", name="A. Lovelace", seen=seen)
    assert answer.status_code == 409
    assert "Dora got there first" in answer.text
    assert "1 Ada K." in answer.text
    assert 'value="A. Lovelace"' in answer.text  # what was written is still there
    assert house.hall.book("open").tournament().entrants[1].name == "Ada K."


def test_a_table_is_looked_at_before_it_is_taken(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=2)
    table = "Name;Elo;Verein;Farbe\nZoë Żak;1900;Kiel;rot\n;1800;;\nMax;starr;;\nAda Lovelace;1700;;\n"
    answer = dora.upload(f"{PAGE}/read", "liste.csv", table.encode())
    assert answer.status_code == 200
    assert len(house.hall.book("open").tournament().entrants) == 2
    assert "2 entrants would be added" in answer.text
    assert "2 rows are wrong" in answer.text
    assert "Row 3:" in answer.text
    assert "the name is missing" in answer.text
    assert "Row 4:" in answer.text
    assert "starr cannot be the rating" in answer.text
    assert "a player of this name is already entered" in answer.text
    assert answer.text.count('name="upload"') == 1
    upload = answer.text.partition('name="upload" value="')[2].partition('"')[0]
    assert dora.send(f"{PAGE}/confirm", upload=upload).status_code == 303
    assert [one.name for one in house.hall.book("open").tournament().entrants.values()][2:] == [
        "Zoë Żak",
        "Ada Lovelace",
    ]
    assert house.hall.book("open").read()[-1].why == "liste.csv"
    assert "no longer kept" in dora.send(f"{PAGE}/confirm", upload=upload).text


def test_a_list_that_was_mended_adds_only_who_was_missing(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=0)
    dora.send(f"{PAGE}/add", name="Ada")
    answer = dora.upload(f"{PAGE}/read", "a.csv", b"name,title\nADA,\nEve,FM\nMax,\n")
    assert "Add only the 2 new players" in answer.text
    upload = answer.text.partition('name="upload" value="')[2].partition('"')[0]
    assert dora.send(f"{PAGE}/confirm", upload=upload, only="new").status_code == 303
    entered = house.hall.book("open").tournament()
    assert [one.name for one in entered.entrants.values()] == ["Ada", "Eve", "Max"]
    assert [entered.person(number).title for number in entered.entrants] == ["", "FM", ""]


def test_who_was_entered_is_told_and_who_has_the_same_name(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=0)
    answer = dora.send(f"{PAGE}/add", name="Ada")
    assert answer.headers["location"] == f"{PAGE}?entered=1#add-name"
    text = dora.page(f"{PAGE}?entered=1")
    assert "1 Ada has entered." in text
    assert "the same name" not in text
    dora.send(f"{PAGE}/add", name="ADA")
    assert "Number 1 has the same name." in dora.page(f"{PAGE}?entered=2")
    for nobody in ("9", "x", ""):
        assert "has entered." not in dora.page(f"{PAGE}?entered={nobody}")


def test_a_list_is_taken_though_somebody_has_entered_since_it_was_looked_at(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=2)
    answer = dora.upload(f"{PAGE}/read", "a.csv", b"name,number\nEve,3\nMax,\n")
    upload = answer.text.partition('name="upload" value="')[2].partition('"')[0]
    dora.send(f"{PAGE}/add", name="Quick")
    assert dora.send(f"{PAGE}/confirm", upload=upload).status_code == 303
    names = {number: one.name for number, one in house.hall.book("open").tournament().entrants.items()}
    assert (names[3], names[4], names[5]) == ("Quick", "Eve", "Max")


def test_a_right_table_tells_what_it_does_not_read(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=0)
    answer = dora.upload(f"{PAGE}/read", "a.csv", b"name,shoe size\nEve,38\n")
    assert "Columns not used: shoe size." in answer.text
    assert "1 entrant would be added" in answer.text


def test_the_players_of_a_report_file_enter_late_with_new_numbers(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=4)
    text = write_trf(house.hall.book("open").tournament(), TrfEdition.TRF16).text
    house.publish()
    house.play()
    answer = dora.upload(f"{PAGE}/read", "more.trf", text.encode())
    upload = answer.text.partition('name="upload" value="')[2].partition('"')[0]
    assert "from round 2" in answer.text
    assert dora.send(f"{PAGE}/confirm", upload=upload).status_code == 303
    entrants = house.hall.book("open").tournament().entrants
    assert sorted(entrants) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert entrants[8].since == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the table is empty"),
        (b"colour;size\nred;5\n", "none of the headings"),
        (b"name\n", "headings but no entrant"),
        (b"PK\3\4\0\0", "this is not a text"),
    ],
)
def test_a_file_that_is_no_list_is_refused(house: DirectorHouse, dora: Person, content: bytes, said: str) -> None:
    house.tournament(count=0)
    answer = dora.upload(f"{PAGE}/read", "file.csv", content)
    assert answer.status_code == 409
    assert said in answer.text


def test_a_file_has_room_and_no_more_than_that(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=0)
    row = b"A rather long name of somebody who plays,1500\n"
    fits = b"name,rating\n" + b"".join(row.replace(b"1500", b"%d" % (1000 + at)) for at in range(2500))
    assert len(fits) > 100_000
    assert "2500 entrants would be added" in dora.upload(f"{PAGE}/read", "many.csv", fits).text
    assert dora.upload(f"{PAGE}/read", "huge.csv", b"name\n" + b"x" * 2_200_000).status_code == 413
    assert dora.send(f"{PAGE}/add", name="x" * 70_000).status_code == 413


def test_entrants_are_found_by_name_number_and_team(house: DirectorHouse, dora: Person) -> None:
    house.tournament()
    assert "Grace Hopper" in dora.page(f"{PAGE}?find=hop")
    assert "Ada" not in dora.page(f"{PAGE}?find=hop")
    assert "No player found" in dora.page(f"{PAGE}?find=xyz")


def test_a_full_table_takes_nobody_late(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=4, system=System.ROUND_ROBIN)
    house.publish()
    assert "is full at its start" in dora.send(f"{PAGE}/add", name="Eve").text


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Eve Adams\n\n Max Mustermann \r\n", ["Eve Adams", "Max Mustermann"]),
        ("1. Eve Adams\n2) Max\n", ["Eve Adams", "Max"]),
        ("Lovelace, Ada\nHopper, Grace\n", ["Lovelace, Ada", "Hopper, Grace"]),
        ('Eve "the Rook" Adams\n', ['Eve "the Rook" Adams']),
        ("Name\tElo\nEve\t1800\nMax\t\n", ["Eve", "Max"]),
        ("name,rating\nEve,1800\n", ["Eve"]),
        ("Name\nEve\n", ["Eve"]),
    ],
)
def test_a_list_of_names_may_be_pasted(house: DirectorHouse, dora: Person, text: str, names: list[str]) -> None:
    house.tournament(count=0)
    answer = dora.send(f"{PAGE}/read", text=text)
    assert answer.status_code == 200
    upload = answer.text.partition('name="upload" value="')[2].partition('"')[0]
    assert dora.send(f"{PAGE}/confirm", upload=upload).status_code == 303
    assert [one.name for one in house.hall.book("open").tournament().entrants.values()] == names


def test_a_pasted_name_may_have_a_rating_behind_it(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=0)
    text = "1. Ada Lovelace 1850\nBen: 790\nCleo:4d\nHAL 9000\nLouis 14\nDan"
    answer = dora.send(f"{PAGE}/read", text=text)
    upload = answer.text.partition('name="upload" value="')[2].partition('"')[0]
    assert dora.send(f"{PAGE}/confirm", upload=upload).status_code == 303
    entered = [(one.name, one.rating) for one in house.hall.book("open").tournament().entrants.values()]
    assert entered[:2] == [("Ada Lovelace", 1850), ("Ben", 790)]
    assert (entered[2][0], entered[2][1] is not None) == ("Cleo", True)
    assert entered[3:] == [("HAL 9000", None), ("Louis 14", None), ("Dan", None)]


def test_a_file_may_be_a_list_of_names(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=0)
    answer = dora.upload(f"{PAGE}/read", "names.txt", "Eve Adams\n\n???\nZoë Müßig 1710\n".encode())
    assert "2 entrants would be added" in answer.text
    assert "row 3" in answer.text.casefold()
    upload = answer.text.partition('name="upload" value="')[2].partition('"')[0]
    assert dora.send(f"{PAGE}/confirm", upload=upload).status_code == 303
    entered = [(one.name, one.rating) for one in house.hall.book("open").tournament().entrants.values()]
    assert entered == [("Eve Adams", None), ("Zoë Müßig", 1710)]


def test_a_file_goes_before_what_was_pasted_and_nothing_is_no_list(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=0)
    answer = dora.upload(f"{PAGE}/read", "a.csv", b"name\nEve\n", text="Max")
    assert "Eve" in answer.text
    assert "Max" not in answer.text.partition("import-file")[0]
    pasted = dora.upload(f"{PAGE}/read", "", b"", text="Max")
    assert pasted.status_code == 200
    assert "Max" in pasted.text
    assert dora.send(f"{PAGE}/read", text=" \n").status_code == 422
