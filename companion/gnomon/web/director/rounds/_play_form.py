"""Parse the form that sets how a tournament is played at its boards: game, settings and match clock."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from gnomon.hall.rounds.board_assignment import BoardAssignment, PlanError
from gnomon.referee.clock_settings import CLOCK, FLAG, FLAGS, NO_CLOCK, PRESS, PRESSES
from gnomon.referee.games import game_of
from gnomon.referee.setup import GameSetup
from gnomon.refusals import statement
from gnomon.rules.protocol import SettingsError
from gnomon.rules.registry import games
from gnomon.timekeeping.notation import parse_time_control
from gnomon.views.show import Choice, show
from gnomon.web.games import choices, clock_choices
from gnomon.words import Words

OF: Final = "of"
"""The game whose settings stood in the form: those of another one say nothing about the game that was chosen."""


class PlanForm(NamedTuple):
    """What stands in the form: the game, its choices with what each is now, and the fields of the clock.

    `means` is the time control in words, empty without one.
    """

    game: str
    choices: tuple[tuple[Choice, str], ...]
    clock: str
    flag: str
    press: str
    presses: tuple[str, ...]
    means: str


def form_of(plan: BoardAssignment, sent: Mapping[str, str], say: Words) -> PlanForm:
    """The form as it was kept, or as it was sent and refused."""
    game = sent.get("game", plan.game)
    game = game if game in games() else ""
    kept = {name: str(value) for name, value in plan.settings.items()} if game == plan.game else {}
    told = sent if sent.get(OF) == game else kept
    clock = {name: str(value) for name, value in plan.settings.items()}
    return PlanForm(
        game,
        tuple((each, told.get(each.name, each.default)) for each in (show(game).choices if game else ())),
        sent.get(clock_choices.TEXT, clock.get(CLOCK, "")),
        sent.get(clock_choices.ENDS, clock.get(FLAG, FLAGS[0])),
        sent.get(clock_choices.BY, clock.get(PRESS, PRESSES[0])),
        PRESSES if not game or clock_choices.may_press(game) else (),
        clock_choices.in_words(parse_time_control(clock[CLOCK]), say) if CLOCK in clock else "",
    )


def settings_of(game: str, sent: Mapping[str, str]) -> dict[str, str]:
    """The settings that a form says; the game's usual ones where its fields were another game's. Raises PlanError."""
    has_clock = bool(sent.get(clock_choices.TEXT, "").strip())
    if not game:
        if has_clock:
            raise PlanError(statement("director.refused.clock_without_game"))
        return {}
    told = sent if sent.get(OF, game) == game else {}
    which = clock_choices.OWN if has_clock else NO_CLOCK
    try:
        clock = clock_choices.choose_clock(game, {**sent, clock_choices.WHICH: which})
        settings = {**choices.choose_settings(game, told), **clock}
        game_of(GameSetup(game, settings))
    except (clock_choices.ClockWishError, SettingsError) as error:
        raise PlanError(error) from error
    return settings
