"""Derive a score sheet from a trace by following the referee turn by turn.

The sheet holds the game as it was finally decided: a turn that was taken back is not in it. Its times are game time,
in which pauses and time given back do not count, and with them the rules alone give the same positions.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final, NamedTuple

from gnomon.games.tamsk.rules import BOARD, FLIP15, PLAYERS, Move, Position
from gnomon.games.tamsk.rules.corrections import TIMER15
from gnomon.games.tamsk.rules.notation import read
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.not_turned import WHO
from gnomon.games.tamsk.sensing.verdicts import InHand, Made, MayGoOn
from gnomon.records.bundles import BEGAN, PEOPLE, fingerprint_in
from gnomon.records.line_play import BY_HAND
from gnomon.records.sheets import Sheet, SheetLine, settings_text
from gnomon.records.tamsk_lines import glass_set, put_back, rings_set, sand_set, second_set, seen_empty, turn_set
from gnomon.records.traces import Happening, Trace, TraceHeader, WatchedUntil
from gnomon.referee.clock_settings import parted
from gnomon.referee.effects import Announce, Effect
from gnomon.referee.events import (
    Claimed,
    CorrectionUndone,
    DeadlineReached,
    Event,
    GlassPlaced,
    InputChanged,
    PenaltySet,
    RingsSet,
    SandSet,
    TimeGiven,
    TimeTaken,
    TurnEntered,
    TurnInserted,
    TurnSet,
)
from gnomon.referee.game import Game, Ply, Undoable
from gnomon.referee.games import begin, tell
from gnomon.referee.player_roles import side_of
from gnomon.referee.rulings import Corrected, Ruling, SandDeclared, TimerTurned, TurnLost, TurnRuled
from gnomon.referee.step import watched_until
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.accounts import shown
from gnomon.timekeeping.controls import UpCount
from gnomon.timekeeping.instants import Duration, Instant

_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def transcript(trace: Trace) -> Sheet:
    """The score sheet of a trace. Raises what a replay of it raises: TraceError, SettingsError, CorrectionError."""
    header = trace.header
    game = begin(header.game, header.settings, header.temperament, board=header.board, sensing=header.sensing)
    of_rules, of_clock = parted(header.settings)
    clerk = _Clerk()
    for event, before, after, effects in _told(game, trace.entries):
        clerk.follow(event, before, after, [effect.ruling for effect in effects if isinstance(effect, Announce)])
        game = after
    if isinstance(game, TamskGame) and game.position.lifted >= 0:
        clerk.write_lift(game.position)
    return Sheet(
        game=game.rules.name,
        settings=settings_text(of_rules),
        players=_players(header),
        headers=_headers(header) | _terms(of_clock),
        result=None if game.outcome is None else Outcome(*game.outcome),
        lines=clerk.lines,
    )


Telling = tuple[Happening | None, Game, Game, tuple[Effect, ...]]


def _told(game: Game, entries: Iterable[Happening | WatchedUntil]) -> Iterator[Telling]:
    """Every event of a trace, deadlines between them included: the game before and after it, and what it led to."""
    for entry in entries:
        if isinstance(entry, WatchedUntil):
            yield None, game, *_watched_until(game, entry.at)
            return
        while (deadline := game.deadline()) is not None and deadline < entry.at:
            game, telling = _step(game, DeadlineReached(deadline), None)
            yield telling
        game, telling = _step(game, entry, entry)
        yield telling


def _step(game: Game, event: Event, happening: Happening | None) -> tuple[Game, Telling]:
    after, effects = tell(game, event)
    return after, (happening, game, after, effects)


def _watched_until(game: Game, end: Instant) -> tuple[Game, tuple[Effect, ...]]:
    return watched_until(game, end)


class _Entry(NamedTuple):
    """A line that was written down, after how many plies, and whether it is one."""

    line: SheetLine
    plies: int
    is_ply: bool


class _Clerk:
    """Writes down lines, and strikes out those of turns that are voided."""

    def __init__(self) -> None:
        self._entries: list[_Entry] = []
        self._before: list[tuple[Undoable, list[_Entry]]] = []  # what stood before each correction
        self._lifts: dict[str, Instant] = {}  # game time of the last raw edge with which a glass left a space

    @property
    def lines(self) -> tuple[SheetLine, ...]:
        """Everything that stands."""
        return tuple(entry.line for entry in self._entries)

    def follow(self, event: Happening | None, before: Game, after: Game, rulings: Sequence[Ruling]) -> None:
        """Write down what an event has changed."""
        if isinstance(event, InputChanged) and not event.value:
            self._lifts[event.input.partition(".")[0]] = before.game_time(event.at)
        if after.undoable and not isinstance(event, CorrectionUndone) and after.undoable[-1:] != before.undoable[-1:]:
            self._before.append((after.undoable[-1], self._entries))
        kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before.plies, after.plies, strict=False)))
        later: list[_Entry] = []
        if isinstance(event, CorrectionUndone):
            made = before.undoable[-1]
            self._entries = next(entries for other, entries in reversed(self._before) if other is made)
            kept = len(made.before.plies)
        elif isinstance(event, TurnInserted) and kept < len(before.plies):
            later = [entry._replace(plies=entry.plies + 1) for entry in self._entries if entry.plies >= kept]
            self._entries = [entry for entry in self._entries if entry.plies < kept]
        self._entries = [entry for entry in self._entries if entry.plies + entry.is_ply <= kept]
        if isinstance(before, TamskGame) and isinstance(after, TamskGame):
            if any(isinstance(ruling, Corrected) and ruling.who == WHO for ruling in rulings):
                self._strike_turning(before, after)
            else:
                self._put_back(before, after, kept)
        for ruling in rulings:
            if isinstance(ruling, TurnRuled | TurnLost) and kept < len(after.plies):
                self._entries.append(_Entry(self._ply(before, after, kept, event), kept, is_ply=True))
                kept += 1
            else:
                lines = _beside(ruling, event, before, after)
                self._entries += [_Entry(line, kept, is_ply=False) for line in lines]
        self._entries += later

    def _ply(self, before: Game, after: Game, number: int, event: Happening | None) -> SheetLine:
        """The line of a ply that an event has brought."""
        if isinstance(before, TamskGame) and isinstance(after, TamskGame):
            return self._turn(before, after, number, event)
        ply = after.plies[number]
        why = event.why if isinstance(event, TurnEntered) else ""
        return SheetLine(ply.text, ply.player, ply.when, comment=(why,) if why else (), clock=_clock(after, ply.player))

    def _turn(self, before: TamskGame, after: TamskGame, number: int, event: Happening | None) -> SheetLine:
        """The line of a ply on the TAMSK board."""
        ply = after.plies[number]
        # Without sand the referee keeps no game time of what follows by itself.
        at = ply.when if ply.before.sands else max(ply.when, after.game_time(ply.at))
        line = SheetLine(ply.text, ply.player, at, clock=_clock(after, ply.player))
        move, _ = read(ply.text)
        if isinstance(event, TurnEntered | TurnInserted) and move.kind == "turn":
            return replace(line, comment=(_by_hand("entered", event.who, event.why),))
        if move.kind != "turn":
            return line
        lifted, placed = (ply.lifted, ply.placed) if ply.lifted is not None else _touches(before, move)
        behind = after.plies[number + 1].before if number + 1 < len(after.plies) else after.position
        if behind.sands:
            placed = behind.sands[ply.before.glasses.index(move.origin)].since
            lifted = self._lifted(ply, move, placed) if lifted is None else lifted
            lifted = Instant(ply.before.lifted_at if ply.before.lifted == move.origin else min(lifted, placed))
        if lifted is None or placed is None or not lifted <= placed <= at:
            return line  # nothing hangs on these instants where there is no sand
        return replace(line, lifted=lifted, placed=placed)

    def _lifted(self, ply: Ply, move: Move, placed: Instant) -> Instant:
        """When the glass was lifted in a turn that was explained only when complete; no later than it could be."""
        begun = ply.before.now
        seen = self._lifts.get(BOARD.names[move.origin], begun)
        sand = ply.before.sands[ply.before.glasses.index(move.origin)]
        return seen if begun <= seen <= placed and sand.is_running(seen) else Instant(begun)

    def _put_back(self, before: TamskGame, after: TamskGame, kept: int) -> None:
        """Write down a lift that came to nothing, if the timer was turned during it and perhaps only for it."""
        voided = kept < len(before.plies)
        held = before.plies[kept].before if voided else before.position
        if held.lifted < 0 or (not voided and _is_held_or_done(held, after, kept)):
            return
        self.write_lift(held)
        back = SheetLine(put_back(BOARD.names[held.lifted]), PLAYERS[held.mover], held.now)
        self._entries.append(_Entry(back, kept, is_ply=False))

    def _strike_turning(self, before: TamskGame, after: TamskGame) -> None:
        """Strike out the turning of the 15-second glass if it has been said that it was not one."""
        if before.trust.timer_turn is None or after.position.timer15 == before.position.timer15:
            return
        number = max(number for number, entry in enumerate(self._entries) if entry.line.text == FLIP15.kind)
        del self._entries[number]

    def write_lift(self, held: Position) -> None:
        """Write down the lift of a glass without a turn, before the first turning of the timer that came after it."""
        begun = Instant(held.lifted_at)
        lift = SheetLine(f"lift:{BOARD.names[held.lifted]}", PLAYERS[held.mover], begun)
        earlier = sum(1 for entry in self._entries if entry.is_ply or (entry.line.at or begun) < begun)
        plies = sum(1 for entry in self._entries if entry.is_ply)
        self._entries.insert(earlier, _Entry(lift, plies, is_ply=False))


def _is_held_or_done(held: Position, after: TamskGame, kept: int) -> bool:
    """Whether the glass that was in the air is so still, or the turn that began with it has been made."""
    if kept == len(after.plies):
        return after.position.lifted == held.lifted
    ply = after.plies[kept]
    return bool(ply.before.lifted == held.lifted == read(ply.text)[0].origin)


def _touches(before: TamskGame, move: Move) -> tuple[Instant | None, Instant | None]:
    """When the glass of a ply was lifted and put down, as far as the referee knew before it was complete."""
    turns: tuple[Made, ...] = () if before.question is None else before.question.turns
    for made in turns:
        if made.move == move:
            return made.lifted, made.placed
    match before.under_way:
        case InHand(space, lifted) if space == move.origin:
            return lifted, None
        case MayGoOn(made) if made.move[:2] == move[:2]:
            return made.lifted, made.placed
        case _:
            return None, None


def _clock(game: Game, player: str) -> Duration | None:
    """What the clock of a player shows whose turn has just been ended on it; None of one that goes on, or counts up."""
    match = game.clock
    if match is None or match.clock.side is None:
        return None
    side = side_of(game.rules, match.teams, game.position, player)
    if side is None or match.clock.side == side:
        return None
    account, schedule = match.clock.accounts[side], match.clock.control.sides[side]
    return None if isinstance(schedule[account.period], UpCount) else shown(account, schedule)


def _beside(ruling: Ruling, event: Happening | None, before: Game, after: Game) -> Sequence[SheetLine]:
    """The lines of something that is no turn: the 15-second glass, sand seen to have run out, or a correction."""
    if isinstance(ruling, TimerTurned):
        timer15 = after.position.timer15 if isinstance(after, TamskGame) else None
        return (SheetLine(FLIP15.kind, ruling.by, ruling.at if timer15 is None else timer15.since),)
    if isinstance(ruling, SandDeclared):
        by = ruling.by if ruling.by in PLAYERS else BY_HAND
        return (SheetLine(seen_empty(ruling.space), by, after.game_time(ruling.at)),)
    if not isinstance(ruling, Corrected) or event is None or isinstance(event, InputChanged):
        return ()
    if not isinstance(before, TamskGame) or not isinstance(after, TamskGame):
        return ()
    comment = (_by_hand("set", event.who, event.why),)
    at = after.game_time(event.at)
    return [
        SheetLine(text, BY_HAND, at, comment=comment) for text in _set_by_hand(event, before.position, after.position)
    ]


def _set_by_hand(event: Happening, before: Position, after: Position) -> Sequence[str]:
    """What a correction sets, in the words of sheets."""
    match event:
        case SandSet(space=space, remaining=remaining):
            return (sand_set(space, remaining),)
        case RingsSet(space=space, count=count, player=player):
            return (rings_set(space, count, player),)
        case TurnSet(player=player):
            return (turn_set(player),)
        case GlassPlaced(origin=origin, target=target, turned=turned):
            return (glass_set(origin, target, turned=turned),)
        case PenaltySet(due=due):
            return (second_set(due=due),)
        case TimeGiven() | TimeTaken():
            return _sand_changed(before, after)
        case Claimed(player=player) if after.mover != before.mover:
            return (turn_set(player),)
        case _:
            return ()


def _sand_changed(before: Position, after: Position) -> Sequence[str]:
    """The sand of each glass that was given or lost some, as it came to be."""
    spaces = [BOARD.names[space] for space in after.glasses] + [TIMER15]
    timers = zip((*before.sands, before.timer15), (*after.sands, after.timer15), strict=True)
    return [
        sand_set(space, new.remaining(after.now))
        for space, (old, new) in zip(spaces, timers, strict=True)
        if new is not None and new != old
    ]


def _by_hand(what: str, who: str, why: str) -> str:
    return " ".join(f"{what} by {who}{': ' if why else ''}{why}".split())


def _players(header: TraceHeader) -> dict[str, str]:
    players = header.extras.get(PEOPLE)
    if not isinstance(players, Mapping):
        return {}
    return {str(player): " ".join(str(name).split()) for player, name in players.items()}


def _headers(header: TraceHeader) -> dict[str, str]:
    began, mark = header.extras.get(BEGAN), fingerprint_in(header.extras)
    date = {"Date": began[:10]} if isinstance(began, str) and _DAY.match(began) else {}
    return date | ({"Fingerprint": mark} if mark else {})


def _terms(settings: Mapping[str, object]) -> dict[str, str]:
    """The terms of a match clock as headers: the rules of a game know no clock, and a time control has blanks."""
    return {name.capitalize(): value for name, value in settings_text(settings).items()}
