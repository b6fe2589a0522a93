"""A game of another distribution is played, shown, recorded and exported; no line of Gnomon knows it."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import click
import httpx
import pytest
from PIL import Image

from gnomon.cli.game_choice import GameChoice
from gnomon.hall.rounds.board_assignment import BoardAssignment
from gnomon.lessons import Grade, faults, judge, lessons_of
from gnomon.records.bundles import bundle, difference
from gnomon.records.files import read_sheets
from gnomon.records.formats.sgf_sheets import read_sgf, sgf_text
from gnomon.records.formats.sheet_play import play_to_end
from gnomon.records.formats.sheets import sheet_text
from gnomon.records.journal.writer import Journal
from gnomon.records.replay import film
from gnomon.records.transcripts import transcript
from gnomon.rules.kinds import load
from gnomon.rules.protocol import Outcome
from gnomon.rules.registry import games
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.tournament.events import EntrantRegistered, ResultEntered, RoundPublished
from gnomon.tournament.state.rounds import Pairing
from gnomon.tournament.state.settings import System, TournamentSettings
from gnomon.views.display import oled
from gnomon.views.pictures import LIGHT, miniature, picture, to_svg
from gnomon.views.pictures.png import to_png
from gnomon.views.show import show
from gnomon.views.summary import summary
from gnomon.web.live.streams import for_pages
from gnomon.web.pages._documents import document
from gnomon.web.sheets.slips import score_sheets
from gnomon.words import LANGUAGES, words
from tests.daemon.halves import notebook
from tests.hex7_table import PATIENCE, WON, daemon, played, run
from tests.virtual_daemon import play_virtual_at_a_table
from tests.web.visitors import Reception
from tests.web_hall.party import Party

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.usefixtures("installed")


def test_no_line_of_gnomon_knows_it() -> None:
    sources = [file for root in ("companion", "firmware") for file in (ROOT / root).rglob("*.*")]
    told = [file for file in sources if file.suffix in {".py", ".js", ".html", ".json", ".toml"}]
    assert len(told) > 500
    assert [file for file in told if "hex7" in file.read_text("utf-8").lower()] == []


def test_its_own_tests_pass_where_it_is_installed(site: Path) -> None:
    checks = str(ROOT / "tests" / "sixth_game" / "checks")
    told = run(
        site, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--confcutdir", checks, "--rootdir", checks, checks
    )
    assert "passed" in told


def test_the_line_protocol_plays_it(site: Path) -> None:
    main = "from gnomon.cli import main; main()"
    said = "".join(f"play {text}\n" for text in WON)
    *done, refused, state = run(site, "-c", main, "rules", "hex7", said=f"{said}play a1\nstate\n").splitlines()
    assert done == ["ok"] * len(WON)
    assert refused.startswith("error state ")
    assert json.loads(state.removeprefix("ok "))["winner"] == "black"


def test_the_help_of_the_daemon_and_the_shell_offer_it(site: Path) -> None:
    said = run(site, "-c", "from gnomon_pi.cli.daemon import main; main()", "--help")
    assert re.search(r"--game \[[a-z|-]+\|hex7\]", "".join(said.split()).replace("--game[", "--game ["))
    asked = GameChoice(("tamsk",)), click.Context(click.Command("gnomond")), click.Option(["--game"])
    assert [item.value for item in asked[0].shell_complete(asked[1], asked[2], "he")] == ["hex7"]


def test_it_is_refereed_and_refused_with_its_rules_in_every_language() -> None:
    assert games()[-1] == "hex7"
    game = played("d4", "d4")
    assert [ply.text for ply in game.plies] == ["d4"]
    told = {language: summary(game, Instant(9 * SECOND), words=words(language)) for language in LANGUAGES}
    assert told["en"]["reason"] == "Rule 2: a stone lies on d4."
    assert len({str(each["reason"]) for each in told.values()}) == len(LANGUAGES)
    assert len({str(each["request"]) for each in told.values()}) == len(LANGUAGES)
    assert played("d4", "swap", black="Ann", white="Ben").position.swapped


def test_no_word_of_it_is_missing_in_any_language() -> None:
    keys = {language: {key for key in words(language).entries if "hex7" in key} for language in LANGUAGES}
    assert set(map(frozenset, keys.values())) == {frozenset(keys["en"])}
    asked = [
        *("game.hex7", "players.about.hex7", "due.hex7"),
        *(f"reason.hex7.{code}" for code in show("hex7").reasons),
        *(f"ending.{why}" for why in show("hex7").endings),
        *(key for phrase in show("hex7").turns for key in (phrase.said, phrase.brief)),
        *(f"setting.hex7.{choice.name}" for choice in show("hex7").choices),
        *(f"setting.hex7.{choice.name}.{value}" for choice in show("hex7").choices for value in choice.values),
    ]
    for language in LANGUAGES:
        assert [key for key in asked if key not in words(language).entries] == []


def test_it_is_drawn_as_svg_as_png_and_on_the_display() -> None:
    game = played(*WON[:5])
    for language in LANGUAGES:
        drawn = picture(game.rules, game.position, last_move=WON[4], highlights=["a7"], words=words(language))
        assert ET.fromstring(to_svg(drawn, LIGHT)).tag.endswith("svg")
    colours = to_png(picture(game.rules, game.position), 400, LIGHT).getcolors(100_000)
    assert colours is not None
    assert len(colours) > 10
    assert len(show("hex7").places(game.rules)) == 49
    empty, later = (miniature(game.rules, each) for each in (game.rules.start(), game.position))
    assert empty.tobytes() != later.tobytes()
    screens = {oled.screen(each, Instant(20 * SECOND)).tobytes() for each in (played(), game, played(*WON))}
    assert len(screens) == 3


def test_the_display_has_it_in_the_language_of_the_board() -> None:
    game = played("d4")
    draw = load(show("hex7").miniature)
    told = draw(game.rules, game.position, Image.new("1", (128, 64)), words("de"))
    assert told.headline == "Weiß am Zug"
    assert show("hex7").lines(game, words("de")) == ["Schwarz 1", "Weiß 0"]
    won = played(*WON)
    assert draw(won.rules, won.position, Image.new("1", (128, 64)), words("fr")).headline == "Noir gagne"


def test_it_has_a_score_sheet_and_is_cut_to_its_board_on_a_phone() -> None:
    assert score_sheets(None, "hex7", words("fr")).title.endswith("Hex")
    assert for_pages({"picture": "<svg/>"}, played("d4"), Instant(0))["edges"] == [95, 60, 100, 60]


def test_its_rules_are_read_on_a_page() -> None:
    assert document("rules/hex7").title == "Hex on seven times seven"
    assert 'id="rule-5"' in document("rules/hex7").body
    assert document("rules/hex7", "de") == document("rules/hex7")


def test_its_rules_are_read_in_a_language_into_which_it_translates_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rules.md").write_text("# Hex\n\n1. A rule.\n", "utf-8")
    (tmp_path / "rules.de.md").write_text("# Hex auf Deutsch\n\n1. Eine Regel.\n", "utf-8")
    monkeypatch.setattr("gnomon.web.pages._documents.folder_of", lambda _: tmp_path)
    document.cache_clear()
    titles = [document("rules/hex7", language).title for language in ("en", "de", "fr")]
    document.cache_clear()
    assert titles == ["Hex", "Hex auf Deutsch", "Hex"]


@pytest.mark.parametrize("seed", range(3))
def test_hands_play_it_with_buttons_to_its_end_and_the_journal_replays_it(seed: int) -> None:
    done = play_virtual_at_a_table("hex7", {}, seed, with_display=True)
    live_game = done.daemon.runner.live_game
    assert live_game is not None
    assert live_game.game.outcome is not None
    assert done.daemon.health.sentences() == ()
    store = notebook(done.daemon)
    (stored,) = store.games
    records = store.records
    assert difference(bundle(stored, records).trace) is None
    last = film(bundle(stored, records)).last
    assert (last.position, last.outcome) == (live_game.game.position, live_game.game.outcome)
    sheet = transcript(bundle(stored, records).trace)
    assert read_sheets(sheet_text(sheet).encode()) == (sheet,)
    assert "GM[11]" in sgf_text(sheet)
    (read,) = read_sgf(sgf_text(sheet).encode())
    assert play_to_end(read).result == live_game.game.outcome


def test_a_daemon_referees_it_on_its_pages_and_keeps_it_in_its_journal(site: Path, tmp_path: Path) -> None:
    with daemon(site, tmp_path) as address, httpx.Client(base_url=address, timeout=PATIENCE) as http:
        found = re.search(r'<meta name="csrf" content="(\w+)">', http.get("/board").text)
        assert found is not None
        headers = {"X-CSRF-Token": found[1], "Origin": address}
        assert "hex7" in http.get("/api/v1/version").json()["games"]
        for page in ("/board", "/board/new?game=hex7", "/rules/hex7", "/help", "/games", "/bench/"):
            for language in LANGUAGES:
                shown = http.get(page, params={**httpx.URL(page).params, "language": language})
                assert (page, shown.status_code) == (page, 200)
        refused = http.post("/api/v1/board/turns", json={"text": "d9"}, headers=headers)
        assert refused.status_code == 409, refused.text
        for text in WON:
            ruled = http.post("/api/v1/board/turns", json={"text": text}, headers=headers)
            assert ruled.json().get("accepted"), ruled.text
        told = http.get("/api/v1/board", params={"language": "de"}).json()
        assert (told["title"], told["outcome"]["winner"]) == ("Hex", "black")
        assert "Zwei gegenüberliegende Ränder" in told["outcome"]["sentence"]
        sheet, sgf = (http.get(f"/api/v1/games/1/{kind}").text for kind in ("sheet", "sgf"))
    assert play_to_end(read_sheets(sheet.encode())[0]).result == Outcome("black", "connected")
    assert read_sgf(sgf.encode())[0].lines[0].text == "d4"
    with Journal.open(tmp_path / "journal.db") as journal:
        (stored,) = journal.games()
        assert film(bundle(stored, journal.read(1))).last.outcome == Outcome("black", "connected")


def test_a_round_of_it_is_played_in_a_hall(tmp_path: Path) -> None:
    party = Party(tmp_path)
    party.board("t01")
    party.run(3)
    settings = TournamentSettings("Evening", System.ROUND_ROBIN, 1, tie_breaks=("DE", "SB", "WIN"))
    party.hall.open_tournament("open", settings, "Anna", BoardAssignment("hex7", {"swap": "yes"}, boards={1: "t01"}))
    book = party.hall.book("open")
    ada, ben = EntrantRegistered(1, "Ada"), EntrantRegistered(2, "Ben")
    book.extend([ada, ben, RoundPublished(1, (Pairing(1, 1, 2),))], "Anna", after=1)
    party.hall.send_round("open", "Anna")

    def results() -> list[ResultEntered]:
        return [told.event for told in book.read() if isinstance(told.event, ResultEntered)]

    party.run(1200, until=lambda: bool(results()))
    (result,) = results()
    (stored,) = party.hall.archive("t01").games()
    outcome = film(bundle(stored, party.hall.archive("t01").read(stored.id))).last.outcome
    assert outcome is not None
    assert (stored.start.game, outcome.reason, result.board) == ("hex7", "connected", 1)
    page = party.visitor().get("/boards/t01")
    assert (page.status_code, "Hex" in page.text) == (200, True)


# Its lessons


def test_the_game_brings_its_lessons() -> None:
    (lesson,) = lessons_of("hex7")
    assert faults() == ()
    assert [judge(lesson, number, step.solution).grade for number, step in enumerate(lesson.steps)] == [
        Grade.RIGHT,
        Grade.RIGHT,
    ]
    refused = judge(lesson, 1, "d4")
    assert (refused.grade, refused.why.code) == (Grade.REFUSED, "occupied")
    page = Reception().browser().get("/learn/hex7/first?step=2&answer=swap", **{"Accept-Language": "de"}).text
    assert "Nun sind Sie Schwarz, und der Stein auf d4 gehört Ihnen." in page
    assert "/learn/hex7/first" in Reception().browser().get("/learn").text
