"""Convert score sheets to SGF FF[4] and back: colours, and private properties for what the standard has none for.

The number of a game in the property GM, and who is Black and White in it, are told by its `GameKind`. See
`docs/sgf.md`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from types import MappingProxyType
from typing import Final, NamedTuple

from gnomon.records.formats.sgf import (
    Node,
    Properties,
    SgfError,
    compose,
    decode,
    escape,
    game_text,
    parts,
    read_collection,
    simple_text,
    text,
)
from gnomon.records.formats.sheets import Sheet, SheetLine, read_settings, time_text, written_settings
from gnomon.refusals import InvalidValueError, statement, statement_of
from gnomon.rules.protocol import Outcome, SettingsError
from gnomon.rules.registry import games, kind_of
from gnomon.timekeeping.instants import Duration, Instant, parse_seconds


class Colours(NamedTuple):
    """Who has SGF's two colours in a game, by their names in the rules."""

    black: str
    white: str


# Private properties. Names of properties are of capitals only, of any length.
GAME: Final = "XGAME"
RESULT: Final = "XRE"
PLAYERS: Final = "XPN"
HEADERS: Final = "XH"
MOVE: Final = "XM"
AT: Final = "XT"
LIFTED: Final = "XTL"
PLACED: Final = "XTD"
CLOCK: Final = "XTC"
_LEFT: Final[Mapping[str, str]] = {"B": "BL", "W": "WL"}
"""The time left after a move of Black or White; of anybody else the format has none."""

_HEADERS: Final[Mapping[str, str]] = {
    "Event": "EV",
    "Round": "RO",
    "Site": "PC",
    "Name": "GN",
    "Annotator": "AN",
    "Source": "SO",
    "User": "US",
    "Copyright": "CP",
    "Date": "DT",
}
# FF[4] makes the ISO form of DT mandatory; any other date is a header like any.
_DATE: Final = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?(?:,[0-9-]{2,10})*")
_RESULT: Final = re.compile(r"([BW])\+(.*)")
_REASONS: Final[Mapping[str, str]] = {"resignation": "R", "flag": "T", "time": "T", "forfeit": "F"}
_SAID: Final[Mapping[str, str]] = {
    **{short: reason for reason, short in _REASONS.items()},
    "Resign": "resignation",
    "Time": "time",
    "Forfeit": "forfeit",
}
_NO_RESULT: Final = ("", "?", "Void")
_DRAWS: Final = ("0", "Draw")
_MOVE: Final = re.compile(r"[^\s#]+")


def sgf_text(sheet: Sheet, variations: Mapping[int, Sequence[SheetLine]] = MappingProxyType({})) -> str:
    """The sheet as one game of SGF, with lines that might have been played instead of those of these places, from 0.

    Raises InvalidValueError for what cannot be written, such as an unknown game.
    """
    number, colours = _number(sheet.game), _colours(sheet.game)
    if not number:
        written = [game for game in games() if _number(game)]
        raise InvalidValueError(statement("records.sheet.no_sgf", game=sheet.game, known=written))
    nodes = [_root(sheet, number, colours), *(_node(line, colours) for line in sheet.lines)]
    others = {place + 1: [_node(line, colours) for line in lines] for place, lines in variations.items()}
    return game_text(nodes, others)


def read_sgf(data: bytes) -> tuple[Sheet, ...]:
    """Every game of an SGF file as a sheet: the main line, without its variations.

    Raises SgfError for what is no SGF, and for a game that is not one of ours.
    """
    return tuple(_read_game(list(tree.main_line())) for tree in read_collection(decode(data)))


# Writing


def _root(sheet: Sheet, number: int, colours: Colours) -> Properties:
    root: dict[str, tuple[str, ...]] = {
        "FF": ("4",),
        "GM": (str(number),),
        "CA": ("UTF-8",),
        "AP": (compose("Gnomon", version("gnomon")),),
        GAME: (sheet.game,),
    }
    if sheet.settings:
        root["RU"] = (escape(written_settings(sheet.settings)),)
    others: list[str] = []
    for name, value in sheet.headers.items():
        if name in _HEADERS and value and (name != "Date" or _DATE.fullmatch(value)):
            root[_HEADERS[name]] = (escape(value),)
        else:
            others.append(compose(name, value))
    root |= {HEADERS: tuple(others)} if others else {}
    root |= _players(sheet.players, colours)
    if sheet.result is not None:
        root |= _result(sheet.result, colours)
    if sheet.remarks:
        root["C"] = (escape("\n".join(sheet.remarks)),)
    return root


def _players(players: Mapping[str, str], colours: Colours) -> Properties:
    named: dict[str, tuple[str, ...]] = {}
    for player, name in players.items():
        if player in colours:
            named["PB" if player == colours.black else "PW"] = (escape(name),)
        else:
            named[PLAYERS] = (*named.get(PLAYERS, ()), compose(player, name))
    return named


def _result(result: Outcome, colours: Colours) -> Properties:
    winner, reason = result
    exact = {RESULT: (compose(winner or "", reason),)}
    if winner is None:
        return {"RE": ("Void" if result.is_void else "Draw",), **exact}
    if winner not in colours:
        return exact
    return {"RE": (f"{'B' if winner == colours.black else 'W'}+{_REASONS.get(reason, '')}",), **exact}


