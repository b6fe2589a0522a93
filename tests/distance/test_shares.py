"""What two boards throw together: neither can choose it, and both records prove it."""

from collections import Counter
from dataclasses import replace

import pytest

from gnomon.distance.exchange import Exchange, Party
from gnomon.distance.reports import GUEST, HOST
from gnomon.distance.shares import MOST, RevealedLink, ShareChain, SharedChance, throws_due, throws_in
from gnomon.referee.events import ResultDeclared, TurnEntered
from gnomon.referee.games import begin
from gnomon.referee.step import step
from gnomon.rules.odds import pick
from tests.distance.pairs import IDENTS, OTHER, End, Pair

CHAINS = {HOST: ShareChain(b"one"), GUEST: ShareChain(b"other")}


def pair_of(game: str = "twenty-squares") -> Pair:
    """Two boards with shares, at a game in which luck matters."""
    pair, seats = Pair(), list(begin(game, {}).rules.seats)
    for role, end in pair.ends.items():
        other = seats[1] if role == HOST else seats[0]
        end.game = begin(game, {"opponent": "another-board", "opponent_code": "KWXPTR", "opponent_plays": other})
        end.exchange = Exchange(Party(role, IDENTS[role], f"{1:016x}"), "", CHAINS[role])
    pair.meet(2)
    return pair


def throw(end: End) -> str:
    """Throw as both boards do together; what fell."""
    chance = end.exchange.chance(end.game)
    assert chance is not None
    text = pick(end.game.rules, end.game.position, lambda bound: chance.below(bound, 0))
    end.game, _ = step(end.game, TurnEntered(end.at, text, "companion", chance.name(0)))
    return text


def test_every_link_hashed_on_is_the_anchor_and_tells_none_that_follows() -> None:
    chain = CHAINS[HOST]
    for number in (1, 2, 77, MOST):
        told = RevealedLink(number, chain.link(number))
        assert told.is_of(chain.anchor)
        assert not told.is_of(CHAINS[GUEST].anchor)
        assert not told.is_of("")
        assert told.of(1) == chain.link(1)
        assert told.of(number + 1) == told.of(0) == ""
    assert len({chain.link(number) for number in range(1, MOST + 1)} | {chain.anchor}) == MOST + 1
    assert chain.link(0) == chain.link(MOST + 1) == ""
    assert not RevealedLink(MOST + 1, chain.link(1)).is_of(chain.anchor)
    assert not RevealedLink(0, chain.anchor).is_of(chain.anchor)


def test_what_falls_follows_from_both_links_and_nothing_else() -> None:
    chances = [SharedChance(1, CHAINS[HOST].link(number), CHAINS[GUEST].link(1)) for number in range(1, 601)]
    fell = Counter(chance.below(6, 9) for chance in chances)
    assert set(fell) == set(range(6))
    assert max(fell.values()) < 150
    one = chances[0]
    assert one.below(10**6, 1) == one.below(10**6, 2)
    for other in (one._replace(number_of_throw=2), one._replace(guest=CHAINS[GUEST].link(2))):
        assert one.below(10**6, 1) != other.below(10**6, 1)
    assert one.name(3) == f"both boards, throw 1, links {one.host} {one.guest}"


def test_a_board_reveals_a_link_once_its_own_record_has_come_to_that_throw() -> None:
    pair = pair_of()
    assert (throws_in(pair.host.game), throws_due(pair.host.game)) == (0, 1)
    assert pair.host.say().link == CHAINS[HOST].link(1)
    throw(pair.host)
    assert pair.host.say().throws == 1  # a piece is to be moved first
    pair.meet()
    assert pair.guest.turns == pair.host.turns
    assert pair.guest.exchange.chance(pair.guest.game) is None  # the throw after that is nobody's yet
    pair.host.play()
    assert pair.host.say().throws == 2
    pair.meet()
    assert pair.guest.game.announced is not None
    assert pair.guest.say().throws == 2  # hands follow later, and nobody waits for them
    pair.host.game, _ = step(pair.host.game, ResultDeclared(pair.host.at, None, "abandoned", "Ann"))
    assert pair.host.say().throws == 1


@pytest.mark.parametrize("game", ["twenty-squares", "tayu"])
def test_both_boards_can_check_every_throw_of_a_game(game: str) -> None:
    pair, fallen = pair_of(game), 0
    for _ in range(40):
        pair.meet(2)
        for end in pair.ends.values():
            if end.game.announced is None and end.game.is_natures and not end.game.is_elsewhere:
                number = len(end.game.plies)
                before = pair.ends[OTHER[end.role]]
                text = throw(end)
                fallen += 1
                before.exchange.take(end.say(), before.raw)
                chance = before.exchange.chance(before.game)
                if len(before.game.plies) == number:  # nothing else was on its way
                    assert chance is not None
                    assert text == pick(before.game.rules, before.game.position, lambda bound: chance.below(bound, 0))  # noqa: B023 - it is asked at once
            else:
                end.play()
    pair.meet()
    assert fallen > 8
    one, other = sorted((pair.host.turns, pair.guest.turns), key=len)
    assert other[: len(one)] == one


def test_a_link_that_is_none_is_not_taken_and_an_anchor_is_pinned() -> None:
    pair = pair_of()
    guest = pair.guest.exchange
    assert guest.shares_luck
    anchor = guest.anchor
    for fields in ({"link": "0" * 64}, {"anchor": "0" * 64, "link": CHAINS[HOST].link(3)}, {"link": ""}):
        told = replace(pair.host.say(), throws=2, **fields)  # type: ignore[arg-type]  # by name
        guest.take(told, pair.guest.raw)
        assert guest._revealed.number == 1
        assert guest.anchor == anchor
    guest.take(replace(pair.host.say(), throws=MOST * 9, link="0" * 64), pair.guest.raw)
    assert guest._revealed.number == 1


def test_a_board_of_another_version_has_no_share_and_is_played_with_all_the_same() -> None:
    pair = pair_of()
    old = Exchange(Party(HOST, IDENTS[HOST], f"{2:016x}"))
    assert not old.shares_luck
    assert old.chance(pair.host.game) is None
    assert old.report(pair.host.game, pair.host.raw).link == ""
    alone = Exchange(Party(GUEST, IDENTS[GUEST], f"{2:016x}"), "", CHAINS[GUEST])
    alone.take(old.report(pair.host.game, pair.host.raw), pair.guest.raw)
    assert not alone.shares_luck
    assert alone.chance(pair.guest.game) is None
    # One that has been met without a share gets none later: it could choose it by then.
    alone.take(replace(old.report(pair.host.game, pair.host.raw), anchor=CHAINS[HOST].anchor), pair.guest.raw)
    assert not alone.shares_luck
