"""Games of people in journals, bundles and folders: who has won where sides change, and whose names are hidden."""

import fcntl
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from gnomon.people.games import FinishedGame
from gnomon.people.profiles import People
from gnomon.people.register import Register, RegisterError
from gnomon.records.bundles import CHAIN, bundle
from gnomon.records.files import stored_game, stored_games
from gnomon.records.formats.traces import read_trace
from gnomon.records.imports import import_trace
from gnomon.records.journal.entries import Entry, EntryKind, GameStart, Record, StoredGame
from gnomon.records.journal.hidden_names import MaskedArchive, hide_in_game, hide_in_records
from gnomon.records.journal.people_file import NAME, PeopleFile
from gnomon.records.journal.store import JournalError
from gnomon.records.journal.writer import Journal
from gnomon.records.people.export import export_value
from gnomon.records.people.sources import games_in, sources_at
from gnomon.referee.events import ResultDeclared
from gnomon.refusals import statement
from gnomon.rules.protocol import ABANDONED
from gnomon.timekeeping.instants import Instant
from tests.web.spectators import SHEETS, fill

TABIK: Final = SHEETS[0]
WITH_PIE: Final = (
    "Sheet: 1\nGame: tabik\nSettings: size=4 pie=yes\nPlayer black: Ada\nPlayer white: Bo\nResult: white resigned\n\n"
    "1. black a1b1 3\n2. white pie 7.5\n"
)
TAU: Final = (
    "Sheet: 1\nGame: tau\nPlayer p1: Ada\nPlayer p2: Bo\nResult: low resigned\n\n"
    "1. p1 bid:0 1\n2. p2 bid:11 2\n3. p1 pass 3\n4. high cf 4\n"
)
TEAMS: Final = (
    "Sheet: 1\nGame: twenty-squares\nSettings: players=4 board=double\nPlayer p1: Ada\nPlayer p2: Bo\nPlayer p3: Cleo\n"
    "Player p4: Dov\nResult: p4 resigned\n\n1. nature throw:1 1\n"
)
THREE: Final = (
    "Sheet: 1\nGame: tayu\nSettings: players=3\nPlayer p1: Ada\nPlayer p2: Bo\nPlayer p3: Cleo\nResult: p2 resigned\n\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def finished(folder: Path, *sheets: str) -> list[FinishedGame]:
    with Journal.open(folder / "club.journal") as journal:
        fill(journal, sheets)
    return list(games_in(sources_at(folder)))


def winners(game: FinishedGame) -> list[str]:
    assert game.winner is not None
    return [game.names[seat] for seat in game.sides[game.winner]]


def write_bundle(folder: Path, number: int) -> Path:
    path = folder / f"game-{number}.jsonl"
    path.write_text("".join(bundle(*stored_game(folder / "club.journal", number)).lines()), "utf-8")
    return path


@pytest.mark.parametrize(
    ("sheet", "won"),
    [
        (TABIK, ["Ada"]),
        (WITH_PIE, ["Ada"]),  # the person who began as black has become white
        (WITH_PIE.replace("2. white pie 7.5", "2. white c1c2 7.5"), ["Bo"]),
        (TAU, ["Ada"]),  # p2 named the higher number, and became HIGH
        (TAU.replace("low resigned", "high resigned"), ["Bo"]),
        (TEAMS, ["Bo", "Dov"]),
        (THREE, ["Bo"]),
    ],
)
def test_the_winner_is_who_sat_there_in_a_journal_and_in_a_bundle(folder: Path, sheet: str, won: list[str]) -> None:
    [game] = finished(folder, sheet)
    assert winners(game) == won
    path = write_bundle(folder, 1)
    [of_bundle] = games_in(sources_at(path))
    assert winners(of_bundle) == won
    assert replace(of_bundle, source=game.source) == game


def test_a_draw_has_no_winner(folder: Path) -> None:
    [game] = finished(folder, TABIK.replace("black resigned", "draw agreed"))
    assert game.winner is None
    [of_bundle] = games_in(sources_at(write_bundle(folder, 1)))
    assert of_bundle.winner is None


def test_only_games_with_a_result_and_a_name_count(folder: Path) -> None:
    nobody = TABIK.replace("Player black: Ada\nPlayer white: Bo\n", "")
    with Journal.open(folder / "club.journal") as journal:
        fill(journal, (TABIK.replace("Result: black resigned\n", ""), nobody, TABIK))
        trace = "".join(bundle(journal.games()[0], journal.read(1)).lines())
        import_trace(read_trace(_abandoned(trace)), journal)
        while journal.queued:
            journal.wait_durable(journal.durable_seq + 1, 0.01)
    assert [game.number for game in games_in(sources_at(folder))] == [3]
    for number in (1, 2, 4):
        assert list(games_in(sources_at(write_bundle(folder, number)))) == []


def _abandoned(trace: str) -> Iterator[bytes]:
    *lines, last = trace.splitlines()
    end = json.loads(last)
    yield from (line.encode() for line in lines)
    event = ResultDeclared(Instant(end["at_us"]), None, ABANDONED, "the arbiter")
    yield json.dumps(
        {
            "at_us": event.at,
            "event": "result_declared",
            "winner": None,
            "reason": ABANDONED,
            "who": event.who,
            "why": "",
        }
    ).encode()
    yield last.encode()


def test_a_bundle_beside_its_journal_is_no_second_game(folder: Path) -> None:
    finished(folder, TABIK)
    journal = folder / "club.journal"
    stored, records = stored_game(journal)
    known = replace(stored, start=replace(stored.start, boot="b7"))
    with Journal.open(folder / "known.journal") as other:
        number = other.begin(known.start)
        *before, last = (replace(record.entry, game=number, cause=None) for record in records)
        for entry in before:
            other.append(entry)
        assert other.wait_durable(other.end(last), 60)
    journal.unlink()
    path = folder / "game.jsonl"
    path.write_text("".join(bundle(*stored_game(folder / "known.journal")).lines()), "utf-8")
    games = list(games_in(sources_at(folder)))
    assert len(games) == 2
    people = People(games, Register(), "2026-11")
    assert [one.results.games for one in people.everybody()] == [1, 1]


def test_a_path_that_leads_to_no_games_is_refused(folder: Path) -> None:
    (folder / "bad.jsonl").write_text("{}\n", "utf-8")
    (folder / "empty.txt").write_bytes(b"SQLite format 3\x00")
    for path in ("bad.jsonl", "none.journal"):
        with pytest.raises(JournalError):
            sources_at(folder / path)
    with pytest.raises(JournalError):
        list(games_in(sources_at(folder / "empty.txt")))
    (folder / "worse.jsonl").write_text('{"trace": 1, "board": "table", "game": "no-game", "settings": {}}\n', "utf-8")
    with pytest.raises(JournalError):
        list(games_in(sources_at(folder / "worse.jsonl")))


def test_a_game_whose_rules_are_not_here_is_left_out(folder: Path) -> None:
    finished(folder, TABIK)
    [source] = sources_at(folder / "club.journal")
    assert len(list(source.finished_games())) == 1
    with Journal.open(folder / "other.journal") as journal:
        start = stored_games(folder / "club.journal")[0].start
        journal.begin(replace(start, game="no-game"))
        journal.wait_durable(journal.end(_over(1)), 60)
    assert list(games_in(sources_at(folder / "other.journal"))) == []


def test_under_the_bare_clock_results_count_and_nobody_knows_the_game(folder: Path) -> None:
    with Journal.open(folder / "clock.journal") as journal:
        journal.begin(
            GameStart(
                "table",
                {"clock": "5+3"},
                "silent",
                Instant(0),
                "b",
                "2026-11-20T10:00",
                "1",
                "clock",
                {"left": "Ada", "right": "Bo"},
            )
        )
        journal.wait_durable(journal.end(_over(1, "right")), 60)
    [game] = games_in(sources_at(folder))
    assert (winners(game), game.has_rules) == (["Bo"], False)
    people = People([game], Register(), "2026-11")
    assert (people.profile("bo").by_game["clock"].won, people.profile("bo").ratings) == (1, {})


def _over(game: int, winner: str = "black") -> Entry:
    body = {"at_us": 1, "ruling": "over", "winner": winner, "reason": "resigned", "score": {}}
    return Entry(game, EntryKind.RULING, Instant(1), body, "b", "w")


# The file of decisions


def test_decisions_are_kept_in_a_file_that_nobody_else_reads(folder: Path) -> None:
    here, there = PeopleFile(folder / NAME), PeopleFile.beside(folder / "club.journal")
    assert here.register() == there.register() == Register()
    here.change(lambda register: register.publish("Ada"))
    assert there.register().is_public("ada")
    assert there.register() is there.register()
    assert (folder / NAME).stat().st_mode & 0o777 == 0o600
    salt = there.register().salt
    there.change(lambda register: register.forget("Bo"))
    assert here.register().mask("Bo") == "N. N. 1"
    assert here.register().salt == salt != ""
    (folder / NAME).unlink()
    assert here.register() == Register()


@pytest.mark.parametrize(("user", "given"), [(0, 3), (1000, 0)])
def test_root_decides_for_the_owner_of_the_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, user: int, given: int
) -> None:
    owners: list[tuple[int, int]] = []
    monkeypatch.setattr("os.geteuid", lambda: user)
    monkeypatch.setattr("os.fchown", lambda _file, *owner: owners.append(owner))
    PeopleFile(folder / NAME).change(lambda register: register.publish("Ada"))
    here = folder.stat()
    assert owners == [(here.st_uid, here.st_gid)] * given


