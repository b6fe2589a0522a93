"""The commands `gnomon tournament`: what people read, what programs read, and what is refused."""

import json
from pathlib import Path
from typing import get_args

import pytest

from gnomon.cli.tournament import _COMMANDS
from gnomon.cli.tournament_commands._boards import difference_lines
from gnomon.tournament.event_log.codec import KINDS
from gnomon.tournament.events import TeamEvent
from gnomon.tournament.state.rounds import at_boards
from tests.cli.tournament_runs import FILE, FOUR, THREE, UNDER_WAY, Run, Told, refused


def test_every_command_says_what_it_does_in_a_line(run: Run) -> None:
    listed = run("--help").output.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in listed] == list(_COMMANDS)
    assert [line for line in listed if line.endswith("...")] == []


@pytest.mark.parametrize("name", list(_COMMANDS))
def test_every_command_explains_itself(run: Run, name: str) -> None:
    assert run(name, "--help").exit_code == 0


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("rounds 9", "round 9 is not published: the tournament has had 2 so far"),
        ("standings --round 5", "round 5 is not published"),
        ("publish", "round 3 must wait: round 2 has no result yet at board 1, 2; enter it"),
        ("publish 1:1-x", "'1:1-x' is not a pairing: write BOARD:FIRST-SECOND"),
        ("result 1-0", "1-0 names no board: write the board before its result, as in 3 1-0"),
        ("result 1", "no result is named for board 1: write it behind the board, as in 1 1-0"),
        ("result 1 2-0", "2-0 is not a result: write one of 1-0"),
        ("result 7 1-0", "round 2, board 7 does not exist"),
        ("result 1 1-0 --whoo", "--whoo is not a result"),
        ("result 0 1-0", "round 2, board 0 does not exist"),
        ("correct 1 1-0 --why slip", "round 2, board 1 has no result to correct: enter it"),
        ("correct 1 none --why slip", "round 2, board 1 has no result to take back"),
        ("correct 1 1-0 --round 9 --why slip", "round 9 is not published"),
        ("change 1 --why x", "'1' is not a change: name two entrants to swap, or boards as in 3:4-8"),
        ("change 1 9 --why x", "1 and 9 cannot be swapped"),
        ("withdraw 9", "there is no entrant 9"),
        ("return 1", "Ada has not withdrawn and cannot return"),
        ("bye 1 half --round 1", "Ada cannot have a bye in round 1"),
        ("apart 1 1", "1 Ada cannot be kept apart from themselves"),
        ("apart 1 2 --lift", "1 Ada and 2 Ben are not kept apart"),
        ("add Eva --number 1", "entrant number 1 is taken"),
        ("entrant 1 --name ", "entrant 1 Ada needs a name"),
        ("entrant 9 --title FM", "there is no entrant 9"),
        ("heading --starts 2026-11-20 --ends 2026-11-19", "ends on 2026-11-19, before it starts on 2026-11-20"),
        (f"heading{' --day 2026-11-20' * 4}", "4 days were given, but there are 3 rounds: give one day for each"),
        ("undo 99 --why x", "there is no event 99: there have been 9"),
        ("undo 1 --why x", "event 1 opened the tournament and cannot be undone"),
        ("lot 1", "the lot"),
        ("order 1 1 --why x", "the order"),
        ("print bracket", "Evening has no bracket: print its cross table"),
        ("print standings -o none/sheet.html", "none/sheet.html cannot be written: No such file or directory"),
        ("import none.csv", "none.csv cannot be read: No such file or directory"),
        ("result 1 1-0 --after 3", "9 events, but you have seen 3: Ada has recorded something since"),
        ("add ///", "'///' is not a name: write one with a letter or a digit in it"),
        ("add Eva ADA", "ADA is entrant 1 already: say --namesake if this is somebody else"),
        ("add Eva eva:1800", "eva is named twice: say --namesake if these are two people"),
        ("new Evening", f"{FILE} holds a tournament already: name another file with --file"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(run: Run, told: Told, command: str, sentence: str) -> None:
    told(*UNDER_WAY)
    before = Path(FILE).read_bytes()
    assert sentence in refused(run, *command.split(" "))
    assert Path(FILE).read_bytes() == before


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("new Cup --system knockout", "how many rounds a knockout has depends on who comes: say --entrants NUMBER"),
        ("new Cup --system chess", "Invalid value for '--system'"),
        ("correct 1 1-0", "Missing option '--why'"),
        ("bye 1 lots", "Invalid value"),
        ("result", "Missing argument"),
        ("dance", "No such command"),
        ("add Eva --rating best", "Invalid value for '--rating'"),
        ("add Eva --sex yes", "yes is not a sex that a report file knows: write m or w, or nothing"),
        ("entrant 1 --federation Germany", "Germany is not the code of a federation"),
        ("heading --starts tomorrow", "tomorrow is not a date: write it as 2026-11-20"),
    ],
)
def test_what_is_not_understood_is_another_exit_code(run: Run, command: str, sentence: str) -> None:
    assert sentence in refused(run, *command.split(), code=2)


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("new Cup --rounds 0", "Cup: a tournament has 1 to 99 rounds, not 0"),
        ("new /// --rounds 3", "a tournament needs a name with a letter or a digit in it, not '///'"),
        ("new Cup --win 0", "these points cannot be: win 0, draw 1/2, loss 0, bye 0"),
        ("new Cup --draw many", "'many' is not a number of points"),
        ("new Cup --tie-breaks BH,LUCK", "LUCK is not a tie-break: take some of"),
        ("standings --file none", "there is no tournament in none: open one with `gnomon tournament new`"),
        ("standings", "there is no tournament in this folder: open one with `gnomon tournament new`"),
        ("mend", "there is no tournament in this folder"),
    ],
)
def test_a_tournament_that_is_none_is_refused(run: Run, command: str, sentence: str) -> None:
    assert sentence in refused(run, *command.split())
    assert list(Path().iterdir()) == []


