"""Change how teams play after the opening, parse and format each part of it, and say what was changed."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, Final

from gnomon.refusals import Statement, statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import TeamPlayChanged
from gnomon.tournament.settings.texts import NO, YES, parse_truth, parse_whole_number
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.notation import parse_points, points_text
from gnomon.tournament.state.settings import Scoring
from gnomon.tournament.state.team_play import TeamPlay

_Read = Callable[[str], tuple[str, Any]]
"""Reads the text of a part: the name of its field, and its value."""
MATCHES: Final = "match-points"
GAMES: Final = "game-points"
_POINTS: Final = {f"match_{one.name}": one.name for one in fields(Scoring)}
FROM_ROUND_ONE: Final = frozenset({"boards", "alternate"})
"""What the boards of a published round rest on: once there is one, they stay. Scheveningen is none of the texts."""


def play_texts(play: TeamPlay) -> Mapping[str, str]:
    """Every part of how teams play as `play_with` reads it."""
    return {
        **{text: points_text(getattr(play.scoring, name)) for text, name in _POINTS.items()},
        "board_bye": points_text(play.board_bye),
        "rank_by": GAMES if play.games_first else MATCHES,
        "cup_breaks": " ".join(play.cup_breaks),
        "boards": str(play.boards),
        "alternate": YES if play.alternate else NO,
    }


def play_with(play: TeamPlay, texts: Mapping[str, str]) -> TeamPlay:
    """How teams play with some parts as people write them. Raises TournamentError for a text that is no value."""
    told: dict[str, Any] = dict(_READERS[name](" ".join(text.split())) for name, text in texts.items())
    points = {name: told.pop(name) for name in _POINTS.values() if name in told}
    return replace(play, scoring=replace(play.scoring, **points), **told)


def _ranks_games_first(text: str) -> bool:
    if text not in {MATCHES, GAMES}:
        raise TournamentError(statement("tournament.team.rank_by", text=text, known=[MATCHES, GAMES]))
    return text == GAMES


def _breaks_of(text: str) -> tuple[str, ...]:
    return tuple(text.upper().replace(",", " ").split())


def _part(name: str, read: Callable[[str], Any]) -> _Read:
    return lambda text: (name, read(text))


_READERS: Final[Mapping[str, _Read]] = {
    **{text: _part(name, parse_points) for text, name in _POINTS.items()},
    "board_bye": _part("board_bye", parse_points),
    "rank_by": _part("games_first", _ranks_games_first),
    "cup_breaks": _part("cup_breaks", _breaks_of),
    "boards": _part("boards", parse_whole_number),
    "alternate": _part("alternate", parse_truth),
}
PLAY: Final = tuple(_READERS)
"""The names of the parts."""


def check_change(tournament: Tournament, event: TeamPlayChanged, play: TeamPlay) -> None:
    """Raise TournamentError for a change without a reason, of nothing, or of what published boards rest on."""
    if not event.reason.strip():
        raise TournamentError(statement("tournament.setting.reason"))
    if event.was != play:
        raise TournamentError(statement("tournament.setting.stale", tournament=tournament.settings.name))
    changed = changed_parts(event.was, event.now)
    if not changed:
        raise TournamentError(statement("tournament.setting.same", tournament=tournament.settings.name))
    fixed = next((name for name in changed if name in FROM_ROUND_ONE), None) if tournament.rounds else None
    if fixed is not None:
        called = _name_of(fixed)
        raise TournamentError(statement("tournament.setting.fixed", setting=called, round=len(tournament.rounds)))


def changed_parts(was: TeamPlay, now: TeamPlay) -> tuple[str, ...]:
    """The names of the parts that differ."""
    before, after = play_texts(was), play_texts(now)
    return tuple(name for name in PLAY if before[name] != after[name])


def play_without(now: TeamPlay, event: TeamPlayChanged) -> TeamPlay:
    """How teams play now, with what an event has changed as it was before that."""
    before = play_texts(event.was)
    return play_with(now, {name: before[name] for name in changed_parts(event.was, event.now)})


def describe_play_changes(was: TeamPlay, now: TeamPlay) -> Iterator[Statement]:
    """Each part that differs: what it is called, what it was and what it is."""
    before, after = play_texts(was), play_texts(now)
    for name in changed_parts(was, now):
        yield statement("tournament.log.setting", setting=_name_of(name), before=before[name], now=after[name])


def describe_play(play: TeamPlay) -> Iterator[Statement]:
    """Each part: what it is called, and what it is."""
    for name, text in play_texts(play).items():
        yield statement("tournament.log.setting.is", setting=_name_of(name), now=text)


def _name_of(part: str) -> Statement:
    return Statement(f"tournament.log.play.{part}")