def test_a_decision_that_is_refused_changes_nothing(folder: Path) -> None:
    file = PeopleFile.beside(folder)
    with pytest.raises(RegisterError):
        file.change(lambda register: register.part("Ada"))
    assert not (folder / NAME).exists()


def test_a_file_that_cannot_be_read_or_written_is_said_so(folder: Path) -> None:
    file = PeopleFile(folder / NAME)
    for text in ("no json", "{}", "[" * 100_000):
        (folder / NAME).write_text(text, "utf-8")
        with pytest.raises(RegisterError):
            file.register()
    with pytest.raises(RegisterError):
        PeopleFile(folder / "none" / NAME).change(lambda register: register)
    with pytest.raises(RegisterError):
        PeopleFile(folder / NAME / "below").register()
    nowhere = PeopleFile(None)
    assert (nowhere.register(), nowhere.can_change) == (Register(), False)
    with pytest.raises(RegisterError):
        nowhere.change(lambda register: register)


# Hidden names


def test_bundles_that_are_made_after_somebody_was_forgotten_have_no_name_and_no_chain(folder: Path) -> None:
    finished(folder, TABIK, TABIK.replace("Bo", "Cleo"))
    path = folder / "club.journal"
    assert CHAIN in bundle(*stored_game(path, 1)).header.extras
    PeopleFile.beside(path).change(lambda register: register.forget("Bo"))
    hidden, whole = (bundle(*stored_game(path, number)) for number in (1, 2))
    assert CHAIN not in hidden.header.extras
    assert CHAIN in whole.header.extras
    assert '"Bo"' not in "".join(hidden.lines())
    assert '"N. N. 1"' in "".join(hidden.lines())
    with Journal.open(path) as journal:
        assert journal.games()[0].start.players["white"] == "Bo"
        masked = MaskedArchive(journal, PeopleFile.beside(path))
        assert [one.start.players["white"] for one in masked.games()] == ["N. N. 1", "Cleo"]
        last = masked.last_game()
        assert last is not None
        assert last.start.players["white"] == "Cleo"
        assert masked.endings() == journal.endings()
        assert masked.cut_off() == journal.cut_off()
        assert not any(record.link for record in masked.read(1))
        assert masked.read(99) == []
    with Journal.open(folder / "new.journal") as empty:
        assert MaskedArchive(empty, PeopleFile.beside(path)).last_game() is None


