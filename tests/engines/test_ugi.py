"""The line protocol, without streams and without a clock: lines in, lines out."""

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.engines._plain import PlainEngine
from gnomon.engines.protocol import Candidate, Chance, Level, Limits, Report, Score
from gnomon.engines.ugi import UgiSession, setting_options
from gnomon.rules.protocol import Rules, SettingsError
from gnomon.rules.registry import GAMES, rules_of
from gnomon.timekeeping.instants import SECOND, Instant

START = Instant(0)
SMALL = {"size": "3"}


def chance(seed: int) -> Chance:
    return Random(seed)


def session(game: str = "tabik", **settings: str) -> UgiSession:
    # An engine that knows rules only counts in nodes and depth alike, on a board of any size.
    return UgiSession(game, settings or (SMALL if game == "tabik" else {}), chance, engine_for=PlainEngine)


def still() -> Instant:
    return START


def answers(speaker: UgiSession, *lines: str, look: Callable[[], Instant] = still) -> list[str]:
    """What is answered to some lines, each search brought to its end before the next line."""
    found: list[str] = []
    for line in lines:
        found += speaker.receive(line, START)
        found += speaker.search(look) if speaker.is_thinking else ()
    return found


def best(found: Sequence[str]) -> str:
    """The move of the last answer."""
    assert found[-1].startswith("bestmove ")
    return found[-1].split()[1]


def test_an_engine_says_who_it_is_and_what_can_be_set() -> None:
    told = answers(session(), "ugi")
    assert told[:2] == ["id name Gnomon tabik", "id author the Gnomon maintainers"]
    assert told[-1] == "ugiok"
    assert "option name size type spin default 8 min 2 max 19" in told
    assert "option name pie type combo default yes var yes var no" in told
    assert "option name Level type spin default 8 min 1 max 8" in told


@pytest.mark.parametrize("game", GAMES)
def test_the_options_of_a_game_are_its_settings_and_their_defaults_are_those_of_the_rules(game: str) -> None:
    options = setting_options(game)
    assert options
    rules = rules_of(game, {option.name: option.default for option in options if option.default})
    assert rules == rules_of(game, {})


def test_readiness_is_answered_at_any_time() -> None:
    speaker = session()
    assert answers(speaker, "isready") == ["readyok"]
    speaker.receive("go infinite", START)
    assert speaker.receive("isready", START) == ["readyok"]


def test_a_position_is_asked_about() -> None:
    asked = ("query gameover", "query p1turn", "query result")
    assert answers(session(), *asked) == ["response false", "response true", "response none"]
    assert answers(session(), "position startpos moves a1b1", *asked)[1] == "response false"


def test_the_first_person_stays_the_first_when_sides_are_swapped() -> None:
    # White, who was black, is on turn after the pie: it is the one who began.
    assert answers(session(), "position startpos moves a1b1 pie", "query p1turn") == ["response true"]
    ended = "position startpos moves a1b1 {}b2a2 a1~a2 b1~b2"
    plain = answers(session(size="2"), ended.format(""), "query gameover", "query result")
    swapped = answers(session(size="2"), ended.format("pie "), "query gameover", "query result")
    assert plain[0] == swapped[0] == "response true"
    assert {plain[1], swapped[1]} == {"response p1win", "response p2win"}


def test_moves_of_nature_stand_among_the_moves() -> None:
    speaker = session("twenty-squares")
    assert answers(speaker, "go depth 1") == [
        "info string nature is on turn: a throw or a draw is due",
        "bestmove 0000",
    ]
    told = answers(speaker, "position startpos moves throw:1", "go depth 1")
    assert best(told) in {"convert", "forfeit"}


def test_time_goes_on_between_moves() -> None:
    speaker = session("tamsk", level="2")
    begun = "position startpos moves @12.3 D1-D2 @20 A1-B2 @22 A4-B4 @24 D7-D6 @26 G4-F4 @28 G1-F2"
    assert best(answers(speaker, begun, "go depth 1 at 30 hands 3 2 searchmoves D2-D3=")) == "D2-D3="
    told = answers(speaker, begun, "go depth 1 at 250 searchmoves D2-D3=")  # its sand has run out by then
    assert told[-1] == "bestmove 0000"
    assert answers(speaker, "position startpos moves @12.3 D1-D2 @11") == [
        "info string move 3, '@11': @11 goes back in time: it is 12.3 s already"
    ]


