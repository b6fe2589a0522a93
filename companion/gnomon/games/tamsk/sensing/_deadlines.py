"""Rule on what time alone decides: stopped glasses, lost turns, passes and the end (rules 12, 13 and 19)."""

from collections.abc import Collection

from gnomon.games.tamsk.rules import BOARD, PLAYERS
from gnomon.games.tamsk.sensing._acceptance import catch_up
from gnomon.games.tamsk.sensing._board_reading import Touch
from gnomon.games.tamsk.sensing._contradictions import find_hidden_lifts
from gnomon.games.tamsk.sensing._explain import find_haste
from gnomon.games.tamsk.sensing._scene import (
    may_be_carried,
)
from gnomon.games.tamsk.sensing._timer_turns import turned_in_doubt
from gnomon.games.tamsk.sensing._unsure_ends import may_be_no_end
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import is_socket, place_of
from gnomon.games.tamsk.sensing.verdicts import InHand, MayGoOn
from gnomon.referee.announcements import announce
from gnomon.referee.effects import Announce, Effect
from gnomon.referee.game import Judged
from gnomon.referee.judgement import Phase
from gnomon.referee.quarantine import UNSURE
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import (
    FaultRuled,
    GlassStopped,
    Ruling,
    TurnLost,
    TurnRuled,
)
from gnomon.timekeeping.instants import Instant, after


def time_passes(game: TamskGame, when: Instant, coming: Touch | None = None) -> Judged[TamskGame]:
    """Everything that time decides up to and including game time `when`; nothing after a turn that may be the last.

    `coming` is the next change of the board, if there is one.
    """
    if game.ending is not None:
        when = min(when, game.game_time(game.ending))
    said: tuple[Effect, ...] = ()
    while game.outcome is None and (due := game.next_timed) is not None and due <= when:
        game, effects = _at_deadline(game, due, coming)
        said += effects
    return replace(game, told=Instant(max(game.told, when))), said


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
    scene = game.scene
    for space in scene.own:
        touch = scene.trail.last_lift(space)
        if space not in scene.sight.glasses and touch is not None and touch.granted <= when:
            return space if scene.may_be_lifted(space, touch.granted) else None
    return None


def _lifted_in_doubt(game: TamskGame, when: Instant) -> set[int]:
    """The opponent's spaces from which a glass was lifted, while nothing explains the board, by game time `when`."""
    scene = game.scene
    if game.judgement.phase is not Phase.UNSETTLED or not game.sensing.evidence.contradictions:
        return set()
    lifts = ((space, scene.trail.last_lift(space)) for space in scene.theirs if space not in scene.sight.glasses)
    return {space for space, touch in lifts if touch is not None and touch.granted <= when}


def _at_deadline(game: TamskGame, due: Instant, coming: Touch | None) -> Judged[TamskGame]:
    game = replace(game, told=due)
    at = game.board_time(due)
    carried = may_be_carried(game.scene, due, coming, game.set_down_after(at))
    game, said = _announce_stopped(game, due, at, carried)
    if carried:
        return replace(game, overdue=at), said
    if has_begun(game, due):
        return game, said
    if _ends_in_doubt(game):
        return (replace(game, overdue=at) if game.sensing.evidence.contradictions else game), said
    if (stands := ring_stands_at(game, at)) is not None:
        return replace(game, overdue=at, review_at=stands), said
    if game.position.bound_until == due:
        # A lift at the very instant is in time, and would be known by now: the turn is lost (rule 19).
        game = replace(game, told=Instant(due + 1))
    hidden = find_hidden_lifts(game, at) if game.sensing.evidence.contradictions else ()
    game, turned = turned_in_doubt(game, at)
    said += turned
    ended, effects = catch_up(game, lost_at(game, at))
    if may_be_no_end(game, ended):
        return replace(game, overdue=at, review_at=at), said
    game = ended
    if hidden and any(isinstance(each, Announce) and isinstance(each.ruling, TurnLost | TurnRuled) for each in effects):
        game, faults = announce(game, *(FaultRuled(change.at, change.input, UNSURE) for change in hidden))
        effects += faults
    return game, said + effects


def ring_stands_at(game: TamskGame, at: Instant) -> Instant | None:
    """Until when a ring must go on showing that fell shortly before the sand ends the game; None: it ends at once.

    So must a glass that was put back, or whose socket has just moved: it is only its socket that says so. Where the
    mover has said in vain that a turn was made, people have a minute to say what it was.
    """
    evidence = game.sensing.evidence
    if not evidence.contradictions or game.rules.outcome(game.rules.elapse(game.position, game.told)) is None:
        return None
    rings = game.position.rings
    fell = next((ply.at for ply in reversed(game.plies) if ply.before.rings != rings), None)
    own = {BOARD.names[space] for space in game.scene.own}
    its = (starts for name, starts in game.debouncer.history.items() if place_of(name) in own and is_socket(name))
    moved = max((start for starts in its for start in starts if game.turn_began < start < at), default=Instant(0))
    shown = max(fell or Instant(0), game.put_back, moved)
    stands = after(shown, evidence.last_ring) if shown else Instant(0)
    if game.pressed_in_vain:
        stands = max(stands, after(game.pressed_in_vain, evidence.full_longer))
    return None if at >= stands else stands


def _ends_in_doubt(game: TamskGame) -> bool:
    """Whether the sand ends a game whose board nothing explained before: it is ended when the board agrees again."""
    is_in_doubt = game.judgement.phase in (Phase.UNSETTLED, Phase.WRONG)
    is_in_doubt = is_in_doubt and not all(it.granted >= game.told for it in game.trail.touches)
    # Nobody sees whether a glass is lifted from a socket that is not believed.
    is_blind = game.sensing.evidence.contradictions and not game.scene.sight.blind.isdisjoint(game.scene.own)
    if not (is_in_doubt or is_blind) or not game.sensing.evidence.wary:
        return False
    return game.rules.outcome(game.rules.elapse(game.position, game.told)) is not None


def _announce_stopped(game: TamskGame, due: Instant, at: Instant, carried: Collection[int]) -> Judged[TamskGame]:
    """Announce the glasses that ran out at `due`; one in the hand is turned when it is set down, and goes on."""
    standing = game.position_with_turn
    too_soon = _shown_too_soon(game)
    in_hand = {standing.lifted, _in_the_air(game, due), *_lifted_in_doubt(game, due), *carried, too_soon}
    rulings: list[Ruling] = []
    for glass, sand in enumerate(standing.sands):
        space = standing.glasses[glass]
        if sand.runs_out_at() == due and space not in in_hand:
            rulings.append(GlassStopped(at, PLAYERS[glass // 3], BOARD.names[space]))
        elif sand.runs_out_at() == due and space == too_soon and isinstance(game.under_way, MayGoOn):
            doubtful = find_haste(game.scene, game.under_way.made)
            rulings += [FaultRuled(touch.at, touch.input, UNSURE) for touch in doubtful]
    return announce(game, *rulings)


def _shown_too_soon(game: TamskGame) -> int | None:
    """The space that has shown a glass since before the one was lifted that may stand there; that may be in a hand."""
    if not isinstance(game.under_way, MayGoOn) or not game.sensing.evidence.contradictions:
        return None
    move = game.under_way.made.move
    lifted, placed = game.trail.last_lift(move.origin), game.scene.last_set_down(move.target)
    return move.target if lifted is not None and placed is not None and placed.at < lifted.at else None
