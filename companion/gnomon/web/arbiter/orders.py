"""Parse the arbiter's forms into correction events."""

from collections.abc import Callable, Mapping
from typing import Final, NoReturn

from gnomon.referee import events
from gnomon.referee.clock_rulings import DIAL
from gnomon.referee.clock_rulings import FLAG as FLAG_FELL
from gnomon.referee.game import Game
from gnomon.referee.player_roles import side_of
from gnomon.timekeeping.instants import MINUTE, Duration, Instant, parse_seconds
from gnomon.views.show import show_of
from gnomon.words import LANGUAGES, words

LONGEST: Final = 500  # letters of a reason or a note; a sheet has room for that
LONGEST_TURN: Final = 4000  # letters in the longest turn: a number of TAU
_MOST: Final = 4  # digits of a count
REASONS: Final = ("resigned", "agreed", "time", "absent", "arbiter")
"""Why games end by hand, by the keys that are recorded; the form offers them in the arbiter's words."""

Sent = Mapping[str, str]


class OrderError(ValueError):
    """A field says nothing that can be done; `key` is the entry of the words that says why."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _refuse(key: str) -> NoReturn:
    raise OrderError(key)


def correction(sent: Sent, who: str, game: Game) -> events.Correction:
    """The event that a form asks for, stamped by the board later. Raises OrderError."""
    read = ORDERS.get(sent.get("do", ""))
    if read is None:
        _refuse("arbiter.wrong.order")
    return read(sent, who, _text(sent, "why", LONGEST, needed=False), game)


def duration(text: str) -> Duration:
    """A length of time as people write it, 2:05 or 125 or 7.5 (seconds). Raises OrderError."""
    minutes, colon, rest = text.strip().replace(",", ".").rpartition(":")
    is_number = minutes.isascii() and minutes.isdecimal() and len(minutes) <= _MOST
    try:
        if bool(colon) == is_number:
            return Duration((int(minutes) if colon else 0) * MINUTE + parse_seconds(rest))
    except ValueError:
        pass  # said below
    _refuse("arbiter.wrong.time")


def clock_time(text: str) -> Duration:
    """What a clock shows as people write it, 1:05:00 or 2:05 or 7.5 (seconds). Raises OrderError."""
    hours, _, rest = text.strip().rpartition(":")
    hours, colon, minutes = hours.rpartition(":")
    if not colon:
        return duration(text)
    if not (hours.isascii() and hours.isdecimal() and len(hours) <= _MOST):
        _refuse("arbiter.wrong.time")
    return Duration(int(hours) * 60 * MINUTE + duration(f"{minutes}:{rest}"))


def _text(sent: Sent, name: str, longest: int = LONGEST, *, needed: bool = True) -> str:
    text = " ".join(sent.get(name, "").split())
    if len(text) > longest:
        _refuse("arbiter.wrong.long")
    if needed and not text:
        _refuse("arbiter.wrong.empty")
    return text


def _count(sent: Sent, name: str) -> int:
    text = sent.get(name, "").strip()
    if not (text.isascii() and text.isdecimal() and len(text) <= _MOST):
        _refuse("arbiter.wrong.count")
    return int(text)


def _is_on(sent: Sent, name: str) -> bool:
    return sent.get(name, "") not in ("", "no")


def _sand(sent: Sent, who: str, why: str, game: Game) -> events.Correction:
    """Time set, given or taken, of one glass, of the 15-second glass, or of all running glasses of a player."""
    now, glass, how = Instant(0), _text(sent, "glass"), sent.get("how", "")
    if how == "stop":
        return events.StopDeclared(now, glass, who, why)
    time = duration(_text(sent, "time"))
    if how == "give":
        return events.TimeGiven(now, glass, time, who, why)
    if how == "take":
        return events.TimeTaken(now, glass, time, who, why)
    if glass in game.rules.players:
        _refuse("arbiter.wrong.one_glass")
    if any(time > sand.durations[sand.up] for sand in show_of(game).sands_of(game, glass)):
        _refuse("arbiter.wrong.too_much")
    return events.SandSet(now, glass, time, who, why)


def _insert(sent: Sent, who: str, why: str, game: Game) -> events.Correction:
    """A turn at the end, or as a number among those made."""
    text, next_number = _text(sent, "text", LONGEST_TURN), len(game.plies) + 1
    number = _count(sent, "number") if sent.get("number", "").strip() else next_number
    if number == next_number:
        return events.TurnEntered(Instant(0), text, who, why)
    return events.TurnInserted(Instant(0), number, text, who, why)


def _result(sent: Sent, who: str, why: str, _game: Game) -> events.Correction:
    winner = sent.get("winner", "")
    if not winner:
        _refuse("arbiter.wrong.winner")
    return events.ResultDeclared(Instant(0), None if winner == "draw" else winner, _reason(sent), who, why)


def _reason(sent: Sent) -> str:
    """The key of a reason that the form offered, in the language of its page; any other reason as it was written."""
    said, language = _text(sent, "reason"), sent.get("language", "")
    offered = words(language) if language in LANGUAGES else None
    return next((key for key in REASONS if offered is not None and offered(f"arbiter.reason.{key}") == said), said)


def _claim(sent: Sent, who: str, why: str, _game: Game) -> events.Correction:
    claim = _text(sent, "claim", needed=False) or "flag"
    return events.Claimed(Instant(0), _text(sent, "player"), claim, _is_on(sent, "upheld"), who, why)


def _note(sent: Sent, who: str, why: str, _game: Game) -> events.Correction:
    took = duration(sent["took"]) if sent.get("took", "").strip() else Duration(0)
    return events.NoteTaken(Instant(0), _text(sent, "text"), took, who, why)


def _clock(sent: Sent, who: str, why: str, _game: Game) -> events.Correction:
    """What one side of the match clock shall show: what is left empty stays as it is."""
    period = sent.get("period", "").strip()
    wanted = events.ClockCorrected(
        Instant(0),
        _text(sent, "player"),
        who,
        why,
        time=_clock_time(sent),
        moves=_count(sent, "moves") if sent.get("moves", "").strip() else None,
        period=_count(sent, "period") - 1 if period else None,
        spells=_count(sent, "spells") if sent.get("spells", "").strip() else None,
    )
    if wanted.time is wanted.moves is wanted.period is wanted.spells is None:
        _refuse("arbiter.wrong.clock.nothing")
    return wanted


def _clock_time(sent: Sent) -> Duration | None:
    if not sent.get("time", "").strip():
        return None
    try:
        return clock_time(sent["time"])
    except OrderError as error:
        key = "arbiter.wrong.clock.time"
        raise OrderError(key) from error


def _more_time(sent: Sent, who: str, why: str, _game: Game) -> events.Correction:
    """Time given to, or taken from, one side of the match clock."""
    time, whose = _clock_time(sent), f"{DIAL}{_text(sent, 'player')}"
    if time is None:
        _refuse("arbiter.wrong.clock.time")
    event = events.TimeTaken if sent.get("how") == "take" else events.TimeGiven
    return event(Instant(0), whose, time, who, why)


def _flag(sent: Sent, who: str, why: str, game: Game) -> events.Correction:
    """A flag that is lifted, with the time that the side has then, or the game that it decides."""
    player, match = _text(sent, "player"), game.clock
    if match is None:
        _refuse("arbiter.wrong.clock.none")
    if sent.get("how") == "lift":
        time = _clock_time(sent)
        if time is None:
            _refuse("arbiter.wrong.clock.time")
        return events.ClockCorrected(Instant(0), player, who, why, time=time)
    side = side_of(game.rules, match.teams, game.position, player)
    if side is None:
        _refuse("arbiter.wrong.order")
    others = [each for each in game.rules.players if _side(game, each) == 1 - side]
    winner = game.rules.turn(game.position) if game.rules.turn(game.position) in others else others[-1]
    if match.flag == side and not game.board.turn_presses:
        return events.Claimed(Instant(0), winner, FLAG_FELL, upheld=True, who=who, why=why)
    return events.ResultDeclared(Instant(0), winner, FLAG_FELL, who, why)


def _side(game: Game, player: str) -> int | None:
    return None if game.clock is None else side_of(game.rules, game.clock.teams, game.position, player)


ORDERS: Final[Mapping[str, Callable[[Sent, str, str, Game], events.Correction]]] = {
    "pause": lambda _sent, who, why, _game: events.Paused(Instant(0), who, why),
    "resume": lambda _sent, who, why, _game: events.Resumed(Instant(0), who, why),
    "undo": lambda _sent, who, why, _game: events.CorrectionUndone(Instant(0), who, why),
    "adjourn": lambda _sent, who, why, _game: events.Adjourned(Instant(0), who, why),
    "sand": _sand,
    "rings": lambda sent, who, why, _game: events.RingsSet(
        Instant(0), _text(sent, "space"), _count(sent, "count"), _text(sent, "player"), who, why
    ),
    "place": lambda sent, who, why, _game: events.GlassPlaced(
        Instant(0), _text(sent, "glass"), _text(sent, "space"), _is_on(sent, "turned"), who, why
    ),
    "turn": lambda sent, who, why, _game: events.TurnSet(Instant(0), _text(sent, "player"), who, why),
    "clock": _clock,
    "clock-time": _more_time,
    "clock-turn": lambda sent, who, why, _game: events.TurnSet(Instant(0), _text(sent, "player"), who, why),
    "clock-flag": _flag,
    "second": lambda sent, who, why, _game: events.PenaltySet(Instant(0), _is_on(sent, "due"), who, why),
    "void": lambda sent, who, why, _game: events.TurnsVoided(
        Instant(0), _count(sent, "count"), _is_on(sent, "give_back"), who, why
    ),
    "insert": _insert,
    "restore": lambda sent, who, why, _game: events.PositionRestored(
        Instant(0), _count(sent, "turns"), _is_on(sent, "give_back"), who, why
    ),
    "claim": _claim,
    "result": _result,
    "answer": lambda sent, who, why, _game: events.QuestionAnswered(Instant(0), _text(sent, "choice"), who, why),
    "trust": lambda sent, who, why, _game: events.InputTrusted(Instant(0), _text(sent, "input"), who, why),
    "note": _note,
}
"""What a form can ask for, by the value of its field `do`."""
