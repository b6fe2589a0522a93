from gnomon.games.twenty_squares.rules import Position, TwentySquares
from gnomon.rules.protocol import Outcome
from tests.rules.playing import legal_texts, play, refusal
from tests.rules.twenty_squares_drawn import FACING, drawing_of, drawn, position_of, rules_of, thrown

TOGETHER = rules_of(stacking="capture_together")
INVINCIBLE = rules_of(stacking="invincible")
TEAMS = rules_of(board="double", players=4)


def hands(rules: TwentySquares, position: Position) -> object:
    return rules.state(position)["hand"]


# Stacking


def test_own_counters_share_a_square_and_leave_it_one_at_a_time() -> None:
    position = thrown(
        TOGETHER,
        """
        . . . .
        . 1 1 . . . . . . . . .
        . . . .
        """,
        1,
    )
    position = play(TOGETHER, position, "b2-c2")
    assert drawing_of(TOGETHER, position) == drawn("""
        . . . .
        . . A . . . . . . . . .
        . . . .
    """)
    position = play(TOGETHER, position, "throw:2", "forfeit", "throw:2", "c2-e2")
    assert drawing_of(TOGETHER, position) == drawn("""
        . . . .
        . . 1 . 1 . . . . . . .
        . . . .
    """)


STACKED = """
    . . . .
    . 1 B . . . . . . . . .
    . . . .
"""


def test_an_enemy_captures_a_whole_stack() -> None:
    position = play(TOGETHER, thrown(TOGETHER, STACKED, 1), "b2-c2")
    assert drawing_of(TOGETHER, position) == drawn("""
        . . . .
        . . 1 . . . . . . . . .
        . . . .
    """)
    assert hands(TOGETHER, position) == {"p1": 4, "p2": 5}


def test_an_enemy_may_not_land_on_an_invincible_stack() -> None:
    position = thrown(INVINCIBLE, STACKED, 1)
    assert legal_texts(INVINCIBLE, position) == {"convert"}
    assert refusal(INVINCIBLE, position, "b2-c2") == (
        "stack: stacking=invincible: an enemy does not land on the stack on c2"
    )


def test_a_single_counter_is_not_invincible() -> None:
    position = play(INVINCIBLE, position_of(INVINCIBLE, STACKED, "p2"), "throw:2", "c2-e2", "throw:1", "b2-c2")
    assert drawing_of(INVINCIBLE, position) == drawn("""
        . . . .
        . . 1 . 2 . . . . . . .
        . . . .
    """)


# Four players


def test_teams_meet_head_on() -> None:
    position = play(TEAMS, thrown(TEAMS, FACING, 1, player="p2"), "h2-g2")
    assert drawing_of(TEAMS, position) == drawn("""
        . . . .               . . . .
        . . . . . 1 2 . . . . . . . .
        . . . .               . . . .
    """)
    assert hands(TEAMS, position) == {"p1": 4, "p2": 4, "p3": 5, "p4": 5}
    assert TEAMS.state(position)["player"] == "p3"


def test_a_partner_blocks_and_an_enemy_on_a_rosette_is_safe() -> None:
    position = thrown(TEAMS, FACING, 1)
    assert refusal(TEAMS, position, "f2-g2") == "partner: rule 3: a counter of the partner Player 3 stands on g2"
    position = thrown(TEAMS, FACING, 2)
    assert refusal(TEAMS, position, "f2-h2") == "safe: rule 5: the counter of Player 2 on h2 is safe on the rosette"


def test_a_partner_blocks_where_own_counters_stack() -> None:
    rules = rules_of(board="double", players=4, stacking="capture_together")
    assert refusal(rules, thrown(rules, FACING, 1), "f2-g2").startswith("partner: ")


def test_a_team_wins_when_both_its_players_have_borne_off_and_who_has_is_passed_over() -> None:
    nearly = """
        . . . .               . . . .
        . . . . . . . . . . . . . . 1
        . . . .               . . . .
    """
    position = play(TEAMS, thrown(TEAMS, nearly, 1, p1=4), "o2-off")
    assert TEAMS.outcome(position) is None
    assert TEAMS.state(position)["player"] == "p2"
    position = play(TEAMS, position, *["throw:2", "forfeit"] * 3)
    assert TEAMS.state(position)["player"] == "p2"  # p1 has nothing left to throw for.
    last = """
        . . . .               . . . .
        . . . . . . . . . . . . . . 3
        . . . .               . . . .
    """
    position = play(TEAMS, thrown(TEAMS, last, 1, player="p3", p1=5, p3=4), "o2-off")
    assert TEAMS.outcome(position) == Outcome("p3", "borne_off")
