"""What was recorded in English is told again in other languages: refusals, corrections, and what ails a machine."""

import pytest

from gnomon.refusals import Statement
from gnomon.views.retelling import health_again, refused_again
from gnomon.words import ENGLISH, LANGUAGES, words


@pytest.mark.parametrize(
    ("said", "german", "french"),
    [
        ("rule 4: a stone stands on a1", "Regel 4: Auf a1 steht ein Stein.", "Règle 4 : une pierre est en a1."),
        (
            "rules 3 and 5: an own counter stands on b1",
            "Regeln 3 und 5: Auf b1 steht ein eigener Stein.",
            "Règles 3 et 5 : un de vos propres pions est en b1.",
        ),
        (
            "rule 4: the stones on a1 and b1 are both white",
            "Regel 4: Die Steine auf a1 und b1 sind beide weiß.",
            "Règle 4 : les pierres en a1 et b1 sont toutes deux blanches.",
        ),
        (
            "rule 4: the outflow of h9 to the north meets a blank side of h10",
            "Regel 4: Der Ausfluss von h9 nach Norden trifft auf eine leere Seite von h10.",
            "Règle 4 : la sortie nord de h9 rencontre un côté fermé de h10.",
        ),
        (
            "rule 2: with draw=backs one picks ring or plain, not left",
            "Regel 2: Nach Rückseiten (draw=backs) wählt man Ring oder leer, nicht links.",
            "Règle 2 : d’après les dos (draw=backs), on choisit anneau ou uni, pas gauche.",
        ),
        (
            "rule 3: no counter of p1 stands on d1",
            "Regel 3: Auf d1 steht kein Stein von Spieler 1.",
            "Règle 3 : aucun pion de Joueur 1 n’est en d1.",
        ),
        (
            "four play on board=double only, not on board=tau",
            "Zu viert spielt man nur auf board=double, nicht auf board=tau.",
            "À quatre, on joue seulement sur board=double, pas sur board=tau.",
        ),
        (
            "the game is paused; resume it first",
            "Die Partie ist angehalten; zuerst fortsetzen.",
            "La partie est en pause ; reprenez-la d’abord.",
        ),
        ("There is no game yet.", "Es gibt noch keine Partie.", "Il n’y a pas encore de partie."),
        ("what nobody knows", "What nobody knows.", "What nobody knows."),
    ],
)
def test_a_refusal_is_told_again(said: str, german: str, french: str) -> None:
    assert [refused_again(said, words(language)) for language in ("de", "fr")] == [german, french]


def test_a_refusal_in_english_stays_as_it_is() -> None:
    assert refused_again("rule 4: a stone stands on a1", ENGLISH) == "Rule 4: a stone stands on a1."
    assert refused_again("Rules 4 and 5: D2 is full.", ENGLISH) == "Rules 4 and 5: D2 is full."
    assert refused_again("what was that?", ENGLISH) == "What was that?"


@pytest.mark.parametrize(
    "said",
    [
        "The display does not answer: [Errno 121] Remote I/O error",
        "The lights do not answer: it is broken",
        "The sensors read only zeros: look at the power, the data and the clock of the chain.",
        "The sensors came out of step by 2 bits, too late: shorten the wires or lower clock_hz.",
        "Too much light falls on D4.ring1 and 3 more: shade the board.",
        "Too busy: 12 of 1000 scans came late.",
        "The date is wrong; the game's time does not need it.",
        "The board is not being scanned.",
        "The buttons are not heard any more.",
        "Nothing can be accepted: the journal /var/lib/gnomon/journal.db cannot be used: the disk is full.",
        "The reader /dev/input/event0 was pulled out.",
        "The code 'x' is on no tile: give it a kind in [reader.codes].",
        ("Expander 0x21 on I2C bus 1 does not answer: look at its power, its address pins and its wires."),
    ],
)
def test_what_often_ails_a_machine_is_told_again(said: str) -> None:
    told = [health_again(Statement.plain(said), words(language)) for language in LANGUAGES]
    assert told[0] == said
    assert len(set(told)) == len(told)


def test_a_refusal_within_what_ails_the_reader_is_told_again_too() -> None:
    said = "The code '012' was read for nothing: a tile must be drawn now."
    assert health_again(Statement.plain(said), words("de")) == (
        "Der Code '012' wurde ohne Wirkung gelesen: jetzt muss ein Plättchen gezogen werden."
    )
    full = "Nothing can be accepted: the journal a.db cannot be used: the disk is full (database or disk is full)."
    assert health_again(Statement.plain(full), words("de")) == (
        "Nichts kann angenommen werden: das Journal a.db ist nicht zu gebrauchen: "
        "der Datenträger ist voll (database or disk is full)."
    )
    assert health_again(Statement.plain("Its maker's own words."), words("fr")) == "Its maker's own words."
