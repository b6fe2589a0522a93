"""Build the texts and times that a replay page shows beside each frame of a recorded game."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from gnomon.games.tamsk.rules import BOARD, PLAYERS
from gnomon.records.replay import Frame, Replay
from gnomon.referee.game import Game
from gnomon.referee.tamsk_game import TamskGame
from gnomon.timekeeping.instants import SECOND, Instant, seconds
from gnomon.views import clock_faces, moments, seats, sentences, table_sentences, wording
from gnomon.views.people import people
from gnomon.views.wording import shortened
from gnomon.web.exports import drawn, position_of, turn_in_words
from gnomon.words import Words

Json = Mapping[str, Any]
HOUR: Final = 3600


def shown(film: Replay, words: Words) -> list[Json]:
    """Every frame as the page shows it, ready for JSON."""
    return [_shown(film, number, words) for number in range(len(film.frames))]


def _shown(film: Replay, number: int, words: Words) -> Json:
    frame = film.frames[number]
    game, plies = frame.game, film.last.plies
    is_turn = 0 < number <= len(plies)
    ply = plies[number - 1] if is_turn else None
    return {
        "number": number,
        "title": _title(film, number, words),
        "sentence": _sentence(film, number, words),
        "player": "" if ply is None else ply.player,
        "text": "" if ply is None else shortened(ply.text),
        "at": seconds(frame.at if ply is None else ply.at),
        "clock": clock(frame.at if ply is None else ply.at),
        "took": "" if ply is None else clock(took(film, number)),
        "took_seconds": 0 if ply is None else seconds(took(film, number)),
        "score": _score(game, words),
        "glasses": list(_glasses(frame, words)),
        "timer": _timer(frame),
        "dials": list(_dials(frame, words)),
    }


def took(film: Replay, number: int) -> Instant:
    """The game time that a turn took, in microseconds."""
    plies = film.last.plies
    before = plies[number - 2].when if number > 1 else Instant(0)
    return Instant(max(0, plies[number - 1].when - before))


def clock(time: int) -> str:
    """Microseconds as people write a time: `0:07`, `12:30`, `1:02:03`; whole seconds that have passed."""
    whole = max(0, time) // SECOND
    minutes, rest = divmod(whole, 60)
    hours, part = divmod(minutes, 60)
    return f"{hours}:{part:02d}:{rest:02d}" if whole >= HOUR else f"{minutes}:{rest:02d}"


def rulings(film: Replay, words: Words) -> Iterator[Json]:
    """What was ruled, each with the frame that shows it."""
    name = film.last.rules.name
    for said in film.said:
        yield {
            "kind": said.ruling.kind,
            "clock": clock(said.ruling.at),
            "sentence": shortened(sentences.sentence(said.ruling, name, words)),
            "frame": said.frame,
        }


def result(game: Game, words: Words) -> str:
    """How a game ended, in one or two sentences; empty while it goes on."""
    if game.outcome is None:
        return ""
    if isinstance(game, TamskGame):
        ended = sentences.ending(game.outcome.reason, words)
        return f"{sentences.result(game.outcome, words)} {ended.cited(words)}".rstrip()
    why = table_sentences.ending(game.outcome.reason, game.rules.name, words)
    return f"{seats.result(game, words)} {why.cited(words)}".rstrip()


def named(game: Game, player: str, words: Words) -> str:
    """A player with the person's name: `Ada (Red)`."""
    person, own = people(game).get(player), wording.name(player, words)
    return words("watching.named", person=person, player=own) if person else own


def described(frame: Frame, words: Words) -> str:
    """What there is to be seen, for those who do not see it."""
    drawing = drawn(frame, words)
    return f"{drawing.title}. {drawing.description}"


def state(frame: Frame) -> Json:
    """The position as text for programs: the keys of the line protocol's `state`."""
    game = frame.game
    rules: Any = game.rules
    position = position_of(frame)
    return {"turn": rules.turn(position), **rules.state(position)}


def _title(film: Replay, number: int, words: Words) -> str:
    if number == 0:
        return words("watching.replay.start")
    if number <= len(film.last.plies):
        return words("watching.replay.turn", number=number)
    return words("watching.replay.end" if film.last.outcome else "watching.replay.now")


def _sentence(film: Replay, number: int, words: Words) -> str:
    game = film.last
    is_last = number == len(film.frames) - 1
    said = turn_in_words(game, number, words) if 0 < number <= len(game.plies) else ""
    return " ".join(filter(None, (said, result(game, words) if is_last else "")))


def _score(game: Game, words: Words) -> str:
    if isinstance(game, TamskGame):
        return sentences.rings_left(game.rules.score(game.position), words)
    return shortened(table_sentences.scored(game.rules.score(game.position), game.rules.name, words))


def _glasses(frame: Frame, words: Words) -> Iterator[Json]:
    """The sand of each of the six as it was, where there was sand; one that was never turned has no `part`."""
    game = frame.game
    if not isinstance(game, TamskGame):
        return
    position = position_of(frame)
    time: Instant = position.now
    for index, sand in enumerate(position.sands):
        left = seconds(sand.remaining(time))
        is_out = moments.has_stopped(position, index, time)
        is_unturned = not is_out and not sand.is_running(time)
        duration, exact = seconds(sand.durations[sand.up]), clock(-(-sand.remaining(time) // SECOND) * SECOND)
        player, space = PLAYERS[index // 3], BOARD.names[position.glasses[index]]
        yield {
            "player": player,
            "name": wording.name(player, words),
            "space": space,
            "left": words("picture.tamsk.not_yet") if is_unturned else exact,
            "part": None if is_unturned else round(left / duration, 3) if duration else 0,
            "is_out": is_out,
            "runs": sand.is_running(time) and not is_out,
        }


def _dials(frame: Frame, words: Words) -> Iterator[Json]:
    """What both sides of the match clock showed, where there was one."""
    for face in clock_faces.faces(frame.game, frame.at):
        yield {
            "player": face.player,
            "name": wording.name(face.player, words),
            "text": face.text,
            "runs": face.runs,
            "flag": words("clock.flag") if face.has_fallen else "",
        }


def _timer(frame: Frame) -> str:
    game = frame.game
    if not isinstance(game, TamskGame) or (position := position_of(frame)).timer15 is None:
        return ""
    left = position.timer15.remaining(position.now)
    return clock(-(-left // SECOND) * SECOND)
