"""What `gnomon tournament` takes in and gives out: tables, report files, engines, sheets, and who tells."""

import json
import sys
from pathlib import Path

import pytest

from gnomon.cli._tables import TextColumn, breadth, table
from gnomon.cli.tournament_commands.reports.papers import SHEETS
from gnomon.cli.tournament_commands.rounds.pairing import _Progress
from tests.cli.tournament_runs import FILE, FOUR, UNDER_WAY, Run, Told, refused
from tests.tournament.test_go import xml


def test_a_table_brings_entrants_and_says_what_it_left_out(run: Run, told: Told) -> None:
    told("new Evening")
    Path("a.csv").write_bytes("Name;Elo;Shoe size\nÅsa;1800;39\n".encode("cp1252"))
    assert told("import a.csv") == "1 entrant registered from a.csv\nleft out: the column Shoe size\n"
    assert "1 Åsa entered (1800) – imported from a.csv" in told("log")
    Path("b.csv").write_text("Name;Elo\nBen;strong\n", encoding="utf-8")
    assert refused(run, "import", "b.csv").startswith("b.csv: row 2, column Elo: strong cannot be the rating")


def test_a_list_of_names_brings_entrants(run: Run, told: Told) -> None:
    told("new Evening")
    Path("names.txt").write_text("Ada Lovelace 1850\nByron, Lord\n", encoding="utf-8")
    assert (
        told("import names.txt") == "2 entrants registered from names.txt\nno headings: each line was taken as a name\n"
    )
    assert told("export entrants").splitlines() == [
        "number,name,rating,team,since",
        "1,Ada Lovelace,1850,,1",
        '2,"Byron, Lord",,,1',
    ]
    assert refused(run, "import", "names.txt").startswith("names.txt: Ada Lovelace is entrant 1 already")


def test_a_file_that_cannot_be_taken_is_named_with_what_is_wrong(run: Run, told: Told) -> None:
    told("new Evening")
    for name, raw in (
        ("none.txt", b""),
        ("twice.txt", b"Ada\n\nBen\nada\n"),
        ("table.csv", b"name,elo\nAda,1\nAda,2\n"),
    ):
        Path(name).write_bytes(raw)
    Path("program").write_bytes(b"\x7fELF\0\0")
    assert refused(run, "import", "none.txt").startswith("none.txt: the table is empty: write a name on each line, or")
    assert refused(run, "import", "program").startswith("program: this is not a text but another program's own file")
    twice = "is named twice, in lines {} and {}: say --namesake if these are two people"
    assert refused(run, "import", "twice.txt") == "twice.txt: ada " + twice.format(1, 4)
    assert refused(run, "import", "table.csv") == "table.csv: Ada " + twice.format(2, 3)
    assert refused(run, "add", "Ada", "Ada") == "Ada is named twice: say --namesake if these are two people"
    told("add Eva")
    assert told("entrants").splitlines()[-1] == "1 entrant, 1 in round 1"
    assert told("import twice.txt --namesake").startswith("3 entrants registered")


def test_what_is_known_of_people_is_put_right_piece_by_piece(run: Run, told: Told) -> None:
    told("new Evening", "add Ada --title WGM --born 1815-12-10 --sex f --club Rooks", "add Ben Cleo --federation eng")
    assert (
        told("entrant 1 --federation eng")
        == "1 Ada: title WGM, federation ENG, club Rooks, sex noted, date of birth noted\n"
    )
    assert told(["entrant", "1", "--club", "", "--rating", "1800"]).splitlines() == [
        "entrant 1 was corrected to Ada (1800)",
        "1 Ada: title WGM, federation ENG, sex noted, date of birth noted",
    ]
    listed = told("entrants").splitlines()
    assert listed[0].split() == ["No", "Name", "Rating", "Team", "Title", "Fed.", "Remarks"]
    assert [line.split() for line in listed[1:3]] == [["1", "Ada", "1800", "WGM", "ENG"], ["2", "Ben", "ENG"]]
    (ada, *_) = json.loads(told("entrants --json"))
    assert (ada["title"], ada["federation"], "born" in ada, "sex" in ada) == ("WGM", "ENG", False, False)
    several = refused(run, "add", "Eva", "Finn", "--born", "1990", code=2)
    assert several.endswith("--born is of one entrant, and 2 are named: add them one by one")


