"""Build the JSON summary of a game of TAMSK, as a function of (game, now).

Times are seconds as JSON numbers. `at` is the game time of all values: a page draws running sand between two
summaries from `remaining`, `running` and the time that has passed since.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Final

from gnomon.games.tamsk.rules import BOARD, CAPACITY, PLAYERS, Position, Tamsk
from gnomon.games.tamsk.rules.glasses import ELECTRONIC, write_durations
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.show import _lights as lights
from gnomon.games.tamsk.show import _moments as moments
from gnomon.games.tamsk.show._sentences import turn
from gnomon.referee.rulings import Ruling
from gnomon.refusals import Statement, clause
from gnomon.rules.protocol import OVER, Outcome
from gnomon.timekeeping.glasses import SandGlass
from gnomon.timekeeping.instants import Instant, seconds
from gnomon.views import clock_faces, opponents, sentences
from gnomon.views.people import people
from gnomon.views.phrases import winner_sentence
from gnomon.views.show import show_of
from gnomon.words import ENGLISH, Words

RULINGS_KEPT: Final = 30
CORRECT: Final = "correct"
"""The code of a pause in which the turns are to be corrected first."""

Json = Mapping[str, object]


def summary(
    game: TamskGame, now: Instant, health: tuple[Statement, ...] = (), words: Words = ENGLISH
) -> dict[str, object]:
    """The whole table at board time `now`, ready for JSON."""
    time = moments.game_time(game, now)
    position = moments.position(game, now)
    return {
        "game": game.rules.name,
        "level": game.rules.settings.level,
        "traits": show_of(game).traits(game, words),
        "settings": _settings(game),
        "temperament": game.temperament.value,
        **({"people": dict(people(game))} if game.people else {}),
        "now": seconds(now),
        "at": seconds(time),
        "paused": game.paused_at is not None,
        **({} if game.clock is None else {"clock": clock_faces.summary(game, now, words)}),
        "turn": OVER if game.outcome else PLAYERS[game.position.mover],
        "outcome": _outcome(game.outcome, words),
        "score": dict(game.rules.score(position)),
        "rings_left": dict(zip(PLAYERS, position.rings_left, strict=True)),
        "board": {"spaces": list(_spaces(game, position, now))},
        "glasses": list(_glasses(game, position, time)),
        "timer15": _timer(game, position, time),
        **_judgement(game, words),
        "plies": [
            {
                "number": number,
                "player": ply.player,
                "text": ply.text,
                "sentence": turn(ply.player, ply.text, words),
                "at": seconds(ply.at),
            }
            for number, ply in enumerate(game.plies, start=1)
        ],
        "rulings": [_ruling_payload(ruling, words) for ruling in game.rulings[-RULINGS_KEPT:]],
        "quarantined": list(game.quarantined),
        "health": [
            *(clause(told, words) for told in health),
            *(sentences.quarantine(source, words) for source in game.quarantined),
        ],
    }


def _settings(game: TamskGame) -> Json:
    settings = game.rules.settings
    given = asdict(settings)
    if settings.time == ELECTRONIC:
        del given["time"]  # the settings of the rules; how time is kept is told where it is not as usual
    del given["durations"]
    return given | ({"durations": write_durations(settings.durations)} if settings.durations else {})


def _outcome(outcome: Outcome | None, words: Words) -> Json | None:
    if outcome is None:
        return None
    why = sentences.ending_reason(outcome.reason, Tamsk.name, words).with_source(words)
    sentence = f"{winner_sentence(outcome.winner, words, outcome.reason)} {why}".rstrip()
    return {"winner": outcome.winner, "reason": outcome.reason, "sentence": sentence}


def _spaces(game: TamskGame, position: Position, now: Instant) -> Iterator[Json]:
    """Every space with its centre (unit: the distance between neighbours, y downwards), rings and light."""
    for space, word in enumerate(lights.words(game, now)):
        x, y = BOARD.centre(space)
        yield {
            "name": BOARD.names[space],
            "x": x,
            "y": y,
            "capacity": CAPACITY[space],
            "rings": position.rings_on(space),
            "light": None if word is None else word.label,
        }


def _glasses(game: TamskGame, position: Position, time: Instant) -> Iterator[Json]:
    running, in_the_air = moments.is_running(game), moments.in_the_air(game)
    for index, space in enumerate(position.glasses):
        yield {
            "player": PLAYERS[index // 3],
            "space": BOARD.names[space],
            "in_hand": space in in_the_air,
            **(_sand_of(position, index, time, running=running) if position.sands else _NO_SAND),
        }


_NO_SAND: Final[Json] = {"remaining": 0, "duration": 0, "running": False, "stopped": False}


def _sand_of(position: Position, index: int, time: Instant, *, running: bool) -> Json:
    """The sand of one of the six: `stopped` is for good, a glass not yet turned is neither stopped nor running."""
    stopped = moments.has_stopped(position, index, time)
    return {**_sand(position.sands[index], time, running=running), "stopped": stopped}


def _sand(glass: SandGlass, time: Instant, *, running: bool) -> Json:
    return {
        "remaining": seconds(glass.remaining(time)),
        "duration": seconds(glass.durations[glass.up]),
        "running": running and glass.is_running(time),
        **({"estimate": True} if glass.by_eye else {}),
    }


def _timer(game: TamskGame, position: Position, time: Instant) -> Json | None:
    if position.timer15 is None:
        return None
    return {**_sand(position.timer15, time, running=moments.is_running(game)), "binds": game.position.timer15_binds}


def _judgement(game: TamskGame, words: Words) -> Json:
    judgement, seen = game.judgement, opponents.judgement_told(game)
    to_correct = moments.awaits_correction(game)
    told = sentences.phase(seen, Tamsk.name, words)
    asked = game.question.asked if game.question else None
    return {
        "phase": seen.phase.value,
        "phase_sentence": words("phase.tamsk.correct") if to_correct else told,
        "origin": judgement.origin,
        "target": judgement.target,
        "code": CORRECT if to_correct else seen.code and judgement.code,
        "repairs": [sentences.repair(step, words) for step in judgement.repairs],
        "question": sentences.brief(asked, Tamsk.name, words) if asked else None,
        "choices": list(asked.choices) if asked else [],
        "answers": [
            {"choice": answer.choice, "text": sentences.choice(answer.choice, words), "button": answer.button or None}
            for answer in moments.answers(game)
        ],
    }


def _ruling_payload(ruling: Ruling, words: Words) -> Json:
    return {"kind": ruling.kind, "at": seconds(ruling.at), "sentence": sentences.sentence(ruling, Tamsk.name, words)}
