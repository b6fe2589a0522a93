"""A word that a program or a page can ask for exists: whatever the values are that its key is put together of."""

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from itertools import product
from pathlib import Path
from typing import Final

import jinja2
import pytest
from jinja2 import nodes

from gnomon.analysis import CostKind
from gnomon.distance.luck_proof import ThrowProof
from gnomon.hall.board_alarms import Trouble
from gnomon.hall.board_registry import PHASES, Presence
from gnomon.hall.hub import _inbox as inbox
from gnomon.hall.hub import hub
from gnomon.hall.rounds.results import PairingState
from gnomon.hall.store.requests import OUTCOMES
from gnomon.lessons import Grade, lessons_of
from gnomon.people.games import GameScore
from gnomon.referee.clock_settings import FLAGS, PRESSES
from gnomon.referee.exercises import LESSON, PUZZLE
from gnomon.referee.help import HELPS
from gnomon.referee.judgement import BUTTONS, Action, Temperament
from gnomon.rules.registry import BARE_CLOCK, GAMES, kind_of
from gnomon.timekeeping.presets import PRESETS
from gnomon.tournament.settings.team_play_changes import PLAY
from gnomon.tournament.settings.texts import READERS
from gnomon.tournament.stages import Carry, Seeding
from gnomon.tournament.standings.series import SeriesScoring
from gnomon.tournament.state import Entrant
from gnomon.tournament.state.particulars import Heading, PersonalData
from gnomon.tournament.state.prizes import Sharing
from gnomon.tournament.state.settings import Bye, Rounding, System
from gnomon.tournament.state.team_play import LOT, ORDER
from gnomon.tournament.tiebreaks.values import NAMES
from gnomon.views import sentences
from gnomon.views.display.menus import MenuAction
from gnomon.views.show import show
from gnomon.web.access import Role
from gnomon.web.arbiter.incidents import IncidentKind
from gnomon.web.director.rounds.boards import LEFT
from gnomon.web.games import exports
from gnomon.web.middleware import error_pages
from gnomon.web.pages._documents import GUIDES
from gnomon.web.pages.guide import LIGHTS, STEPS
from gnomon.words import LANGUAGES, words
from gnomon_pi.config.description import BOARDS
from gnomon_pi.config.power import budget
from gnomon_pi.tools.doctor import _system as system
from gnomon_pi.tools.doctor.finding import Severity
from gnomon_pi.tools.walk.steps import Do
from tests.wiring.boards import ALL as DESCRIBED
from tests.wiring.boards import board as described_board

ROOT: Final = Path(sentences.__file__).parents[3]
PARTS: Final = [
    file
    for folder in ("companion/gnomon", "firmware/gnomon_pi")
    for ending in ("py", "html", "js")
    for file in sorted((ROOT / folder).rglob(f"*.{ending}"))
]
KEYS: Final = frozenset(words().entries)
AREAS: Final = frozenset(key.partition(".")[0] for key in KEYS)
WORTH_READING: Final = re.compile(rf"\b(say|words)\(|\"({'|'.join(AREAS)})\.")

WALK_KINDS: Final = (
    *("moved", "swapped", "dead", "chatters", "bridged"),
    *("inverted", "shared", "level", "magnets", "light"),
)
COLOURS: Final = ("red", "black")
TITLES: Final = (*GAMES, BARE_CLOCK)
TEMPERAMENTS: Final = tuple(temperament.value for temperament in Temperament)
SIDES: Final = ("north-south", "east-west")
SYSTEMS: Final = tuple(system.value.replace(" ", "_") for system in System)
DICE: Final = ("sticks", "cube", "cowries")
REFUSED: Final = (
    *(hub.FOREIGN, hub.UNKNOWN, hub.OVERSIZED, hub.MALFORMED, hub.CROWD, hub.CONFLICT, hub.LET_GO),
    inbox.CROWDED,
)

