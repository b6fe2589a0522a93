"""Word the state of an engine that plays a side: thinking, announced turn, and acts left for the hands."""

from collections.abc import Mapping, Sequence
from typing import Final

from gnomon.distance.codes import spell_code
from gnomon.referee.exercises import is_taken_back
from gnomon.referee.game import Game, Opponent
from gnomon.referee.judgement import BY_HAND, Judgement, Phase
from gnomon.referee.opponents import (
    engine_that_acts,
    hands_left,
    is_engines_turn,
    is_forced,
    plays_as,
    steps_due,
    turns_to_take_back,
)
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import Corrected, TurnRuled
from gnomon.timekeeping.instants import SECOND, Instant, seconds
from gnomon.views import sentences
from gnomon.views.phrases import shorten_numbers
from gnomon.views.show import show_of
from gnomon.words import ENGLISH, Words

Json = Mapping[str, object]
_LONGEST: Final = 10  # digits of a number that is written in full


def opponent_payload(game: Game, now: Instant, words: Words = ENGLISH) -> Json | None:
    """What pages are told of the engine at board time `now`; None where only people play."""
    opponent = game.opponent
    if opponent is None:
        return None
    told = game.announced
    return {
        "name": _name(game, engine_that_acts(game) or opponent, words),
        "seats": list(opponent.seats),
        "on_turn": is_engines_turn(game) or game.is_elsewhere,
        **({"distant": True, "invites": invitation_of(game, words)} if opponent.is_distant else {}),
        "exhibition": len(opponent.seats) == len(game.rules.seats),
        "back": len(game.plies) - count + 1 if (count := turns_to_take_back(game)) else None,
        "friendly": bool(game.rules.by_eye),
        "announced": None
        if told is None
        else {
            "player": told.player,
            "text": told.text,
            "sentence": announcement(game, words),
            "steps": [sentences.repair(step, words) for step in steps_due(game)],
            "squares": [step.space.split() for step in steps_due(game)],
            "counts_in": _counts_in(game, now),
            "confirmed": not game.board.is_sensed,
        },
    }


def judgement_told(game: Game) -> Judgement:
    """How the board stands to the game; where it lags behind a turn of the engine, that is said of it.

    A correction that was followed in a pause is ruled upon when the game goes on, but there is nothing left to do.
    """
    if game.judgement.code != BY_HAND:
        return game.judgement
    if game.paused_at is not None and not game.judgement.repairs:
        return Judgement(Phase.AGREED)
    if game.exercise is not None:
        code = sentences.EXERCISE_OTHER if is_taken_back(game) else sentences.EXERCISE_SET_OUT
        return replace(game.judgement, code=code)
    last = next((each for each in reversed(game.rulings) if isinstance(each, TurnRuled | Corrected)), None)
    if not isinstance(last, TurnRuled) or not game.plies:
        return game.judgement
    # A pass that followed from the engine's turn changes nothing on the board.
    ply = next((each for each in reversed(game.plies) if not is_forced(game, each)), game.plies[-1])
    is_engines = last.player in {ply.player, game.plies[-1].player} and plays_as(game, ply.player, ply.before)
    return replace(game.judgement, code=sentences.ENGINE_COUNTS) if is_engines else game.judgement


def level_name(level: int, most: int, words: Words = ENGLISH) -> str:
    """How a level of Gnomon's own engine is called where one is chosen; `most` is the highest of the game."""
    ends = {1: "opponent.level.easy", most: "opponent.level.full"}
    return words(ends.get(level, "opponent.level"), level=level)


def announcement(game: Game, words: Words = ENGLISH) -> str:
    """What the engine has announced, as a sentence; empty while it has announced nothing."""
    told, opponent = game.announced, engine_that_acts(game)
    if told is None or opponent is None:
        return ""
    # What is no turn is said of the player on turn, as on a score sheet.
    turn = show_of(game).turn(told.player if is_engines_turn(game) else game.turn, told.text, words)
    return words("opponent.announced.do", name=_name(game, opponent, words), sentence=turn)


def brief_announcement(game: Game, words: Words = ENGLISH) -> str:
    """The same in as few letters as may be, or that it thinks; empty where no engine acts."""
    told, opponent = game.announced, engine_that_acts(game)
    if opponent is None:
        return ""
    name = _name(game, opponent, words)
    if told is None:
        return words("opponent.thinks", name=name)
    if not is_engines_turn(game):
        return words("opponent.off_turn", name=name)
    return words("opponent.announced", name=name, text=shorten_numbers(told.text, _LONGEST))


def briefest(game: Game, words: Words = ENGLISH) -> tuple[str, Sequence[str]]:
    """Who plays as a headline, and below it that it thinks, or what it plays and what hands do next."""
    told, opponent = game.announced, engine_that_acts(game)
    name = ""
    if opponent is not None:
        name = words("oled.distance.name") if opponent.is_distant else opponent.name
    if told is None:
        return name, [words("oled.opponent.thinks")]
    return name, [shorten_numbers(told.text, _LONGEST), *next_steps(game, words)]


def next_steps(game: Game, words: Words = ENGLISH) -> Sequence[str]:
    """What hands do next for the engine, as lines of the display; none where no engine is on turn."""
    if game.announced is None:
        return ()
    steps = steps_due(game)
    if steps:
        return (sentences.repair(steps[0], words),)
    return (words("opponent.finish" if game.board.is_sensed else "opponent.enter"),)


def _name(game: Game, opponent: Opponent, words: Words) -> str:
    """How an engine is called, or who plays at another board: by name, where it is known."""
    if not opponent.is_distant:
        return opponent.name
    return next((each.name for each in game.people if each.player in opponent.seats), words("distance.name"))


def invitation_of(game: Game, words: Words) -> str | None:
    """By which code another board joins, until it has done so; None at the board that was invited."""
    opponent = game.opponent
    if opponent is None or not opponent.is_distant:
        return None
    has_played = game.announced is not None or any(plays_as(game, ply.player, ply.before) for ply in game.plies)
    if has_played or opponent.is_met or opponent.is_guest or not opponent.code or game.outcome is not None:
        return None
    return words("distance.invites", code=spell_code(opponent.code))


def _counts_in(game: Game, now: Instant) -> object:
    """In how many seconds the announced turn counts, made or not; None where it waits for the hands."""
    left = hands_left(game, now)
    return None if left is None else seconds(max(0, left) // SECOND * SECOND)
