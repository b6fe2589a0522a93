"""Describe Tayu to the explorer of faults: its games, what is touched when, and when two games stand alike."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Final

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tayu.rules import Tayu
from gnomon.referee.events import TurnEntered
from gnomon.referee.game import Game
from gnomon.referee.judgement import Phase
from gnomon.referee.setup import GameSetup
from gnomon.referee.table import TABLE_BUTTONS
from gnomon.rules.protocol import NATURE
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from gnomon_pi.config.parser import load_bundled
from gnomon_pi.runtime.live_game import Host
from gnomon_pi.simulated._chance import pick
from gnomon_pi.simulated._surface import TILE
from gnomon_pi.simulated.players._noise import Noise
from gnomon_pi.simulated.players.input_actions import DRAW, CodeRead, Deed, Fingers
from gnomon_pi.simulated.players.table_hands import PlayingManner, play_at_a_table
from tests.faults.faults import Fault, Lie, pulse
from tests.faults.judging import Judged
from tests.faults.known_games import Happening, KnownGame
from tests.tile_mistakes import AtTheBoard

SETTINGS: Final[tuple[Mapping[str, object], ...]] = ({}, {"draw": "backs", "players": 4}, {"draw": "stacks"})
MOVES: Final = 60
"""So much of a game is played: 30 tiles lie on the board by then."""

_BRIEF: Final = 500 * MILLISECOND
"""A tile that has lain for longer where it may lie has been laid there."""

_GAP: Final = 600 * MILLISECOND


class TayuBoard:
    """The board of Tayu: `Board` and `Explored`."""

    name = "tayu"
    asks = True

    @cached_property
    def host(self) -> Host:
        """The board as it is described."""
        return Host.of(load_bundled("tayu"))

    # For those who judge

    def asked(self, game: Game) -> object:
        """Whose move is to be picked, and among which."""
        assert not isinstance(game, TamskGame)
        return game.turn, game.position.due, game.chooser, game.question and game.question.asked.choices

    def is_like(self, one: Game, other: Game) -> bool:
        """Whether a game stands as another does, nothing pending."""
        assert not isinstance(one, TamskGame)
        assert not isinstance(other, TamskGame)
        return (
            one.shown == other.shown
            and one.quarantined == other.quarantined
            and one.judgement.phase == other.judgement.phase
            and one.debouncer.bursts == other.debouncer.bursts
            and one.debouncer.waiting == other.debouncer.waiting
            and one.chooser == other.chooser
            and (one.question is None) == (other.question is None)
            and one.outcome == other.outcome
            and one.position == other.position
        )

    def waits(self, game: Game, wanted: str) -> bool:
        """Whether a tile stands on the board as legal and it is asked which way round, or a pick that is asked for."""
        assert not isinstance(game, TamskGame)
        if game.question is None and "pick:" in wanted:
            return bool(game.position.due == "pick")
        return game.question is not None and any(text in wanted for text in game.question.asked.choices)

    def reads_like_play(self, game: Game, kind: str, _wanted: str, _got: str) -> bool:
        """Whether the board reads as if the tile were not laid yet: it shows less than three squares more."""
        assert not isinstance(game, TamskGame)
        return kind == "missed" and game.judgement.phase is Phase.IN_HAND

    # For those who explore

    def game(self, seed: int, number: int, most: int) -> KnownGame:
        """The first moves of a game with each of the ways to draw by turns, sampled or with exact stamps."""
        round_, way = divmod(number, len(SETTINGS))
        return played(
            SETTINGS[way],
            seed + round_,
            is_scanned=round_ % 2 == 0,
            bounces=not most and round_ % 3 == 0,
            most=2 * most or MOVES,
        )

    def idle_inputs(self) -> Sequence[str]:
        """The buttons."""
        return TABLE_BUTTONS

    def inputs_near(self, game: KnownGame, at: Instant, random: Random) -> Sequence[str]:
        """A square that is touched about then, or one beside it."""
        number = game.before(at)
        squares = _rules(game).board.squares
        near = [edge.input.removesuffix(TILE) for edge in game.touches(number - 6, number + 6)]
        places = sorted({squares.index[name] for name in near if name in squares.index})
        if not places:
            return ()
        place = pick(random, places)
        if random.random() < 0.4:
            place += pick(random, [step for step in _rules(game).board.neighbours if place + step in squares.names])
        name = squares.names[place]
        return [f"{name}{TILE}"] if name else ()

    def could_be_hands(self, _game: KnownGame, _fault: Fault, _judged: Judged) -> bool:
        """Nothing is peculiar to this board."""
        return False

    def by_hand(self, game: KnownGame, random: Random) -> Fault | None:
        """A tile is put down wrongly and picked up again, or one that lies is lifted and put back."""
        number = random.randrange(len(game.edges) - 1)
        since, until = game.edges[number].at + _GAP, game.edges[number + 1].at - _GAP // 4
        state = game.states[number + 1]
        assert not isinstance(state, TamskGame)
        if until - since < SECOND or state.question is not None:
            return None
        start = Instant(random.randint(since, until - SECOND))
        width = Duration(random.randint(200 * MILLISECOND, min(6 * SECOND, until - start)))
        board = AtTheBoard(_rules(game), state.position, start, Fingers(PlayingManner().habits, Noise(), random))
        if board.tiles and random.random() < 0.3:
            row = pick(random, board.tiles)
            return Fault("a tile is lifted and put back", tuple(_settling(row, start, width, random, value=False)))
        row = pick(random, board.free_rows)
        if state.turn != NATURE and board.rules.placements_on(state.position, row):
            width = Duration(min(width, _BRIEF - 100 * MILLISECOND))
        if random.random() < 0.3:
            row = row[: random.randint(1, 2)]  # it lies crooked
        return Fault("a tile is put down and picked up", tuple(_settling(row, start, width, random, value=True)))

    def keeps_order(self, _game: KnownGame, _lie: Lie, _until: Instant, _shift: str) -> bool:
        """Whether a square that comes late or early is play: never, a tile has three."""
        return False


TAYU: Final = TayuBoard()


def played(
    settings: Mapping[str, object], seed: int, *, is_scanned: bool = True, bounces: bool = True, most: int = MOVES
) -> KnownGame:
    """The first moves of the game of a seed, sampled every 10 ms or with exact stamps, with bounce or without."""
    random = Random(f"known tayu {sorted(settings.items())} {seed}")
    begun = TAYU.host.begin(GameSetup("tayu", settings))
    assert not isinstance(begun, TamskGame)
    manner = PlayingManner(noise=Noise(bounces=0.8 if bounces else 0.0, glitches=0.0))
    handled = play_at_a_table(begun, random, manner=manner, moves=most)
    chosen = ", ".join(f"{key} {value}" for key, value in settings.items()) or "as it is"
    name = f"{chosen}, seed {seed}{'' if is_scanned else ', exact stamps'}"
    resting = dict.fromkeys(sorted(begun.inputs), 0)
    return KnownGame.of(
        name, TAYU, settings, _happenings(handled.deeds), resting, is_scanned=is_scanned, meant=handled.score
    )


def _happenings(deeds: Sequence[Deed]) -> Iterator[Happening]:
    for deed in deeds:
        yield TurnEntered(deed.at, f"{DRAW}{deed.code}", "reader") if isinstance(deed, CodeRead) else deed


def _rules(game: KnownGame) -> Tayu:
    rules = game.states[0].rules
    assert isinstance(rules, Tayu)
    return rules


def _settling(row: Sequence[str], start: Instant, width: Duration, random: Random, *, value: bool) -> Iterator[Lie]:
    for square in row:
        at = Instant(start + random.randint(0, 60) * MILLISECOND)
        yield pulse(f"{square}{TILE}", at, width, value=value)
