"""By the record of one board, everybody can check what both have thrown."""

import pytest

from gnomon.distance.luck_proof import Anchors, CheckedThrow, ThrowProof, anchors_in, check_throws
from gnomon.distance.shares import ShareChain, SharedChance
from gnomon.referee.events import TurnEntered
from gnomon.referee.game import Game
from gnomon.referee.games import begin
from gnomon.referee.step import step
from gnomon.rules.odds import pick
from gnomon.timekeeping.instants import Instant

HOST, GUEST = ShareChain(b"one"), ShareChain(b"other")
ANCHORS = Anchors(HOST.anchor, GUEST.anchor)
FIRST = SharedChance(1, HOST.link(1), GUEST.link(1))


def thrown(text: str = "") -> Game:
    """A game after a throw: as both boards throw it, or as somebody says."""
    game = begin("twenty-squares", {})
    fell = pick(game.rules, game.position, lambda bound: FIRST.below(bound, 0))
    return step(game, TurnEntered(Instant(1), text or fell, "companion"))[0]


def other_than_fell() -> str:
    return next(text for text in ("throw:4", "throw:3") if text != thrown().plies[0].text)


@pytest.mark.parametrize(
    ("text", "reasons", "anchors", "expected"),
    [
        ("", [f"thrown by {FIRST.name(0)}"], ANCHORS, ThrowProof.PROVEN),
        ("", ["chance of the operating system"], ANCHORS, ThrowProof.ALONE),
        ("", [], Anchors(), ThrowProof.ALONE),
        ("", [f"thrown by {FIRST.name(0)}"], Anchors(HOST.anchor, HOST.anchor), ThrowProof.WRONG),
        ("", [f"thrown by {FIRST.name(0)}"], Anchors(), ThrowProof.WRONG),
        (other_than_fell(), [f"thrown by {FIRST.name(0)}"], ANCHORS, ThrowProof.WRONG),
    ],
)
def test_a_throw_is_proven_alone_or_wrong(
    text: str, reasons: list[str], anchors: Anchors, expected: ThrowProof
) -> None:
    game = thrown(text)
    assert check_throws(game, reasons, anchors) == [CheckedThrow(1, game.plies[0].text, expected)]


def test_turns_of_people_are_no_throws() -> None:
    game = thrown()
    moved = step(game, TurnEntered(Instant(2), next(iter(game.texts())), "Ann"))[0]
    assert len(check_throws(moved, [], ANCHORS)) == 1
    assert check_throws(begin("tabik", {}), [], ANCHORS) == []


def test_anchors_are_read_from_the_notes_of_either_board() -> None:
    notes: list[dict[str, object]] = [{"ident": "a"}, {"own_anchor": "own", "anchor": ""}, {"anchor": "other"}]
    assert anchors_in(notes, is_guest=False) == Anchors("own", "other")
    assert anchors_in(notes, is_guest=True) == Anchors("other", "own")