def test_who_is_not_on_turn_may_turn_the_15_second_glass() -> None:
    def speaker(level: str) -> UgiSession:
        return UgiSession("tamsk", {"level": level}, chance)

    begun = "position startpos moves @12.3 D1-D2"
    slow, quick = "go offturn nodes 50 at 20 hands 3 16", "go offturn nodes 50 at 20 hands 3 2"
    assert answers(speaker("3"), begun, slow) == ["bestmove flip15"]
    assert answers(speaker("3"), begun, quick) == ["bestmove 0000"]
    assert answers(speaker("3"), f"{begun} flip15", slow) == ["bestmove 0000"], "it runs already"
    assert answers(speaker("2"), begun, slow) == ["bestmove 0000"]
    assert answers(session("tamsk", level="3"), begun, slow) == ["bestmove 0000"], "an engine that does not know it"
    late = speaker("3")
    assert answers(late, begun, "go offturn at 20 hands 3 2", look=lambda: Instant(10 * SECOND)) == ["bestmove 0000"]
    assert answers(late, "go depth 1")[-1].startswith("bestmove "), "and the next search is an ordinary one"


def test_a_reserve_is_for_who_limits_neither_nodes_nor_depth() -> None:
    seen: list[Limits] = []

    class Noting:
        """Notes its limits, and weighs one move."""

        levels = (Level(Limits(nodes=20, reserve=90)),)

        def __init__(self, rules: Rules[Any, Any]) -> None:
            self.rules = rules

        def think(self, position: object, limits: Limits, _: Chance, __: Callable[[], bool]) -> Iterator[Report]:
            seen.append(limits)
            yield Report([Candidate(self.rules.legal_moves(position)[0], Score(0.5))], 1, 1)

    speaker = UgiSession("tabik", SMALL, chance, engine_for=Noting)
    answers(speaker, "go", "go movetime 100", "go nodes 10", "go depth 1")
    assert [limits.reserve for limits in seen] == [90, 90, 0, 0]


def test_a_search_ends_by_nodes_by_depth_and_by_time() -> None:
    told = answers(session(), "go nodes 50")
    counted = re.findall(r"nodes (\d+)", " ".join(told))
    assert max(map(int, counted)) <= 51
    assert len(answers(session(), "go depth 2")) == 3
    now = iter(range(0, 100 * SECOND, 10_000))
    told = answers(session(), "go movetime 200", look=lambda: Instant(next(now)))
    assert best(told)
    assert next(now) / 1000 == pytest.approx(200, abs=100)


@pytest.mark.parametrize(
    ("moves", "clock", "thinks"),
    [
        ("", "p1time 20000 p2time 1", 970),
        ("moves a1b1", "p1time 1 p2time 20000", 970),
        ("", "p1time 20000 p1inc 1000", 1720),
        ("", "p1time 1000 movestogo 1", 470),
        ("", "p1time 0", 20),
        ("", "p1time -5 p2time x", 20),
    ],
)
def test_a_part_of_what_is_left_on_the_own_clock_is_used(moves: str, clock: str, thinks: int) -> None:
    now = iter(range(0, 100 * SECOND, 1_000))
    answers(session(), f"position startpos {moves}", f"go {clock}", look=lambda: Instant(next(now)))
    assert next(now) / 1000 == pytest.approx(thinks, abs=15)


def test_an_endless_search_goes_on_until_it_is_stopped() -> None:
    speaker = session()
    looks = iter(range(1000))

    def look() -> Instant:
        if next(looks) == 20:
            speaker.receive("stop", START)
        return START

    assert best(answers(speaker, "go infinite", look=look))
    assert not speaker.is_thinking


def test_what_has_nothing_left_to_find_holds_its_answer_back() -> None:
    # Two moves before the end every line is known at once.
    almost = "position startpos moves a1b1 b2a2 a1~a2"
    speaker = session(size="2")
    assert not [line for line in answers(speaker, almost, "go infinite") if line.startswith("best")]
    assert not speaker.is_thinking
    assert answers(speaker, "isready") == ["readyok"]
    assert best(answers(speaker, "stop"))
    assert answers(speaker, "stop") == []


def test_pondering_ends_by_a_hit_or_by_stop() -> None:
    for end in ("ponderhit", "stop"):
        speaker = session()
        assert not [line for line in answers(speaker, "go ponder depth 1") if line.startswith("best")]
        assert best(answers(speaker, end))


