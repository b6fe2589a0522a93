"""Show TAMSK: its settings, turns in words, sand as it is shown, and what an arbiter sets."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from gnomon.games.tamsk.rules import BOARD, CAPACITY, PLAYERS, Position, Tamsk
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import TIMER
from gnomon.games.tamsk.show import _display as display
from gnomon.games.tamsk.show import _moments as moments
from gnomon.games.tamsk.show import _sentences as sentences
from gnomon.games.tamsk.show._lights import UNDER_SPACES
from gnomon.referee.game import Ply
from gnomon.referee.rulings import GamePaused, GameResumed, Ruling
from gnomon.timekeeping.glasses import SandGlass
from gnomon.timekeeping.instants import SECOND, Duration, Instant, seconds
from gnomon.views import phrases
from gnomon.views.show import Choice, Field, Form, Json, PictureArea, SheetColumn, SheetForm, Show
from gnomon.words import Words

_FEW: Final = 0.05  # seconds
_HOW: Final = "arbiter.field.how"
_TIMED_LEVEL: Final = 2  # above it, a turn may owe a second ring (rule 13)
_TIMED: Final = ("level", ("2", "3"))


class TamskShow(Show[TamskGame]):
    """TAMSK as it is shown."""

    title = "TAMSK"
    choices = (
        Choice("level", "3", ("1", "2", "3"), early=True),
        Choice("time", "electronic", ("electronic", "calibrated", "sand"), early=True, when=_TIMED),
        Choice("ring", "optional", ("optional", "auto")),
        Choice("full_space", "loses", ("loses", "take_back")),
        Choice("late", "two_rings", ("two_rings", "skip_turn"), when=("level", ("3",))),
        Choice("stall", "64", most=999999, when=("ring", ("optional",))),
    )
    sample = "D1-D2 G1-F2 A4-B4 D7-D6 G4-F4 A1-B2 D2-D3 F2-E3 B4-B3 D6-D5"
    sample_settings: ClassVar[Mapping[str, object]] = {"level": 1}
    picture = "gnomon.games.tamsk.show._picture:picture"
    miniature = ""
    drawings: ClassVar[Mapping[str, str]] = {
        "board": "gnomon.games.tamsk.show._picture:live_board",
        "timer": "gnomon.games.tamsk.show._picture:live_timer",
        "holder": "gnomon.games.tamsk.show._picture:live_holder",
    }
    summary = "gnomon.games.tamsk.show._summary:summary"
    screen = "gnomon.games.tamsk.show._display:screen"
    screen_changes_at = "gnomon.games.tamsk.show._display:changes_at"
    lights = "gnomon.games.tamsk.show._lights:under_board"
    light_sides = UNDER_SPACES
    touch = ""
    lesson_touch = "steps"
    is_tapped = False
    seat_score = "players.rings"
    score_fact = "arbiter.fact.rings_left"
    reasons: ClassVar[Mapping[str, int]] = sentences.REASONS
    endings: ClassVar[Mapping[str, int]] = sentences.ENDINGS

    def variant(self, settings: Mapping[str, object], words: Words) -> str:
        """The level; journals of before there were others may leave it out."""
        return words("watching.level", level=settings.get("level", 1))

    def sheet_form(self, words: Words) -> SheetForm:
        """Moves with the turns of the 15-second glass, and the rings that are left."""
        sides = phrases.name("red", words), phrases.name("black", words)
        columns = SheetColumn(words("sheet.move")), SheetColumn(words("sheet.flip15"), is_narrow=True)
        rings = [words("sheet.score.rings", name=side) for side in sides]
        return SheetForm(sides, sides, columns, (*rings, words("sheet.result")))

    def turn(self, player: str, text: str, words: Words, *, at_length: bool = True) -> str:
        """A turn in plain words; in brief it is its canonical text where that speaks for itself."""
        return (sentences.turn if at_length else sentences.brief_turn)(player, text, words)

    def ruling_sentence(self, ruling: Ruling, words: Words, *, at_length: bool = True) -> str:
        """A ruling by the glasses."""
        return sentences.ruling_sentence(ruling, words, at_length=at_length)

    def score(self, score: Mapping[str, int], words: Words) -> str:
        """The rings that are left."""
        return sentences.rings_left(score, words)

    def has_sand(self, rules: Tamsk) -> bool:
        """From level 2 on."""
        return bool(rules.settings.level > 1)

    def time(self, game: TamskGame, now: Instant) -> Instant:
        """Game time as it is shown: it stands still from the end of the game on."""
        return moments.game_time(game, now)

    def position(self, game: TamskGame, now: Instant) -> Position:
        """The position with its sand."""
        return moments.position(game, now)

    def recorded_position(self, game: TamskGame, at: Instant) -> Position:
        """The position with its sand; an end that time alone would bring is not in it before it has been ruled."""
        position = moments.position(game, at)
        return game.position if game.outcome is None and game.rules.outcome(position) is not None else position

    def ply_time(self, game: TamskGame, ply: Ply) -> Instant:
        """The game time of a turn: at level 1, where the rules know no time, its board time without the pauses."""
        if game.rules.settings.level > 1:
            return ply.when
        paused, stopped = 0, None
        for ruling in game.rulings:
            if ruling.at > ply.at:
                break
            if isinstance(ruling, GamePaused):
                stopped = ruling.at
            elif isinstance(ruling, GameResumed) and stopped is not None:
                paused, stopped = paused + ruling.at - stopped, None
        return Instant(ply.at - paused)

    def sands(self, game: TamskGame, now: Instant) -> Sequence[SandGlass]:
        """The six glasses as they are shown."""
        return game.position_at(now).sands

    def sands_of(self, game: TamskGame, whose: str) -> Sequence[SandGlass]:
        """The glass on a space, or the 15-second glass."""
        position = game.position
        if whose == TIMER:
            return () if position.timer15 is None else (position.timer15,)
        number = position.glass_on(BOARD.index.get(whose, -1)) if position.sands else -1
        return () if number < 0 else (position.sands[number],)

    def sand_left(self, game: TamskGame, player: str, now: Instant) -> tuple[Duration, bool] | None:
        """The least sand of a player's glasses that run, where sand decides by itself."""
        position, time = moments.position(game, now), moments.game_time(game, now)
        own = position.sands[PLAYERS.index(player) * 3 :][:3]
        left = [sand.remaining(time) for sand in own if sand.is_running(time) and not sand.by_eye]
        return (min(left), moments.is_running(game)) if left else None

    def timer_left(self, game: TamskGame, now: Instant) -> Duration | None:
        """What is left of the 15-second glass."""
        timer = moments.position(game, now).timer15 if moments.is_running(game) else None
        if timer is None or timer.by_eye:
            return None
        return timer.remaining(moments.game_time(game, now)) or None

    def timer_binds(self, game: TamskGame) -> bool:
        """Whether the turn is lost when the 15-second glass is empty."""
        return game.position.timer15_binds

    def sand_rows(self, game: TamskGame, at: Instant, words: Words) -> Sequence[Json]:
        """The sand of each of the six as it was, where there was sand; one that was never turned has no `part`."""
        position = self.recorded_position(game, at)
        return [_sand_row(position, index, words) for index in range(len(position.sands))]

    def timer_text(self, game: TamskGame, at: Instant) -> str:
        """What was left of the 15-second glass."""
        position = self.recorded_position(game, at)
        return "" if position.timer15 is None else _clock(position.timer15.remaining(position.now))

    def large_over(self, game: TamskGame, words: Words) -> Sequence[str]:
        """The rings that are left."""
        return display.large_rings(game, words)

    def large_choices(self, game: TamskGame, words: Words) -> Sequence[str]:
        """The answers with their buttons."""
        return display.large_choices(game, words)

    def large_pause(self, game: TamskGame, words: Words) -> Sequence[str]:
        """That the turns are to be corrected, after players have said that the game is not over."""
        return [words("oled.tamsk.large.correct")] if moments.awaits_correction(game) else []

    def large_play(
        self, game: TamskGame, now: Instant, step: Sequence[str], words: Words
    ) -> tuple[str, str, Sequence[str]] | None:
        """Who is on turn, what hurries most, and what comes next."""
        return display.large_play(game, now, step, words)

    def places_to_touch(self, rules: object) -> Mapping[str, PictureArea]:
        """Every space of the picture."""
        from gnomon.games.tamsk.show._picture import spaces  # noqa: PLC0415 - a board that plays draws none

        del rules
        return spaces()

    def facts(self, game: TamskGame, told: Mapping[str, Any], words: Words) -> Mapping[str, tuple[str, str]]:
        """Glasses, their sand, the 15-second glass and the rings."""
        facts: dict[str, tuple[str, str]] = {}
        for number, glass in enumerate(told["glasses"]):
            owner = phrases.name(glass["player"], words)
            what = words("arbiter.fact.glass", player=owner)
            facts[f"glass {number}"] = (what, glass["space"])
            if glass["duration"]:
                what = words("arbiter.fact.sand", player=owner, space=glass["space"])
                facts[f"sand {number}"] = (what, _of_a_fact(glass["remaining"]))
        if told["timer15"] is not None:
            facts["timer"] = (words("arbiter.fact.timer15"), _of_a_fact(told["timer15"]["remaining"]))
            due = "arbiter.yes" if game.position.penalty else "arbiter.no"
            facts["second"] = (words("arbiter.fact.second"), words(due))
        for space in told["board"]["spaces"]:
            facts[f"rings {space['name']}"] = (words("arbiter.fact.rings", space=space["name"]), str(space["rings"]))
        return facts

    def forms(self, game: TamskGame, told: Mapping[str, Any], words: Words) -> Sequence[Form]:
        """Sand from level 2 on, rings, where a glass stands, who is on turn, and the second ring at level 3."""
        level, mover = game.rules.settings.level, game.position.mover
        spaces = [(space, space) for space in BOARD.names]
        players = [(player, phrases.name(player, words)) for player in PLAYERS]
        glasses = [(glass["space"], _glass(glass, words)) for glass in told["glasses"]]
        timer = [(TIMER, f"{words('arbiter.timer15')} · {_of_a_fact(left['remaining'])}") for left in _timers(told)]
        every = [(player, words("arbiter.field.glass.all", player=called)) for player, called in players]
        ways = ("set", "give", "take", *(("stop",) if game.rules.by_eye else ()))
        sand = (
            Field("select", "glass", "arbiter.field.glass", choices=[*glasses, *timer, *every]),
            Field("radio", "how", _HOW, "set", [(how, words(f"{_HOW}.{how}")) for how in ways]),
            Field("time", "time", "arbiter.field.time"),
        )
        rings = (
            Field("select", "space", "arbiter.field.space", choices=spaces),
            Field("number", "count", "arbiter.field.count", most=max(CAPACITY)),
            Field("radio", "player", "arbiter.field.holder", PLAYERS[mover], players),
        )
        place = (
            Field("select", "glass", "arbiter.field.glass", choices=glasses),
            Field("select", "space", "arbiter.field.to", choices=spaces),
            Field("tick", "turned", "arbiter.field.turned"),
        )
        return (
            *((Form("sand", "s", sand, "glass"),) if level > 1 else ()),
            Form("rings", "r", rings, "space"),
            Form("place", "g", place, "glass"),
            Form("turn", "t", (Field("radio", "player", "arbiter.field.player", PLAYERS[1 - mover], players),)),
            *(
                (Form("second", "2", (Field("tick", "due", "arbiter.field.due", "yes"),)),)
                if level > _TIMED_LEVEL
                else ()
            ),
        )