def _node(line: SheetLine, colours: Colours) -> Properties:
    node: dict[str, tuple[str, ...]]
    if line.player in colours:
        node = {"B" if line.player == colours.black else "W": (escape(line.text),)}
    else:
        node = {MOVE: (compose(line.player, line.text),)}
    for name, instant in ((AT, line.at), (LIFTED, line.lifted), (PLACED, line.placed)):
        if instant is not None:
            node[name] = (time_text(instant),)
    if line.clock is not None:
        node[_LEFT.get(next(iter(node)), CLOCK)] = (time_text(line.clock),)
    if line.comment:
        node["C"] = (escape("\n".join(line.comment)),)
    return node


# Reading


def _read_game(nodes: list[Node]) -> Sheet:
    root, line = nodes[0]
    game = _game(root, line)
    colours = _colours(game)
    try:
        settings = read_settings(simple_text(_one(root, "RU") or ""))
    except ValueError as error:
        raise SgfError(line, statement_of(error)) from error
    remarks, lines = _comment(root), list[SheetLine]()
    for node in nodes[1:]:
        turn = _read_line(node, colours)
        if turn is not None:
            lines.append(turn)
        elif lines:
            lines[-1] = replace(lines[-1], comment=lines[-1].comment + _comment(node.properties))
        else:
            remarks += _comment(node.properties)
    return Sheet(
        game=game,
        settings=settings,
        players=_read_players(root, colours),
        headers=_read_headers(root),
        result=_read_result(root, colours, line),
        lines=tuple(lines),
        remarks=remarks,
    )


def _game(root: Properties, line: int) -> str:
    """The game that a root node names, in its private property or by its number."""
    named = simple_text(_one(root, GAME) or "")
    number = simple_text(_one(root, "GM") or "1")
    game = named or next((game for game in games() if str(_number(game)) == number.lstrip("0")), "")
    if not _number(game):
        known = f"GM[{number}]{f' {GAME}[{named}]' if named else ''}"
        raise SgfError(line, statement("records.sgf.no_game", game=known))
    return game


def _number(game: str) -> int:
    """The number of a game in the property GM; 0 for one that has none, and for one that is not known."""
    try:
        return kind_of(game).sgf
    except SettingsError:
        return 0


def _colours(game: str) -> Colours:
    return Colours(*kind_of(game).colours) if _number(game) else Colours("", "")


def _read_headers(root: Properties) -> dict[str, str]:
    headers = {name: simple_text(root[key][0]) for name, key in _HEADERS.items() if key in root}
    return headers | dict(map(parts, root.get(HEADERS, ())))


def _read_players(root: Properties, colours: Colours) -> dict[str, str]:
    named = {colours.white: _one(root, "PW"), colours.black: _one(root, "PB")}
    players = {player: simple_text(name) for player, name in named.items() if name is not None}
    return players | dict(map(parts, root.get(PLAYERS, ())))


def _read_result(root: Properties, colours: Colours, line: int) -> Outcome | None:
    exact = _one(root, RESULT)
    if exact is not None:
        winner, reason = parts(exact)
        return Outcome(winner or None, reason)
    said = simple_text(_one(root, "RE") or "")
    if said in _NO_RESULT:
        return None
    if said in _DRAWS:
        return Outcome(None, "")
    won = _RESULT.fullmatch(said)
    if won is None:
        raise SgfError(line, statement("records.sgf.no_result", text=said))
    return Outcome(colours.black if won[1] == "B" else colours.white, _SAID.get(won[2], ""))


def _read_line(node: Node, colours: Colours) -> SheetLine | None:
    """The line of a node that holds a move, or None."""
    properties, line = node
    moves = [(colours.black, simple_text(value)) for value in properties.get("B", ())]
    moves += [(colours.white, simple_text(value)) for value in properties.get("W", ())]
    moves += [parts(value) for value in properties.get(MOVE, ())]
    if not moves:
        return None
    if len(moves) > 1:
        raise SgfError(line, statement("records.sgf.two_moves"))
    player, move = moves[0]
    if not _MOVE.fullmatch(move):
        raise SgfError(line, statement("records.sgf.no_move", move=move))
    at, lifted, placed = (_read_instant(properties, name, line) for name in (AT, LIFTED, PLACED))
    return SheetLine(move, player, at, lifted, placed, _comment(properties), _read_clock(properties), source=line)


def _read_clock(properties: Properties) -> Duration | None:
    """The time left to the player who moved; None where another program wrote no valid time, such as -1."""
    name = next((left for colour, left in _LEFT.items() if colour in properties), CLOCK)
    try:
        return parse_seconds(simple_text(_one(properties, name) or ""))
    except ValueError:
        return None


def _read_instant(properties: Properties, name: str, line: int) -> Instant | None:
    value = _one(properties, name)
    try:
        return None if value is None else Instant(parse_seconds(simple_text(value)))
    except ValueError as error:
        raise SgfError(line, statement("records.sgf.instant", name=name, why=statement_of(error))) from error


def _comment(properties: Properties) -> tuple[str, ...]:
    value = _one(properties, "C")
    return () if value is None else tuple(line.strip() for line in text(value).split("\n"))


def _one(properties: Properties, name: str) -> str | None:
    values = properties.get(name)
    return values[0] if values else None