def test_who_entered_a_turn_is_hidden_too() -> None:
    def entered(who: object) -> Record:
        return Record(
            1, Entry(1, EntryKind.EVENT, Instant(0), {"event": "turn_entered", "who": who}, "b", "w"), b"link"
        )

    register = Register(salt="salt").forget("Bo")
    stored = replace_names({})
    [hidden] = hide_in_records(stored, [entered("bo")], register)
    assert (hidden.entry.body["who"], hidden.link) == ("N. N. 1", b"")
    for who in ("Ada", 7):
        records = [entered(who)]
        assert hide_in_records(stored, records, register) is records


def test_who_plays_at_the_other_board_is_hidden_too() -> None:
    def record(event: str) -> Record:
        body = {"event": event, "player": "white", "name": "Bo", "who": "the other board"}
        return Record(1, Entry(1, EntryKind.EVENT, Instant(0), body, "b", "w"), b"link")

    register = Register(salt="salt").forget("Bo")
    [hidden] = hide_in_records(replace_names({}), [record("player_named")], register)
    assert hidden.entry.body["name"] == "N. N. 1"
    others = [record("input")]
    assert hide_in_records(replace_names({}), others, register) is others
    game = replace(replace_names({"black": "Ada"}), guests={"white": "Bo"})
    assert dict(hide_in_game(game, register).players) == {"black": "Ada", "white": "N. N. 1"}