def test_after_a_hit_the_clock_begins_to_count() -> None:
    speaker = session()
    now = iter(range(0, 100 * SECOND, 10_000))
    looks = iter(range(10**6))

    def look() -> Instant:
        at = Instant(next(now))
        if next(looks) == 50:  # half a second
            speaker.receive("ponderhit", at)
        return at

    assert best(answers(speaker, "go ponder movetime 200", look=look))
    assert next(now) / 1000 == pytest.approx(700, abs=100)


def test_a_search_keeps_to_the_moves_that_are_given() -> None:
    told = answers(session(), "go nodes 60 searchmoves a1b1 nonsense b1a1")
    assert told[0].startswith("info string searchmoves 'nonsense': ")
    assert best(told) in {"a1b1", "b1a1"}
    assert answers(session(), "go searchmoves nonsense")[1:] == [
        "info string none of searchmoves is legal",
        "bestmove 0000",
    ]


def test_what_a_go_does_not_know_is_left_out() -> None:
    assert best(answers(session(), "go mate 3 depth 1 whatever 7"))
    told = answers(session(), "go depth many nodes 40")
    assert told[0] == "info string depth takes a whole number, not 'many'"
    assert best(told)


def test_a_move_is_one_word_for_programs_that_expect_no_more() -> None:
    assert all(len(line.split()) == 2 for line in answers(session(), "go depth 1") if line.startswith("best"))


def test_a_level_limits_a_search_and_the_highest_leaves_that_to_the_go() -> None:
    def nodes(*lines: str) -> int:
        told = answers(session(size="4"), *lines)
        return max(map(int, re.findall(r"nodes (\d+)", " ".join(told))))

    assert nodes("setoption name Level value 1", "go nodes 2000") <= 301
    assert 1000 < nodes("go nodes 2000") <= 2001
    assert nodes("setoption name Level value 2", "go") <= 801


def test_the_same_seed_gives_the_same_moves() -> None:
    def play(seed: int) -> list[str]:
        return answers(session(size="4"), f"setoption name Seed value {seed}", "uginewgame", "go nodes 400")

    assert play(7) == play(7)
    assert len({best(play(seed)) for seed in range(1, 6)}) > 1


def test_several_moves_are_told_of_when_they_are_asked_for() -> None:
    told = answers(session(), "setoption name MultiPV value 3", "go depth 1")
    assert [line.partition("multipv ")[2][0] for line in told[:-1]] == ["1", "2", "3"]
    chances = [float(line.partition("chance ")[2].split()[0]) for line in told[:-1]]
    assert chances == sorted(chances, reverse=True)


def test_an_option_is_meant_without_regard_to_capitals_unless_two_differ_by_them() -> None:
    assert answers(session(), "setoption name LEVEL value 3", "setoption name multipv value 2") == []
    assert answers(session("tamsk"), "setoption name LEVEL value 3") == ["info string there is no option 'LEVEL'"]
    speaker = session("tamsk")
    answers(speaker, "setoption name level value 2", "setoption name Level value 1")
    assert answers(speaker, "position startpos moves @5 D1-D2", "query p1turn") == ["response false"]


def test_settings_that_go_together_only_may_be_set_one_after_the_other() -> None:
    speaker = session("twenty-squares")
    assert answers(speaker, "setoption name players value 4", "setoption name board value double", "isready") == [
        "readyok"
    ]
    told = answers(speaker, "setoption name board value jiroft", "isready")
    assert told[0].startswith("info string ")
    assert told[-1] == "readyok"
    assert answers(speaker, "query gameover") == ["response false"]  # under the settings before


def test_what_cannot_be_read_leaves_no_position_rather_than_another() -> None:
    speaker = session()
    told = answers(speaker, "position startpos moves a1b1 a1b1", "go depth 1", "query result")
    assert told == [
        "info string move 2, 'a1b1': rule 4: a stone stands on a1",
        "info string there is no position: the last one could not be read",
        "bestmove 0000",
        "info string there is no position: the last one could not be read",
        "response none",
    ]
    assert best(answers(speaker, "position startpos", "go depth 1"))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("fly", "there is no command 'fly'"),
        ("position fen 8/8", "a position is written: position startpos moves MOVE ...; there is no fen of this game"),
        ("position startpos a1b1", "after startpos comes moves, not 'a1b1'"),
        ("query", "query asks for gameover, p1turn or result, not nothing"),
        ("setoption size 3", "an option is written: setoption name NAME value VALUE"),
        ("setoption name Game value go", "this engine plays tabik, and not 'go'"),
        ("setoption name Level value 9", "Level is a number from 1 to 8, not '9'"),
        ("setoption name Ponder value maybe", "Ponder is true or false, not 'maybe'"),
    ],
)
def test_what_cannot_be_obeyed_is_told_in_one_sentence(line: str, told: str) -> None:
    assert answers(session(), line) == [f"info string {told}"]