FILLED: Final[Mapping[str, Iterable[object]]] = {
    "access.role.*": Role,
    "access.role.*.may": [role for role in Role if role is not Role.SPECTATOR],
    "analysis.column.*": ("number", "person", "move", "cost", "took", "mobility", "sand"),
    "analysis.cost.*": [kind.value for kind in CostKind],
    "analysis.proven.*": ("won", "drawn", "lost"),
    "analysis.told.*": [kind.value for kind in CostKind],
    "arbiter.fact.clock.*": ("time", "moves", "to_go", "period", "spells", "flag"),
    "arbiter.field.how.*": ("set", "give", "take", "stop"),
    "arbiter.incident.*": IncidentKind,
    "arbiter.incidents.*": [*IncidentKind, "all"],
    "arbiter.reason.*": ("resigned", "agreed", "time", "absent", "arbiter"),
    "arbiter.touch.*.*": [*product(("glass", "ring", "tile"), ("on", "off"))],
    **dict.fromkeys(("arbiter.touch.button.*", "arbiter.touch.timer15.*"), ("on", "off")),
    "bench.field.*": ("space", "count", "player", "seconds"),
    "bench.give.*": COLOURS,
    "bench.holder.*": COLOURS,
    "bench.key.*": ("previous", "next", "back", "enter", "left", "right"),
    "bench.legal.count.*": ("one", "other"),
    "bench.mark.*": ("may", "target", "picked", "lies", "wrong"),
    "bench.ring_in_hand.*": COLOURS,
    "bench.side.*": COLOURS,
    "clock.new.*": ("flag", "press"),
    "clock.new.*.*": (*(("flag", each) for each in FLAGS), *(("press", each) for each in PRESSES)),
    "clock.new.flag.*": FLAGS,
    "clock.new.press.*": PRESSES,
    "calibrate.column.*": ("glass", "place", "up", "mean", "off", "spread", "range", "runs", "date"),
    "calibrate.tag.*": ("button.red", "button.black", "button.arbiter"),
    "command.people.*": ("part", "publish", "recall", "withdraw"),
    "option.tournament.person.*": [each.name for each in fields(PersonalData)],
    "option.tournament.settings.*": [*READERS, *PLAY],
    "usage.missing.*": ("argument", "option"),
    "cli.status.game.*": ("over", "paused", "played"),
    "config.load.*": {load.what for name in DESCRIBED for load in budget(described_board(name))},
    "config.table.*": (*BOARDS, "current", "each", "together", "mean"),
    "control.*": ("fischer", "bronstein", "delay"),
    "control.preset.*": PRESETS,
    "daemon.board.*": BOARDS,
    "director.accept.*": ("confirmed", "at_once", "by_hand"),
    "director.bye.*": [bye for bye in Bye if bye is not Bye.PAIRING],
    "director.engine.*": ("matching", "bbp"),
    "director.event.of.*": (
        *("city", "federation", "starts", "ends", "dates", "arbiter", "deputies", "time", "encoded_time", "kind"),
    ),
    "director.fate.*": (*OUTCOMES, LEFT),
    "director.person.*": ("sex", "title", "federation", "fide_number", "born", "club"),
    "director.presence.*": Presence,
    "director.stand.*": [standing.name.lower() for standing in PairingState],
    "director.state.*": ("entries", "playing", "between", "over"),
    "director.system.*": SYSTEMS,
    "director.system.*.why": SYSTEMS,
    "director.temperament.*": TEMPERAMENTS,
    "doctor.heat.is.*": system.SLOWED.values(),
    "doctor.heat.was.*": system.SLOWED.values(),
    "doctor.kernel_log.*": [what for _, what in system.COMPLAINTS],
    "doctor.mark.*": [mark.name.lower() for mark in Severity],
    "doctor.sum.*": [mark.name.lower() for mark in Severity],
    "due.*": ("tabik",),
    "due.tayu.pick.*": ("stacks", "backs"),
    "due.twenty-squares.*.*": [*product(("throw", "again"), DICE)],
    "due.twenty-squares.move*": ("", ".convert"),
    "exercise.*": (LESSON, PUZZLE),
    "game.*": TITLES,
    "learn.*": tuple(each.value for each in Grade),
    "lesson.*.*": tuple((game, lesson.name) for game in GAMES for lesson in lessons_of(game)),
    **dict.fromkeys(("rules.about.*", "rules.example.*"), tuple(GAMES)),
    "hall.fate.*": OUTCOMES,
    "hall.refused.*": REFUSED,
    "hall.standing.*": PairingState,
    "hall.state.*": [*PHASES, *(presence for presence in Presence if presence is not Presence.ONLINE)],
    "hall.trouble.*": Trouble,
    "hall.trouble.*.do": Trouble,
    "landing.connect.*": [step for step, _ in STEPS],
    "landing.connect.*.do": [step for step, _ in STEPS],
    "landing.guide.*": GUIDES,
    "landing.help.*": ("board", "buttons", "lights", "display", "rules", "keys"),
    "landing.help.button.*": ("own", "arbiter", "not_turned", "table"),
    "landing.help.button.*.does": ("own", "arbiter", "not_turned", "table"),
    "landing.light.*": LIGHTS,
    "landing.light.*.means": LIGHTS,
    "landing.light.*.rhythm": LIGHTS,
    "landing.mistake.*": error_pages.TOLD,
    "landing.mistake.*.do": error_pages.TOLD,
    "landing.mistake.hall.*.do": error_pages.OF_A_HALL,
    "oled.does.*": (
        *("moves", "draws", "marks", "bids", "lays", "picks", "throws"),
        *("forfeits", "converts", "enters", "begins"),
    ),
    "menu.*": (*("gnomon", "two"), *(action.value for action in MenuAction)),
    "menu.help.*": ("warnings", *HELPS),
    "opponent.tutor.*": ("off", *HELPS),
    "oled.repair.*": [action.name.lower() for action in Action],
    "oled.tamsk.large.*": ("no_move", "put_down", "not_on_turn"),
    "oled.tamsk.letter.*": COLOURS,
    "people.*": [score.name.lower() for score in GameScore],
    "people.column.*": ("games", "won", "drawn", "lost"),
    "phase.*": BUTTONS,
    "picture.status.*": (
        *("again", "throw", "line", "number", "wins", "last_move", "pie", "moves"),
        *("lay", "draw_tile", "bid", "pick"),
    ),
    "picture.tabik.stone.*": ("black", "white"),
    "picture.tamsk.glass.*": COLOURS,
    "picture.tamsk.seen.glass*": ("", ".told"),
    "picture.tamsk.space*": (".one", ".other", ".full.one", ".full.other"),
    "picture.tau.*": ("high", "low"),
    "picture.tau.seen*": ("", ".limit"),
    "picture.tayu.guess.*": ("size", "doubles"),
    "picture.tayu.seen*": ("", ".hand"),
    "picture.twenty-squares.*": ("rosette", "marked", "hand", "home"),
    "players.about.*": TITLES,
    "players.does.*": ("throw", "draw", "lay", "bid", "pick", "line", "move"),
    "players.space.*": COLOURS,
    "players.temperament.*": TEMPERAMENTS,
    "players.temperament.*.does": TEMPERAMENTS,
    "reason.*": ("no_such_move", "over", "by_hand"),
    "reason.*.*": [(game, code) for game in GAMES for code in show(game).reasons],
    "repair.*": [action.name.lower() for action in Action],
    "ruling.corrected*": ("", ".why"),
    "ruling.tamsk.declared.**": [*product(("glass", "timer15"), ("", ".agreed", ".brief"))],
    "ruling.tamsk.lost*": ("", ".brief"),
    "ruling.tamsk.penalty*": ("", ".brief"),
    "ruling.tamsk.stopped*": ("", ".brief"),
    "ruling.tamsk.timer15*": ("", ".brief"),
    "seat.*": SIDES,
    "sheet.*": ("standings", "cross", "bracket"),
    "sheet.tie.*": NAMES,
    "cli.ratings.*": ("before", "games", "score", "expected", "average", "performance", "k", "change", "after"),
    "cli.league.column.*": (
        *("board", "entrants", "first", "hall", "halls", "name", "place", "points", "result", "results", "round"),
        *("second", "tournament", "tournaments", "waiting"),
    ),
    "cli.throws.*": [proof.value for proof in ThrowProof],
    "cli.tournament.till.*": ("owed", "paid", "due"),
    "director.go.rounding.*": list(map(str, Rounding)),
    "director.new.*": ("win", "draw", "loss", "bye"),
    "director.prizes.sharing.*": [sharing.value for sharing in Sharing],
    "director.stages.carry.*": [carry.value for carry in Carry],
    "director.stages.seeding.*": [seeding.value for seeding in Seeding],
    "my.heard.*": ("won", "drawn", "lost"),
    "my.said.*": ("won", "drawn", "lost"),
    "series.scoring.*": [scoring.value for scoring in SeriesScoring],
    "tournament.team.goes_on.*": (LOT, ORDER),
    "solve.about.*": [game for game in TITLES if kind_of(game).solved],
    "engine.luck.*": ("points", "luck", "even"),
    "tournament.log.play.*": PLAY,
    "tournament.log.setting.*": [*READERS],
    "tournament.trf.field.*": [
        *(name for name in Entrant._fields if name != "number"),
        *(one.name for one in fields(Heading) if one.name != "virtual"),
        *(one.name for one in fields(PersonalData) if one.name != "club"),
    ],
    "tournament.trf.only_led_to.*.*": [*product(("corrections", "lots", "orders"), ("one", "other"))],
    "tournament.trf.without.*": ("checked_in", "deadlines", "payments", "prizes", "stage_seeds"),
    "word.bye.*": [bye.value for bye in Bye if bye is not Bye.PAIRING],
    "word.system.*": [system.value for system in System],
    "tournament.log.heading.*": [field.name for field in fields(Heading)],
    "tournament.log.person.*": [field.name for field in fields(PersonalData)],
    "turn.tamsk.*": ("pass", "lost"),
    "turn.tamsk.brief.*": ("pass", "lost"),
    "turn.tamsk.move.*": ("before", "free", "before_free"),
    "walk.*": [do.value.replace(" ", "_") for do in Do],
    "walk.kind.*": WALK_KINDS,
    "watching.demo.*": ("slow", "usual", "fast"),
    "watching.file.*": exports.FORMATS,
    "watching.file.*.what": exports.FORMATS,
    "watching.find.result.*": ("decided", "drawn", "going-on"),
}
"""What can be filled in where a key is put together; several values stand in a tuple."""

