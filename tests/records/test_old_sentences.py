"""What version 0.1.0 wrote down in English is read as what it states, whatever the words of today are."""

import json
import lzma
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Final

import pytest

from gnomon.records._old_sentences import migrate, recognise
from gnomon.records.bundles import Bundle, difference, read_bundle
from gnomon.records.formats.traces import dump_ruling, event_record, read_event
from gnomon.records.journal.event_codec import in_english
from gnomon.records.replay import film
from gnomon.referee.events import Paused
from gnomon.referee.judgement import Action, Repair
from gnomon.referee.rulings import Corrected
from gnomon.refusals import Statement, statement
from gnomon.timekeeping.instants import Instant
from gnomon.views.sentences import sentence
from gnomon.words import LANGUAGES, Words, own, register, unregister, words

TABLE: Final = json.loads((files("gnomon") / "records" / "old_sentences.json").read_text(encoding="utf-8"))
KEYS: Final = sorted({key for told in TABLE.values() for key in told.values()})
RECORDED: Final = Path(__file__).with_name("v0_1_0")
PAUSED: Final = {
    "at_us": 5,
    "event": "paused",
    "who": "gnomond",
    "why": "power was away for 3 min 20 s",
}
AWAY: Final = statement("why.power", outage="3 min 20 s")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_old_sentence_has_words_in_every_language(language: str) -> None:
    assert [key for key in KEYS if key not in own(language)] == []


@pytest.mark.parametrize(
    ("field", "said", "stated"),
    [
        ("what", "last 3 turn(s) voided, time not given back", statement("corrected.voided.kept", count=3)),
        ("what", "last 1 turn(s) voided, time given back", statement("corrected.voided.given_back.one")),
        ("what", "result declared: draw, abandoned", statement("corrected.abandoned")),
        ("what", "result declared: draw, agreed", statement("corrected.result", winner="draw", why="agreed")),
        ("what", "12.5 s given to timer15", statement("corrected.given", seconds=12.5, to="timer15")),
        ("what", "30 s taken from red on the clock", statement("corrected.taken.clock", seconds=30, of="red")),
        ("what", "claim of white upheld: flag", statement("corrected.claim.flag.upheld", player="white")),
        ("what", "note: B4 said to have run out", statement("corrected.note", note="B4 said to have run out")),
        ("what", "timer15 said to have run out", statement("corrected.stopped.timer15")),
        ("put_right", "take the tile off a1 b1", Repair(Action.TAKE_TILE, "a1 b1").statement),
        ("put_right", "turn the 15-second glass back", Repair(Action.TURN_TIMER).statement),
        ("why", "power was away for an unknown time", statement("why.power.unknown")),
        ("why", "the cat was away for 3 min", None),
    ],
)
def test_an_old_sentence_is_read_as_what_it_states(field: str, said: str, stated: Statement | None) -> None:
    assert recognise(field, said) == stated


def test_why_the_machine_stopped_a_game_is_read_as_what_it_states() -> None:
    event = read_event(PAUSED, frozenset())
    assert event == Paused(Instant(5), "gnomond", AWAY)
    assert read_event(json.loads(json.dumps(event_record(event))), frozenset()) == event


@pytest.mark.parametrize("record", [{**PAUSED, "who": "Ann"}, {**PAUSED, "event": "resumed"}])
def test_what_people_said_stands_as_they_said_it(record: dict[str, object]) -> None:
    assert migrate(record) == record


def test_a_ruling_of_a_record_is_told_in_english_to_programs() -> None:
    ruling = Corrected(Instant(0), statement("corrected.paused"), "gnomond", AWAY)
    told = in_english(json.loads(json.dumps(dump_ruling(ruling))))
    assert (told["what"], told["who"], told["why"]) == ("game paused", "gnomond", "power was away for 3 min 20 s")
    illegal = in_english({"put_right": [Repair(Action.TAKE_RING, "D2").statement.dump()]})
    assert illegal == {"put_right": ["take a ring off D2"]}


def test_a_record_of_today_is_no_old_one() -> None:
    ruling = Corrected(Instant(0), statement("corrected.note", note="game paused"), "the not-turned button", "spilt")
    assert migrate(dump_ruling(ruling)) == dump_ruling(ruling)


@pytest.fixture
def reworded(tmp_path: Path) -> Iterator[Words]:
    """German, after all that the old sentences say in English has been reworded."""
    other = {key: f"quite otherwise: {' '.join(f'{{{name}}}' for name in fields_of(key))}" for key in KEYS}
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "reworded.json").write_text(json.dumps(other), encoding="utf-8")
    register(tmp_path)
    yield words("de")
    unregister(tmp_path)


def fields_of(key: str) -> list[str]:
    return [part.partition("}")[0].partition("!")[0] for part in own("en")[key].split("{")[1:]]


def test_old_records_show_in_german_whatever_english_says_today(reworded: Words) -> None:
    assert statement("corrected.paused").message.startswith("quite otherwise")
    ruling = film(Bundle(*bundle_with(PAUSED))).last.rulings[0]
    assert isinstance(ruling, Corrected)
    assert sentence(ruling, "tamsk", reworded) == "Von Hand, gnomond: Partie angehalten (Stromausfall von 3 min 20 s)."
    assert str(ruling.why) == "quite otherwise: 3 min 20 s"


def bundle_with(event: dict[str, object]) -> Bundle:
    header = json.dumps({"trace": 1, "board": "tamsk", "settings": {}, "ruled": []})
    return read_bundle(f"{line}\n".encode() for line in (header, json.dumps(event)))


@pytest.mark.long
@pytest.mark.parametrize("path", sorted(RECORDED.glob("*.trace.xz")), ids=lambda path: path.name)
@pytest.mark.usefixtures("reworded")
def test_old_bundles_agree_whatever_english_says_today(path: Path) -> None:
    assert difference(read_bundle(lzma.decompress(path.read_bytes()).splitlines(keepends=True)).trace) is None


@pytest.mark.parametrize("number", ["9" * 5000, "1e999", "..-", "1.5.2"])
def test_what_is_no_number_was_never_written_and_stays_as_it_is(number: str) -> None:
    said = {"what": f"last {number} turn(s) voided, time given back", "who": "Ada"}
    assert migrate(said) == said