def test_a_word_before_a_command_is_left_out() -> None:
    assert answers(session(), "please isready") == ["readyok"]
    assert answers(session(), "", "   ", "debug on", "register later", "stop", "ponderhit") == []


def test_commands_that_have_to_wait_are_refused_while_a_search_goes_on() -> None:
    speaker = session()
    speaker.receive("go infinite", START)
    for line in ("position startpos", "go depth 1", "setoption name Level value 1", "uginewgame"):
        (told,) = speaker.receive(line, START)
        assert told == f"info string {line.split()[0]} has to wait: a search is going on"


def test_the_end_of_the_input_ends_what_has_no_end_of_its_own() -> None:
    for line, is_over in (("isready", True), ("go depth 1", False), ("go infinite", True), ("go ponder depth 1", True)):
        speaker = session()
        speaker.receive(line, START)
        speaker.hang_up()
        assert speaker.is_over is is_over
    speaker = session()
    speaker.receive("go infinite", START)
    speaker.receive("quit", START)
    assert list(speaker.search(still)) == []


def test_there_must_be_such_a_game_and_such_settings() -> None:
    with pytest.raises(SettingsError):
        session("chess")
    with pytest.raises(SettingsError):
        session(size="99")


# Garbage

TOKENS = (
    "ugi isready setoption name value uginewgame position startpos fen moves go stop ponderhit query gameover p1turn "
    "result a1b1 b1c1 a1~b1 pie 0000 @1.5 @x infinite ponder offturn nodes depth movetime p1time searchmoves at hands "
    "sand -1 7 1e9 99999999999999999999 size Level Seed \N{SUPERSCRIPT TWO} \N{ARABIC-INDIC DIGIT ONE} <empty> é"
)
WORDS = st.sampled_from(TOKENS.split())
LINES = st.lists(WORDS, max_size=8).map(" ".join) | st.text(max_size=30)


def cut_off_look(speaker: UgiSession) -> Callable[[], Instant]:
    """Ends every search after a few looks."""
    looks = iter(range(10**9))

    def look() -> Instant:
        if next(looks) % 5 == 4:
            speaker.receive("stop", START)
        return START

    return look


def replies(speaker: UgiSession, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield from speaker.receive(line, START)
        if speaker.is_thinking:
            yield from speaker.search(cut_off_look(speaker))


@given(st.lists(LINES, max_size=12))
def test_no_line_ends_a_session_and_every_answer_is_one_line_of_the_protocol(lines: list[str]) -> None:
    speaker = session()
    for told in replies(speaker, lines):
        assert told.isascii()
        assert len(told.splitlines()) == 1
        assert told.split()[0] in {"id", "option", "ugiok", "readyok", "info", "bestmove", "response"}
    assert list(speaker.receive("stop", START))[1:] == []
    assert "readyok" in speaker.receive("isready", START)
    assert best(answers(speaker, "uginewgame", "setoption name size value 3", "position startpos", "go depth 1"))


@given(st.lists(LINES, max_size=12))
def test_every_go_gets_one_move_and_every_question_one_answer(lines: list[str]) -> None:
    speaker = session()
    asked = [line.split() for line in lines if line.split()[:1] in (["go"], ["query"])]
    told = [*replies(speaker, lines), *speaker.receive("stop", START)]
    moves = sum(line.startswith("bestmove ") for line in told)
    refused = sum("go has to wait" in line for line in told)
    if all(line.split()[:1] != ["go"] or "go" not in line.split()[1:] for line in lines):
        assert moves + refused >= sum(words[0] == "go" for words in asked)
    questions = [words for words in asked if words[1:] in (["gameover"], ["p1turn"], ["result"])]
    assert sum(line.startswith("response ") for line in told) >= len(questions)
