"""Write an analysis as JSON, for programs and to keep it with its game, and read it again."""

from collections.abc import Mapping
from typing import Any, Final

from gnomon.analysis._game_analysis import (
    Accuracy,
    AnalysedTurn,
    Analysis,
    Cost,
    Forecast,
    Glass,
    Luck,
    Value,
)
from gnomon.refusals import Statement
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import Duration, Instant, parse_seconds, seconds

FORMAT: Final = 1
_DIGITS: Final = 4


def dump_analysis(analysis: Analysis) -> dict[str, Any]:
    """The analysis for JSON. What follows from the rest stands beside it for programs: costs, accuracy."""
    return {
        "format": FORMAT,
        "game": analysis.game,
        "settings": dict(analysis.settings),
        "seats": list(analysis.seats),
        "names": dict(analysis.names),
        "nodes": analysis.nodes,
        "depth": analysis.depth,
        "table": analysis.with_table,
        "turns": [_dump_turn(turn) for turn in analysis.turns],
        "end": _dump_forecast(analysis.end),
        "result": None if analysis.result is None else list(analysis.result),
        "luck": _dump_luck(analysis.luck),
        "costly": [turn.number for turn in analysis.costly],
        "accuracy": [_dump_accuracy(analysis.accuracy(person)) for person in range(len(analysis.seats))],
    }


def load_analysis(value: Any) -> Analysis:  # noqa: ANN401 - whatever JSON holds
    """Read what `dump_analysis` wrote. Raises ValueError for anything else."""
    try:
        if value["format"] != FORMAT:
            message = f"an analysis of format {value['format']!r}"
            raise ValueError(message)
        return Analysis(
            game=value["game"],
            settings=value["settings"],
            seats=tuple(value["seats"]),
            names=value["names"],
            nodes=value["nodes"],
            depth=value["depth"],
            with_table=value["table"],
            turns=tuple(_load_turn(each) for each in value["turns"]),
            end=_load_forecast(value["end"]),
            result=None if value["result"] is None else Outcome(*value["result"]),
            luck=_load_luck(value["luck"]),
        )
    except (LookupError, TypeError, AttributeError) as error:
        message = f"this is no analysis: {error!r}"
        raise ValueError(message) from error


def _dump_turn(turn: AnalysedTurn) -> dict[str, Any]:
    return {
        "number": turn.number,
        "player": turn.player,
        "person": turn.person,
        "text": turn.text,
        "at": seconds(turn.at),
        "took": None if turn.took is None else seconds(turn.took),
        "choices": turn.choices,
        "forecast": _dump_forecast(turn.forecast),
        "best": turn.best,
        "line": list(turn.line),
        "best_value": _dump_value(turn.best_value),
        "played_value": _dump_value(turn.played_value),
        "cost": _dump_cost(turn.cost),
        "mobility": None if turn.mobility is None else dict(turn.mobility),
        "sand": [{"player": each.player, "space": each.space, "left": seconds(each.left)} for each in turn.sand],
        "found": turn.found,
    }


def _load_turn(value: Mapping[str, Any]) -> AnalysedTurn:
    return AnalysedTurn(
        number=value["number"],
        player=value["player"],
        person=value["person"],
        text=value["text"],
        at=Instant(_time(value["at"])),
        took=None if value["took"] is None else _time(value["took"]),
        choices=value["choices"],
        forecast=_load_forecast(value["forecast"]),
        best=value["best"],
        line=tuple(value["line"]),
        best_value=_load_value(value["best_value"]),
        played_value=_load_value(value["played_value"]),
        mobility=value["mobility"],
        sand=tuple(Glass(each["player"], each["space"], _time(each["left"])) for each in value["sand"]),
        found=bool(value.get("found")),  # which files before 0.2.0 do not say
    )


def _time(value: object) -> Duration:
    return parse_seconds(str(value))


def _dump_forecast(forecast: Forecast | None) -> dict[str, Any] | None:
    return None if forecast is None else forecast._asdict()


def _load_forecast(value: Mapping[str, Any] | None) -> Forecast | None:
    return None if value is None else Forecast(value["low"], value["high"], value["proven"])


def _dump_value(value: Value | None) -> dict[str, Any] | None:
    return None if value is None else value._asdict()


def _load_value(value: Mapping[str, Any] | None) -> Value | None:
    return None if value is None else Value(value["chance"], value["proven"])


def _dump_cost(cost: Cost | None) -> dict[str, Any] | None:
    return None if cost is None else {"kind": cost.kind.value, "points": cost.points}


def _dump_accuracy(accuracy: Accuracy | None) -> dict[str, Any] | None:
    return None if accuracy is None else {"share": round(accuracy.share, _DIGITS), "turns": accuracy.turns}


def _dump_luck(luck: Luck | None) -> dict[str, Any] | None:
    return None if luck is None else {**luck._asdict(), "told": luck.told.dump()}


def _load_luck(value: Mapping[str, Any] | None) -> Luck | None:
    if value is None:
        return None
    pairs = [tuple(map(float, value[name])) for name in ("luck", "skill")]
    (luck_one, luck_two), (skill_one, skill_two) = pairs
    told = Statement.load(value["told"])
    return Luck(told, value["start"], (luck_one, luck_two), (skill_one, skill_two), value["exact"])
