"""Write the score sheet lines of TAMSK: the instants of each turn, lifts, the 15-second glass and corrections."""

from collections.abc import Sequence
from dataclasses import replace

from gnomon.games.tamsk._lines import (
    glass_set,
    is_turn_set,
    put_back,
    rings_set,
    sand_set,
    second_set,
    seen_empty,
    turn_set,
)
from gnomon.games.tamsk.rules import BOARD, FLIP15, PLAYERS, Move, Position
from gnomon.games.tamsk.rules.corrections import TIMER15
from gnomon.games.tamsk.rules.notation import read
from gnomon.games.tamsk.sensing.declarations import WHO
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.verdicts import InHand, Made, MayGoOn
from gnomon.records.formats.clerk import Clerk, ClerkEntry, clock_of
from gnomon.records.formats.line_play import BY_HAND
from gnomon.records.formats.sheets import SheetLine
from gnomon.records.formats.traces import Happening
from gnomon.referee import events
from gnomon.referee.game import Ply
from gnomon.referee.rulings import Corrected, Ruling, SandDeclared, TimerTurned
from gnomon.refusals import render
from gnomon.timekeeping.instants import Instant


class TamskClerk(Clerk[TamskGame]):
    """Writes down what happens to the glasses too."""

    def __init__(self) -> None:
        super().__init__()
        self._lifts: dict[str, Instant] = {}  # game time of the last raw edge with which a glass left a space

    def follow(self, event: Happening | None, before: TamskGame, after: TamskGame, rulings: Sequence[Ruling]) -> None:
        """Write down what an event has changed."""
        if isinstance(event, events.InputChanged) and not event.value:
            self._lifts[event.input.partition(".")[0]] = before.game_time(event.at)
        super().follow(event, before, after, rulings)
        if isinstance(event, events.TurnInserted):
            self._hand_over(event)

    def settle(self, before: TamskGame, after: TamskGame, kept: int, rulings: Sequence[Ruling]) -> None:
        """Strike out a turning that was denied, or write down a lift that came to nothing."""
        if any(isinstance(ruling, Corrected) and ruling.who == WHO for ruling in rulings):
            self._strike_turning(before, after)
        else:
            self._put_back(before, after, kept)

    def finish(self, game: TamskGame) -> None:
        """Write down the lift of a glass that is still in the air."""
        if game.position.lifted >= 0:
            self._write_lift(game.position)

    def beside(
        self, ruling: Ruling, event: Happening | None, before: TamskGame, after: TamskGame
    ) -> Sequence[SheetLine]:
        """The lines of what is no turn: the 15-second glass, sand seen to have run out, or a correction."""
        if isinstance(ruling, TimerTurned):
            timer15 = after.position.timer15
            return (SheetLine(FLIP15.kind, ruling.by, ruling.at if timer15 is None else timer15.since),)
        if isinstance(ruling, SandDeclared):
            by = ruling.by if ruling.by in PLAYERS else BY_HAND
            return (SheetLine(seen_empty(ruling.space), by, after.game_time(ruling.at)),)
        if not isinstance(ruling, Corrected) or event is None or isinstance(event, events.InputChanged):
            return ()
        comment = (_by_hand("set", event.who, render(event.why)),)
        at = after.game_time(event.at)
        texts = _set_by_hand(event, before.position, after.position)
        return [SheetLine(text, BY_HAND, at, comment=comment) for text in texts]

    def ply(self, before: TamskGame, after: TamskGame, number: int, event: Happening | None) -> SheetLine:
        """The line of a ply, with the instants of its glass."""
        ply = after.plies[number]
        # Without sand the referee keeps no game time of what follows by itself.
        at = ply.when if ply.before.sands else max(ply.when, after.game_time(ply.at))
        line = SheetLine(ply.text, ply.player, at, clock=clock_of(after, ply.player))
        move, _ = read(ply.text)
        if isinstance(event, events.TurnEntered | events.TurnInserted) and move.kind == "turn":
            return replace(line, comment=(_by_hand("entered", event.who, event.why),))
        if move.kind != "turn":
            return line
        lifted, placed = (ply.lifted, ply.placed) if ply.lifted is not None else _touches(before, move)
        behind = after.plies[number + 1].before if number + 1 < len(after.plies) else after.position
        if behind.sands:
            placed = behind.sands[ply.before.glasses.index(move.origin)].since
            lifted = self._lift_time(ply, move, placed) if lifted is None else lifted
            lifted = Instant(ply.before.lifted_at if ply.before.lifted == move.origin else min(lifted, placed))
        if lifted is None or placed is None or not lifted <= placed <= at:
            return line  # nothing hangs on these instants where there is no sand
        return replace(line, lifted=lifted, placed=placed)

    def _lift_time(self, ply: Ply, move: Move, placed: Instant) -> Instant:
        """When the glass was lifted in a turn that was explained only when complete; no later than it could be."""
        begun = ply.before.now
        seen = self._lifts.get(BOARD.names[move.origin], begun)
        sand = ply.before.sands[ply.before.glasses.index(move.origin)]
        return seen if begun <= seen <= placed and sand.is_running(seen) else Instant(begun)

    def _hand_over(self, event: events.TurnInserted) -> None:
        """Write down whose turn it was, where a turn that was missed makes two of one player follow each other."""
        for number in (event.number, event.number - 1):  # the turn after the one that was missed, and that one
            here = [at for at, entry in enumerate(self.entries) if entry.is_ply and number - 1 <= entry.plies <= number]
            match here:
                case [first, second] if self._lacks_turn(first, second):
                    player, at = self.entries[second].line.player, self.entries[first].line.at
                    comment = (_by_hand("set", event.who, event.why),)
                    line = SheetLine(turn_set(player or ""), BY_HAND, at, comment=comment)
                    self.entries.insert(second, ClerkEntry(line, number, is_ply=False))
                case _:
                    pass

    def _lacks_turn(self, first: int, second: int) -> bool:
        """Whether two turns are of one player, and nothing between them says so."""
        between = self.entries[first + 1 : second]
        is_one = self.entries[first].line.player == self.entries[second].line.player
        return is_one and not any(is_turn_set(entry.line.text) for entry in between)

    def _put_back(self, before: TamskGame, after: TamskGame, kept: int) -> None:
        """Write down a lift that came to nothing, if the timer was turned during it and perhaps only for it."""
        voided = kept < len(before.plies)
        held = before.plies[kept].before if voided else before.position
        if held.lifted < 0 or (not voided and _is_held_or_done(held, after, kept)):
            return
        self._write_lift(held)
        back = SheetLine(put_back(BOARD.names[held.lifted]), PLAYERS[held.mover], held.now)
        self.entries.append(ClerkEntry(back, kept, is_ply=False))

    def _strike_turning(self, before: TamskGame, after: TamskGame) -> None:
        """Strike out the turning of the 15-second glass if it has been said that it was not one."""
        if before.trust.timer_turn is None or after.position.timer15 == before.position.timer15:
            return
        number = max(number for number, entry in enumerate(self.entries) if entry.line.text == FLIP15.kind)
        del self.entries[number]

    def _write_lift(self, held: Position) -> None:
        """Write down the lift of a glass without a turn, before the first turning of the timer that came after it."""
        begun = Instant(held.lifted_at)
        lift = SheetLine(f"lift:{BOARD.names[held.lifted]}", PLAYERS[held.mover], begun)
        earlier = sum(1 for entry in self.entries if entry.is_ply or (entry.line.at or begun) < begun)
        plies = sum(1 for entry in self.entries if entry.is_ply)
        self.entries.insert(earlier, ClerkEntry(lift, plies, is_ply=False))


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


def _set_by_hand(event: Happening, before: Position, after: Position) -> Sequence[str]:
    """What a correction sets, in the words of sheets."""
    match event:
        case events.SandSet(space=space, remaining=remaining):
            return (sand_set(space, remaining),)
        case events.RingsSet(space=space, count=count, player=player):
            return (rings_set(space, count, player),)
        case events.TurnSet(player=player):
            return (turn_set(player),)
        case events.GlassPlaced(origin=origin, target=target, turned=turned):
            return (glass_set(origin, target, turned=turned),)
        case events.PenaltySet(due=due):
            return (second_set(due=due),)
        case events.TimeGiven() | events.TimeTaken():
            return _sand_changed(before, after)
        case events.Claimed(player=player) if after.mover != before.mover:
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
