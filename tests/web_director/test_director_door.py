"""The pages of the door, the till and the prizes."""

import re

from gnomon.tournament.events import PersonTold
from gnomon.tournament.state.particulars import PersonalData
from gnomon.tournament.state.payments import Payment
from tests.web_director import houses
from tests.web_director.houses import DirectorHouse

OPEN = "/tournaments/open"


def test_arbiters_check_in_who_comes_through_the_door(house: DirectorHouse, anna: houses.Person) -> None:
    house.tournament(check_in=True)
    assert "9 entrants are missing" in anna.page(f"{OPEN}/door")
    assert anna.send(f"{OPEN}/door/check-in", number="3").status_code == 303
    assert house.hall.book("open").tournament().checked_in == {3: 1}
    assert "8 entrants are missing" in anna.page(f"{OPEN}/door")
    assert anna.send(f"{OPEN}/door/check-out", number="3").status_code == 303
    assert house.hall.book("open").tournament().checked_in == {}
    again = anna.send(f"{OPEN}/door/check-out", number="3")
    assert (again.status_code, "is not checked in" in again.text) == (409, True)


def test_only_those_who_are_there_are_paired(house: DirectorHouse, dora: houses.Person) -> None:
    house.tournament(check_in=True)
    for number in ("1", "2", "3", "4"):
        dora.send(f"{OPEN}/door/check-in", number=number)
    assert {one for pairing in house.publish().rounds[0].pairings for one in pairing.entrants} == {1, 2, 3, 4}
    assert dora.send(f"{OPEN}/door/check-in", number="5").status_code == 303
    assert house.hall.book("open").tournament().checked_in[5] == 2


def test_somebody_is_found_by_a_part_of_their_name(house: DirectorHouse, anna: houses.Person) -> None:
    house.tournament()
    assert len(re.findall(r'<tr id="n', anna.page(f"{OPEN}/door?find=ada"))) == 1


def test_the_till_is_for_directors_alone(house: DirectorHouse, dora: houses.Person, anna: houses.Person) -> None:
    house.tournament()
    assert dora.send(f"{OPEN}/door/payment", number="1", owed="15", paid="7,50", note="member").status_code == 303
    assert house.hall.book("open").tournament().payments == {1: Payment(1500, 750, "member")}
    assert "Owed 15, paid 7.50, still due 7.50." in dora.page(f"{OPEN}/door")
    assert "7.50" not in anna.page(f"{OPEN}/door")
    assert "member" not in anna.page(f"{OPEN}/door")
    assert anna.send(f"{OPEN}/door/payment", number="1", owed="0").status_code == 403
    assert dora.send(f"{OPEN}/door/payment", number="1", owed="much").status_code == 409
    for path in ("", "/standings", "/players/1", "/print/entrants", "/files/entrants.csv", "/wall"):
        assert "7.50" not in house.anybody().page(f"{OPEN}{path}")


def test_a_director_announces_prizes_and_sees_who_gets_what(house: DirectorHouse, dora: houses.Person) -> None:
    house.tournament()
    book = house.hall.book("open")
    book.append(PersonTold(2, PersonalData(sex="w")), "Dora", after=len(book.read()))
    house.publish()
    house.play()
    page = f"{OPEN}/prizes"
    sent = dora.send(
        f"{page}/announce", prizes="1: 300\nWomen = sex w\nWomen 1: 50 book", sharing="split", one_each="yes"
    )
    assert sent.status_code == 303
    said = dora.page(page)
    assert "Women = sex w" in said
    awards = said.partition('id="awards"')[2].partition("</section>")[0]
    assert "Women 1" in awards
    assert "book" in awards
    wrong = dora.send(f"{page}/announce", prizes="much money")
    assert (wrong.status_code, "Line 1 names no prize" in wrong.text, "much money" in wrong.text) == (409, True, True)
    assert house.anybody().get(page).status_code in {303, 401, 403}