WHERE_THERE_IS_ONE: Final = {
    *(
        *("doctor.subject.*", "oled.short.*", "usage.metavar.*"),
        "arbiter.act.*",
        "button.*",
        "choice.*",
        "ending.*",
        "hall.asked.*",
        "player.*",
    ),
    *("quarantine.*", "reason.*.unexplained", "ruling.paused.*"),
    *(
        "question.*",
        "question.*.*",
        "ruling.fault.*",
        "ruling.fault.*.brief",
        "sensor.*",
        "sensor.*.*",
        "who.*",
        "word.*",
    ),
}
"""Keys that are looked for, and without which something else is said: names of inputs, words of other programs."""

SEEN_TO: Final = {"setting.*.*", "setting.*.*.*"}
"""Those of which another test knows what there is to be: `test_every_setting_has_a_name_and_every_choice_too`."""


def keys_of(file: Path) -> tuple[frozenset[str], frozenset[str]]:
    """The keys that a file puts together, with `*` for what is filled in, and those it asks for as they stand."""
    text = file.read_text(encoding="utf-8")
    if not WORTH_READING.search(text):
        return frozenset(), frozenset()
    built, asked = {".py": _of_python, ".html": _of_a_page, ".js": _of_script}[file.suffix](text)
    return frozenset(key for key in built if "*" in key and _is_key(key)), frozenset(filter(_is_key, asked))


