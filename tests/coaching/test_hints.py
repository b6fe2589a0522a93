"""Hints in three steps, of games with a coach of their own and of one without, and in three languages."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from gnomon.coaching import Hint, coach_of, hint, hint_steps, threat
from gnomon.coaching._plain import PlainCoach
from gnomon.engines.protocol import Candidate, Report, Score
from gnomon.refusals import Statement, clause
from gnomon.rules.protocol import Rules
from gnomon.rules.registry import rules_of
from gnomon.timekeeping.instants import Duration
from gnomon.words import words


def after(game: str, moves: str, **settings: object) -> tuple[Rules[Any, Any], Any]:
    """The rules of a game, and the position after some moves."""
    rules = rules_of(game, settings)
    position = rules.start()
    for text in moves.split():
        position = rules.play(position, rules.parse(position, text))
    return rules, position


def report_of(rules: Rules[Any, Any], position: object, **chances: float | Score) -> Report:
    """A report of some moves, the best first; underscores stand for hyphens."""
    found = [
        Candidate(
            rules.parse(position, text.replace("_", "-")), score if isinstance(score, Score) else Score(float(score))
        )
        for text, score in chances.items()
    ]
    return Report(found, 5, 1000)


def told(statements: Sequence[Statement], language: str = "en") -> list[str]:
    return [clause(each, words(language)) for each in statements]


def hinted(game: str, moves: str, best: str, **settings: object) -> Hint:
    """The hint for one move that was weighed as even."""
    rules, position = after(game, moves, **settings)
    report = Report([Candidate(rules.parse(position, best), Score(0.5))], 5, 1000)
    return hint(rules, coach_of(rules), position, report)


GOLDEN = {
    "en": [
        "place two new stones",
        "black on e4, white on d4",
        "the size that counts for Black rises from 3 to 4",
        "the largest group of Black grows from 3 to 4",
        "the chance of winning is about 71 %; with the next best move, a2a1, it is 60 %",
    ],
    "de": [
        "setzen Sie zwei neue Steine",
        "Schwarz auf e4, Weiß auf d4",
        "die Größe, die für Schwarz zählt, steigt von 3 auf 4",
        "die größte Gruppe von Schwarz wächst von 3 auf 4",
        "die Gewinnchance beträgt etwa 71 %; mit dem nächstbesten Zug, a2a1, sind es 60 %",
    ],
    "fr": [
        "placez deux nouvelles pierres",
        "noir en e4, blanc en d4",
        "la taille qui compte pour Noir passe de 3 à 4",
        "le plus grand groupe de Noir passe de 3 à 4",
        "les chances de gain sont d’environ 71\xa0%\xa0; avec le deuxième meilleur coup, a2a1, elles sont de 60\xa0%",
    ],
}


@pytest.mark.parametrize("language", GOLDEN)
def test_a_hint_has_three_steps_in_every_language(language: str) -> None:
    rules, position = after("tabik", "f5e5 f3f2 d6d5 f4g4")
    found = hint(rules, coach_of(rules), position, report_of(rules, position, e4d4=0.71, a2a1=0.6))
    assert (found.move, found.score.chance) == ("e4d4", 0.71)
    assert [len(step) for step in found.steps] == [1, 1, 3]
    assert told([each for step in found.steps for each in step], language) == GOLDEN[language]


@pytest.mark.parametrize(
    ("chances", "said"),
    [
        ({"e4d4": 0.71, "a2a1": 0.705}, "the chance of winning is about 71 %, and a2a1 is as good"),
        ({"e4d4": 0.999}, "the chance of winning is about 99 %"),
        ({"e4d4": Score(1.0, proven=True), "a2a1": 0.6}, "it wins against any reply"),
        ({"e4d4": Score(0.5, proven=True)}, "it draws against any reply, and nothing wins"),
        ({"e4d4": Score(0.0, proven=True)}, "every move loses against best play"),
        ({"e4d4": Score(0.7, proven=True), "a2a1": Score(0.6, proven=True)}, "with the next best move, a2a1, it is 60"),
    ],
    ids=["as good", "nearly certain", "won", "drawn", "lost", "exact, and no result"],
)
def test_the_last_reason_is_what_the_move_is_worth(chances: dict[str, float | Score], said: str) -> None:
    rules, position = after("tabik", "f5e5 f3f2 d6d5 f4g4")
    found = hint(rules, coach_of(rules), position, report_of(rules, position, **chances))
    assert said in told(found.reasons)[-1]


def test_a_single_legal_move_needs_no_reason() -> None:
    assert told(hinted("twenty-squares", "throw:2", "forfeit").reasons) == ["there is no other legal move"]


def test_without_a_move_there_is_no_hint_and_no_threat() -> None:
    rules, position = after("tabik", "")
    with pytest.raises(ValueError, match="no move has been weighed"):
        hint(rules, coach_of(rules), position, Report([], 0, 0))
    with pytest.raises(ValueError, match="no move has been weighed"):
        threat(rules, coach_of(rules), position, Report([], 0, 0), lambda _: Report([], 0, 0))


def test_where_sand_runs_a_hint_may_be_to_wait() -> None:
    rules, position = after("tamsk", "", level=2)
    best = Candidate(rules.parse(position, "A4-B4"), Score(0.5), wait=Duration(10_200_000))
    found = hint(rules, coach_of(rules), position, Report([best], 3, 100))
    assert told(found.reasons)[0] == "wait about 10 s before you move"


# TAMSK


def test_tamsk_tells_ways_to_move_and_full_spaces_and_no_number_at_first() -> None:
    rules, position = after("tamsk", "", level=1)
    found = hint(rules, coach_of(rules), position, report_of(rules, position, A4_B5=0.6, D1_D2=0.5))
    assert told(found.steps[0]) == ["move the glass on A4"]
    assert told(found.steps[1]) == ["from A4 to B5, and a ring falls there (A4-B5x)"]
    assert told(found.reasons) == [
        "ways to move afterwards: 10 for Red, 9 for Black",
        "B5 will then be full, and no glass can enter it again",
        "it is too early to say who will win; the next best move is D1-D2",
    ]
    assert (
        told(hinted("tamsk", "", "A4-A3x", level=1).reasons)[-1]
        == "A3 will then be full, and no glass can enter it again"
    )


def test_tamsk_tells_of_turns_without_a_ring_or_with_several() -> None:
    assert told(hinted("tamsk", "", "D1-D2=", level=1).steps[1]) == ["from D1 to D2, without a ring (D1-D2=)"]
    assert told(hinted("tamsk", "D1-D2=", "+D2,D7-D6", level=1).steps[1]) == [
        "from D7 to D6, with all the rings of +D2,D7-D6"
    ]


def test_tamsk_tells_of_a_glass_that_is_trapped() -> None:
    # Black's glass on A1 has three neighbours: A2, B1 and B2. Two are full; the third is taken.
    rules, position = after("tamsk", "", level=1)
    for space, rings in (("A2", 1), ("B1", 1)):
        position = rules.with_rings(position, space, rings, "red")  # type: ignore[attr-defined]  # TAMSK's
    position = rules.with_glass(position, 0, "C3", turned=False)  # type: ignore[attr-defined]  # as above
    found = hint(rules, coach_of(rules), position, report_of(rules, position, C3_B2=0.5))
    assert told(found.reasons)[0] == "it traps Black’s glass on A1"


def test_tamsk_gives_numbers_once_thirty_rings_have_fallen() -> None:
    rules, position = after("tamsk", "", level=1)
    early, late = (position._replace(rings_left=left) for left in ((18, 17), (17, 17)))
    assert [coach_of(rules).predicts(each) for each in (early, late)] == [False, True]
    found = hint(rules, coach_of(rules), late, report_of(rules, late, A4_B5=0.6, D1_D2=0.5))
    assert told(found.reasons)[-1] == (
        "the chance of winning is about 60 %; with the next best move, D1-D2, it is 50 %"
    )
    alone = hint(rules, coach_of(rules), early, report_of(rules, early, A4_B5=0.6))
    assert told(alone.reasons)[-1] == "B5 will then be full, and no glass can enter it again"


def test_tamsk_tells_of_what_moves_no_glass() -> None:
    rules, position = after("tamsk", "", level=1)
    coach = coach_of(rules)
    stuck = position._replace(enterable=0)
    passing = rules.parse(stuck, "pass")
    assert clause(coach.piece(stuck, passing)) == "no glass can move"
    assert clause(coach.place(stuck, passing)) == "the move is pass"
    assert coach.reasons(stuck, passing) == ()
    ring = rules.parse(stuck._replace(penalty=True), "+D4")
    assert clause(coach.piece(stuck, ring)) == "no glass moves, but a ring may fall"
    assert coach.other_turn(stuck) is None


def test_tamsk_gives_no_turn_to_who_cannot_use_it() -> None:
    rules, position = after("tamsk", "", level=1)
    coach = coach_of(rules)
    assert coach.other_turn(position._replace(enterable=0)) is None
    with_sand, running = after("tamsk", "", level=2)
    assert coach_of(with_sand).other_turn(running) is None


# Tabik


def test_tabik_tells_of_groups_that_fall_apart() -> None:
    rules = rules_of("tabik", {"size": 4})
    position = rules.set_up(["....", ".B..", "WWW.", "...."], (), "black")  # type: ignore[attr-defined]  # Tabik's
    found = hint(rules, coach_of(rules), position, report_of(rules, position, **{"b2~b3": 0.6}))
    assert told(found.steps[0]) == ["swap two stones: one of them is on b2"]
    assert told(found.steps[1]) == ["swap the stones on b2 and b3"]
    assert told(found.reasons)[:2] == [
        "the size that counts for White falls from 3 to 1",
        "the largest group of White shrinks from 3 to 1",
    ]


def test_where_no_group_changes_for_the_better_tabik_tells_how_large_the_largest_are() -> None:
    found = hinted("tabik", "f5e5 f3f2 d6d5", "a6b6")
    assert told(found.reasons[:-1]) == ["largest groups afterwards: 2 for White, 1 for Black"]


def test_tabik_tells_of_the_pie() -> None:
    found = hinted("tabik", "f5e5", "pie")
    assert told((found.piece, found.place, *found.reasons[:-1])) == [
        "think about the sides rather than the stones",
        "the move is pie",
        "free squares beside the stones: 3 for Black, 3 for White",
    ]
    corner = hinted("tabik", "a1b1", "pie")
    assert told(corner.reasons[:1]) == ["free squares beside the stones: 1 for Black, 2 for White"]


# Tayu


def test_tayu_tells_of_points_and_open_channels() -> None:
    found = hinted("tayu", "draw:012", "012@k9/W")
    assert told((found.piece, found.place)) == ["lay the tile 012", "from k9 to i9 (012@k9/W)"]
    assert told(found.reasons)[0] == "channels that can still flow on afterwards: 3 for North-South, 0 for East-West"


def test_tayu_tells_of_a_product_that_rises() -> None:
    moves = (
        "draw:024 024@e5/E draw:067 067@e6/N draw:034 034@g4/E draw:126 126@d6/N draw:125 125@i6/W draw:236 236@a8/E "
        "draw:025 025@c7/S draw:023"
    )
    assert told(hinted("tayu", moves, "023@a5/N", size=9).reasons)[0] == "the product of East-West rises from 0 to 3"


def test_tayu_tells_of_bids_and_picks_and_the_saboteur() -> None:
    bid = hinted("tayu", "", "bid:90", players=3, auction="yes")
    assert told((bid.piece, bid.place, *bid.reasons[:-1])) == [
        "name a number",
        "the move is bid:90",
        "if the next player names 90 too, Player 1 is the saboteur, and wins if nobody reaches 90",
    ]
    ends = hinted("tayu", "bid:90", "bid:90", players=3, auction="yes")
    assert told(ends.reasons[:-1]) == [
        "the same number ends the auction: Player 1 is the saboteur, and wins if nobody reaches 90"
    ]
    pick = hinted("tayu", "", "pick:ring", draw="backs")
    assert told((pick.piece, *pick.reasons[:-1])) == [
        "choose where the next tile comes from",
        "tiles with a ring have outflows on three sides; 36 of the 84 that are left have one",
    ]
    plain = hinted("tayu", "pick:ring draw:034 034@k9/W", "pick:plain", draw="backs")
    assert told(plain.reasons[:-1]) == [
        "tiles without a ring have outflows on one or two sides; 48 of the 83 that are left have none"
    ]
    stack = hinted("tayu", "", "pick:left", draw="stacks")
    assert told(stack.reasons[:-1]) == ["nobody knows which tile lies on top: one stack is as good as the other"]
    rules, position = after("tayu", "draw:012 012@k9/W", players=3)
    coach = coach_of(rules)
    position = rules.play(position, rules.parse(position, "draw:015"))
    saboteur = position._replace(mover=2)
    (open_channels,) = told(coach.reasons(saboteur, rules.legal_moves(saboteur)[0]))
    assert re.fullmatch(r"channels .* afterwards: \d for North-South, \d for East-West", open_channels)


# TAU


def test_tau_tells_of_groups_and_their_product() -> None:
    found = hinted("tau", "bid:512 pass", "r4")
    assert told((found.piece, found.place, *found.reasons[:2])) == [
        "draw through a row",
        "the move is r4",
        "groups on the grid: 1 before, 2 afterwards",
        "their product: 100 before, 1800 afterwards; the LIMIT is 512",
    ]
    assert told((hinted("tau", "bid:512 pass", "cb").piece,)) == ["draw through a column"]


def test_tau_tells_of_the_negotiation() -> None:
    named = hinted("tau", "", "bid:512")
    assert told((named.piece, *named.reasons[:-1])) == [
        "name a number",
        "if the other player passes, Player 1 is HIGH and needs a product above 512",
    ]
    passed = hinted("tau", "bid:512", "pass")
    assert told((passed.piece, *passed.reasons[:-1])) == [
        "think about who should be HIGH",
        "Player 2 is then LOW, and HIGH needs a product above 512",
    ]


# The game of twenty squares


def test_twenty_squares_tells_of_counters() -> None:
    rules: Any = rules_of("twenty-squares", {})
    position = rules.set_up({"p1": [rules.board.square(0, 6)], "p2": [rules.board.square(0, 9)]}, {"p1": 1}, "p1")
    coach = coach_of(rules)

    def told_of(position: object) -> Iterator[str]:
        """What is said of every answer to every throw."""
        for throw in rules.legal_moves(position):
            thrown = rules.play(position, throw)
            for move in rules.legal_moves(thrown):
                yield from (clause(coach.piece(thrown, move)), *told(coach.reasons(thrown, move)))

    said = set(told_of(position))
    thrown = rules.play(position, rules.parse(position, "throw:1"))
    said |= set(told_of(rules.play(thrown, rules.parse(thrown, "convert"))))
    assert {"bring in a new counter", f"move the counter on {rules.board.square(0, 6)}", "no counter moves"} <= said
    assert {"Player 1 has one more counter on the board", "a counter of Player 2 goes back to the hand"} <= said
    near = rules.set_up({"p1": [rules.board.square(0, rules._table.last)]}, {"p1": 1}, "p1")
    said |= set(told_of(near))
    assert {"counters of Player 1 that are home: 2", "Player 1 throws again"} <= said


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        # One throw in four shows the 3 that leads from b2 to e2, one in sixteen the 4 that leads to f2.
        ("throw:1 d2-e2", ["25 % of the throws let Player 2 send back a counter of Player 1"]),
        ("throw:2 d2-f2", ["6 % of the throws let Player 2 send back a counter of Player 1"]),
        ("throw:1 convert", ["Player 1 throws again"]),
        ("throw:4 d2-h2", ["Player 1 throws again"]),
    ],
)
def test_twenty_squares_tells_what_the_next_throw_may_send_back(moves: str, said: list[str]) -> None:
    rules: Any = rules_of("twenty-squares", {})
    throw, answer = moves.split()
    position = rules.set_up({"p1": ["d2"], "p2": ["b2"]}, {}, "p1")
    position = rules.play(position, rules.parse(position, throw))
    assert told(coach_of(rules).reasons(position, rules.parse(position, answer))) == said


def test_twenty_squares_tells_that_no_throw_sends_anything_back() -> None:
    rules: Any = rules_of("twenty-squares", {})
    position = rules.set_up({"p1": ["b2"], "p2": ["d2"]}, {}, "p1")
    position = rules.play(position, rules.parse(position, "throw:1"))
    said = told(coach_of(rules).reasons(position, rules.parse(position, "b2-c2")))
    assert said == ["no throw lets Player 2 send back a counter of Player 1"]


# A game without a coach


@pytest.mark.parametrize(
    ("best", "piece"),
    [("f5e5", "one of 224 legal moves stands out"), ("d6-d5", "the move begins at d6")],
)
def test_a_game_without_a_coach_is_told_by_its_texts(best: str, piece: str) -> None:
    rules, position = after("tabik", "")
    coach = PlainCoach(rules)
    move = rules.parse(position, "f5e5")

    class Written:
        """The rules, which write the move in another way."""

        def text(self, _position: object, _move: object) -> str:
            return best

        def legal_moves(self, where: object) -> Sequence[Any]:
            return rules.legal_moves(where)

    coach = PlainCoach(Written())  # type: ignore[arg-type]  # as much as it is asked
    assert clause(coach.piece(position, move)) == piece
    assert clause(coach.place(position, move)) == f"the move is {best}"
    assert (coach.reasons(position, move), coach.other_turn(position), coach.predicts(position)) == ((), None, True)


def test_the_bare_clock_has_the_plain_coach() -> None:
    assert isinstance(coach_of(rules_of("clock", {})), PlainCoach)


# Threats


def best_of(rules: Rules[Any, Any], text: str) -> Callable[[Any], Report]:
    """An engine that finds one move."""
    return lambda position: Report([Candidate(rules.parse(position, text), Score(0.5))], 1, 1)


def test_a_threat_is_what_the_opponent_would_do_now() -> None:
    rules, position = after("tabik", "f5e5 f3f2 d6d5 f4g4")
    found = threat(rules, coach_of(rules), position, report_of(rules, position, e4d4=0.5), best_of(rules, "e4d4"))
    assert (clause(found.said), found.move) == ("if it were White’s turn: e4d4", "e4d4")
    assert told(found.reasons) == [
        "the size that counts for White rises from 2 to 3",
        "the largest group of White grows from 2 to 3",
    ]
    rules, position = after("tamsk", "", level=1)
    found = threat(rules, coach_of(rules), position, report_of(rules, position, A4_B5=0.5), best_of(rules, "A1-B2"))
    assert clause(found.said, words("de")) == "wäre jetzt Schwarz am Zug: A1-B2"
    rules, position = after("tau", "bid:512 pass")
    found = threat(rules, coach_of(rules), position, report_of(rules, position, r4=0.5), best_of(rules, "r2"))
    assert clause(found.said, words("fr")) == "si LOW avait le trait\xa0: r2"


def test_else_it_is_the_reply_to_the_best_move() -> None:
    rules, position = after("tau", "")
    best = report_of(rules, position, **{"bid:0": 0.5})
    found = threat(rules, coach_of(rules), position, best, best_of(rules, "pass"))
    assert clause(found.said) == "after bid:0, the best reply of Player 2 is pass"
    rules, position = after("tabik", "")
    found = threat(rules, coach_of(rules), position, report_of(rules, position, a1a2=0.5), best_of(rules, "pie"))
    assert clause(found.said) == "after a1a2, the best reply of White is pie"
    assert told(found.reasons) == ["free squares beside the stones: 1 for Black, 2 for White"]


def test_chance_and_the_end_of_the_game_come_before_a_reply() -> None:
    rules, position = after("twenty-squares", "throw:1")
    found = threat(rules, coach_of(rules), position, report_of(rules, position, convert=0.5), best_of(rules, ""))
    assert (clause(found.said), found.move) == ("after convert, chance decides first", "")
    rules, position = after("tayu", "draw:012")
    best = report_of(rules, position, **{"012@k9/W": 0.5})
    assert clause(threat(rules, coach_of(rules), position, best, best_of(rules, "")).said).endswith("decides first")
    rules, position = after("tabik", "", size=2, pie="no")
    coach = PlainCoach(rules)
    while len(moves := rules.legal_moves(position)) and rules.turn(rules.play(position, moves[0])) != "over":
        position = rules.play(position, moves[0])
    last = Report([Candidate(moves[0], Score(0.5))], 1, 1)
    assert clause(threat(rules, coach, position, last, best_of(rules, "")).said).endswith("ends the game")


def test_a_turn_without_a_value_is_told_in_steps_too() -> None:
    rules, position = after("tabik", "", size=3)
    steps = hint_steps(rules, coach_of(rules), position, "a1b1", "Black places two.", words())
    assert steps == [
        "Place two new stones.",
        "Black on a1, white on b1.",
        "The largest group of Black grows from 0 to 1.",
    ]
    rules, position = after("twenty-squares", "throw:2")
    passing = hint_steps(rules, coach_of(rules), position, "forfeit", "Player 1 forfeits the throw.", words())
    assert passing == ["No counter moves.", "Player 1 forfeits the throw.", "There is no other legal move."]
    # Without a reason there are two steps, and a coach that knows only the notation says the turn itself.
    rules, position = after("tabik", "", size=3)
    plain = hint_steps(rules, PlainCoach(rules), position, "a1b1", "Black places two.", words())
    assert len(plain) == 2
    assert plain[1] == "Black places two."
    assert hint_steps(rules, coach_of(rules), position, "a1c3", "", words()) == ()
