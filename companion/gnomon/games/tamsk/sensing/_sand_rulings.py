"""Rule on what time alone decides in TAMSK: stopped glasses, lost turns, passes, the end (rules 12, 13, 19)."""

from dataclasses import replace

from gnomon.games.tamsk.rules import BOARD, PLAYERS
from gnomon.games.tamsk.sensing._acceptance import follow_up
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.verdicts import InHand
from gnomon.referee.announcements import ruled
from gnomon.referee.effects import Effect
from gnomon.referee.game import Judged
from gnomon.referee.judgement import Phase
from gnomon.referee.rulings import GlassStopped
from gnomon.timekeeping.instants import Instant


def time_passes(game: TamskGame, when: Instant) -> Judged[TamskGame]:
    """Everything that time decides up to and including game time `when`; nothing after a turn that may be the last."""
    if game.ending is not None:
        when = min(when, game.game_time(game.ending))
    said: tuple[Effect, ...] = ()
    while game.outcome is None and (due := game.next_timed()) is not None and due <= when:
        game, effects = _at_deadline(game, due)
        said += effects
    return replace(game, told=Instant(max(game.told, when))), said


def catch_up(game: TamskGame, at: Instant) -> Judged[TamskGame]:
    """What time has decided against a player who has no turn under way: a lost turn, a pass, the end (13 and 19)."""
    position = game.rules.elapse(game.position, game.told)
    return follow_up(replace(game, position=position), (), at)


def lost_at(game: TamskGame, at: Instant) -> Instant:
    """When the turn was lost: as the 15-second glass emptied, though only the instant after it shows it (rule 19)."""
    lost = game.rules.lost_is_due(game.rules.elapse(game.position, game.told)) and game.position.timer15_binds
    return Instant(min(at, game.board_time(Instant(game.position.bound_until)))) if lost else at


def has_begun(game: TamskGame, when: Instant) -> bool:
    """Whether the player on turn had a glass off its space by game time `when` (rule 17)."""
    if game.under_way is not None:
        return game.under_way.lifted <= when if isinstance(game.under_way, InHand) else True
    return _in_the_air(game, when) is not None


def _in_the_air(game: TamskGame, when: Instant) -> int | None:
    """The space from which the player on turn had lifted a glass by game time `when`, or None."""
    scene = game.scene()
    for space in scene.own:
        touch = scene.trail.lifted(space)
        if space not in scene.sight.glasses and touch is not None and touch.granted <= when:
            return space if scene.may_be_lifted(space, touch.granted) else None
    return None


def _at_deadline(game: TamskGame, due: Instant) -> Judged[TamskGame]:
    game = replace(game, told=due)
    at = game.board_time(due)
    game, said = _stopped(game, due, at)
    if has_begun(game, due) or _ends_in_doubt(game):
        return game, said
    if game.position.bound_until == due:
        # A lift at the very instant is in time, and would be known by now: the turn is lost (rule 19).
        game = replace(game, told=Instant(due + 1))
    game, effects = catch_up(game, lost_at(game, at))
    return game, said + effects


def _ends_in_doubt(game: TamskGame) -> bool:
    """Whether the sand ends a game whose board nothing explained before: it is ended when the board agrees again."""
    is_in_doubt = game.judgement.phase in (Phase.UNSETTLED, Phase.WRONG)
    if not is_in_doubt or not game.sensing.evidence.wary or all(it.game >= game.told for it in game.trail.touches):
        return False
    return game.rules.outcome(game.rules.elapse(game.position, game.told)) is not None


def _stopped(game: TamskGame, due: Instant, at: Instant) -> Judged[TamskGame]:
    """Announce the glasses that ran out at `due`; one in the hand is turned when it is set down, and goes on."""
    standing = game.standing()
    in_hand = {standing.lifted, _in_the_air(game, due)}
    rulings = []
    for glass, sand in enumerate(standing.sands):
        if sand.runs_out_at() == due and standing.glasses[glass] not in in_hand:
            rulings.append(GlassStopped(at, PLAYERS[glass // 3], BOARD.names[standing.glasses[glass]]))
    return ruled(game, *rulings)