def test_birth_and_sex_stand_in_report_files_and_where_they_are_asked_for(told: Told) -> None:
    told("new Evening", "add Ada --born 10.12.1815 --sex f --fide-number 400123", "add Ben")
    assert "1815" not in told("entrants") + told("log") + told("export entrants") + told("print entrants")
    assert told("export entrants --private").splitlines()[1] == "1,Ada,,,1,400123,1815/12/10,w"
    assert "001    1 w    Ada" in told("export trf16")
    assert "     400123 1815/12/10 " in told("export trf26")


def test_the_event_is_described_and_shown(told: Told) -> None:
    told("new Evening")
    assert told("heading").startswith("nothing is known of the event yet")
    told(["heading", "--city", "Bad Ems", "--time", "10 min", "--day", "2026-11-20", "--deputy", "Kay"])
    assert told(["heading", "--time", "", "--deputy", ""]) == "city Bad Ems\ndates 2026-11-20\n"
    assert json.loads(told("heading --json"))["dates"] == ["26/11/20"]
    assert "Bad Ems" in told("print entrants")


def test_what_another_program_lent_for_pairing_is_kept(run: Run, told: Told) -> None:
    told(*UNDER_WAY)
    run("export", "trf26", "-o", "evening.trf")
    lent = Path("evening.trf").read_text("utf-8") + "250       0.5 001 001    1    1\n"
    Path("lent.trf").write_text(lent, encoding="utf-8")
    told("import lent.trf --file lent.gnomon-tournament")
    assert told("heading --file lent.gnomon-tournament") == "points lent for pairing\n"


def test_a_report_file_goes_round(run: Run, told: Told) -> None:
    told(*UNDER_WAY)
    run("export", "trf26", "-o", "evening.trf")
    Path(FILE).rename("before")
    report = Path("evening.trf")
    lines = report.read_text("utf-8").replace("012 Evening", "012 Evening\n022 Dublin\n102 Grace Hopper")
    report.write_text(lines.replace("001    1      Ada", "001    1 w    Ada"), encoding="utf-8")
    assert told("import evening.trf").splitlines()[1:] == ["4 entrants, rounds so far: 1"]
    told("export trf26 -o again.trf")
    assert sorted(Path("again.trf").read_text("utf-8").split("\n")) == sorted(report.read_text("utf-8").split("\n"))
    assert told("standings --round 1") == told("standings --round 1 --file before")
    assert refused(run, "import", "evening.trf").startswith(f"{FILE} holds a tournament already")
    Path("wrong.trf").write_text("012 Evening\n001 nothing\n", encoding="utf-8")
    assert refused(run, "import", "wrong.trf").startswith("wrong.trf: line 2")


def test_what_a_report_file_cannot_tell_is_said_beside(run: Run, told: Told) -> None:
    told(*UNDER_WAY, "correct 1 0-1 --round 1 --why slip")
    result = run("export", "trf16")
    assert result.stdout.startswith("012 Evening")
    assert "left out: the file does not have 1 correction" in result.stderr


@pytest.mark.parametrize("form", ["entrants", "pairings", "results", "standings"])
def test_tables_for_spreadsheets_have_the_separator_that_is_wished(told: Told, form: str) -> None:
    told(*UNDER_WAY)
    assert "\t" in told(["export", form, "--separator", "tab"]).splitlines()[0]


