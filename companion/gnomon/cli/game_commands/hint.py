"""Give a hint in a position (`gnomon hint`): which piece, which place, and why; threats, and a verdict on a move."""

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from gnomon.cli import localized
from gnomon.cli._arguments import count_turns, position_after
from gnomon.cli.words import UnusableError, say_sentence
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import Rules, RulesError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gnomon.coaching import Hint, Threat, Verdict
    from gnomon.engines.protocol import Report

_STEPS: Final = 3
_DIGITS: Final = 4  # of a chance: more would be noise


class _ReachedPosition(NamedTuple):
    """A position, and after how many turns it stands."""

    rules: Rules[Any, Any]
    position: Any
    ply: int


@localized.command(help="command.hint")
@localized.argument("what", metavar="GAME|FILE")
@localized.argument("moves", nargs=-1)
@localized.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="option.setting_of_game")
@localized.option("--ply", type=int, help="option.hint.ply")
@localized.option("--game", "number", type=int, help="option.game")
@localized.option("--step", type=click.IntRange(1, _STEPS), help="option.hint.step")
@localized.option("--threats", is_flag=True, help="option.hint.threats")
@localized.option("--check", metavar="MOVE", help="option.hint.check")
@localized.option("--weigh", metavar="MOVE", multiple=True, help="option.hint.weigh")
@localized.option("--nodes", type=click.IntRange(min=1), help="option.nodes_searched")
@localized.option("--json", "as_json", is_flag=True, help="option.hint.json")
def hint(  # noqa: PLR0913 - the options of a command
    *,
    what: str,
    moves: tuple[str, ...],
    settings: tuple[str, ...],
    ply: int | None,
    number: int | None,
    step: int | None,
    threats: bool,
    check: str | None,
    weigh: tuple[str, ...],
    nodes: int | None,
    as_json: bool,
) -> None:
    """Give a hint in three steps: which piece, which place, and why."""
    from gnomon.cli._searches import EngineSearch
    from gnomon.coaching import coach_of, is_deep, judge, threat
    from gnomon.coaching import hint as hint_of
    from gnomon.rules.registry import BARE_CLOCK, games

    if what in {*games(), BARE_CLOCK}:
        if ply is not None or number is not None:
            raise UnusableError(statement("coach.refused.ply"))
        place = _after_moves(what, moves, settings)
    elif moves or settings:
        raise UnusableError(statement("coach.refused.moves" if moves else "coach.refused.settings"))
    else:
        place = _in_file(what, number, ply)
    rules, position, _ = place
    search, coach = EngineSearch(rules, nodes), coach_of(rules)
    checked = None if check is None else _parse(rules, position, check)
    report = search.report(position, tuple(_parse(rules, position, text) for text in weigh))
    if not report.candidates:
        raise UnusableError(statement("coach.refused.unweighed", moves=weigh))
    found = hint_of(rules, coach, position, report)
    menace = threat(rules, coach, position, report, search.report) if threats else None
    verdict = None
    if checked is not None:
        deep, weighed = is_deep(search.engine, search.limits), report
        if all(each.move != checked for each in report.candidates):
            # The engine weighs one of several alike, or the best ones alone: both moves are weighed by one search.
            best = max(report.candidates, key=lambda each: each.score.chance)
            weighed = search.report(position, (best.move, checked))
        verdict = judge(coach, position, weighed, checked, deep=deep)
    if as_json:
        click.echo(json.dumps(_json(place, report, found, menace, verdict), ensure_ascii=False))
        return
    for each in _statements(found, menace, verdict, step):
        click.echo(say_sentence(each))


def _statements(
    found: "Hint", menace: "Threat | None", verdict: "Verdict | None", step: int | None
) -> "Sequence[Statement]":
    if verdict is not None:
        return (verdict.said,)
    steps = found.steps if step is None else found.steps[step - 1 : step]
    told = [] if menace is not None and step is None else [each for one in steps for each in one]
    return (*told, *(() if menace is None else (menace.said, *menace.reasons)))


def _json(
    place: _ReachedPosition, report: "Report", found: "Hint", menace: "Threat | None", verdict: "Verdict | None"
) -> "Mapping[str, object]":
    rules, position, ply = place
    told: dict[str, object] = {
        "game": rules.name,
        "player": rules.turn(position),
        "ply": ply,
        "nodes": report.nodes,
        "depth": report.depth,
        "move": found.move,
        "steps": [[_dump(each) for each in step] for step in found.steps],
        "candidates": [
            {
                "move": rules.text(position, each.move),
                "chance": round(each.score.chance, _DIGITS),
                "proven": each.score.proven,
            }
            for each in report.candidates
        ],
    }
    if menace is not None:
        told["threat"] = {"move": menace.move, "said": [_dump(each) for each in (menace.said, *menace.reasons)]}
    if verdict is not None:
        points = None if verdict.points is None else round(verdict.points, _DIGITS)
        best = None if verdict.best is None else rules.text(position, verdict.best)
        told["verdict"] = {"kind": verdict.kind.value, "best": best, "points": points, "warns": verdict.warns}
    return told


def _dump(told: Statement) -> "Mapping[str, object]":
    return {**told.dump(), "said": say_sentence(told)}


def _after_moves(game: str, moves: tuple[str, ...], settings: tuple[str, ...]) -> _ReachedPosition:
    from gnomon.rules.registry import BARE_CLOCK

    if game == BARE_CLOCK:
        raise UnusableError(statement("cli.no_rules", game=game))
    rules, position = position_after(game, settings, moves)
    return _ReachedPosition(rules, position, len(moves))


def _in_file(file: str, number: int | None, ply: int | None) -> _ReachedPosition:
    from gnomon.cli.record_commands.sheet import read_game
    from gnomon.records.formats.turns import play

    sheet = read_game(file, number)
    try:
        played = play(sheet)
    except ValueError as error:
        raise UnusableError.in_file(file, error) from error
    try:
        after = count_turns(ply, len(played.turns))
    except ValueError as error:
        raise UnusableError(error) from error
    return _ReachedPosition(played.rules, played.position(after), after)


def _parse(rules: Rules[Any, Any], position: object, text: str) -> Any:  # noqa: ANN401 - each game has moves of its own
    try:
        return rules.parse(position, text)
    except RulesError as error:
        raise UnusableError(error) from error
