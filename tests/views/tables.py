"""The only place that lays tables for the tests of the views: games in every state, by hand and by chance."""

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from hypothesis import strategies as st

from gnomon.referee.game import Game, Ply, Question
from gnomon.referee.game import new_game as begin
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
    TimerTurned,
    TurnLost,
    TurnRuled,
)
from gnomon.referee.tamsk_inputs import INPUTS
from gnomon.rules.protocol import Outcome
from gnomon.rules.tamsk import BOARD, PLAYERS, Tamsk
from gnomon.timekeeping.instants import MINUTE, SECOND, Instant
from gnomon.views.sentences import REASONS


class Table(NamedTuple):
    """What a view is asked for."""

    game: Game | None
    now: Instant
    health: tuple[str, ...] = ()


def at(seconds: float) -> Instant:
    """So many seconds after the game began."""
    return Instant(round(seconds * SECOND))


def new_game(level: int, temperament: Temperament = Temperament.ASSISTANT, **settings: str) -> Game:
    """A game before its first turn."""
    return begin(Tamsk.from_settings({"level": level, **settings}), temperament)


def played(game: Game, line: str, *, every: float = 10) -> Game:
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
            plies=(*game.plies, Ply(player, text, done, before, done, game.poles)),
            rulings=(*game.rulings, TurnRuled(done, player, text)),
        )
    return game


def judged(game: Game, phase: Phase, *rulings: Ruling, **parts: object) -> Game:
    """The game as the referee sees it, with its last rulings."""
    judgement = replace(Judgement(phase), **parts)  # type: ignore[arg-type]
    return replace(game, judgement=judgement, rulings=(*game.rulings, *rulings))


OPENING = "D1-D2 G1-F1x D2-E2 F1-E1x"
LINE = "D1-D2 G1-F2 A4-B4 D7-D6= G4-F4 A1-B2"
REPAIRS = (Repair(Action.TAKE_GLASS, "E5"), Repair(Action.PUT_GLASS, "D4"))


def scenes() -> Mapping[str, Table]:
    """One table for every state of the display."""
    level1 = played(new_game(1), OPENING)
    level2 = played(new_game(2), LINE, every=9)
    level3 = played(new_game(3), LINE, every=9)
    coach2 = replace(level2, temperament=Temperament.COACH)
    hurried = played(level3, "flip15", every=3)
    late = replace(level3, position=level3.position._replace(penalty=True))
    refused = IllegalRuled(at(60), "red", "B4-E5", "not_adjacent", tuple(step.text for step in REPAIRS))
    asked = QuestionAsked(at(60), "Which glass came to D4?", ("B4-D4", "D2-D4", "neither"))
    worn = "The sensor chain does not answer: look at its plug."
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
        "level2-unsettled": Table(judged(level2, Phase.UNSETTLED), at(73.5)),
        "level3-play": Table(level3, at(61)),
        "level3-countdown": Table(hurried, at(61)),
        "level3-countdown-in-hand": Table(judged(hurried, Phase.IN_HAND, lifted=("D2",)), at(71.2)),
        "level3-second-ring": Table(judged(late, Phase.MAY_GO_ON, origin="D2", target="D3"), at(61)),
        "level3-penalty": Table(judged(late, Phase.AGREED, PenaltyRuled(at(60), "red")), at(61)),
        "refused": Table(judged(level2, Phase.WRONG, refused, repairs=REPAIRS, code="not_adjacent"), at(61)),
        "refused-second-step": Table(judged(level2, Phase.WRONG, refused, repairs=REPAIRS[1:], code="full"), at(61)),
        "refused-in-a-hurry": Table(judged(hurried, Phase.WRONG, refused, repairs=REPAIRS, code="not_turned"), at(61)),
        "unexplained": Table(judged(level2, Phase.WRONG, refused, repairs=REPAIRS), at(61)),
        "question": Table(replace(judged(level2, Phase.ASKING, asked), question=Question(asked, (), 0)), at(61)),
        "quarantined-text": Table(replace(level2, quarantined=("D2.ring1",)), at(80)),
        "quarantined-notice": Table(replace(level2, quarantined=("D2.ring1",)), at(76)),
        "paused-level1": Table(replace(level1, paused_at=at(50)), at(90)),
        "paused": Table(replace(level3, paused_at=at(61)), at(90)),
        "paused-by-hand": Table(
            replace(
                judged(level3, Phase.AGREED, Corrected(at(61), "paused", "gnomond", "Power was away for 3 min 20 s.")),
                paused_at=at(61),
            ),
            at(90),
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


def over(game: Game, winner: str | None, reason: str) -> Game:
    """The game with a result."""
    ruling = GameOver(at(70), winner, reason, game.rules.score(game.position))
    return replace(game, declared=Outcome(winner, reason), rulings=(*game.rulings, ruling))