def test_of_several_tournaments_one_must_be_named(run: Run, told: Told) -> None:
    told("new One", "new Two")
    assert refused(run, "standings") == (
        "there are 2 tournaments in this folder: say which with --file (one.gnomon-tournament, two.gnomon-tournament)"
    )
    assert "Standings after round 0 of 5" in told("standings --file two.gnomon-tournament")


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ("", "Cup, swiss, 5 rounds; tie-breaks DE, BHC1, BH, SB, WIN (FIDE_2026)"),
        ("--entrants 33", "Cup, swiss, 6 rounds; tie-breaks DE, BHC1, BH, SB, WIN (FIDE_2026)"),
        ("--system mcmahon --bar 1800", "Cup, mcmahon, 5 rounds; tie-breaks SOS, SOSOS, DE (GO)"),
        ("--system round-robin --entrants 7", "Cup, round robin, 7 rounds; tie-breaks DE, SB, WIN, KS (FIDE_2026)"),
        ("--system round-robin --entrants 8 --cycles 2", "Cup, round robin, 14 rounds; tie-breaks DE, SB, WIN, KS"),
        ("--system knockout --entrants 9", "Cup, knockout, 4 rounds; tie-breaks none (FIDE_2026)"),
        ("--games 2 --rounds 1", "Cup, swiss, 1 round of 2 games; tie-breaks"),
        ("--rule-set FIDE_2009 --tie-breaks bh,,sb", "Cup, swiss, 5 rounds; tie-breaks BH, SB (FIDE_2009)"),
        ("--rule-set MSO_2018", "Cup, swiss, 5 rounds; tie-breaks HH, SPREAD, SB (MSO_2018)"),
    ],
)
def test_a_system_has_settings_that_suit_it(told: Told, options: str, line: str) -> None:
    assert told(["new", "Cup", *options.split()]).startswith(f"cup.gnomon-tournament: {line}")


