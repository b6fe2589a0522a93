"""Build the texts and times that a replay page shows beside each frame of a recorded game."""

from collections.abc import Iterator, Mapping
from typing import Any

from gnomon.records.journal.entries import StoredGame
from gnomon.records.replay import Frame, Replay
from gnomon.referee.game import Game
from gnomon.timekeeping.instants import Instant, seconds
from gnomon.views import clock_faces, phrases, seats, sentences
from gnomon.views.people import people
from gnomon.views.phrases import elapsed_text, shorten_numbers
from gnomon.views.show import show_of
from gnomon.web.games.archive import format_wall
from gnomon.web.games.exports import draw_frame, for_a_page, position_of, turn_in_words
from gnomon.words import Words

Json = Mapping[str, Any]


def page_values(stored: StoredGame, film: Replay, number: int, words: Words) -> Json:
    """What the page of a game shows of it, with one of its frames."""
    game = film.last
    return {
        "stored": stored,
        "game": game.rules.name,
        "variant": show_of(game).variant(stored.start.settings, words),
        "names": {player: player_label(game, player, words) for player in game.rules.players},
        "seated": [seat.player for seat in seats.seats(game, words)],
        "began": format_wall(stored.start.wall),
        "result": result(game, words),
        "frames": frames_payload(film, words),
        "number": number,
        "plies": len(game.plies),
        "seen": describe(film.frames[number], words),
        "state": state(film.frames[number]),
        "rulings": list(rulings(film, words)),
    }


def pictures_payload(film: Replay, words: Words) -> Json:
    """The pictures of all frames, ready for JSON: the lines that they are made of, each once, and for each the lines.

    Lines that follow each other are told as a first one and a count. So a game is a tenth of what its pictures are.
    """
    lines: dict[str, int] = {}
    told: list[list[int]] = []
    for number in range(len(film.frames)):
        spans: list[int] = []
        for line in for_a_page(film, number, words).decode().splitlines():
            index = lines.setdefault(line, len(lines))
            if spans and index == spans[-2] + spans[-1]:
                spans[-1] += 1
            else:
                spans += (index, 1)
        told.append(spans)
    return {"lines": list(lines), "frames": told}


def frames_payload(film: Replay, words: Words) -> list[Json]:
    """Every frame as the page shows it, ready for JSON."""
    return [_frame_payload(film, number, words) for number in range(len(film.frames))]


def _frame_payload(film: Replay, number: int, words: Words) -> Json:
    frame = film.frames[number]
    game, plies = frame.game, film.last.plies
    is_turn = 0 < number <= len(plies)
    ply = plies[number - 1] if is_turn else None
    return {
        "number": number,
        "title": _title(film, number, words),
        "sentence": _sentence(film, number, words),
        "player": "" if ply is None else ply.player,
        "text": "" if ply is None else shorten_numbers(ply.text),
        "at": seconds(frame.at if ply is None else ply.at),
        "clock": elapsed_text(frame.at if ply is None else ply.at),
        "took": "" if ply is None else elapsed_text(took(film, number)),
        "took_seconds": 0 if ply is None else seconds(took(film, number)),
        "score": _score(game, words),
        "glasses": list(show_of(frame.game).sand_rows(frame.game, frame.at, words)),
        "timer": show_of(frame.game).timer_text(frame.game, frame.at),
        "dials": list(_dials(frame, words)),
    }


def took(film: Replay, number: int) -> Instant:
    """The game time that a turn took, in microseconds."""
    plies = film.last.plies
    before = plies[number - 2].when if number > 1 else Instant(0)
    return Instant(max(0, plies[number - 1].when - before))


def rulings(film: Replay, words: Words) -> Iterator[Json]:
    """What was ruled, each with the frame that shows it."""
    name = film.last.rules.name
    for said in film.rulings:
        yield {
            "kind": said.ruling.kind,
            "clock": elapsed_text(said.ruling.at),
            "sentence": shorten_numbers(sentences.sentence(said.ruling, name, words)),
            "frame": said.frame,
        }


def result(game: Game, words: Words) -> str:
    """How a game ended, in one or two sentences; empty while it goes on."""
    if game.outcome is None:
        return ""
    why = sentences.ending_reason(game.outcome.reason, game.rules.name, words)
    return f"{seats.result(game, words)} {why.with_source(words)}".rstrip()


def player_label(game: Game, player: str, words: Words) -> str:
    """A player with the person's name: `Ada (Red)`."""
    person, own = people(game).get(player), phrases.name(player, words)
    return words("watching.named", person=person, player=own) if person else own


def describe(frame: Frame, words: Words) -> str:
    """What there is to be seen, for those who do not see it."""
    drawing = draw_frame(frame, words)
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
    return shorten_numbers(sentences.score_sentence(game.rules.score(game.position), game.rules.name, words))


def _dials(frame: Frame, words: Words) -> Iterator[Json]:
    """What both sides of the match clock showed, where there was one."""
    for face in clock_faces.faces(frame.game, frame.at):
        yield {
            "player": face.player,
            "name": phrases.name(face.player, words),
            "text": face.text,
            "runs": face.runs,
            "flag": words("clock.flag") if face.has_fallen else "",
        }