def test_the_engine_of_federations_is_asked_for_where_it_is_not(
    run: Run, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    told(*FOUR)
    assert refused(run, "pair", "--engine", "bbp").startswith("bbpPairings is not on this machine")


def test_a_large_field_is_paired_elsewhere_and_says_so(run: Run, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gnomon.cli.tournament_commands.rounds.pairing._PATIENCE", 3)
    told(*FOUR)
    alone = run("pair")
    assert alone.stderr.startswith("Round 1: pairing 4 players.\n")
    assert alone.stdout.startswith("Round 1 of 3, preview\n")


def test_progress_stays_in_one_line_of_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    told = _Progress(in_place=True)
    told("Round 1: pairing 4 players.")
    told("")
    assert capsys.readouterr() == ("", "\rRound 1: pairing 4 players.\r")  # nothing else stands in a file


OF_TEAMS = ("boards", "lineups")


@pytest.mark.parametrize("sheet", [sheet for sheet in SHEETS if sheet != "bracket"])
def test_a_sheet_bears_the_day_and_the_seal(told: Told, sheet: str) -> None:
    told(*((["new", "Evening", "--boards", "1"], "team A Ada", "team B Ben") if sheet in OF_TEAMS else UNDER_WAY))
    seal = told("log").split()[-1]
    html = told(["print", sheet, "--paper", "letter", "--language", "fr"])
    assert html.startswith('<!doctype html>\n<html lang="fr">')
    assert "size: letter" in html
    assert seal[:12] in html
    assert "<h1>" in html or sheet == "slips"


def test_a_blank_score_sheet_needs_no_tournament(told: Told) -> None:
    assert "<title>Score sheet: TAMSK</title>" in told("print score --blank --game tamsk")
    assert list(Path().iterdir()) == []


def test_score_sheets_are_those_of_the_game_of_the_round(told: Told) -> None:
    told(["new", "Mix", "--round-games", "tabik, chess"], "add Ada Ben")
    assert told("pair").startswith("Round 1 of 5, preview – Tabik\n")
    assert told("publish").startswith("Round 1 of 5 is published – Tabik\n")
    assert told("rounds 1").startswith("Round 1 of 5, waiting for board 1 – Tabik\n")
    assert "<title>Mix – Score sheet: Tabik</title>" in told("print score")
    assert "<title>Mix – Score sheet: TAU</title>" in told("print score --game tau")


def test_without_a_name_the_login_tells(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GNOMON_WHO")
    monkeypatch.setenv("LOGNAME", "grace")
    told("new Cup", "add Ada --who hopper")
    assert [each["who"] for each in json.loads(told("log --json"))] == ["grace", "hopper"]


def test_who_tells_must_be_known(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise OSError

    monkeypatch.delenv("GNOMON_WHO")
    monkeypatch.setattr("gnomon.cli.tournament_commands._event_log.getuser", nobody)
    assert refused(run, "new", "Cup") == "this machine does not say who is logged in: give a name with --who"


def test_what_is_not_installed_is_named(run: Run, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    told(*FOUR)
    monkeypatch.setitem(sys.modules, "networkx", None)
    assert refused(run, "pair") == (
        "networkx is not installed, and this needs it: install gnomon with its extra `hall`"
    )


def test_a_long_name_gives_way_and_a_number_does_not() -> None:
    columns = (TextColumn("No", right=True), TextColumn("Name", gives=True), TextColumn("Pts", right=True))
    lines = list(table(columns, [("1", "Ångström" * 5, "2½"), ("12", "李小龍", "0")], width=25))
    assert lines == ["No  Name              Pts", " 1  ÅngströmÅngströ…   2½", "12  李小龍              0"]
    assert {breadth(line) for line in lines} == {25}


def test_a_mark_over_a_letter_takes_no_room() -> None:
    assert breadth("e\u0301") == breadth("é") == 1


def test_a_go_tournament_by_grades_with_stones(run: Run, told: Told) -> None:
    told("new Evening --system mcmahon --rounds 3 --bar 2d --floor 20k --handicap 2 --rounding down")
    told("add Ann --title 2d", "add Bob --title 5k", "add Cy --title 5k", "add Dee --title 18k")
    told("publish")
    lines = [line.split() for line in told("rounds 1").splitlines()[1:4]]
    assert lines == [
        ["Board", "Stones", "No", "Moves", "first", "Pts", "No", "Moves", "second", "Pts", "Result"],
        ["1", "4", "2", "Bob", "15", "1", "Ann", "21"],
        ["2", "9", "4", "Dee", "2", "3", "Cy", "15"],
    ]
    assert [one["stones"] for one in json.loads(told("rounds 1 --json"))[0]["pairings"]] == [4, 9]
    told("result 1 1-1 2 1-0")
    assert told("export pairings").splitlines()[1].endswith(",1-1,4")
    assert "Stones" in told("print pairings")
    assert told("export egf").splitlines()[8].split()[-1] == "2+/w4"
    exported = run("export", "aga")
    assert exported.stdout.splitlines()[-1] == "99003 99004 b 9 0"
    assert "round 1, board 1 is left out: the result 1-1 has no winner" in exported.stderr
    assert refused(run, "new", "Other", "--bar", "4x") == "'4x' is not a grade: write 12k, 3d or 1p"
    assert refused(run, "new", "Other", "--bar", "20k", "--floor", "2d") == "the floor must not be above the bar"


def test_a_file_of_opengotha_opens_a_tournament(run: Run, told: Told) -> None:
    Path("egc.xml").write_text(xml(), encoding="utf-8")
    assert told("import egc.xml").splitlines()[1:] == [
        "5 entrants, rounds so far: 3",
        "left out: the correction 1 of the starting score of Surma, Mateusz is left out",
    ]
    assert "7D" in told("export egf")
    Path("bad.xml").write_text('<?xml version="1.0"?><!DOCTYPE Tournament><Tournament/>', encoding="utf-8")
    assert "document type or entities" in refused(run, "import", "bad.xml")


def test_ratings_are_looked_up_reported_and_followed(run: Run, told: Told) -> None:
    Path("list.csv").write_text("Name;Elo;FIDE-ID;Title\nLovelace, Ada;2200;77;FM\nBen Ali;2300;78;\n", "utf-8")
    Path("members.csv").write_text("Name\nBen Ali\nCy Tran\n", encoding="utf-8")
    told("new Spring --rounds 1 --tie-breaks WIN", "heading --starts 2026-03-01")
    added = run("add", "Ada Lovelace", "--list", "list.csv")
    assert (added.stdout, added.stderr) == ("1 Ada Lovelace is registered\n", "")
    assert run("import", "members.csv", "--list", "list.csv").stderr == "not in list.csv: Cy Tran\n"
    assert [line.split()[:5] for line in told("entrants").splitlines()[1:3]] == [
        ["2", "Ben", "Ali", "2300"],
        ["1", "Ada", "Lovelace", "2200", "FM"],
    ]
    told("bye 3 zero", "publish", "result 1 =")
    assert [line.split() for line in told("ratings").splitlines()] == [
        ["No", "Name", "Before", *TITLES],
        ["1", "Ada", "Lovelace", "2200", "1", "½", "0.36", "2300", "2300", "20", "+2.8", "2203"],
        ["2", "Ben", "Ali", "2300", "1", "½", "0.64", "2200", "2200", "20", "-2.8", "2297"],
    ]
    changes = json.loads(told("ratings --json --k 10"))
    assert [(one["name"], one["k"], one["change"]) for one in changes] == [
        ("Ada Lovelace", 10, 1.4),
        ("Ben Ali", 10, -1.4),
    ]
    file = "spring.gnomon-tournament"
    history = told(f"elo {file}").splitlines()
    assert [line.split() for line in history] == [
        ["Name", "Rating", "Games", "Events"],
        ["Ben", "Ali", "2297", "1", "1"],
        ["Ada", "Lovelace", "2203", "1", "1"],
    ]
    person = [line.split() for line in told(["elo", file, "--person", "lovelace ADA"]).splitlines()]
    assert person == [
        ["Day", "Event", "Before", *TITLES],
        ["2026-03-01", "Spring", "2200", "1", "½", "0.36", "2300", "2300", "20", "+2.8", "2203"],
    ]
    assert [one["rating"] for one in json.loads(told(f"elo {file} --json"))] == [2297, 2203]
    run("export", "trf26", "--output", "spring.trf")
    assert [line.split()[-3:] for line in told("elo spring.trf --list list.csv").splitlines()] == [
        line.split()[-3:] for line in history
    ]
    after = told(f"elo {file} --csv")
    assert after == "name,rating,FIDE number,games\nBen Ali,2297,78,1\nAda Lovelace,2203,77,1\n"
    Path("after.csv").write_text(f"{after}Ben Ali,1000,,0\n", encoding="utf-8")
    told("new Summer --file summer.gnomon-tournament")
    twice = run("import", "members.csv", "--list", "after.csv", "--file", "summer.gnomon-tournament")
    assert twice.stderr.splitlines()[1] == "several times in after.csv, so nothing is filled in: Ben Ali"
    assert "nothing.trf" in refused(run, "elo", "nothing.trf")
    assert "nothing.csv" in refused(run, "add", "Eva", "--list", "nothing.csv", "--file", file)


def test_each_game_of_a_mixed_event_has_ratings_of_its_own(run: Run, told: Told) -> None:
    Path("list.csv").write_text("Name;Elo\nAda;2000\nBen;1900\nCy;1800\nDi;1700\n", "utf-8")
    told("new Mix --rounds 2 --round-games Tabik,Chess", "import list.csv", "publish 1:1-2 2:3-4", "result 1 1-0 2 =")
    told("publish 1:1-3 2:2-4", "result 1 0-1 2 1-0")
    lines = [line.split() for line in told("ratings").splitlines()]
    assert [line for line in lines if len(line) < 3] == [["Tabik"], [], ["chess"]]
    assert [(line[1], line[-1]) for line in lines if len(line) > 2] == [
        ("Name", "After"),
        *(("Ada", "2007"), ("Ben", "1893"), ("Cy", "1797"), ("Di", "1703")),
        ("Name", "After"),
        *(("Ada", "1985"), ("Ben", "1905"), ("Cy", "1815"), ("Di", "1695")),
    ]
    assert [(one["game"], one["after"]) for one in json.loads(told("ratings --json"))][3:5] == [
        ("tabik", 1703),
        ("chess", 1985),
    ]
    told("new Open --rounds 1 --file open.gnomon-tournament", "import list.csv --file open.gnomon-tournament")
    told("publish 1:1-2 2:3-4 --file open.gnomon-tournament", "result 1 1-0 2 1-0 --file open.gnomon-tournament")
    events = "mix.gnomon-tournament", "open.gnomon-tournament"
    headings = [line for line in told(["elo", *events]).splitlines() if "  " not in line]
    assert headings == ["games that are not named", "", "chess", "", "Tabik"]
    # The second file is of chess: Ada has lost 15 points in the first, and wins 8 against Ben, who has won 5.
    of_chess = [events[0], f"{events[1]}=Chess"]
    chess = [line.split() for line in told(["elo", *of_chess, "--game", "CHESS"]).splitlines()]
    assert chess[1:3] == [["Ada", "1993", "2", "2"], ["Ben", "1897", "2", "2"]]
    listed = told(["elo", *of_chess, "--game", "chess", "--csv"]).splitlines()
    assert listed[:2] == ["name,rating,FIDE number,games", "Ada,1993,,2"]
    several = "these events play several games, and each has a list of its own: name one of chess, Tabik with --game"
    assert refused(run, "elo", *of_chess, "--csv") == refused(run, "elo", *of_chess, "--list", "list.csv") == several
    assert refused(run, "elo", *of_chess, "--game", "Tayu").endswith("has rounds of Tayu: they play chess, Tabik")


def test_tables_of_three_and_four_count_for_ratings(told: Told) -> None:
    told(["new", "Tayu evening", "--system", "tables", "--rounds", "1"], ["add", "Ada:1200", "Ben:900", "Cleo:1000"])
    told("add Dov", "tables --publish 1:1-2-3-4", "places 1 1 4 2 3")
    assert [line.split() for line in told("ratings").splitlines()][1:] == [
        ["1", "Ada", "1200", "⅔", "⅔", "0.54", "950", "1750", "20", "+2.6", "1203"],
        ["2", "Ben", "900", "⅔", "⅓", "0.17", "1100", "1100", "20", "+3.3", "903"],
        ["3", "Cleo", "1000", "⅔", "0", "0.29", "1050", "250", "20", "-5.9", "994"],
        ["4", "Dov", "1", "⅔", "1033", "1158"],
    ]
    assert json.loads(told("ratings --json"))[0]["games"] == 0.67


TITLES = ("Games", "Score", "Expected", "Opp.", "Perf.", "K", "Change", "After")


def test_a_grade_of_go_may_stand_behind_a_name(run: Run, told: Told) -> None:
    told("new Evening --system mcmahon --bar 4d --floor 20k", "add Ada:4d Ben:25k Cleo:1850 Dov")
    assert [line.split()[1:4] for line in told("entrants").splitlines()[1:4]] == [
        ["Ada", "2400", "4d"],
        ["Cleo", "1850"],
        ["Ben", "1", "25k"],
    ]
    assert "bar and floor by grades: this means nothing here (swiss)" in refused(run, "new", "Other", "--floor", "20k")