def test_settings_are_kept_as_they_were_told(told: Told) -> None:
    told("new Cup --lot second --win 3 --draw 1 --bye 2 --no-mates --no-balance --unrated 1000 --accelerated")
    opened = json.loads(told("log --json"))[0]
    assert (opened["who"], opened["event"]["kind"]) == ("Ada", "TournamentOpened")
    kept = opened["event"]["settings"]
    assert kept["scoring"] == {"win": "3", "draw": "1", "loss": "0", "bye": "2"}
    assert [kept[name] for name in ("leader_first", "team_mates_meet", "balance", "accelerated")] == [
        *(False, False, False, True)
    ]
    assert kept["unrated"] == 1000


def test_programs_read_what_people_read(told: Told) -> None:
    told(*UNDER_WAY, "bye 4 zero --round 3", "withdraw 2")
    ada, *_ = standings = json.loads(told("standings --json"))
    assert [one["name"] for one in standings] == ["Ada", "Ben", "Dov", "Cleo"]
    assert (ada["points"], ada["tie_breaks"]["WIN"]) == ("1", "1")
    first, second = json.loads(told("rounds --json"))
    assert first["pairings"][0] == {
        "board": 1,
        "first": 1,
        "second": 3,
        "first_name": "Ada",
        "second_name": "Cleo",
        "result": "1-0",
    }
    assert second["pairings"][0]["result"] is None
    entrants = {one["number"]: one for one in json.loads(told("entrants --json"))}
    assert entrants[4]["byes"] == {"3": "zero"}
    assert (entrants[2]["withdrawn_since"], entrants[1]["rating"]) == (3, 2000)
    assert json.loads(told("cross --json"))[0]["cells"][0] == "•3+"
    assert json.loads(told("pair --json"))["round"] == 2
    assert len(json.loads(told("log --json --last 2"))) == 2
    assert len(json.loads(told("export json"))["events"]) == 11


def test_a_preview_changes_nothing_and_shows_what_is_published_otherwise(told: Told) -> None:
    told(*FOUR)
    before = Path(FILE).read_bytes()
    assert told("pair").startswith("Round 1 of 3, preview\n")
    assert Path(FILE).read_bytes() == before
    told("publish")
    assert told("pair").splitlines()[-1] == "Round 1 is already published like this"
    told("change 1 2 --why friends", "withdraw 4 --since 2")
    assert told("pair").splitlines()[-4:] == [
        "Round 1 is published differently; this would change:",
        "  board 1: 1 Ada – 3 Cleo (was 2 Ben – 3 Cleo)",
        "  board 2: 4 Dov – 2 Ben (was 4 Dov – 1 Ada)",
        "Take it back first: gnomon tournament revoke --why REASON",
    ]
    told("revoke --why again", "publish")
    assert told("pair").splitlines()[-1] == "Round 1 is already published like this"


def test_a_director_overrides_a_rule_with_a_reason_that_the_log_tells(run: Run, told: Told) -> None:
    told(*FOUR, "apart 1 2")
    assert "kept apart" in refused(run, "publish", "1:1-2", "2:3-4")
    assert told(["publish", "1:1-2", "2:3-4", "--override", "they ask for it"]).startswith("Round 1 of")
    told_of = "round 1 was published against the rules (1:1-2 2:3-4): they ask for it"
    assert told_of in " ".join(told("log").split())
    told("change 1 3 --why draw")
    assert "kept apart" in refused(run, "change", "1", "3", "--why", "back")
    told("change 1 3 --why back --override")
    assert "round 1 was changed against the rules (1:1-2 2:3-4): back" in " ".join(told("log").split())


@pytest.mark.parametrize(
    "command", ["result {} 1-0", "change {} 1 --why x", "add Ada:{}", "publish {}:1-2", "apart {} 1"]
)
def test_a_number_of_thousands_of_digits_is_refused_in_a_sentence(command: str, run: Run, told: Told) -> None:
    told(*FOUR, *(["publish"] if "result" in command or "change" in command else []))
    result = run(*command.format("9" * 5000).split())
    assert result.exit_code in {1, 2}
    assert isinstance(result.exception, SystemExit)
    assert "Exceeds the limit" not in result.output


