"""Every refusal and every notice of a tournament is told in the language of the person who asks."""

import json

import pytest

from tests.web_director.houses import DirectorHouse, Person

OPEN = "/tournaments/open"
TOLD = {
    "en": "1 Player 1 cannot be kept apart from themselves: name two entrants.",
    "de": "1 Player 1 trifft nie auf sich selbst: bitte zwei Teilnehmer nennen.",
    "fr": "On ne se rencontre jamais soi-même (1 Player 1)\xa0: nommez deux participants.",
}
MISTAKES = {
    "de": "Spalte rating: 18OO ist keine Wertungszahl: bitte eine Zahl von 1 bis 9999 schreiben, oder nichts.",
    "fr": "Colonne rating\xa0: 18OO n’est pas un Elo\xa0: écrivez un nombre de 1 à 9999, ou rien.",
}


@pytest.mark.parametrize("language", TOLD)
def test_a_refusal_is_told_in_the_language_of_the_page(house: DirectorHouse, dora: Person, language: str) -> None:
    house.tournament()
    name = house.hall.book("open").tournament().entrants[1].name
    page = dora.send(f"{OPEN}/entrants/apart?language={language}", one="1", other="1").text
    assert TOLD[language].replace("Player 1", name) in page
    assert 'role="alert" lang=' not in page


@pytest.mark.parametrize("language", MISTAKES)
def test_the_mistakes_of_a_list_are_told_in_the_language_of_the_page(
    house: DirectorHouse, dora: Person, language: str
) -> None:
    house.tournament()
    page = dora.upload(f"{OPEN}/entrants/read?language={language}", "list.csv", b"name,rating\nAda,18OO\n").text
    assert MISTAKES[language] in page
    assert 'lang="en"' not in page.replace('lang="en" hreflang', "")


@pytest.mark.parametrize("language", ["de", "fr"])
def test_no_page_of_a_tournament_says_anything_in_english_only(
    house: DirectorHouse, dora: Person, language: str
) -> None:
    house.tournament()
    house.publish()
    for path in ("/desk", "/entrants", "/round", "/results", "/boards", "/log"):
        page = dora.page(f"{OPEN}{path}?language={language}")
        assert 'lang="en"' not in page.replace('lang="en" hreflang', ""), path


def test_a_program_is_told_the_code_and_the_values_too(house: DirectorHouse, dora: Person) -> None:
    house.tournament()
    answer = dora.send(f"{OPEN}/entrants/apart?language=de", wants="application/json", one="1", other="99")
    assert answer.status_code == 409
    told = json.loads(answer.text)
    assert (told["code"], told["values"]["number"]) == ("none", 99)
    assert told["error"].startswith("Teilnehmer 99 gibt es nicht")