def replace_names(names: dict[str, str]) -> StoredGame:
    start = GameStart("table", {}, "silent", Instant(0), "b", "w", "1", "tabik", names)
    return StoredGame(1, start, None)


def test_everything_that_is_kept_is_exported_without_those_who_are_forgotten(folder: Path) -> None:
    unfinished = TABIK.replace("Result: black resigned\n", "")
    finished(folder, TABIK, unfinished, TABIK.replace("Ada", "Cleo"))
    write_bundle(folder, 1)
    register = Register(salt="salt").join("Bo", "Robert").forget("Ada")
    people = People(games_in(sources_at(folder)), register, "2026-11")
    kept = [game for source in sources_at(folder) for game in source.records_of(register.key("Bo"), register)]
    assert [(Path(game.source).name, game.number) for game in kept] == [
        ("club.journal", 1),
        ("club.journal", 2),
        ("club.journal", 3),
        ("game-1.jsonl", 1),
    ]
    assert [bool(game.trace) for game in kept] == [True, True, True, False]  # that bundle names somebody forgotten
    said = json.dumps(export_value("Bo", people, kept))
    assert '"Ada"' not in said
    assert json.loads(said)["joined"] == [["Bo", "Robert"]]
    assert export_value("Ben", people, [])["results"] == {}


def test_of_many_decisions_at_once_none_is_lost(folder: Path) -> None:
    def decide(number: int) -> None:
        PeopleFile(folder / NAME).change(lambda register: register.publish(f"Person {number}"))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(decide, range(24)))
    assert len(PeopleFile(folder / NAME).register().public) == 24


def decided(folder: Path) -> tuple[Path, Register, bytes]:
    """A file with decisions of every kind, the decisions, and what was written."""
    path = folder / NAME
    kept = PeopleFile(path).change(
        lambda register: register.join("A.", "Ada").publish("Cleo").mark_engine("Deep").grant("7", "Ada").forget("Bo")
    )
    return path, kept, path.read_bytes()


def flipped(written: bytes) -> Iterator[bytes]:
    """What was written, with each of its bits flipped."""
    for place, bit in ((place, bit) for place in range(len(written)) for bit in range(8)):
        yield written[:place] + bytes([written[place] ^ 1 << bit]) + written[place + 1 :]


def damage_in_place(path: Path, written: bytes) -> Iterator[bytes]:
    """Flip each bit of a file in turn while somebody else decides: nothing is mended, and no disk is waited for."""
    with path.with_name(f"{NAME}-lock").open("ab") as lock, path.open("r+b", buffering=0) as file:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for damaged in flipped(written):
            file.seek(0)
            file.write(damaged)
            yield damaged