def test_a_round_is_published_and_changed_by_hand(told: Told) -> None:
    told(*FOUR)
    assert "1  Ada            0   2  Ben" in told("publish 1:1-2 2:3-4")
    assert told("change 2:4-3 --why x").splitlines() == [
        "Round 1 is changed",
        "board 2: 4 Dov – 3 Cleo (was 3 Cleo – 4 Dov)",
    ]


def test_differences_name_boards_that_come_and_go(told: Told) -> None:
    told(*FOUR, "add Eva", "publish 1:1-2 2:3-4 3:5-bye", "withdraw 5 --since 2")
    shown = told("change 3:1-bye 1:5-2 --why x").splitlines()
    assert shown[1:] == [
        "board 1: 5 Eva – 2 Ben (was 1 Ada – 2 Ben)",
        "board 3: 1 Ada has the bye (was 5 Eva has the bye)",
    ]


def test_a_round_that_has_begun_is_not_paired_once_more(run: Run, told: Told) -> None:
    told(*FOUR, "publish", "result 1 1-0")
    assert refused(run, "pair").startswith("round 2 must wait")


def test_a_board_that_is_no_more_is_named(told: Told) -> None:
    told(*FOUR, "publish 1:1-2 3:3-4", "revoke --why x", "publish 1:1-2 2:3-4", "withdraw 4 --since 2")
    shown = told("pair").splitlines()
    assert "Round 1 is published differently; this would change:" in shown
    three = list(difference_lines(THREE, at_boards([(1, 2), (3, None)]), at_boards([(1, 2)])))
    assert three == ["board 2: nobody (was 3 Cleo has the bye)"]


def test_who_has_the_bye_finds_that_by_name(told: Told) -> None:
    told(*FOUR, "add Eva", "publish", "bye 2 half --round 2")
    assert told("rounds 1 --by-name").splitlines()[-2:] == ["Dov       2  first   Ben", "Eva       3  first   bye"]
    assert "half-point bye in round 2" in told("entrants")


def test_results_may_be_forfeits_though_they_begin_like_options(told: Told) -> None:
    told(*FOUR, "publish")
    assert told("result 1 -/+ 2 -/-").splitlines() == [
        "round 1, board 1: 1 Ada – 3 Cleo  -/+",
        "round 1, board 2: 4 Dov – 2 Ben  -/-",
        "round 1 is complete",
    ]
    assert told("correct 1 +/- --why slip").splitlines()[0] == "round 1, board 1: 1 Ada – 3 Cleo  +/- (was -/+)"


def test_a_correction_of_an_earlier_round_says_what_stays_and_who_moves(told: Told) -> None:
    told(*FOUR, "publish", "result 1 1-0 2 0-1", "publish", "result 1 1-0 2 =")
    assert told("correct 1 0-1 --round 1 --why slip").splitlines() == [
        "round 1, board 1: 1 Ada – 3 Cleo  0-1 (was 1-0)",
        "rounds paired after round 1 stay as they are; in the standings:",
        "3 Cleo: place 2 (was 4)",
        "1 Ada: place 4 (was 2)",
    ]
    assert told("correct 1 0-1 --round 1 --why again").splitlines()[-1] == "nobody changes place"
    assert told("correct 1 = --why slip").splitlines()[-1] == "round 2 is complete"


def _prize_list() -> str:
    Path("prizes.txt").write_text("1: a cup", "utf-8")
    return "prizes.txt"


def test_a_result_that_is_entered_again_says_what_it_was(told: Told) -> None:
    told(*FOUR, "publish", "result 1 1-0")
    assert told("result 1 0-1 2 =").splitlines()[:2] == [
        "round 1, board 1: 1 Ada – 3 Cleo  0-1 (was 1-0)",
        "round 1, board 2: 4 Dov – 2 Ben  ½-½",
    ]
    assert told("result 1 0-1").splitlines()[0] == "round 1, board 1: 1 Ada – 3 Cleo  0-1"


