"""Word the help and warnings during a turn, and the offer of a draw."""

from collections.abc import Mapping
from typing import Final

from gnomon.referee.draws import asked_for_a_draw, may_offer, two_players
from gnomon.referee.game import Game
from gnomon.referee.opponents import plays_as
from gnomon.refusals import clause, sentence
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from gnomon.views.phrases import name
from gnomon.words import ENGLISH, Clause, Words

Json = Mapping[str, object]

FRESH: Final = Duration(6 * SECOND)
"""For so long what has just been said has the display to itself."""


def talk_payload(game: Game, words: Words = ENGLISH) -> Json:
    """What pages are told of it, and who may offer a draw."""
    asked = asked_for_a_draw(game)
    by_engine = asked is not None and plays_as(game, asked, game.position)
    return {
        "warning": warning(game, words) or None,
        "draw": None if asked is None else {"asked": asked, "sentence": offer(game, words), "by_person": not by_engine},
        "warns": game.warns,
        "help": game.help or None,
        "helped": help_given(game, words) or None,
        "may_offer": may_offer(game) if game.paused_at is None else None,
    }


def warning(game: Game, words: Words = ENGLISH) -> str:
    """The warning of the turn that is about to be confirmed; empty where there is none."""
    return "" if game.warned is None else words("talk.warning", why=Clause(clause(game.warned.said, words)))


def help_given(game: Game, words: Words = ENGLISH) -> str:
    """With what a good turn is made, or whether what is in hand is part of one; empty where nothing is said."""
    told = game.helped
    if told is None:
        return ""
    said = sentence(told.said, words)
    return said if told.held else words("talk.brain", why=Clause(clause(told.said, words)))


def offer(game: Game, words: Words = ENGLISH) -> str:
    """That a draw is offered; empty where none is."""
    asked = asked_for_a_draw(game)
    if asked is None:
        return ""
    by = next((player for player in two_players(game) if player != asked), "")
    return words("talk.draw", player=name(by, words))


def notices(game: Game, words: Words = ENGLISH) -> tuple[str, ...]:
    """What the display says by turns with the rest, once it is not fresh any more."""
    said = offer(game, words)
    return (f"{said} {words('talk.draw.brief')}",) if said else ()


def fresh(game: Game, now: Instant, words: Words = ENGLISH) -> tuple[str, str, str] | None:
    """What has just been said, as a headline, what stands at its end, and a text; None where nothing has."""
    if game.outcome is not None or game.paused_at is not None:
        return None
    if game.warned is not None and now < game.warned.at + FRESH:
        return words("oled.look_again"), game.warned.text, sentence(game.warned.said, words)
    told = game.helped
    if told is not None and now < told.at + FRESH:
        key = "oled.brain" if not told.held else "oled.hand.yes" if told.fits else "oled.hand.no"
        return words(key), told.held, sentence(told.said, words)
    draw = game.draw
    if draw is not None and draw.is_open and now < draw.at + FRESH:
        return words("oled.draw.offered"), "", f"{offer(game, words)} {words('talk.draw.how')}"
    if draw is not None and draw.answered is not None and now < draw.answered + FRESH:
        return words("oled.draw.declined"), "", words("oled.draw.go_on")
    return None


def fresh_until(game: Game, now: Instant) -> Instant | None:
    """Board time at which what has just been said is not fresh any more; None where nothing has been."""
    said = [each.at for each in (game.warned, game.helped) if each is not None]
    if game.draw is not None:
        said += [game.draw.at, *(() if game.draw.answered is None else (game.draw.answered,))]
    return min((Instant(at + FRESH) for at in said if at + FRESH > now), default=None)