def asides(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"{NAME}.damaged-*"))


@pytest.mark.long
def test_no_flipped_bit_changes_what_was_decided_about_people(folder: Path) -> None:
    """A name that was forgotten would be shown again, were one bit of its hash another."""
    path, kept, written = decided(folder)
    for damaged in damage_in_place(path, written):
        assert PeopleFile(path).register() == kept, damaged
    assert asides(folder) == []
    mended = 0
    for damaged in list(flipped(written))[::101]:
        path.write_bytes(damaged)
        assert PeopleFile(path).register() == kept, damaged
        for aside in asides(folder):
            assert aside.read_bytes() == damaged
            assert path.read_bytes() == written
            aside.unlink()
            mended += 1
    assert mended > 6 * len(written) / 101


def test_without_its_copy_a_damaged_file_shows_nobody_who_is_forgotten(folder: Path) -> None:
    path, kept, written = decided(folder)
    copy = folder / f"{NAME}.copy"
    assert copy.read_bytes() == written
    copy.unlink()
    saved = refused = 0
    for _ in damage_in_place(path, written):
        try:
            found = PeopleFile(path).register()
        except RegisterError:
            refused += 1
            continue
        assert found.forgotten == kept.forgotten
        assert found.salt == kept.salt
        assert found.public <= kept.public
        assert set(found.joined) <= set(kept.joined)
        assert found.engines <= kept.engines
        assert set(found.owners) <= set(kept.owners)
        saved += found != kept
    assert saved > 100
    assert refused > 100
    assert refused + saved < 8 * len(written)


def test_one_damaged_person_hides_nobody_else(folder: Path) -> None:
    path, kept, written = decided(folder)
    (folder / f"{NAME}.copy").unlink()
    damaged = written.replace(b'"cleo"', b'"clio"')
    path.write_bytes(damaged)
    file = PeopleFile(path)
    assert file.notice() is None
    assert file.register() == replace(kept, public=frozenset())
    [aside] = asides(folder)
    assert aside.read_bytes() == damaged
    assert aside.stat().st_mode & 0o777 == 0o600
    assert file.notice() == statement("people.register_damaged", file=aside.name)
    assert PeopleFile(path).register() == file.register()  # and is whole again
    assert len(asides(folder)) == 1
    aside.unlink()
    assert file.notice() is None
    assert PeopleFile(None).notice() is None


def test_a_decision_is_made_on_what_a_damaged_file_said(folder: Path) -> None:
    path, kept, written = decided(folder)
    path.write_bytes(written[:-9])
    assert PeopleFile(path).change(lambda register: register.publish("Ada")) == kept.publish("Ada")
    assert [each.read_bytes() for each in asides(folder)] == [written[:-9]]


def test_a_copy_never_speaks_for_a_file_that_was_written_by_hand_since(folder: Path) -> None:
    path, kept, _ = decided(folder)
    by_hand = json.dumps(kept.publish("Ada").dump())
    path.write_text(by_hand, "utf-8")
    assert PeopleFile(path).register() == kept.publish("Ada")
    path.write_text(by_hand[:-3], "utf-8")
    assert PeopleFile(path).register() == kept.publish("Ada")
    # One who may not write reads all the same.
    path.write_text(by_hand.replace('"ada", "cleo"', '"ada", 7'), "utf-8")
    (folder / f"{NAME}.copy").unlink()
    for aside in asides(folder):
        aside.unlink()
    (folder / f"{NAME}-lock").unlink()
    (folder / f"{NAME}-lock").mkdir()
    assert PeopleFile(path).register() == replace(kept, public=frozenset({"ada"}))
    assert asides(folder) == []


def test_a_file_that_somebody_wrote_by_hand_needs_no_hash(folder: Path) -> None:
    (folder / NAME).write_text(json.dumps(Register(salt="x").publish("Cleo").dump()), "utf-8")
    assert PeopleFile(folder / NAME).register().is_public("cleo")
