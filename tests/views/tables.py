"""Provide the tests of the views with games of TAMSK in every state, by hand and at random."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from hypothesis import strategies as st

from gnomon.games.tamsk.rules import BOARD, PLAYERS, Move, Position, Tamsk
from gnomon.games.tamsk.sensing.board import new_game as begin
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import INPUTS
from gnomon.games.tamsk.sensing.verdicts import ENDS
from gnomon.games.tamsk.show._sentences import REASONS
from gnomon.referee.game import Ply, Question
from gnomon.referee.judgement import Action, Judgement, Phase, Repair, Temperament
from gnomon.referee.rulings import (
    Corrected,
    FaultRuled,
    GameOver,
    GamePaused,
    GameResumed,
    GlassStopped,
    IllegalRuled,
    PenaltyRuled,
    QuestionAsked,
    Righted,
    Ruling,
    SandDeclared,
    TimerTurned,
    TurnLost,
    TurnRuled,
)
from gnomon.refusals import statement
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import MINUTE, SECOND, Instant


class Table(NamedTuple):
    """What a view is asked for."""

    game: TamskGame | None
    now: Instant
    health: tuple[str, ...] = ()


def at(seconds: float) -> Instant:
    """So many seconds after the game began."""
    return Instant(round(seconds * SECOND))


def new_game(level: int, temperament: Temperament = Temperament.ASSISTANT, **settings: str) -> TamskGame:
    """A game before its first turn."""
    return begin(Tamsk.from_settings({"level": level, **settings}), temperament)


def played(game: TamskGame, line: str, *, every: float = 10) -> TamskGame:
    """The game after the turns of a line, one every so many seconds; `lift:` and `flip15` are no plies."""
    for text in line.split():
        start = game.plies[-1].at if game.plies else Instant(0)
        done = Instant(start + at(every))
        before = game.rules.elapse(game.position, done)
        move = game.rules.parse(before, text)
        after = game.rules.play(before, move)
        if not game.rules.is_turn(move):
            game = replace(game, position=after)
            continue
        player = PLAYERS[before.mover]
        game = replace(
            game,
            position=after,
            plies=(*game.plies, Ply(player, text, done, before, done, poles=game.poles)),
            rulings=(*game.rulings, TurnRuled(done, player, text)),
        )
    return game


def judged(game: TamskGame, phase: Phase, *rulings: Ruling, **parts: Any) -> TamskGame:
    """The game as the referee sees it, with its last rulings."""
    judgement = replace(Judgement(phase), **parts)
    return replace(game, judgement=judgement, rulings=(*game.rulings, *rulings))


OPENING = "D1-D2 G1-F1x D2-E2 F1-E1x"
LINE = "D1-D2 G1-F2 A4-B4 D7-D6= G4-F4 A1-B2"
REPAIRS = (Repair(Action.TAKE_GLASS, "E5"), Repair(Action.PUT_GLASS, "D4"))


@cache
def scenes() -> Mapping[str, Table]:
    """One table for every state of the display."""
    level1 = played(new_game(1), OPENING)
    level2 = played(new_game(2), LINE, every=9)
    level3 = played(new_game(3), LINE, every=9)
    coach2 = replace(level2, temperament=Temperament.COACH)
    hurried = played(level3, "flip15", every=3)
    late = replace(level3, position=level3.position._replace(penalty=True))
    refused = IllegalRuled(at(60), "red", "B4-E5", "not_adjacent", tuple(REPAIRS))
    asked = QuestionAsked(at(60), "which_turn", ("+B2,F4-E4x", "+B2,F4-E4x,+D4"))
    many = QuestionAsked(at(60), "which_turn", ("B4-C4", "D2-D3", "F4-F3="))
    back = QuestionAsked(at(60), "take_back", ("yes", "no"))
    astray = IllegalRuled(at(60), "red", None, "", (Repair(Action.PUT_GLASS, "B2"),))
    worn = "The sensor chain does not answer: look at its plug."
    not_over = QuestionAsked(at(60), ENDS, ("yes", "no"))
    return {
        "waiting": Table(None, at(0)),
        "waiting-trouble": Table(None, at(5), (worn,)),
        "level1-start": Table(new_game(1), at(0)),
        "level1-play": Table(level1, at(60)),
        "level1-in-hand": Table(judged(level1, Phase.IN_HAND, lifted=("E2",)), at(60)),
        "level1-two-in-hand": Table(judged(level1, Phase.IN_HAND, lifted=("E2", "E1")), at(60)),
        "level1-ring-may-fall": Table(judged(level1, Phase.MAY_GO_ON, origin="E2", target="E3"), at(60)),
        "level2-start": Table(new_game(2), at(0)),
        "level2-opening": Table(played(new_game(2), "D1-D2 G1-F2="), at(30)),
        "level2-play": Table(level2, at(73.5)),
        "level2-running-out": Table(level2, at(184)),
        "level2-in-hand": Table(judged(level2, Phase.IN_HAND, lifted=("D2",)), at(73.5)),
        "level2-in-hand-coach": Table(judged(coach2, Phase.IN_HAND, lifted=("D2",)), at(73.5)),
        "level2-ring-may-fall": Table(judged(level2, Phase.MAY_GO_ON, origin="D2", target="D3"), at(73.5)),
        "level2-nothing-to-end": Table(judged(level2, Phase.AGREED, code="nothing_to_end"), at(73.5)),
        "level2-not-put-down": Table(judged(level2, Phase.IN_HAND, lifted=("D2",), code="not_put_down"), at(73.5)),
        "level2-unsettled": Table(judged(level2, Phase.UNSETTLED), at(73.5)),
        "level3-play": Table(level3, at(61)),
        "level1-no-ring-left": Table(
            judged(
                replace(level1, position=level1.position._replace(rings_left=(0, 3))),
                Phase.MAY_GO_ON,
                origin="E2",
                target="E3",
            ),
            at(60),
        ),
        "level1-ring-must-fall": Table(
            judged(played(new_game(1, ring="auto"), OPENING), Phase.MAY_GO_ON, origin="E2", target="E3"), at(60)
        ),
        "level1-silent-in-hand": Table(
            judged(played(new_game(1, Temperament.SILENT), OPENING), Phase.IN_HAND, lifted=("E2",)), at(60)
        ),
        "level2-nowhere-to-go": Table(judged(coach2, Phase.IN_HAND, lifted=("B2",)), at(73.5)),
        "level3-second-ring-due": Table(late, at(61)),
        "level3-countdown": Table(hurried, at(58.5)),
        "level3-countdown-in-hand": Table(judged(hurried, Phase.IN_HAND, lifted=("D2",)), at(68.2)),
        "level3-second-ring": Table(judged(late, Phase.MAY_GO_ON, origin="D2", target="D3"), at(61)),
        "level3-penalty": Table(judged(late, Phase.AGREED, PenaltyRuled(at(60), "red")), at(61)),
        "refused": Table(judged(level2, Phase.WRONG, refused, repairs=REPAIRS, code="not_adjacent"), at(61)),
        "refused-second-step": Table(judged(level2, Phase.WRONG, refused, repairs=REPAIRS[1:], code="full"), at(61)),
        "refused-in-a-hurry": Table(judged(hurried, Phase.WRONG, refused, repairs=REPAIRS, code="not_turned"), at(61)),
        "unexplained": Table(judged(level2, Phase.WRONG, refused, repairs=REPAIRS), at(61)),
        "question": Table(replace(judged(level2, Phase.ASKING, asked), question=Question(asked, (), 0)), at(61)),
        "question-of-three": Table(replace(judged(level2, Phase.ASKING, many), question=Question(many, (), 0)), at(61)),
        "question-take-back": Table(
            replace(judged(level1, Phase.ASKING, back), question=Question(back, (), 1)), at(61)
        ),
        "put-right-by-hand": Table(judged(level2, Phase.WRONG, astray, repairs=REPAIRS[1:], code="by_hand"), at(61)),
        "glass-away": Table(judged(level2, Phase.UNSETTLED, lifted=("B2",), repairs=REPAIRS[1:]), at(61)),
        "quarantined-text": Table(replace(level2, quarantined=("D2.ring1",)), at(80)),
        "quarantined-notice": Table(replace(level2, quarantined=("D2.ring1",)), at(76)),
        "paused-level1": Table(replace(level1, paused_at=at(50)), at(90)),
        "paused": Table(replace(level3, paused_at=at(61)), at(90)),
        "paused-by-hand": Table(
            replace(
                judged(level3, Phase.AGREED, Corrected(at(61), statement("corrected.paused"), "gnomond", AWAY)),
                paused_at=at(61),
            ),
            at(90),
        ),
        "paused-put-right": Table(
            replace(judged(level3, Phase.WRONG, astray, repairs=REPAIRS, code="by_hand"), paused_at=at(61)), at(90)
        ),
        "paused-as-the-game-is-not-over": Table(
            replace(judged(level2, Phase.ASKING, not_over, GamePaused(at(61))), paused_at=at(61)), at(90)
        ),
        "over-red": Table(over(level2, "red", "fewest_rings"), at(90)),
        "over-black": Table(over(level2, "black", "last_running_glass"), at(90)),
        "over-full": Table(over(level2, "black", "full_space"), at(90)),
        "over-draw": Table(over(level1, None, "draw"), at(90)),
        "over-declared": Table(over(level1, "black", "resigns"), at(90)),
        "trouble": Table(level3, at(76), ("The journal cannot be written: rulings are not shown. Free some space.",)),
        "trouble-refused": Table(
            judged(level2, Phase.WRONG, refused, repairs=REPAIRS, code="not_adjacent"), at(76), (worn,)
        ),
    }


def over(game: TamskGame, winner: str | None, reason: str) -> TamskGame:
    """The game with a result."""
    ruling = GameOver(at(70), winner, reason, game.rules.score(game.position))
    return replace(game, declared=Outcome(winner, reason), rulings=(*game.rulings, ruling))


# Whatever is drawn by is made once: to make and validate it again for each draw takes Hypothesis longer than all else.
TEMPERAMENTS = st.sampled_from(Temperament)
RING = st.sampled_from(["optional", "auto"])
LATE = st.sampled_from(["two_rings", "skip_turn"])
CHANCES = st.randoms(use_true_random=False)
PACES = st.sampled_from([0.5, 8, 40])
LENGTHS = st.integers(0, 60)


@st.composite
def games(draw: st.DrawFn, levels: tuple[int, ...] = (1, 2, 3)) -> TamskGame:
    """Games by chance: random legal turns at random times, in any temperament; some paused, over or in trouble."""
    rules = Tamsk.from_settings(
        {
            "level": draw(st.sampled_from(levels)),
            "ring": draw(RING),
            "late": draw(LATE),
        }
    )
    game = begin(rules, draw(TEMPERAMENTS))
    chance = draw(CHANCES)
    pace = draw(PACES)
    for _ in range(draw(LENGTHS)):
        now = Instant(game.position.now + at(chance.uniform(0, pace)))
        before = rules.elapse(game.position, now)
        moves = rules.legal_moves(before)
        if not moves:
            game = replace(game, position=before)
            break
        game = _after(game, before, chance.choice(moves))
    return _troubled(draw, game)


def _after(game: TamskGame, before: Position, move: Move) -> TamskGame:
    """The game after a move, as the referee would write it down."""
    position = game.rules.play(before, move)
    if not game.rules.is_turn(move):
        return replace(game, position=position)
    player, text, now = PLAYERS[before.mover], game.rules.text(before, move), before.now
    rulings: list[Ruling] = [TurnLost(now, player) if text == "lost" else TurnRuled(now, player, text)]
    outcome = game.rules.outcome(position)
    if outcome is not None:
        rulings.append(GameOver(now, outcome.winner, outcome.reason, game.rules.score(position)))
    return replace(
        game,
        position=position,
        plies=(*game.plies, Ply(player, text, now, before, now, poles=game.poles)),
        rulings=(*game.rulings, *rulings),
    )


NAMES = st.sampled_from(BOARD.names)
PEOPLE = st.sampled_from(["arbiter", "Zoë", "gnomond"])
REPAIR = st.builds(
    Repair, st.sampled_from([step for step in Action if step is not Action.TURN_TIMER]), NAMES
) | st.just(Repair(Action.TURN_TIMER))


PHASES = st.sampled_from(Phase)
LIFTED = st.lists(NAMES, max_size=3, unique=True)
STEPS = st.lists(REPAIR, max_size=4)
CODES = st.sampled_from(["", *REASONS])


@cache
@st.composite
def judgements(draw: st.DrawFn) -> Judgement:
    """What the referee may make of a board: any phase, with what belongs to it."""
    phase = draw(PHASES)
    lifted = tuple(draw(LIFTED))
    return Judgement(
        phase,
        lifted=lifted,
        origin=draw(NAMES) if phase in {Phase.IN_HAND, Phase.MAY_GO_ON} else "",
        target=draw(NAMES) if phase is Phase.MAY_GO_ON else "",
        repairs=tuple(draw(STEPS)) if phase in {Phase.WRONG, Phase.UNSETTLED} else (),
        code=draw(CODES) if phase is Phase.WRONG else "",
    )


STANDSTILLS = st.sampled_from([0, 1, 3 * MINUTE])
QUARANTINED = st.lists(st.sampled_from(INPUTS), max_size=2, unique=True)
PAUSES = st.none() | st.integers(0, 90 * SECOND)


def _troubled(draw: st.DrawFn, game: TamskGame) -> TamskGame:
    """The game with a ruling, a judgement, a pause, a question or quarantined inputs."""
    last = draw(_last_rulings())
    if last is not None:
        game = replace(game, rulings=(*game.rulings, last))
    judgement = draw(judgements())
    asked = draw(questions()) if judgement.phase is Phase.ASKING else None
    question = None if asked is None else Question(asked, (), int(asked.question == "take_back"))
    pause = draw(PAUSES)
    return replace(
        game,
        judgement=judgement,
        question=question,
        paused_at=None if pause is None else Instant(game.position.now + pause),
        standstill=draw(STANDSTILLS),
        quarantined=tuple(draw(QUARANTINED)),
    )


FREED = st.just("") | st.builds(",+{}".format, NAMES)
REDEEMED = st.just("") | st.builds("+{},".format, NAMES)
RING_MARKS = st.sampled_from(["", "x", "="])
SHAPES = st.integers(0, 3)


@cache
@st.composite
def turn_texts(draw: st.DrawFn) -> str:
    """Canonical text of any shape."""
    whole = f"{draw(REDEEMED)}{draw(NAMES)}-{draw(NAMES)}{draw(RING_MARKS)}{draw(FREED)}"
    return (whole, "pass", "lost", f"+{draw(NAMES)}")[draw(SHAPES)]


@cache
def questions() -> st.SearchStrategy[QuestionAsked]:
    """Any question."""
    turns = st.lists(turn_texts(), min_size=2, max_size=3).map(tuple)
    which = st.builds(QuestionAsked, INSTANTS, st.just("which_turn"), turns)
    return which | st.builds(QuestionAsked, INSTANTS, st.just("take_back"), st.just(("yes", "no")))


AWAY = statement("why.power", outage="3 min 20 s")
INSTANTS = st.integers(0, 3600 * SECOND).map(Instant)
WHO = st.sampled_from(PLAYERS)


@cache
def rulings() -> st.SearchStrategy[Ruling]:
    """Any ruling."""
    codes, faults = st.sampled_from(["", *REASONS]), st.sampled_from(["chatter", "stack", "stuck"])
    steps = st.lists(REPAIR, max_size=4).map(tuple)
    scores = st.fixed_dictionaries({player: st.integers(0, 32) for player in PLAYERS})
    reasons = st.sampled_from(["fewest_rings", "last_running_glass", "draw", "stall", "full_space", "resigns"])
    whats = st.sampled_from(
        [
            statement("corrected.entered", text="A1-B2"),
            statement("corrected.sand", space="D4", seconds=12.345678),
            statement("corrected.voided.kept", count=12),
        ]
    )
    return st.one_of(
        st.builds(TurnRuled, INSTANTS, WHO, turn_texts()),
        st.builds(IllegalRuled, INSTANTS, WHO, st.none() | turn_texts(), codes, steps),
        st.builds(Righted, INSTANTS),
        st.builds(GlassStopped, INSTANTS, WHO, NAMES),
        st.builds(TimerTurned, INSTANTS, WHO, st.none() | INSTANTS),
        st.builds(SandDeclared, INSTANTS, NAMES | st.just("timer15"), WHO, st.just("") | WHO),
        st.builds(PenaltyRuled, INSTANTS, WHO),
        st.builds(TurnLost, INSTANTS, WHO),
        st.builds(FaultRuled, INSTANTS, st.sampled_from(INPUTS), faults),
        questions(),
        st.builds(GamePaused, INSTANTS),
        st.builds(GameResumed, INSTANTS),
        st.builds(GameOver, INSTANTS, st.none() | WHO, reasons, scores),
        st.builds(Corrected, INSTANTS, whats, PEOPLE, st.sampled_from(["", "misread", AWAY])),
    )


@cache
def _last_rulings() -> st.SearchStrategy[Ruling | None]:
    """Any ruling, or none."""
    return st.none() | rulings()


MOMENTS = st.one_of(
    st.integers(0, 200 * SECOND),
    st.integers(0, 200).map(lambda more: more * SECOND),
    st.just(24 * 3600 * SECOND),
)
"""How long after what has happened to look at a game: at once, at whole seconds, and long after."""


HEALTH = st.lists(
    st.sampled_from(
        [
            "The sensor chain does not answer: look at its plug.",
            "The journal cannot be written: rulings are not shown. Free some space.",
            "The display does not answer.",
            "The lights do not answer.",
            "Too busy: 1000 of 1000 scans came late.",
        ]
    ),
    max_size=2,
    unique=True,
).map(tuple)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Anything a view may be asked for."""
    game = draw(games())
    start = max(game.position.now + game.standstill, game.paused_at or 0)  # nobody looks before what has happened
    return Table(game, Instant(start + draw(MOMENTS)), draw(HEALTH))
