"""Speak the Universal Game Interface as an engine does: lines in, lines out.

UGI (github.com/kz04px/cutegames, ugi.md) is UCI with `p1time` and `p2time` instead of colours, and with `query`. What
is not said there is as in UCI (April 2006). The session reads no clock and no stream: `receive` answers a line at once,
and `search` asks its caller to look for more lines again and again while the engine thinks.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Final, NamedTuple

from gnomon.engines import engine_of
from gnomon.engines._ugi_text import (
    CannotObeyError,
    GoWords,
    info,
    least_of,
    quote,
    read_go,
    read_moves,
    refuse,
    restrict,
    score_text,
    time_for_a_move,
)
from gnomon.engines.levels import choose
from gnomon.engines.move_list import MoveList
from gnomon.engines.protocol import Chance, Level, Limits, Report
from gnomon.refusals import Refusal
from gnomon.rules.protocol import NATURE, OVER, Rules, SettingsError
from gnomon.rules.registry import rules_of
from gnomon.timekeeping.instants import MILLISECOND, Duration, Instant, parse_seconds, seconds

NO_MOVE: Final = "0000"
EMPTY: Final = "<empty>"
"""How UCI writes a text without a letter."""


class Option(NamedTuple):
    """A setting of an engine, as it tells of it; `kind` is a type of UCI: `spin`, `combo`, `check` or `string`."""

    name: str
    kind: str
    default: str
    values: tuple[str, ...] = ()
    least: int = 0
    most: int = 0

    @property
    def line(self) -> str:
        """The line that tells of it."""
        words = ["option name", self.name, "type", self.kind, "default", self.default or EMPTY]
        if self.kind == "spin":
            words += ["min", str(self.least), "max", str(self.most)]
        for value in self.values:
            words += ["var", value]
        return " ".join(words)


@dataclass
class _Search:
    """What a `go` asks for, and how far it has come."""

    limits: Limits
    began: Instant
    budget: Duration | None = None
    is_bounded: bool = True
    ponders: bool = False
    tells_wait: bool = False
    stop: bool = False
    is_off_turn: bool = False
    held: str = ""
    """The answer to an endless search that has nothing left to find: it is not given before it is asked for."""

    def is_late(self, now: Instant) -> bool:
        """Whether the time is up."""
        return not self.ponders and self.budget is not None and now - self.began >= self.budget


class UgiSession:
    """One engine and the program that talks to it.

    `given` are the settings of the game at first, and `chance` makes a source of chance from a seed, where 0 is any.
    `engine_for` is what makes the engine of the rules.
    Raises SettingsError for a game or settings that there are not.
    """

    def __init__(
        self,
        game: str,
        given: Mapping[str, str],
        chance: Callable[[int], Chance],
        *,
        version: str = "",
        engine_for: Callable[[Rules[Any, Any]], Any] = engine_of,
    ) -> None:
        self._engine_for = engine_for
        self.is_over = False
        self._game = game
        self._version = version
        self._given = dict(given)  # as they were asked for
        self._good = dict(self._given)  # as the rules last took them
        self._chance_of = chance
        self._seed = 0
        self._chance = chance(0)
        self._most_shown = 1
        self._tells_ponder = False
        self._rules: Rules[Any, Any] | None = rules_of(game, given)
        self._of_the_game = {option.name: option for option in setting_options(game)}
        self._engine: Any = None
        self._level = 0  # the highest
        self._line: MoveList | None = None
        self._has_position = True
        self._search: _Search | None = None
        self._commands: Mapping[str, Callable[[Sequence[str], Instant], Iterator[str]]] = {
            "ugi": self._ugi,
            "isready": self._is_ready,
            "setoption": self._set_option,
            "uginewgame": self._new_game,
            "position": self._set_position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponder_hit,
            "query": self._query,
            "quit": self._quit,
            "debug": self._nothing,
            "register": self._nothing,
        }

    # Lines

    def receive(self, line: str, now: Instant) -> Sequence[str]:
        """The answers to a line; what cannot be obeyed is told in an `info string`, and changes nothing."""
        words = line.split()
        known = next((number for number, word in enumerate(words) if word in self._commands), None)
        if known is None:
            return [info(f"there is no command {quote(words[0])}")] if words else []
        answers: list[str] = []
        try:
            # One by one: what a command has answered before it finds that it cannot be obeyed is sent all the same.
            answers.extend(self._commands[words[known]](words[known + 1 :], now))
        except (CannotObeyError, Refusal) as error:
            answers.append(info(str(error)))
        return answers

    def hang_up(self) -> None:
        """Nobody will send another line: a search that ends by itself is brought to its end, and no other."""
        search = self._search
        if search is None or not search.is_bounded or search.ponders:
            self.is_over = True

    @property
    def is_thinking(self) -> bool:
        """Whether `search` has something to do."""
        return self._search is not None and not self._search.held and not self.is_over

    def search(self, look: Callable[[], Instant]) -> Iterator[str]:
        """Think about the position as `go` has asked for, and tell of it line by line.

        `look` is asked again and again: it hands over what lines have come in, and answers what time it is.
        """
        search, line = self._search, self._line
        if search is None or line is None:
            return

        def is_stopped() -> bool:
            now = look()
            return search.stop or self.is_over or search.is_late(now)

        if search.is_off_turn:
            self._search = None
            yield self._answer_off_turn(line, search, is_stopped)
            return
        last: Report | None = None
        # What a search has grown is let go only after the answer: that takes longer than a `stop` may wait.
        reports = self._engine.think(line.position, search.limits, self._chance, is_stopped)
        for report in reports:
            last = restrict(report, search.limits.moves)
            if self.is_over:
                return
            if last.candidates:
                yield from self._tell(last, line, Duration(look() - search.began))
            # Not every engine counts in depth.
            if is_stopped() or (search.limits.depth is not None and report.depth >= search.limits.depth):
                break
        answer = self._answer(last, line, search)
        if search.stop or not (search.ponders or not search.is_bounded):
            self._search = None
            yield answer
        else:
            search.held = answer

    # Commands

    def _ugi(self, _words: Sequence[str], _now: Instant) -> Iterator[str]:
        yield f"id name Gnomon {self._game} {self._version}".rstrip()
        yield "id author the Gnomon maintainers"
        for option in self._options():
            yield option.line
        yield "ugiok"

    def _is_ready(self, _words: Sequence[str], _now: Instant) -> Iterator[str]:
        if self._search is None:
            try:
                self._get_ready()
            except Refusal as error:
                yield info(str(error))
        yield "readyok"

    def _set_option(self, words: Sequence[str], _now: Instant) -> Iterator[str]:
        self._refuse_while_thinking("setoption")
        if not words or words[0] != "name":
            refuse("an option is written: setoption name NAME value VALUE")
        at = words.index("value") if "value" in words else len(words)
        name, value = " ".join(words[1:at]), " ".join(words[at + 1 :])
        option = self._option(name)
        self._apply(option, "" if value == EMPTY else value)
        yield from ()

    def _new_game(self, _words: Sequence[str], _now: Instant) -> Iterator[str]:
        self._refuse_while_thinking("uginewgame")
        self._line, self._has_position = None, True
        self._chance = self._chance_of(self._seed)
        yield from ()

    def _set_position(self, words: Sequence[str], _now: Instant) -> Iterator[str]:
        self._refuse_while_thinking("position")
        self._has_position = False  # rather none than another one
        if not words or words[0] != "startpos":
            refuse("a position is written: position startpos moves MOVE ...; there is no fen of this game")
        if len(words) > 1 and words[1] != "moves":
            refuse(f"after startpos comes moves, not {quote(words[1])}")
        self._get_ready()
        texts = tuple(words[2:])
        line = self._line
        if line is None or line.texts != texts[: len(line.texts)]:
            line = MoveList.begin(self._ready_rules())
        for number, text in enumerate(texts[len(line.texts) :], len(line.texts) + 1):
            try:
                line = line.add(text)
            except Refusal as error:
                message = f"move {number}, {quote(text)}: {error}"
                raise CannotObeyError(message) from error
        self._line, self._has_position = line, True
        yield from ()

    def _go(self, words: Sequence[str], now: Instant) -> Iterator[str]:
        self._refuse_while_thinking("go")
        try:
            line = self._ready_line()
            asked = yield from read_go(words)
            if asked.lists.get("at"):
                line = line.elapse(Instant(parse_seconds(asked.lists["at"][0])))
            turn = line.rules.turn(line.position)
            if turn in {NATURE, OVER}:
                refuse("the game is over" if turn == OVER else "nature is on turn: a throw or a draw is due")
            moves = yield from read_moves(line, asked.lists.get("searchmoves", ()))
            search = self._search_of(asked, line, now)
        except (CannotObeyError, Refusal) as error:
            yield info(str(error))
            yield f"bestmove {NO_MOVE}"  # a program waits for one after every go
            return
        search.limits = search.limits._replace(moves=tuple(moves))
        self._line, self._search = line, search

    def _stop(self, _words: Sequence[str], _now: Instant) -> Iterator[str]:
        if self._search is not None:
            self._search.stop = True
            yield from self._release()

    def _ponder_hit(self, _words: Sequence[str], now: Instant) -> Iterator[str]:
        if self._search is not None and self._search.ponders:
            self._search.ponders = False
            self._search.began = now
            if self._search.is_bounded:
                yield from self._release()

    def _release(self) -> Iterator[str]:
        if self._search is not None and self._search.held:
            yield self._search.held
            self._search = None

    def _query(self, words: Sequence[str], _now: Instant) -> Iterator[str]:
        asked = " ".join(words)
        if asked not in {"gameover", "p1turn", "result"}:
            refuse(f"query asks for gameover, p1turn or result, not {quote(asked) or 'nothing'}")
        try:
            line = self._ready_line()
        except (CannotObeyError, Refusal) as error:
            yield info(str(error))
            yield f"response {'none' if asked == 'result' else 'false'}"  # a program waits for one after every query
            return
        if asked == "result":
            yield f"response {line.result}"
        else:
            yield f"response {'true' if (line.is_over if asked == 'gameover' else line.first_acts) else 'false'}"

    def _quit(self, _words: Sequence[str], _now: Instant) -> Iterator[str]:
        self.is_over = True
        yield from ()

    def _nothing(self, _words: Sequence[str], _now: Instant) -> Iterator[str]:
        yield from ()

    def _refuse_while_thinking(self, command: str) -> None:
        if self._search is not None:
            refuse(f"{command} has to wait: a search is going on")

    # Options

    def _options(self) -> Sequence[Option]:
        levels = len(self._levels())
        return (
            Option("Game", "combo", self._game, (self._game,)),
            *self._of_the_game.values(),
            Option("Level", "spin", str(levels), least=1, most=levels),
            Option("MultiPV", "spin", "1", least=1, most=500),
            Option("Ponder", "check", "false"),
            Option("Seed", "spin", "0", least=0, most=2**31 - 1),
        )

    def _option(self, name: str) -> Option:
        """The option of that name: as it is written, or else without regard to capitals where only one fits."""
        options = self._options()
        exact = [option for option in options if option.name == name]
        fitting = exact or [option for option in options if option.name.casefold() == name.casefold()]
        if len(fitting) != 1:
            refuse(f"there is no option {quote(name) or 'without a name'}")
        return fitting[0]

    def _apply(self, option: Option, value: str) -> None:
        name = option.name
        if name in self._of_the_game:
            if value:
                self._given[name] = value
            else:
                self._given.pop(name, None)
            self._rules = self._line = None  # made when they are needed: several may be set, one after the other
            self._has_position = True
        elif name == "Game":
            if value != self._game:
                refuse(f"this engine plays {self._game}, and not {quote(value)}")
        elif name == "Ponder":
            if value not in {"true", "false"}:
                refuse(f"Ponder is true or false, not {quote(value)}")
            self._tells_ponder = value == "true"
        else:
            if not (value.isdecimal() and value.isascii() and option.least <= int(value[:12]) <= option.most):
                refuse(f"{name} is a number from {option.least} to {option.most}, not {quote(value) or 'nothing'}")
            self._set_number(name, int(value))

    def _set_number(self, name: str, number: int) -> None:
        if name == "Level":
            self._level = number
        elif name == "MultiPV":
            self._most_shown = number
        else:
            self._seed = number
            self._chance = self._chance_of(number)

    # What is ready

    def _get_ready(self) -> None:
        """Make the rules and the engine, where settings have changed. Raises SettingsError, and keeps those before."""
        if self._rules is None:
            try:
                self._rules = rules_of(self._game, self._given)
                self._good = dict(self._given)
            except Refusal:
                self._given = dict(self._good)
                self._rules = rules_of(self._game, self._good)
                raise
            finally:
                self._engine = None
        if self._engine is None:
            self._engine = self._engine_for(self._rules)

    def _ready_rules(self) -> Rules[Any, Any]:
        self._get_ready()
        assert self._rules is not None  # noqa: S101 - it has just been made
        return self._rules

    def _ready_line(self) -> MoveList:
        if not self._has_position:
            refuse("there is no position: the last one could not be read")
        if self._line is None:
            self._line = MoveList.begin(self._ready_rules())
        return self._line

    def _levels(self) -> Sequence[Level]:
        if self._engine is None:
            self._get_ready()
        levels: Sequence[Level] = self._engine.levels
        return levels

    # Thinking

    def _chosen_level(self) -> tuple[Level, bool]:
        levels = self._levels()
        number = min(self._level or len(levels), len(levels))
        return levels[number - 1], number == len(levels)

    def _search_of(self, asked: GoWords, line: MoveList, now: Instant) -> _Search:
        level, is_highest = self._chosen_level()
        numbers = asked.numbers
        is_first = line.first_acts
        budget = time_for_a_move(numbers, is_first=is_first)
        ponders, is_endless = "ponder" in asked.flags, "infinite" in asked.flags
        is_free = is_endless or (is_highest and bool(budget is not None or {"nodes", "depth"} & set(numbers)))
        nodes = least_of(numbers.get("nodes"), None if is_free else level.limits.nodes)
        depth = least_of(numbers.get("depth"), None if is_free else level.limits.depth)
        # A user who wants to see several moves, or some alone, wants all of them weighed.
        is_plain = self._most_shown == 1 and not asked.lists.get("searchmoves")
        reserve = 0 if {"nodes", "depth"} & set(numbers) else level.limits.reserve
        limits = Limits(nodes, depth, spread=level.limits.spread if is_plain else 1.0, reserve=reserve)
        if hands := asked.lists.get("hands"):
            read = [parse_seconds(text) for text in hands[:2]]
            limits = limits._replace(hands=(read[0], read[-1]))
        tells_wait = not {"at", "hands"}.isdisjoint(asked.lists)
        search = _Search(limits, now, None if is_endless else budget, is_bounded=not is_endless)
        search.ponders, search.tells_wait = ponders, tells_wait
        search.is_off_turn = "offturn" in asked.flags
        return search

    def _tell(self, report: Report, line: MoveList, spent: Duration) -> Iterator[str]:
        milliseconds = spent // MILLISECOND
        rate = report.nodes * 1_000_000 // max(1, spent)
        for number, candidate in enumerate(report.candidates[: self._most_shown], 1):
            words = [f"info depth {report.depth} nodes {report.nodes} time {milliseconds} nps {rate} multipv {number}"]
            words += [score_text(candidate.score)]
            if candidate.wait:
                words += [f"wait {seconds(candidate.wait)}"]
            yield " ".join((*words, "pv", *candidate.texts(line.rules, line.position)))

    def _answer_off_turn(self, line: MoveList, search: _Search, is_stopped: Callable[[], bool]) -> str:
        """What the engine does though it is not on turn: nothing, unless it is one that knows more."""
        think = getattr(self._engine, "off_turn", None)
        move = None
        if think is not None and line.rules.off_turn(line.position):
            move = think(line.position, search.limits, self._chance, is_stopped)
        return f"bestmove {NO_MOVE if move is None else line.rules.text(line.position, move)}"

    def _answer(self, report: Report | None, line: MoveList, search: _Search) -> str:
        rules, position = line.rules, line.position
        if report is None or not report.candidates:
            moves = search.limits.moves or rules.legal_moves(position)
            return f"bestmove {rules.text(position, moves[0])}"
        level, _ = self._chosen_level()
        chosen = choose(report.candidates, level.loss, self._chance)
        texts = chosen.texts(rules, position)
        words = ["bestmove", texts[0]]
        if self._tells_ponder and len(texts) > 1:
            words += ["ponder", texts[1]]
        if search.tells_wait and chosen.wait:
            words += ["wait", str(seconds(chosen.wait))]
        return " ".join(words)


def setting_options(game: str) -> Sequence[Option]:
    """The settings of a game as options, with what they are where nobody says otherwise. Raises SettingsError.

    What a setting may be the rules say themselves, when they refuse what it cannot be.
    """
    usual = getattr(rules_of(game, {}), "settings", None)
    names = [each.name for each in fields(usual)] if is_dataclass(usual) else []
    return [_option_of(game, name, getattr(usual, name)) for name in names]


def _option_of(game: str, name: str, usual: object) -> Option:
    default = ("no", "yes")[usual] if isinstance(usual, bool) else str(usual) if isinstance(usual, str | int) else ""
    try:
        rules_of(game, {name: "?"})
    except SettingsError as error:
        match error.values:
            case {"choices": [*choices]}:
                return Option(name, "combo", default, tuple(map(str, choices)))
            case {"least": int(least), "most": int(most)} if default:
                return Option(name, "spin", default, least=least, most=most)
            case _:
                pass
    return Option(name, "string", default)
