"""Serve what the static page of a recorded game needs: its pictures in one file, and its records to download."""

import json
from collections.abc import Callable, Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from gnomon.records.replay import Replay
from gnomon.web import forms
from gnomon.web._compression import text_response
from gnomon.web.games import exports, replays
from gnomon.words import Words

FORMATS: Final = ("sheet", "sgf")
"""Kinds of file that a game is taken along as."""

GameAnswer = Callable[[Request, Replay, Words], Response]


def frame_of(request: Request, replay: Replay) -> int:
    """Which frame is wished: the last unless the address says otherwise."""
    wished, last = forms.number(request.query_params.get("ply", "")), len(replay.frames) - 1
    return last if wished is None else min(wished, last)


def answers() -> Mapping[str, GameAnswer]:
    """What is answered beside the page of a game, by the names of the files."""
    files = {f"game.{kind}": _file(kind) for kind in FORMATS}
    return {"pictures.json": _pictures, "position.svg": _position, "end.svg": _end, **files}


def _pictures(request: Request, replay: Replay, words: Words) -> Response:
    text = json.dumps(replays.pictures_payload(replay, words), ensure_ascii=False, separators=(",", ":"))
    return text_response(request, text, "application/json", {})


def _position(request: Request, replay: Replay, words: Words) -> Response:
    return Response(exports.for_a_page(replay, frame_of(request, replay), words), media_type="image/svg+xml")


def _end(_request: Request, replay: Replay, words: Words) -> Response:
    return Response(exports.for_a_page(replay, len(replay.frames) - 1, words), media_type="image/svg+xml")


def _file(kind: str) -> GameAnswer:
    made = exports.FORMATS[kind]

    def make(_request: Request, replay: Replay, words: Words) -> Response:
        return Response(made.make(replay, 0, words), headers={"Content-Type": made.media})

    return make