def _is_key(text: str) -> bool:
    head, dot, _ = text.partition("*")[0].partition(".")
    return bool(dot) and head in AREAS and re.fullmatch(r"[a-z0-9_.*-]+", text) is not None


def _of_python(text: str) -> tuple[list[str], list[str]]:
    built, asked = [], []
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.JoinedStr(values=parts):
                built.append("".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in parts))
            case ast.BinOp(left=ast.Constant(value=str(start)), op=ast.Add()):
                built.append(f"{start}*")
            case ast.Call(func=ast.Name(id="say" | "words"), args=[ast.Constant(value=str(key)), *_]):
                asked.append(key)
            case _:
                pass
    return built, asked


def _of_a_page(text: str) -> tuple[list[str], list[str]]:
    page = jinja2.Environment(autoescape=True).parse(text)
    built = [
        "".join(str(part.value) if isinstance(part, nodes.Const) else "*" for part in together.nodes)
        for together in page.find_all(nodes.Concat)
    ]
    built += [f"{added.left.value}*" for added in page.find_all(nodes.Add) if isinstance(added.left, nodes.Const)]
    calls = [each for each in page.find_all(nodes.Call) if isinstance(each.node, nodes.Name) and each.args]
    asked = [each.args[0] for each in calls if each.node.name == "say"]  # type: ignore[attr-defined]  # it is a Name
    return built, [str(key.value) for key in asked if isinstance(key, nodes.Const)]


