"""Define the named response schemas of the API, the components of its OpenAPI description."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Final

from gnomon.referee.judgement import Temperament
from gnomon.rules.registry import BARE_CLOCK, games
from gnomon.web.access import Role
from gnomon.web.api.shapes import (
    ANYTHING,
    NUMBER,
    DescribedShape,
    Fields,
    ListOf,
    OneOf,
    OrNull,
    Schema,
    Shape,
    Truth,
    Whole,
    answer,
)

TEXT: Final = DescribedShape({"type": "string"})
TEXTS: Final = ListOf(TEXT)
OBJECT: Final = DescribedShape({"type": "object"})
COUNTS: Final = DescribedShape({"type": "object", "additionalProperties": {"type": ["integer", "string", "array"]}})
MAYBE: Final = OrNull(TEXT)
TEMPERAMENT: Final = OneOf([each.value for each in Temperament])
GAME: Final = OneOf(lambda: sorted((*games(), BARE_CLOCK)))
ROLE: Final = OneOf([role.value for role in Role])


def component(name: str) -> DescribedShape:
    """The component of a name."""
    return DescribedShape({"$ref": f"#/components/schemas/{name}"})


_PLY: Final = answer(number=Whole(1), player=TEXT, text=TEXT, sentence=TEXT, at=NUMBER)
_SAND: Final[Mapping[str, Shape]] = {"remaining": NUMBER, "duration": NUMBER, "running": Truth()}
_SIDE: Final = answer(
    player=TEXT, name=TEXT, players=TEXTS, text=TEXT, kind=OneOf(["main", "byo-yomi", "canadian", "hourglass", "up"]),
    remaining=NUMBER, delay=NUMBER, counted=NUMBER, available=OrNull(NUMBER), used=NUMBER, period=Whole(1),
    periods=Whole(1), moves=Whole(), to_go=OrNull(Whole()), spells=Whole(), running=Truth(), flagged=Truth(),
)  # fmt: skip
_CLOCK: Final = answer(
    control=TEXT, flag=OneOf(["ends", "shown"]), press=OneOf(["turn", "button"]), warning=NUMBER, started=Truth(),
    running=MAYBE, side=OrNull(Whole(0, 1)), first_flag=MAYBE, deadline=OrNull(NUMBER), ahead=Whole(),
    sides=ListOf(component("ClockSide")), after=OrNull(ListOf(component("ClockSide"))),
)  # fmt: skip
_COMMON: Final[Mapping[str, Shape]] = {
    "traits": answer(live_drawing=Truth(), has_sand=Truth(), touch=TEXT, tapped=Truth(), counts=TEXT),
    "settings": OBJECT,
    "temperament": TEMPERAMENT,
    "now": NUMBER,
    "at": NUMBER,
    "paused": Truth(),
    "turn": TEXT,
    "outcome": OrNull(answer(winner=MAYBE, reason=TEXT, sentence=TEXT)),
    "score": COUNTS,
    "phase": TEXT,
    "code": MAYBE,
    "repairs": TEXTS,
    "question": MAYBE,
    "choices": TEXTS,
    "plies": ListOf(_PLY),
    "rulings": ListOf(answer(kind=TEXT, at=NUMBER, sentence=TEXT)),
    "quarantined": TEXTS,
    "health": TEXTS,
    "talk": answer(
        warning=MAYBE,
        draw=OrNull(answer(asked=TEXT, sentence=TEXT, by_person=Truth())),
        warns=Truth(),
        may_offer=MAYBE,
        help=MAYBE,
        helped=MAYBE,
    ),
}


def _with_clock(told: Fields) -> Fields:
    """A summary in which a match clock may stand, and what an engine does that plays a side."""
    more = {"clock": component("Clock"), "opponent": OBJECT, "exercise": OBJECT}
    return replace(told, fields={**told.fields, **more}, optional=frozenset(more))


_NO_GAME: Final = answer(game=DescribedShape({"type": "null"}), health=TEXTS, now=NUMBER)
_WITH_GLASSES: Final = answer(
    game=GAME,
    level=Whole(1, 3),
    **_COMMON,
    rings_left=COUNTS,
    board=answer(
        spaces=ListOf(answer(name=TEXT, x=NUMBER, y=NUMBER, capacity=Whole(), rings=Whole(), light=MAYBE)),
    ),
    glasses=ListOf(answer(player=TEXT, space=TEXT, in_hand=Truth(), **_SAND, stopped=Truth())),
    timer15=OrNull(answer(**_SAND, binds=Truth())),
    phase_sentence=TEXT,
    origin=MAYBE,
    target=MAYBE,
    answers=ListOf(answer(choice=TEXT, text=TEXT, button=MAYBE)),
)
_TABLE: Final = answer(
    game=GAME,
    title=TEXT,
    **_COMMON,
    remarks=TEXTS,
    sensed=Truth(),
    actor=TEXT,
    is_natures=Truth(),
    due=TEXT,
    request=TEXT,
    players=ListOf(answer(player=TEXT, name=TEXT, role=ANYTHING, partners=ANYTHING, on_turn=Truth())),
    state=OBJECT,
    picture=TEXT,
    moves=TEXTS,
    moves_in_all=Whole(),
    chances=ListOf(answer(text=TEXT, label=TEXT, odds=TEXT)),
    last_move=OrNull(answer(player=TEXT, text=TEXT, sentence=TEXT)),
)
_RULING: Final = answer(ruling=TEXT, at_us=Whole(0, 2**63 - 1), sentence=TEXT)
_RECORD: Final = answer(
    number=Whole(), kind=OneOf(["raw", "event", "ruling", "note"]), at_us=Whole(0, 2**63 - 1), cause=OrNull(Whole()),
    body=OBJECT, wall=TEXT,
)  # fmt: skip
_STORED: Final[Mapping[str, Shape]] = {
    "number": Whole(),
    "game": TEXT,
    "board": TEXT,
    "settings": OBJECT,
    "temperament": TEXT,
    "began": TEXT,
    "version": TEXT,
    "ended": Truth(),
    "result": OrNull(answer(winner=MAYBE, reason=TEXT)),
    "damage": MAYBE,
}

ERROR: Final = component("Error").schema()
_COMPONENTS: Final[Mapping[str, Schema]] = {
    "Error": {
        "type": "object",
        "properties": {
            "error": {"type": "string", "minLength": 1, "description": "One sentence, in the reader's language."},
            "code": {"type": "string", "description": "What is wrong, for programs; not there for words of its own."},
            "values": {"type": "object", "description": "What the sentence is filled in with; beside every code."},
            "where": {
                "type": "string",
                "description": (
                    "Which place in the request is wrong: body/count, query/page. Not there where none is: when it was "
                    "refused before it was read, or cannot be done now."
                ),
            },
        },
        "required": ["error"],
    },
    "Clock": {
        **_CLOCK.schema(),
        "description": (
            "A match clock at `now` of the summary. Until `deadline`, in board time, the side that runs goes on from "
            "`delay` and then `remaining` (where it counts up, from `counted`); from there on from `after`, which is "
            "told when that is near."
        ),
    },
    "ClockSide": {**_SIDE.schema(), "description": "What one side of a match clock has; times are seconds."},
    "Ruling": {
        **_RULING.schema(),
        "description": "What the referee decided: its kind, board time in µs, one sentence, and what belongs to it.",
    },
    "Rulings": answer(rulings=ListOf(component("Ruling")), accepted=Truth()).schema(),
    "Game": answer(**_STORED).schema(),
    "GameList": answer(games=ListOf(component("Game")), in_all=Whole(), page=Whole(1), pages=Whole(1)).schema(),
    "GameRecord": answer(
        **_STORED,
        players=DescribedShape({"type": "object", "additionalProperties": {"type": "string"}}),
        turns=ListOf(
            answer(number=Whole(1), player=TEXT, text=TEXT, at=OrNull(NUMBER), clock=OrNull(NUMBER), comment=TEXTS)
        ),
        rulings=ListOf(OBJECT),
    ).schema(),
    "Record": _RECORD.schema(),
    "Records": answer(records=ListOf(component("Record")), next=OrNull(Whole())).schema(),
    "Person": answer(
        id=Whole(), name=TEXT, role=ROLE, is_device=Truth(), made=TEXT, seen=MAYBE
    ).schema(),
    "Session": answer(id=TEXT, person=Whole(), made=TEXT, seen=TEXT, browser=TEXT).schema(),
    "Token": answer(
        id=TEXT, person=Whole(), label=TEXT, role=ROLE, made=TEXT, expires=TEXT, seen=MAYBE
    ).schema(),
}  # fmt: skip


@cache
def components() -> Mapping[str, Schema]:
    """The components of the description by name. Some name every game, and are made when they are asked for."""
    return {
        **_COMPONENTS,
        "Summary": {
            "description": (
                "What is true of the board now: without a game, of a game with sand glasses, or of any other. `traits` "
                "tells a page what it needs to know of the game: `live_drawing`, whether the page moves the parts of a "
                "drawing instead of showing `picture`; `has_sand`, whether sand runs down; `touch`, how a turn is made "
                "by touching the picture (empty: it is not); `tapped`, whether a tap on the match clock ends a turn; "
                "and `counts`, what a score counts, in words. Where an engine plays, `opponent` has its `name` and "
                "`seats`, whether it is `on_turn`, and in `announced` the `text` of its turn, which is entered with "
                "enterTurn once it has been made, the `steps` that hands have yet to do, and in how many seconds it "
                "counts even if they have not (`counts_in`). While a person is on turn, `announced` is what hands are "
                "to do for the engine meanwhile, as to turn the 15-second glass (`flip15`), which sensors see. Where a "
                "lesson or a puzzle is done on the board, `exercise` has its `title`, which of its `steps` is the "
                "present `step`, its `state`, and the `text` for people."
            ),
            "anyOf": [_NO_GAME.schema(), _with_clock(_WITH_GLASSES).schema(), _with_clock(_TABLE).schema()],
        },
        "Moves": answer(game=OrNull(GAME), turn=MAYBE, moves=TEXTS, in_all=Whole()).schema(),
        "Incidents": answer(game=OrNull(GAME), incidents=ListOf(component("Ruling"))).schema(),
    }