def test_every_event_has_a_sentence_of_its_own(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    told(
        *FOUR,
        ["add", "Eva", "--team", "North", "--rating", "1500", "--why", "late"],
        ["entrant", "4", "--name", "David", "--rating", "1700", "--team", "West"],
        ["entrant", "4", "--title", "FM", "--born", "1990-02-03"],
        ["heading", "--city", "Bad Ems", "--starts", "20.11.2026", "--deputy", "Kay", "--deputy", "Lee"],
        *(
            "entrant 3 --rating -1",
            "withdraw 5",
            "return 5",
            "bye 5 half",
            "bye 5 none",
            "apart 1 2",
            "apart 1 2 --lift",
        ),
        "seed 1 2 --why so",
        *("publish", "change 1 2 --why swap", "revoke --why again", "publish", "result 1 1-0"),
        *(
            "correct 1 0-1 --why slip",
            "correct 1 none --why slip",
            "lot 1 2 4 5",
            "order 2 1 --why so",
            "add Finn --since 3",
            "settings --rounds 4 --why time",
            "deadline 2 2026-12-01",
            *("check-in 6 --since 2", "check-in 6 --undo", "payment 6 --owed 5"),
        ),
        ["prizes", "--announce", _prize_list()],
        *("settings --rounds 5 --why time",),
    )
    monkeypatch.setenv("COLUMNS", "120")
    log = told("log").splitlines()
    assert [line.partition("  Ada  ")[2] for line in log[5:-1]] == [
        "5 Eva entered (1500, North) – late",
        "entrant 4 was corrected to David (1700, West)",
        "4 David: title FM, date of birth noted",
        "the event: city Bad Ems; starts 2026-11-20; deputies Kay, Lee",
        "entrant 3 was corrected to Cleo",
        "5 Eva withdrew from round 1 on",
        "5 Eva returned",
        "5 Eva has a half-point bye in round 1",
        "5 Eva gave up the bye in round 1",
        "1 Ada and 2 Ben are kept apart",
        "1 Ada and 2 Ben may meet",
        "seeds were set: 1 Ada, 2 Ben – so",
        "round 1 was published (1:1-4 2:5-2 3:3-bye)",
        "round 1 was changed (1:2-4 2:5-1 3:3-bye): swap",
        "round 1 was revoked: again",
        "round 1 was published (1:1-4 2:5-2 3:3-bye)",
        "round 1, board 1: 1 Ada – 4 David  1-0",
        "round 1, board 1: 1 Ada – 4 David  corrected to 0-1: slip",
        "round 1, board 1: 1 Ada – 4 David  result taken back: slip",
        "the lot put 1 Ada before 2 Ben before 4 David before 5 Eva",
        "the director put 2 Ben before 1 Ada: so",
        "6 Finn entered (from round 3)",
        "the settings were changed: rounds 4 (was 3): time",
        "results of round 2 may come in until 2026-12-01",
        "6 Finn is checked in from round 2 on",
        "6 Finn is not there, after all",
        "6 Finn: payment noted",
        "prizes were announced: 1",
        "the settings were changed: rounds 5 (was 4): time",
    ]
    assert log[-1].startswith("seal after event 34: ")
    kinds = {each["event"]["kind"] for each in json.loads(told("log --json"))}
    elsewhere = {kind.__name__ for kind in get_args(TeamEvent)} | {"TablesSeated", "TablesChanged", "PlacesEntered"}
    assert kinds == set(KINDS) - elsewhere
    assert "from round 3" in told("entrants")


def test_a_long_sentence_of_the_log_goes_on_below_itself(told: Told) -> None:
    why = "because the slip was filled in by somebody who had not understood who had moved first"
    told(*FOUR, ["add", "Eva", "--why", why], "publish")
    assert told("log --last 2").splitlines()[:3] == [
        "6  2026-11-20 18:00  Ada  5 Eva entered – because the slip was filled in by",
        "                          somebody who had not understood who had moved first",
        "7  2026-11-20 18:00  Ada  round 1 was published (1:1-3 2:4-2 3:5-bye)",
    ]


def test_a_round_of_many_is_told_by_its_boards(told: Told) -> None:
    told(*FOUR[:1], "add " + " ".join(f"E{number}" for number in range(26)), "publish")
    assert told("log --last 1").splitlines()[0].endswith("round 1 was published (13 boards)")


def test_undoing_is_an_event_too(told: Told) -> None:
    told(*FOUR, "withdraw 4", "apart 1 2")
    assert told("undo 6 --why mistake") == "event 6 is undone by event 8: 4 Dov returned\n"
    assert told("undo --why mistake") == "event 8 is undone by event 9: 4 Dov withdrew from round 1 on\n"
    assert "kept apart: 1 Ada and 2 Ben" in told("entrants")


def test_a_file_that_a_power_cut_has_torn_is_mended(run: Run, told: Told) -> None:
    told(*FOUR)
    assert told("mend") == f"{FILE} is whole, with 5 events\n"
    with Path(FILE).open("ab") as file:
        file.write(b'{"schema":1,"num')
    assert refused(run, "standings").startswith(f"{FILE}, line 6 is torn")
    assert told("mend") == f"{FILE} has 5 events; set aside what was torn: {FILE}.torn-1\n"
    assert "4 entrants, 4 in round 1" in told("entrants")


def test_a_knockout_shows_its_bracket(told: Told) -> None:
    told(
        "new Cup --system knockout --entrants 4 --third-place", "add Ada Ben Cleo Dov", "publish", "result 1 1-0 2 1-0"
    )
    assert told("cross").splitlines() == [
        "Round 1",
        "Board                   Result",
        "    1  1 Ada *  4 Dov   1-0",
        "    2  2 Ben *  3 Cleo  1-0",
        "Round 2",
        "Board                Result",
        "    1  1 Ada  2 Ben",
        "Third place",
        "Board        Result",
        "    2  –  –",
    ]


def test_a_knockout_with_two_lives_shows_both_brackets_and_the_finals(told: Told) -> None:
    told("new Cup --system knockout --lives 2 --entrants 4", "add Ada Ben Cleo Dov", "publish", "result 1 1-0 2 1-0")
    told("publish", "result 1 1-0 2 1-0", "publish", "result 1 1-0")
    assert told("cross").splitlines() == [
        "Winners’ bracket · Round 1",
        "Board                   Result",
        "    1  1 Ada *  4 Dov   1-0",
        "    2  2 Ben *  3 Cleo  1-0",
        "Winners’ bracket · Round 2",
        "Board                  Result",
        "    1  1 Ada *  2 Ben  1-0",
        "Losers’ bracket · Round 2",
        "Board                   Result",
        "    2  3 Cleo *  4 Dov  1-0",
        "Losers’ bracket · Round 3",
        "Board                   Result",
        "    1  2 Ben *  3 Cleo  1-0",
        "Final",
        "Board                Result",
        "    1  1 Ada  2 Ben",
        "Second final, if needed",
        "Board        Result",
        "    1  –  –",
    ]
    told("publish", "result 1 0-1")
    assert "Second final\n" in told("cross")
    assert "Losers’ bracket" in told("print bracket")


def test_tables_of_three_and_four_are_changed_by_hand(run: Run, told: Told) -> None:
    told("new Tayu --system tables --rounds 2", "add Ada Ben Cleo Dov Eva Finn Gus")
    told("tables --publish 1:1-2-3-4 2:5-6-7")
    changed = told("change 3 5 --why married").splitlines()
    assert changed[0] == "Round 1 is changed"
    assert [line.split()[:2] for line in changed[2:]] == [["1", "1"], ["2", "3"]]
    told("places 1 1 2 5 4", "change 2:7-3-6 --why seats")
    assert refused(run, "change", "1", "3", "--why", "late").startswith("round 1: table 1 has ended")
    assert refused(run, "change", "1", "2:7-3-6", "--why", "both").startswith("'1 2:7-3-6' is not a change")
    assert "round 1 was changed (1:1-2-5-4 2:3-6-7): married" in " ".join(told("log").split())


def test_two_games_of_a_round_are_told_together(told: Told) -> None:
    told("new Cup --games 2", "add Ada Ben", "publish", "result 1 1-0 =")
    assert told("cross").splitlines()[2:] == [
        "    1   1  Ada   2:1½   1½",
        "    2   2  Ben    1:½    ½",
        "12+ won against number 12, 12= drew, 12- lost, 12… still playing; 12:1½ scored",
        "1½ in several games.",
        "(1) points without a game: a bye or a forfeit.",
    ]


def test_a_round_robin_shows_all_against_all(told: Told) -> None:
    told("new Cup --system round-robin --entrants 3", "add Ada Ben Cleo", "publish", "result 1 1-0", "publish")
    assert told("cross").splitlines()[:5] == [
        "Cross table after round 2 of 3, without board 1",
        "Place  No  Name  1  2  3  Pts",
        "    1   2  Ben   ×  …  1    1",
        "    2   1  Ada   …  ×       0",
        "    2   3  Cleo  0     ×    0",
    ]


def test_teams_stand_by_their_best(told: Told) -> None:
    told("new Cup", "add Ada Ben --team North", "add Cleo Dov --team South", "publish 1:1-3 2:2-4", "result 1 1-0 2 =")
    assert told("standings --teams 1").splitlines() == [
        "Teams by their best member after round 1 of 5",
        "Place  Team   Pts  Counted",
        "    1  North    1  Ada",
        "    2  South    ½  Dov",
    ]
    assert [team["points"] for team in json.loads(told("standings --teams 2 --json"))] == ["3/2", "1/2"]


def test_before_the_first_round_there_is_nothing_to_show(run: Run, told: Told) -> None:
    told(*FOUR)
    assert told("rounds") == "No round is published yet; 4 entrants are registered\n"
    assert refused(run, "print", "slips") == "no round is published yet: pair one and publish it"
    assert refused(run, "correct", "1", "1-0", "--why", "x").startswith("no round is published yet")


def test_somebody_else_may_have_the_same_name(run: Run, told: Told) -> None:
    told(*FOUR)
    assert told(["add", "Ada:1500", "--namesake"]) == "5 Ada is registered\n"
    Path("more.csv").write_text("name\nEva\nben\n", encoding="utf-8")
    assert refused(run, "import", "more.csv").startswith("more.csv: ben is entrant 2 already")
    assert told("import more.csv --namesake") == "2 entrants registered from more.csv\n"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "de",
            (
                "Fehler: Runde 1 lässt sich nicht paaren: Es ist noch niemand angemeldet; "
                "bitte zuerst Teilnehmer anmelden"
            ),
        ),
        (
            "fr",
            (
                "Erreur\xa0: la ronde 1 ne peut pas être appariée : personne n’est encore inscrit ; "
                "inscrivez d’abord des participants"
            ),
        ),
    ],
)
def test_a_refusal_is_told_in_the_language_of_the_run(
    run: Run, monkeypatch: pytest.MonkeyPatch, language: str, said: str
) -> None:
    run("new", "Evening")
    monkeypatch.setenv("GNOMON_LANGUAGE", language)
    assert said in run("pair").stderr


def test_both_lost_is_written_as_on_the_page(told: Told) -> None:
    told(*UNDER_WAY)
    assert "0-0" in told("result 1 00 2 =").splitlines()[0]


def test_an_undone_withdrawal_brings_its_byes_back(told: Told) -> None:
    told(*FOUR, "bye 2 half --round 2", "withdraw 2")
    said = told(["undo", "--why", "Ben stays"])
    assert said.endswith("2 Ben returned; 2 Ben has a half-point bye in round 2\n")
