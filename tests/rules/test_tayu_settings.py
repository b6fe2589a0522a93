import pytest

from gnomon.games.tayu.rules import EDITIONS, Tayu, TayuSettings
from gnomon.rules.protocol import SettingsError

DOUBLES_ARE = (
    "doubles must be one list of squares counted from 0, such as 3,9,15, or none, "
    "or four lists with / between them for north, east, south and west"
)
KNOWN = "edition, players, draw, target, auction, size, doubles, copies"
KOSMOS = TayuSettings.from_mapping({"edition": "kosmos"})


def test_the_default_is_goliath_for_two_with_a_bag() -> None:
    settings = TayuSettings.from_mapping({})
    assert settings == TayuSettings()
    assert (settings.edition, settings.players, settings.draw) == ("goliath", 2, "bag")
    assert (settings.size, settings.copies) == (17, 3)
    assert settings.doubles == ((2, 6, 10, 14),) * 4
    assert (settings.target, settings.auction) == (24, False)


def test_kosmos_has_a_larger_board_and_more_tiles() -> None:
    assert (KOSMOS.size, KOSMOS.copies, KOSMOS.doubles) == (19, 4, ((3, 9, 15),) * 4)


def test_the_guesses_are_three_and_say_so() -> None:
    assert [edition.guessed for edition in EDITIONS.values()] == [("size", "doubles"), ("doubles",)]
    assert tuple(map(str, TayuSettings().guesses)) == (
        "size 17 is a guess: no source states how large the board of this edition is",
        "doubles 2,6,10,14 are a guess: no source states where they are on this edition's board",
    )
    assert tuple(map(str, KOSMOS.guesses)) == (
        "doubles 3,9,15 are a guess: no source states where they are on this edition's board",
    )


def test_what_the_owner_of_a_board_counted_is_no_guess() -> None:
    assert TayuSettings.from_mapping({"size": 18, "doubles": "1,16"}).guesses == ()
    assert TayuSettings.from_mapping({"size": 18}).guesses == TayuSettings().guesses[1:]
    assert TayuSettings.from_mapping({"doubles": "3,9,13"}).guesses == TayuSettings().guesses[:1]


@pytest.mark.parametrize(
    ("text", "doubles"),
    [
        ("3,9,15", ((3, 9, 15),) * 4),
        ("15,3,9", ((3, 9, 15),) * 4),
        (8, ((8,),) * 4),
        ("none", ((),) * 4),
        ("0,16/8/none/1,2,3", ((0, 16), (8,), (), (1, 2, 3))),
    ],
)
def test_double_squares_are_one_list_for_all_sides_or_one_each(
    text: object, doubles: tuple[tuple[int, ...], ...]
) -> None:
    assert TayuSettings.from_mapping({"doubles": text}).doubles == doubles


def test_a_smaller_board_keeps_the_double_squares_that_are_on_it() -> None:
    assert TayuSettings.from_mapping({"size": "9"}).doubles == ((2, 6),) * 4


def test_settings_are_read_from_text_and_from_numbers() -> None:
    text = {"players": "3", "draw": "stacks", "target": "30", "auction": "yes", "size": "15", "copies": "2"}
    numbers = {**text, "players": 3, "target": 30, "size": 15, "copies": 2}
    assert TayuSettings.from_mapping(text) == TayuSettings.from_mapping(numbers)
    assert Tayu.from_settings(text).settings.auction is True


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"edition": "ravensburger"}, "edition must be one of goliath, kosmos, not 'ravensburger'"),
        ({"players": 5}, "players must be one of 2, 3, 4, not 5"),
        ({"players": True}, "players must be one of 2, 3, 4, not True"),
        ({"draw": "hand"}, "draw must be one of bag, backs, stacks, not 'hand'"),
        ({"auction": True}, "auction must be one of no, yes, not True"),
        ({"auction": "yes"}, "auction=yes is for three players, not for 2 (rule 10)"),
        ({"auction": "yes", "players": 4}, "auction=yes is for three players, not for 4 (rule 10)"),
        ({"size": 2}, "size must be a whole number from 3 to 26, not 2"),
        ({"size": "27"}, "size must be a whole number from 3 to 26, not '27'"),
        ({"size": "017"}, "size must be a whole number from 3 to 26, not '017'"),
        ({"size": 17.0}, "size must be a whole number from 3 to 26, not 17.0"),
        ({"size": "\N{SUPERSCRIPT TWO}"}, "size must be a whole number from 3 to 26, not '\N{SUPERSCRIPT TWO}'"),
        ({"copies": 0}, "copies must be a whole number from 1 to 99, not 0"),
        ({"copies": 100}, "copies must be a whole number from 1 to 99, not 100"),
        ({"target": -1}, "target must be a whole number from 0 to 9999, not -1"),
        ({"target": 10000}, "target must be a whole number from 0 to 9999, not 10000"),
        ({"doubles": "17"}, "doubles must be different squares from 0 to 16 on each side, not '17'"),
        ({"doubles": "3,3"}, "doubles must be different squares from 0 to 16 on each side, not '3,3'"),
        (
            {"size": 9, "doubles": "1/2/3/9"},
            "doubles must be different squares from 0 to 8 on each side, not '1/2/3/9'",
        ),
        *(
            (
                {"doubles": value},
                f"{DOUBLES_ARE}, not {value!r}",
            )
            for value in ("", "3,", "1/2", "1/2/3/4/5", "3 9", [3, 9], None)
        ),
        ({"board": "tayu"}, f"Tayu has no setting 'board'; its settings are {KNOWN}"),
    ],
)
def test_a_wrong_setting_is_refused_with_one_sentence(settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Tayu.from_settings(settings)
    assert str(caught.value) == sentence