def _of_script(text: str) -> tuple[list[str], list[str]]:
    built = [re.sub(r"\$\{[^{}]*\}", "*", each) for each in re.findall(r"`([a-z_]+\.(?:[^`$]|\$\{[^{}]*\})*)`", text)]
    built += [f"{start}*" for start in re.findall(r'"([^"\n]*\.)" ?\+', text)]
    return built, re.findall(r"\bsay\(\"([^\"\n]*)\"[,)]", text)


def filled(key: str, value: object) -> str:
    """A key with its values in place of its stars."""
    for each in value if isinstance(value, tuple) else (value,):
        key = key.replace("*", str(each), 1)
    return key


@cache
def keys_of_all() -> Mapping[Path, tuple[frozenset[str], frozenset[str]]]:
    """The same of every file: read when a test wants it, not whenever tests are collected."""
    return {file: keys_of(file) for file in PARTS}


NO_WORDS: Final = {"event.*", "rules.*.md"}
"""Built like keys, and none: where a line of a book is wrong, and the page of a game's rules in a language."""


@pytest.mark.untraced
def test_it_is_known_with_what_every_key_is_filled_in() -> None:
    assembled = {key: file for file, (built, _) in keys_of_all().items() for key in built}
    assert len(assembled) > 90
    known = FILLED.keys() | WHERE_THERE_IS_ONE | SEEN_TO | NO_WORDS
    assert {key: str(file) for key, file in assembled.items() if key not in known} == {}
    assert [key for key in known - NO_WORDS if key not in assembled] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_that_can_be_asked_for_exists(language: str) -> None:
    entries = words(language).entries
    assert [
        key
        for built, values in FILLED.items()
        for key in (filled(built, value) for value in values)
        if key not in entries and not {f"{key}.one", f"{key}.other"} <= entries.keys()
    ] == []


@pytest.mark.untraced
def test_every_word_that_is_asked_for_exists() -> None:
    asked = [(key, file.name) for file, (_, keys) in keys_of_all().items() for key in keys]
    assert len(asked) > 1000
    assert [each for each in asked if each[0] not in KEYS] == []
