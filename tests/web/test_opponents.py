"""An engine as the opponent on the pages: chosen on the form, its turn confirmed, take-backs, hints, resigning."""

import asyncio
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from gnomon.records.formats.sheets import read_sheet
from gnomon.records.imports import import_trace
from gnomon.records.journal.writer import Journal
from gnomon.records.sheet_traces import sheet_trace
from gnomon.referee.events import MoveAnnounced, TurnEntered
from gnomon.referee.game import Game, Opponent
from gnomon.referee.games import game_of, tell
from gnomon.referee.setup import GameSetup
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from gnomon.web.access import Role
from gnomon.web.games.move_values import MoveValues, UnvaluedError
from gnomon.web.games.opponent_choices import opponent_offers
from gnomon.web.games.threats import find_threat
from gnomon.web.live.interfaces import RefusedError
from gnomon.words import LANGUAGES, words
from tests.virtual_daemon import Notebook
from tests.web.api_house import SHEETS, PaperBoard
from tests.web.desk_house import VirtualBoard
from tests.web.spectators import Shelfful
from tests.web.test_players_board import post
from tests.web.test_players_new_game import beside
from tests.web.visitors import Browser, Reception


@pytest.fixture
def plugged_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that plays Tabik, and nothing else."""
    folder = tmp_path / "gnomon" / "engines.d"
    folder.mkdir(parents=True)
    (folder / "rods.toml").write_text('command = ["true"]\ngames = ["tabik"]\n', encoding="utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


# The form


@pytest.mark.parametrize(
    ("game", "sent", "opponent"),
    [
        ("tabik", {"opponent": "3"}, Opponent("3", ("white",), Duration(5 * SECOND))),
        ("tabik", {"opponent": "8", "opponent-side": "1"}, Opponent("8", ("black",), Duration(5 * SECOND))),
        ("tamsk", {"opponent": "1", "opponent-hands": "9"}, Opponent("1", ("black",), Duration(9 * SECOND))),
        ("tau", {"opponent": "1", "opponent-side": "all"}, Opponent("1", ("p1", "p2"), Duration(5 * SECOND))),
        ("tayu", {"opponent": "2", "players": "4", "opponent-side": "4"}, Opponent("2", ("p4",), Duration(5 * SECOND))),
        ("tabik", {"opponent": "none", "opponent-side": "1"}, None),
        (
            "tabik",
            {"opponent": "another-board", "opponent-code": "kwx-ptr", "opponent-hands": "7"},
            Opponent("another-board", ("white",), Duration(7 * SECOND), code="KWXPTR"),
        ),
        ("tamsk", {"opponent": "10"}, Opponent("10", ("black",), Duration(5 * SECOND))),
        (
            "tau",
            {"opponent": "1", "opponent-side": "all", "opponent-second": "9"},
            Opponent("1", ("p1", "p2"), Duration(5 * SECOND), "9"),
        ),
        (
            "tau",
            {"opponent": "1", "opponent-side": "1", "opponent-second": "9"},
            Opponent("1", ("p1",), Duration(5 * SECOND)),
        ),
        ("tabik", {"opponent": "rods"}, Opponent("rods", ("white",), Duration(5 * SECOND))),
    ],
)
@pytest.mark.usefixtures("plugged_in")
def test_an_opponent_is_chosen_on_the_form(
    visitor: Browser, board: PaperBoard, game: str, sent: dict[str, str], opponent: Opponent | None
) -> None:
    assert visitor.send("/board/new", game=game, **sent).status_code == 303
    assert board.present is not None
    assert board.present.opponent == opponent


@pytest.mark.parametrize(
    ("field", "sent"),
    [
        ("opponent", {"game": "tabik", "opponent": "14"}),
        ("opponent", {"game": "tau", "opponent": "rods"}),
        ("opponent-side", {"game": "tabik", "opponent": "1", "opponent-side": "3"}),
        ("opponent-side", {"game": "tabik", "opponent": "1", "opponent-side": "x"}),
        ("opponent-second", {"game": "tabik", "opponent": "1", "opponent-side": "all", "opponent-second": "14"}),
        ("opponent-hands", {"game": "tamsk", "opponent": "1", "opponent-hands": "99"}),
    ],
)
@pytest.mark.usefixtures("plugged_in")
def test_what_is_wrong_with_an_opponent_is_said_beside_its_field(
    visitor: Browser, board: PaperBoard, field: str, sent: dict[str, str]
) -> None:
    answer = visitor.send("/board/new", **sent)
    assert answer.status_code == 422
    assert beside(answer.text, field)
    assert board.present is None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.usefixtures("plugged_in")
def test_a_person_every_level_and_what_is_plugged_in_are_offered(visitor: Browser, language: str) -> None:
    say = words(language)
    offered = [offer.value for offer in opponent_offers("tabik", say)]
    assert offered == ["none", "another-board", *map(str, range(1, 14)), "rods"]
    assert [offer.value for offer in opponent_offers("tau", say)] == ["none", "another-board", *map(str, range(1, 11))]
    assert opponent_offers("clock", say) == ()
    page = visitor.get(f"/board/new?game=tabik&language={language}").text
    assert say("opponent.level", level=5) in page
    assert 'name="opponent-hands"' not in page
    assert say("opponent.code") in page
    assert 'name="opponent-code"' in page
    assert 'name="opponent-code"' not in visitor.get("/board/new?game=clock").text
    assert 'name="opponent-hands"' in visitor.get("/board/new?game=tamsk").text


# The page


def begin(visitor: Browser, **sent: str) -> None:
    """Begin a game on the form."""
    assert visitor.send("/board/new", **{"game": "tabik", "size": "4", **sent}).status_code == 303


def announce(board: PaperBoard, text: str) -> None:
    """Let the engine announce a turn."""
    asyncio.run(board.correct(MoveAnnounced(Instant(0), text, "Gnomon")))


def played(board: PaperBoard) -> list[str]:
    """The turns so far."""
    assert board.present is not None
    return [ply.text for ply in board.present.plies]


def test_its_turn_is_confirmed_and_ones_own_is_taken_back_with_the_answer(visitor: Browser, board: PaperBoard) -> None:
    begin(visitor, opponent="1")
    assert post(visitor, "/board/turn", {"text": "a1b1"}).status_code == 200
    assert "wait for its announcement" in post(visitor, "/board/turn", {"text": "c1c2"}).json()["error"]
    announce(board, "c1c2")
    assert post(visitor, "/board/turn", {"text": "c1c2"}).status_code == 200
    assert played(board) == ["a1b1", "c1c2"]
    assert post(visitor, "/board/take-back", {"plies": "2"}).status_code == 200
    assert played(board) == []


def test_a_turn_that_was_confirmed_twice_is_nobody_else_s() -> None:
    board = VirtualBoard("table")
    board.begin({"size": 4, "opponent": "1"}, "tabik")
    visitor = Reception(open_to=Role.PLAYER, board=board).browser()

    def turns() -> list[str]:
        live_game = board.daemon.runner.live_game
        assert live_game is not None
        assert [ruling for ruling in live_game.game.rulings if ruling.kind == "illegal"] == []
        return [ply.text for ply in live_game.game.plies]

    assert post(visitor, "/board/turn", {"text": "a1b1"}).status_code == 200
    asyncio.run(board.correct(MoveAnnounced(Instant(0), "c1c2", "Gnomon")))
    assert isinstance(board.daemon.store, Notebook)
    board.daemon.store.is_slow = True  # the page of the second device shows the announced turn still
    done = {"text": "c1c2", "plies": "1"}
    assert post(visitor, "/board/turn", done).json() == {"ruled": ["turn"]}
    assert post(visitor, "/board/turn", done).json() == {"ruled": []}
    shown = board.game()
    assert shown is not None
    assert (len(shown.plies), turns()) == (1, ["a1b1", "c1c2"])
    late = post(visitor, "/board/turn", {"text": "d1d2", "plies": "1"})
    assert (late.status_code, late.json()["error"]) == (409, words()("players.turn.late"))
    late = post(visitor, "/board/take-back", {"plies": "1"})
    assert (late.status_code, late.json()["error"]) == (409, words()("players.take_back.late"))
    assert post(visitor, "/board/turn", {"text": "d1d2", "plies": "2"}).json() == {"ruled": ["turn"]}
    assert turns() == ["a1b1", "c1c2", "d1d2"]


def test_where_only_the_engine_has_moved_its_turn_is_taken_back(visitor: Browser, board: PaperBoard) -> None:
    begin(visitor, opponent="1", **{"opponent-side": "1"})
    announce(board, "c1c2")
    assert post(visitor, "/board/turn", {"text": "c1c2"}).status_code == 200
    assert post(visitor, "/board/take-back", {"plies": "1"}).status_code == 200
    assert played(board) == []


def test_one_of_two_resigns_and_the_other_wins(visitor: Browser, board: PaperBoard) -> None:
    begin(visitor)
    assert "two" in post(visitor, "/board/resign", {"player": "green"}).json()["error"]
    assert post(visitor, "/board/resign", {"player": "black"}).status_code == 200
    assert board.present is not None
    assert board.present.outcome == ("white", "resigned")
    assert post(visitor, "/board/resign", {"player": "white"}).status_code == 409


def test_nobody_resigns_for_an_engine(visitor: Browser, board: PaperBoard) -> None:
    begin(visitor, opponent="1")
    refused = post(visitor, "/board/resign", {"player": "white"})
    assert (refused.status_code, refused.json()["error"]) == (409, words("en")("opponent.resign.engine"))
    assert board.present is not None
    assert board.present.outcome is None


def test_without_a_game_nobody_resigns_and_nothing_is_advised(visitor: Browser) -> None:
    assert post(visitor, "/board/resign", {"player": "black"}).status_code == 409
    assert post(visitor, "/board/hint", {}).status_code == 409


def test_a_hint_is_said_in_plain_words(board: PaperBoard) -> None:
    async def advise() -> str:
        return "a1b1"

    visitor = Reception(open_to=Role.PLAYER, board=board, advisor=advise).browser()
    begin(visitor)
    assert post(visitor, "/board/hint", {}).json() == {
        "hint": "Hint: Black places black on a1, white on b1 and a rod between them.",
        "text": "a1b1",
        "steps": [
            "Place two new stones.",
            "Black on a1, white on b1.",
            "The largest group of Black grows from 0 to 1.",
        ],
    }
    onlooker = Reception(board=board, advisor=advise).browser()
    assert post(onlooker, "/board/hint", {}).status_code == 401


def test_a_hint_comes_in_three_steps(board: PaperBoard) -> None:
    texts = iter(("D7-D6", "D7-D6"))

    async def advise() -> str:
        return next(texts)

    visitor = Reception(open_to=Role.PLAYER, board=board, advisor=advise).browser()
    board.present = game_of(GameSetup("tamsk", {"level": 1}))
    board.present, _ = tell(board.present, TurnEntered(Instant(SECOND), "D1-D2", "page"))
    steps = post(visitor, "/board/hint", {}).json()["steps"]
    assert len(steps) == 3
    assert steps[0] == "Move the glass on D7."
    assert "D6" in steps[1]
    assert "Ways to move afterwards" in steps[2]
    # What is not legal any more, because the game has gone on meanwhile, has no steps.
    board.present, _ = tell(board.present, TurnEntered(Instant(2 * SECOND), "A1-B2", "page"))
    told = post(visitor, "/board/hint", {}).json()
    assert told["steps"] == [told["hint"]]


def test_why_there_is_no_hint_is_said(board: PaperBoard) -> None:
    async def advise() -> str:
        raise RefusedError(statement("told.opponent.none"))

    visitor = Reception(open_to=Role.PLAYER, board=board, advisor=advise).browser()
    begin(visitor)
    assert post(visitor, "/board/hint", {}).json() == {"error": "No engine can be asked here."}


def test_in_a_tournament_players_have_no_help(board: PaperBoard) -> None:
    async def advise() -> str:
        return "a1b1"

    visitor = Reception(open_to=Role.PLAYER, board=board, advisor=advise, is_tournament=True).browser()
    begin(visitor)
    assert post(visitor, "/board/turn", {"text": "a1b1"}).status_code == 200
    for name, sent in (("take-back", {"plies": "1"}), ("resign", {"player": "black"}), ("hint", {})):
        answer = post(visitor, f"/board/{name}", sent)
        assert (answer.status_code, answer.json()["error"]) == (409, "This is a tournament: ask the arbiter.")
    assert played(board) == ["a1b1"]
    again = {"game": "tabik", "abandon": "yes", "opponent": "8"}
    assert "This is a tournament: ask the arbiter." in visitor.send("/board/new", **again).text
    answer = post(visitor, "/api/v1/board/games", {"game": "tabik", "abandon": True})
    assert (answer.status_code, answer.json()["code"]) == (409, "tournament")
    assert played(board) == ["a1b1"]
    page = visitor.get("/board").text
    assert 'id="help"' not in page
    assert 'id="take-back"' not in page
    assert 'id="turn-form"' in page


def test_the_form_offers_no_engine_in_a_tournament(board: PaperBoard) -> None:
    usual, tournament = (
        Reception(open_to=Role.PLAYER, board=board, is_tournament=each).browser().get("/board/new?game=tabik").text
        for each in (False, True)
    )
    assert 'name="opponent"' in usual
    assert 'name="opponent"' not in tournament
    assert 'name="temperament"' in tournament


# A draw, and warnings


def outcome_of(board: PaperBoard) -> Outcome | None:
    """How the present game ended."""
    assert board.present is not None
    return board.present.outcome


def test_a_draw_is_offered_and_answered_on_the_page(visitor: Browser, board: PaperBoard) -> None:
    begin(visitor)
    assert post(visitor, "/board/offer-draw", {"player": "black"}).status_code == 200
    assert post(visitor, "/board/offer-draw", {"player": "white"}).status_code == 409
    assert post(visitor, "/board/answer-draw", {"player": "white", "accepted": "no"}).status_code == 200
    assert outcome_of(board) is None
    post(visitor, "/board/turn", {"text": "a1b1"})
    assert post(visitor, "/board/offer-draw", {"player": "white"}).status_code == 200
    assert post(visitor, "/board/answer-draw", {"player": "black", "accepted": "yes"}).status_code == 200
    assert outcome_of(board) == (None, "agreed")
    page = visitor.get("/board").text
    assert 'id="draw-form"' in page


def test_nobody_answers_for_an_engine(visitor: Browser, board: PaperBoard) -> None:
    begin(visitor, opponent="3")
    post(visitor, "/board/offer-draw", {"player": "black"})
    answer = post(visitor, "/board/answer-draw", {"player": "white", "accepted": "yes"})
    assert (answer.status_code, answer.json()["error"]) == (409, "The engine answers the offer by itself.")
    assert board.present is not None
    assert board.present.outcome is None


def test_in_a_tournament_nobody_offers_a_draw(board: PaperBoard) -> None:
    visitor = Reception(open_to=Role.PLAYER, board=board, is_tournament=True).browser()
    begin(visitor)
    for name, sent in (("offer-draw", {"player": "black"}), ("answer-draw", {"player": "white", "accepted": "yes"})):
        assert post(visitor, f"/board/{name}", sent).status_code == 409


def test_who_wants_warnings_says_so_on_the_form(visitor: Browser, board: PaperBoard) -> None:
    assert 'name="warnings"' in visitor.get("/board/new?game=tabik").text
    assert visitor.send("/board/new", game="tabik", warnings="on").status_code == 303
    assert board.present is not None
    assert board.present.warns


def test_a_turn_that_is_picked_on_the_page_is_doubted_in_the_reader_s_language(board: PaperBoard) -> None:
    asked = []

    async def doubt(text: str) -> Statement | None:
        asked.append(text)
        return statement("coach.verdict.loses") if text == "a1b1" else None

    visitor = Reception(open_to=Role.PLAYER, board=board, doubter=doubt).browser()
    begin(visitor)
    told = "Look again: this move is proven to lose, and another one is not."
    assert post(visitor, "/board/doubt", {"text": "a1b1"}).json() == {"warning": told}
    assert post(visitor, "/board/doubt", {"text": "b1b2"}).json() == {"warning": None}
    assert post(visitor, "/board/doubt", {}).status_code == 422
    assert asked == ["a1b1", "b1b2"]
    nobody = Reception(board=board, doubter=doubt).browser()
    assert post(nobody, "/board/doubt", {"text": "a1b1"}).status_code == 401
    tournament = Reception(open_to=Role.PLAYER, board=board, doubter=doubt, is_tournament=True).browser()
    assert post(tournament, "/board/doubt", {"text": "a1b1"}).json() == {"warning": None}


def test_help_for_everybody_does_not_stand_under_the_engine_that_one_may_play_against(visitor: Browser) -> None:
    before, _, after = visitor.get("/board/new?game=tabik").text.partition('<section class="sheet" id="play-help">')
    against = before.rpartition('<section class="sheet">')[2]
    assert "Play against Gnomon" in against
    assert 'name="help"' not in against
    assert 'name="warnings"' not in against
    helps = after.partition("</section>")[0]
    assert 'name="help"' in helps
    assert 'name="warnings"' in helps


def test_who_wants_help_during_turns_chooses_it_on_the_form(visitor: Browser, board: PaperBoard) -> None:
    form = visitor.get("/board/new?game=tabik").text
    assert all(f'<option value="{each}"' in form for each in ("off", "brain", "hand"))
    assert visitor.send("/board/new", game="tabik", help="hand").status_code == 303
    assert board.present is not None
    assert board.present.help == "hand"


def test_what_was_begun_on_the_page_is_judged_in_the_reader_s_language(board: PaperBoard) -> None:
    asked: list[Sequence[str]] = []

    async def judge(texts: Collection[str]) -> Statement | None:
        asked.append(list(texts))
        return statement("coach.hand.no") if "a1b1" in texts else None

    visitor = Reception(open_to=Role.PLAYER, board=board, hand_judge=judge).browser()
    begin(visitor)
    told = "No: every good turn uses something else."
    assert post(visitor, "/board/hand", {"texts": "a1b1 a1a2"}).json() == {"held": told}
    assert post(visitor, "/board/hand", {"texts": "b1b2"}).json() == {"held": None}
    assert post(visitor, "/board/hand", {}).status_code == 422
    assert asked == [["a1b1", "a1a2"], ["b1b2"]]
    assert post(Reception(board=board, hand_judge=judge).browser(), "/board/hand", {"texts": "a1b1"}).status_code == 401
    tournament = Reception(open_to=Role.PLAYER, board=board, hand_judge=judge, is_tournament=True).browser()
    assert post(tournament, "/board/hand", {"texts": "a1b1"}).json() == {"held": None}


def test_why_nobody_can_judge_what_was_begun_is_said(board: PaperBoard) -> None:
    async def refuse(_texts: Collection[str]) -> Statement | None:
        raise RefusedError(statement("told.no_game"))

    visitor = Reception(open_to=Role.PLAYER, board=board, hand_judge=refuse).browser()
    begin(visitor)
    answer = post(visitor, "/board/hand", {"texts": "a1b1"})
    assert answer.status_code == 409
    assert "no game" in answer.json()["error"].casefold()


def one_game(folder: Path) -> Journal:
    """A journal of one game of TAMSK, in which Red has moved; to be closed in the end."""
    journal = Journal.open(folder / "journal")
    import_trace(sheet_trace(read_sheet(SHEETS[1].encode())).trace, journal)
    journal.close()
    return Journal.open(folder / "journal")  # what was closed is on disk, and can be read


def test_a_threat_is_told_on_request(board: PaperBoard, tmp_path: Path) -> None:
    journal = one_game(tmp_path)
    try:
        noted: list[Game | None] = []
        full: list[bool] = []  # whether nothing can be written down

        async def note() -> None:
            if full:
                raise RefusedError(statement("opponent.tournament"))
            noted.append(board.present)

        visitor = Reception(open_to=Role.PLAYER, board=board, archive=journal, threat_noter=note).browser()
        assert post(visitor, "/board/threat", {}).status_code == 409  # without a game
        assert noted == []
        board.present = game_of(GameSetup("tamsk", {"level": 1}))
        board.present, _ = tell(board.present, TurnEntered(Instant(SECOND), "D1-D2", "page"))
        told = post(visitor, "/board/threat", {}).json()["threat"]
        assert told.startswith("If it were Red’s turn: ")
        assert noted == [board.present]
        full.append(True)
        assert "threat" not in post(visitor, "/board/threat", {}).json()  # what cannot be written down is not told
        full.clear()
        # In a tournament nobody is told, nor where an engine is on turn.
        strict = Reception(open_to=Role.PLAYER, board=board, archive=journal, is_tournament=True).browser()
        assert post(strict, "/board/threat", {}).json()["error"] == "This is a tournament: ask the arbiter."
        board.present = game_of(GameSetup("tabik", {"opponent": "3", "opponent_plays": "black"}))
        assert post(visitor, "/board/threat", {}).status_code == 409
    finally:
        journal.close()


@pytest.mark.parametrize("program", ["print('{}')", "print('[]')", "print(1)", "raise SystemExit(1)"])
def test_what_cannot_be_told_is_no_threat(program: str, tmp_path: Path) -> None:
    journal = one_game(tmp_path)
    try:
        with pytest.raises(UnvaluedError):
            find_threat(journal, "tamsk", MoveValues((sys.executable, "-c", program)))
        with pytest.raises(UnvaluedError):
            find_threat(journal, "tabik", MoveValues())
        with pytest.raises(UnvaluedError):
            find_threat(Shelfful([], []), "tamsk", MoveValues(("false",)))
    finally:
        journal.close()
