"""Build the JSON summary of a table game for programs and pages, as a function of (game, now).

Times are seconds as JSON numbers. Numbers without bound are written as strings of digits from `GREAT` on.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any, Final

from gnomon.referee.chooser import Chooser
from gnomon.referee.game import Game, Ply
from gnomon.referee.rulings import Ruling
from gnomon.refusals import Statement, clause, sentence
from gnomon.rules.bids import digits
from gnomon.rules.protocol import NATURE, Rules
from gnomon.timekeeping.instants import Instant, seconds
from gnomon.views import clock_faces, opponents, seats, sentences
from gnomon.views.people import people
from gnomon.views.phrases import name, shorten_numbers
from gnomon.views.pictures import DARK, LIGHT, picture, to_svg
from gnomon.views.results import result_of
from gnomon.views.show import prompt_of, show, show_of
from gnomon.words import ENGLISH, Words

RULINGS_KEPT: Final = 30
MOVES_TOLD: Final = 400
GREAT: Final = 10**15  # beyond it a page's numbers are not exact

Json = Mapping[str, object]


def summary(game: Game, now: Instant, health: tuple[Statement, ...] = (), words: Words = ENGLISH) -> dict[str, object]:
    """The whole table at board time `now`, ready for JSON."""
    wanted, shown = prompt_of(game, words), show_of(game)
    last = _last_move(game)
    return {
        "game": game.rules.name,
        "title": shown.title,
        "traits": shown.traits(game, words),
        "settings": {key: _number(value) for key, value in asdict(game.rules.settings).items()},
        "remarks": [sentence(remark, words) for remark in shown.remarks(game.rules)],
        "temperament": game.temperament.value,
        **({"people": dict(people(game))} if game.people else {}),
        "now": seconds(now),
        "at": seconds(game.game_time(now)),
        "paused": game.paused_at is not None,
        **({} if game.clock is None else {"clock": clock_faces.summary(game, now, words)}),
        "sensed": game.board.is_sensed,
        "turn": game.turn,
        "actor": seats.actor(game),
        "actor_name": name(seats.actor(game), words),
        "is_natures": game.is_natures,
        "due": wanted.kind,
        "request": wanted.request,
        "players": list(_players(game, words)),
        "marks": {player: list(mark) for player, mark in seats.marks(game).items()},
        "outcome": _outcome(game, words),
        "score": {player: _number(points) for player, points in game.rules.score(game.position).items()},
        "score_sentence": sentences.score_sentence(game.rules.score(game.position), game.rules.name, words),
        # The pictures keep what they have drawn: rules of every game can be compared.
        **_of_position(game.rules, game.position, (last.text if last else "", result_of(game, words)), words),
        **_announced_picture(game, words),
        "bid": None if game.outcome is not None else shown.bids(game),
        "last_move": None
        if last is None
        else {"player": last.player, "text": last.text, "sentence": _ply(game, last, words)},
        **_judgement(game, words),
        "chooser": None if game.chooser is None else _chooser(game.chooser),
        "plies": [
            {
                "number": number,
                "player": ply.player,
                "text": shorten_numbers(ply.text),
                "sentence": _ply(game, ply, words),
                "at": seconds(ply.at),
            }
            for number, ply in enumerate(game.plies, start=1)
        ],
        "rulings": [_ruling_payload(game, ruling, words) for ruling in game.rulings[-RULINGS_KEPT:]],
        "quarantined": list(game.quarantined),
        "health": [
            *(clause(told, words) for told in health),
            *(sentences.quarantine(source, words) for source in game.quarantined),
        ],
    }


def picture_svg(  # noqa: PLR0913  # what is seen, and all that is told beside it
    rules: Rules[Any, Any],
    position: object,
    last_move: str = "",
    caption: str = "",
    words: Words = ENGLISH,
    *,
    result: str = "",
) -> str:
    """The picture of a position as SVG, for light and for dark."""
    drawn = picture(rules, position, last_move=last_move, caption=caption, words=words, result=result)
    return to_svg(drawn, LIGHT, dark=DARK)


@lru_cache(maxsize=12)
def _of_position(rules: Rules[Any, Any], position: object, told: tuple[str, str], words: Words) -> Json:
    """What changes with the position, the last move and the result alone: it is told each second, and made once."""
    last_move, result = told
    shown = show(rules.name)
    moves = rules.legal_moves(position)
    return {
        "state": rules.state(position),
        "picture": picture_svg(rules, position, last_move, words=words, result=result),
        "moves": [rules.text(position, move) for move in moves[:MOVES_TOLD]],
        "moves_in_all": len(moves),
        "chances": list(shown.chances(rules, position, words)) if rules.turn(position) == NATURE else [],
        "tile": shown.in_hand(rules, position),
    }


def _announced_picture(game: Game, words: Words) -> Json:
    """The picture that shows where the pieces of an announced turn go, in place of that of the position."""
    told = game.announced
    if told is None:
        return {}
    return {"picture": _picture_after(game.rules, game.position, told.text, words)}


@lru_cache(maxsize=4)
def _picture_after(rules: Rules[Any, Any], position: object, text: str, words: Words) -> str:
    after = rules.play(position, rules.parse(position, text))
    return picture_svg(rules, after, text, words("players.not_played"), words)


def _players(game: Game, words: Words) -> Iterator[Json]:
    score = game.rules.score(game.position)
    for seat in seats.seats(game, words):
        yield {
            "player": seat.player,
            "name": name(seat.player, words),
            "role": seat.role,
            "partners": list(seat.partners),
            "on_turn": seat.on_turn,
            "score": _number(score[seat.player]) if seat.player in score else None,
        }


def _outcome(game: Game, words: Words) -> Json | None:
    if game.outcome is None:
        return None
    ended = sentences.ending_reason(game.outcome.reason, game.rules.name, words).with_source(words)
    result = seats.result(game, words)
    return {
        "winner": game.outcome.winner,
        "reason": game.outcome.reason,
        "result": result,
        "sentence": f"{result} {ended}".rstrip(),
    }


def _judgement(game: Game, words: Words) -> Json:
    judgement, asked = game.judgement, game.question.asked if game.question else None
    seen = opponents.judgement_told(game)
    code, told = (seen.code and judgement.code) or None, seen.code
    why = shorten_numbers(sentence(judgement.reason, words)) if judgement.reason else None
    return {
        "phase": seen.phase.value,
        "code": code,
        "reason": why or (sentences.reason(told, game.rules.name, words).with_source(words) if told else None),
        "repairs": [sentences.repair(step, words) for step in judgement.repairs],
        "repair_squares": [step.space.split() for step in judgement.repairs],
        "question": None if asked is None else sentences.brief(asked, game.rules.name, words),
        "choices": [] if asked is None else list(asked.choices),
    }


def _chooser(chooser: Chooser) -> Json:
    return {
        "shown": chooser.preview,
        "parts": list(chooser.parts),
        "options": list(chooser.options),
        "cursor": chooser.cursor,
        "picked": chooser.complete_text or chooser.enter().complete_text,
    }


def _last_move(game: Game) -> Ply | None:
    """What a player did last; a throw or a draw is no move."""
    return next((ply for ply in reversed(game.plies) if ply.player != NATURE), None)


def _ply(game: Game, ply: Ply, words: Words) -> str:
    return sentences.turn(ply.player, ply.text, game.rules.name, words)


def _ruling_payload(game: Game, ruling: Ruling, words: Words) -> Json:
    said = sentences.sentence(ruling, game.rules.name, words)
    return {"kind": ruling.kind, "at": seconds(ruling.at), "sentence": shorten_numbers(said)}


def _number(value: object) -> object:
    """A value as JSON and a page can carry it: numbers without bound as digits."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= GREAT:
        return digits(value)
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
