"""How a written game stood after each of its turns: the same as its rules say, with the sand of that moment."""

from dataclasses import replace
from itertools import pairwise

import pytest

from gnomon.games.tamsk.rules import Tamsk
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.records.bundles import Bundle
from gnomon.records.formats.sheet_play import steps
from gnomon.records.formats.traces import PEOPLE
from gnomon.records.replay import Replay, film
from gnomon.records.sheet_traces import sheet_trace
from gnomon.records.transcripts import transcript
from gnomon.referee.events import Paused, ResultDeclared, Resumed, TurnEntered, TurnsVoided
from gnomon.rules.registry import rules_of
from gnomon.timekeeping.instants import SECOND, Instant
from tests.records.random_sheets import random_sheet, timed_sheet

AT_TABLES = ("tabik", "tau", "tayu", "twenty-squares")


def bundle_of(game: str, seed: int = 1) -> Bundle:
    return sheet_trace(random_sheet(game, {"size": 3} if game == "tabik" else {}, seed))


def hands(level: int, seed: int = 3) -> Bundle:
    """A game of TAMSK by hands."""
    sheet, _ = timed_sheet(Tamsk.from_settings({"level": level}), seed, turns=24)
    return sheet_trace(sheet)


def entered(*texts: str) -> Bundle:
    """A game of Tabik on a small board, a turn every ten seconds."""
    events = tuple(TurnEntered(Instant(10 * SECOND * number), text, "clerk") for number, text in enumerate(texts, 1))
    start = bundle_of("tabik")
    return Bundle(replace(start.header, extras={}), events, Instant(1000 * SECOND))


def legal(count: int) -> list[str]:
    """The first legal turns of that game, one after the other."""
    rules = rules_of("tabik", bundle_of("tabik").header.settings)
    position, texts = rules.start(), []
    for _ in range(count):
        move = rules.legal_moves(position)[0]
        texts.append(rules.text(position, move))
        position = rules.play(position, move)
    return texts


def check(made: Replay) -> None:
    """What is true of every film."""
    plies = made.last.plies
    assert made.frames[0].game.plies == ()
    assert len(made.frames) - 1 in (len(plies), len(plies) + 1)
    for number, frame in enumerate(made.frames[: len(plies) + 1]):
        assert frame.game.plies == plies[:number]
        if number < len(plies) and not isinstance(frame.game, TamskGame):
            assert frame.game.position == plies[number].before
    assert all(one.at <= other.at for one, other in pairwise(made.frames))
    assert all(frame.game.undoable == () for frame in made.frames)
    frames = [said.frame for said in made.rulings]
    assert frames == sorted(frames)
    assert all(0 <= number < len(made.frames) for number in frames)


@pytest.mark.parametrize("game", AT_TABLES)
def test_every_turn_of_a_game_at_a_table_has_a_frame_with_the_position_that_the_rules_give(game: str) -> None:
    sheet = random_sheet(game, {"size": 3} if game == "tabik" else {}, 1)
    made = film(sheet_trace(sheet))
    check(made)
    assert [step.position for step in steps(sheet)] == [frame.game.position for frame in made.frames[1:]]
    assert made.last.outcome == sheet.result


@pytest.mark.untraced
@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_frame_of_tamsk_has_the_sand_of_its_moment(level: int) -> None:
    made = film(hands(level))
    check(made)
    assert len(made.last.plies) > 10
    sheet = transcript(hands(level).trace)
    assert [ply.text for ply in made.last.plies] == [line.text for line in sheet.lines if line.text != "flip15"]
    for number, frame in enumerate(made.frames[1 : len(made.last.plies)], 1):
        assert isinstance(frame.game, TamskGame)
        behind = made.last.plies[number].before
        standing = frame.game.position_at(frame.at)
        assert standing.rings_left == behind.rings_left
        assert standing.glasses == behind.glasses
        assert [sand.since for sand in standing.sands] == [sand.since for sand in behind.sands]


def test_a_turn_that_was_taken_back_has_no_frame() -> None:
    first, second, *_ = legal(3)
    written = entered(first, second)
    back = TurnsVoided(Instant(30 * SECOND), 1, give_back=False, who="the arbiter")
    again = TurnEntered(Instant(40 * SECOND), second, "clerk")
    made = film(written._replace(happenings=(*written.happenings, back, again)))
    check(made)
    assert [ply.text for ply in made.last.plies] == [first, second]
    assert made.frames[2].at == 40 * SECOND


def test_what_ends_a_game_after_its_last_turn_has_a_frame_of_its_own() -> None:
    written = entered(*legal(2))
    declared = ResultDeclared(Instant(55 * SECOND), "white", "resigned", "the arbiter")
    made = film(written._replace(happenings=(*written.happenings, declared), until=Instant(60 * SECOND)))
    check(made)
    assert len(made.frames) == 4
    assert [frame.game.outcome is None for frame in made.frames] == [True, True, True, False]
    assert made.frames[-1].at == 60 * SECOND
    assert list(made.rulings)[-1].frame == 3


def test_an_unfinished_game_ends_with_its_last_turn_and_all_that_was_ruled_since() -> None:
    written = entered(*legal(2))
    pause = (Paused(Instant(25 * SECOND), "the arbiter", ""), Resumed(Instant(28 * SECOND), "the arbiter", ""))
    made = film(written._replace(happenings=(*written.happenings, *pause)))
    check(made)
    assert len(made.frames) == 3
    assert made.frames[-1].at == 20 * SECOND
    kinds = [(said.ruling.kind, said.frame) for said in made.rulings]
    assert kinds[:2] == [("turn", 1), ("turn", 2)]
    assert {("paused", 2), ("resumed", 2)} <= set(kinds)


def test_a_game_without_a_turn_has_one_frame_and_the_people_are_in_every_frame() -> None:
    written = entered()
    header = replace(written.header, extras={PEOPLE: {"black": "Ada"}})
    made = film(written._replace(header=header))
    assert len(made.frames) == 1
    assert dict(made.last.people) == {"black": "Ada"}
    assert film(written._replace(header=replace(header, extras={PEOPLE: 5}))).last.people == ()