def _timers(told: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The 15-second glass of a summary, where there is one."""
    return () if told["timer15"] is None else (told["timer15"],)


def _glass(glass: Mapping[str, Any], words: Words) -> str:
    """A glass of a summary to choose: where it stands, whose it is, and its sand."""
    sand = [_of_a_fact(glass["remaining"])] if glass["duration"] else []
    return " · ".join([glass["space"], phrases.name(glass["player"], words), *sand])


def _sand_row(position: Position, index: int, words: Words) -> Json:
    sand, time = position.sands[index], position.now
    left = seconds(sand.remaining(time))
    is_out = moments.has_stopped(position, index, time)
    is_unturned = not is_out and not sand.is_running(time)
    duration, exact = seconds(sand.durations[sand.up]), _clock(sand.remaining(time))
    player, space = PLAYERS[index // 3], BOARD.names[position.glasses[index]]
    return {
        "player": player,
        "name": phrases.name(player, words),
        "space": space,
        "left": words("picture.tamsk.not_yet") if is_unturned else exact,
        "part": None if is_unturned else round(left / duration, 3) if duration else 0,
        "is_out": is_out,
        "runs": sand.is_running(time) and not is_out,
    }


def _of_a_fact(remaining: float) -> str:
    """Seconds of sand before and after a correction: less than can be told apart on the page is no difference."""
    return _clock(round((remaining - _FEW) * SECOND))


def _clock(time: int) -> str:
    """Microseconds for people, in whole seconds that have begun."""
    return phrases.elapsed_text(-(-time // SECOND) * SECOND)


SHOW: Final = TamskShow()
