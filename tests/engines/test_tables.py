import ctypes
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from gnomon.cli import main
from gnomon.engines.cores import compiled_library
from gnomon.engines.tables import Progress, TableError, find_table, make_table, tables_folder, with_table

VALUES = (0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFF0000, 0xFFFFFFFF)


class Fractions:
    """A solver of a game whose values are given, two at a time."""

    name = "fractions"
    core = ""

    def __init__(self, size: int = len(VALUES), key: str = "rules", end: int | None = None) -> None:
        self.size = size
        self.key = key
        self.end = end  # where it is killed
        self.began_at = -1

    def solve(self, values: memoryview, done: int, library: ctypes.CDLL | None) -> Iterator[Progress]:
        assert library is None
        self.began_at = done
        for number in range(done, self.size, 2):
            if number == self.end:
                raise KeyboardInterrupt
            for each in range(number, min(number + 2, self.size)):
                values[each] = VALUES[each]
            yield Progress(min(number + 2, self.size), self.size)


def make(solver: Fractions, folder: Path) -> None:
    for _ in make_table(solver, folder, None):
        pass


def names(folder: Path) -> set[str]:
    return {path.suffix for path in folder.iterdir()}


def test_a_table_has_every_value_as_it_was_found(tmp_path: Path) -> None:
    make(Fractions(), tmp_path)
    table = find_table(Fractions(), tmp_path)
    assert table is not None
    assert [table.exact(number) for number in range(6)] == [value / 0xFFFFFFFF for value in VALUES]
    assert all(abs(table[number] - value / 0xFFFFFFFF) <= 0.5 / 65535 for number, value in enumerate(VALUES))
    assert names(tmp_path) == {".table", ".digits"}


def test_without_the_file_of_digits_values_are_less_exact(tmp_path: Path) -> None:
    make(Fractions(), tmp_path)
    next(tmp_path.glob("*.digits")).unlink()
    table = find_table(Fractions(), tmp_path)
    assert table is not None
    assert not table.has_digits
    assert table.exact(2) == table[2]


def test_what_was_killed_goes_on_where_it_was_and_is_no_table_before(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        make(Fractions(end=4), tmp_path)
    assert find_table(Fractions(), tmp_path) is None
    assert names(tmp_path) == {".part"}
    again = Fractions()
    make(again, tmp_path)
    assert again.began_at == 4
    table = find_table(again, tmp_path)
    assert table is not None
    assert [table.exact(number) for number in range(6)] == [value / 0xFFFFFFFF for value in VALUES]


def test_a_part_whose_head_is_torn_is_begun_again(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        make(Fractions(end=4), tmp_path)
    part = next(tmp_path.glob("*.part"))
    part.write_bytes(b"torn" + part.read_bytes()[4:])
    again = Fractions()
    make(again, tmp_path)
    assert again.began_at == 0


def test_only_one_process_makes_a_table(tmp_path: Path) -> None:
    first = make_table(Fractions(), tmp_path, None)
    next(first)
    with pytest.raises(TableError, match="another process"):
        make(Fractions(), tmp_path)


def test_a_table_that_finds_no_room_is_not_begun(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="no room"):
        make(Fractions(1 << 50), tmp_path)


def test_a_greater_game_has_the_values_of_a_smaller_one(tmp_path: Path) -> None:
    make(Fractions(), tmp_path)
    table = find_table(Fractions(2), tmp_path)
    assert table is not None
    assert table.exact(1) == 1 / 0xFFFFFFFF
    assert find_table(Fractions(7), tmp_path) is None


def test_other_rules_have_another_table(tmp_path: Path) -> None:
    make(Fractions(), tmp_path)
    assert find_table(Fractions(key="others"), tmp_path) is None


def test_a_table_of_other_rules_is_refused_whatever_its_name(tmp_path: Path) -> None:
    make(Fractions(), tmp_path)
    mine = next(tmp_path.glob("*.table"))
    make(Fractions(key="others"), tmp_path)
    other = next(path for path in tmp_path.glob("*.table") if path != mine)
    other.rename(mine)
    with pytest.raises(TableError, match="other rules"):
        find_table(Fractions(), tmp_path)


@pytest.mark.parametrize("keep", [-1, 100])
def test_a_table_that_was_cut_short_is_refused(tmp_path: Path, keep: int) -> None:
    make(Fractions(), tmp_path)
    path = next(tmp_path.glob("*.table"))
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(TableError, match="damaged"):
        find_table(Fractions(), tmp_path)


def test_tables_lie_in_the_cache_of_the_user(tmp_path: Path) -> None:
    assert tables_folder({"XDG_CACHE_HOME": str(tmp_path)}) == tmp_path / "gnomon" / "tables"
    assert tables_folder({"XDG_CACHE_HOME": "relative"}) == Path.home() / ".cache" / "gnomon" / "tables"


class Player:
    """An engine, which plays better with a table."""

    def __init__(self, values: Callable[[int], float] | None = None) -> None:
        self.solver = Fractions()
        self.values = values

    def with_values(self, values: Callable[[int], float]) -> "Player":
        return Player(values)


def test_an_engine_gets_the_table_that_is_there(tmp_path: Path) -> None:
    player = Player()
    assert with_table(player, tmp_path / "nothing") is player
    make(Fractions(), tmp_path)
    better = with_table(player, tmp_path)
    assert better.values is not None
    assert better.values(3) == pytest.approx(0.5, abs=1e-4)


def test_an_engine_without_a_solver_stays_as_it_is(tmp_path: Path) -> None:
    engine = object()
    assert with_table(engine, tmp_path) is engine


# The compiled core

CORE = "gnomon.games.twenty_squares.engine:core.c"


@pytest.mark.parametrize("change", [{"PATH": ""}, {"GNOMON_NO_COMPILER": "1"}])
def test_without_a_compiler_there_is_no_library(tmp_path: Path, change: dict[str, str]) -> None:
    assert compiled_library(CORE, {**os.environ, "XDG_CACHE_HOME": str(tmp_path), **change}) is None


def test_a_library_is_not_taken_from_a_folder_where_others_can_write(tmp_path: Path) -> None:
    folder = tmp_path / "gnomon" / "cores"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    assert compiled_library(CORE, {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}) is None


# The commands


def run(folder: Path, *arguments: str) -> tuple[int, str]:
    environment = {"XDG_CACHE_HOME": str(folder / "cache"), "GNOMON_NO_COMPILER": "1"}
    result = CliRunner().invoke(main, ["engine", *arguments], env=environment)
    return result.exit_code, result.output


@pytest.mark.parametrize(
    ("settings", "value"),
    [
        (("counters=1",), "0.5342026945"),
        (("counters=1", "dice=cube"), "0.5312707186"),
        (("counters=1", "ruleset=aseb"), "0.5257020691"),
    ],
)
def test_the_value_of_the_start_is_the_one_of_the_rules_page(
    tmp_path: Path, settings: tuple[str, ...], value: str
) -> None:
    code, printed = run(tmp_path, "value", "twenty-squares", *(f"--set={each}" for each in settings))
    assert code == 0
    assert printed.strip() == f"{float(value):.9f}"


def test_a_value_after_moves_is_that_of_the_player_who_throws_or_answers(tmp_path: Path) -> None:
    def value(*moves: str) -> float:
        code, printed = run(tmp_path, "value", "twenty-squares", "--set=counters=1", f"--tables={tmp_path}", *moves)
        assert code == 0
        return float(printed)

    # A forfeit gives the turn to the other player, in the same position.
    assert value("throw:2") == pytest.approx(1 - value(), abs=2e-9)
    assert value("throw:2", "forfeit") == pytest.approx(value(), abs=2e-9)
    assert value("throw:1") == pytest.approx(value("throw:1", "convert"), abs=2e-9)
    assert value("throw:1", "convert", "throw:4") == pytest.approx(value("throw:1", "convert", "throw:4", "in-a1"))
    assert names(tmp_path) >= {".table", ".digits"}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("twenty-squares", "--set", "counters=1", "throw:9"), "move 1, throw:9: "),
        (("twenty-squares", "--set", "board=double", "--set", "players=4"), "no table of values"),
        (("twenty-squares", "--set", "stacking=invincible"), "--large"),
        (("twenty-squares", "--set", "counters"), "KEY=VALUE"),
        (("twenty-squares", "--set", "counters=7"), "--large"),
        (("no-such-game",), "no game"),
    ],
)
def test_what_has_no_value_is_refused_in_one_sentence(tmp_path: Path, arguments: tuple[str, ...], why: str) -> None:
    code, printed = run(tmp_path, "value", *arguments)
    assert code == 2
    assert printed.startswith("Error: ")
    assert why in printed


GAME = """\
Sheet: 1
Game: twenty-squares
Settings: counters=1

1. throw:2
2. forfeit
3. throw:5
4. convert
5. throw:4
6. in-a3
"""


def test_luck_and_skill_of_a_score_sheet_are_told_in_the_language_of_the_run(tmp_path: Path) -> None:
    sheet = tmp_path / "game.sheet"
    sheet.write_text(GAME)
    code, printed = run(tmp_path, "luck", str(sheet))
    assert code == 0
    assert printed == (
        "The throws were worth +32 % to Player 2. Both played alike: 0 %. "
        "With even luck, Player 1 would win 53 of 100 games like this one.\n"
    )


WHOLE = """\
Sheet: 1
Game: twenty-squares
Settings: counters=1
Player p1: {one}
Player p2: {two}

1. throw:5
2. convert
3. throw:4
4. in-a1
5. throw:4
6. a1-d2
7. throw:4
8. d2-h2
9. throw:5
10. h2-off
"""
ELSEWHERE = """\
Sheet: 1
Game: tabik
Settings: size=3

1. a1b1
"""


def written(folder: Path, **sheets: str) -> list[str]:
    for name, text in sheets.items():
        (folder / name).write_text(text)
    return [str(folder / name) for name in sheets]


def test_luck_of_several_games_is_told_for_each_person_the_best_with_even_luck_first(tmp_path: Path) -> None:
    wins = {"one": WHOLE.format(one="Ada", two="Bea"), "two": WHOLE.format(one="Bea", two="Cleo")}
    others = {"unfinished": WHOLE.removesuffix("10. h2-off\n"), "elsewhere": ELSEWHERE}
    code, printed = run(tmp_path, "luck", *written(tmp_path, **wins, **others))
    assert code == 0
    assert printed.splitlines() == [
        "Name  Games  Points   Luck  With even luck",
        "Bea       2       1  +0.00            1.00",
        "Ada       1       1  +0.47            0.53",
        "Cleo      1       0  −0.47            0.47",
    ]


def test_all_games_of_one_file_are_counted_where_everybody_is_asked_for(tmp_path: Path) -> None:
    nameless = WHOLE.replace("Player p1: {one}\nPlayer p2: {two}\n", "")
    code, printed = run(tmp_path, "luck", "--everybody", *written(tmp_path, game=nameless))
    assert code == 0
    assert [row.split()[:4] for row in printed.splitlines()[1:]] == [
        ["Player", "1", "1", "1"],
        ["Player", "2", "1", "0"],
    ]


def test_nameless_people_of_two_files_are_not_one(tmp_path: Path) -> None:
    nameless = WHOLE.replace("Player p1: {one}\nPlayer p2: {two}\n", "")
    files = written(tmp_path, first=nameless, second=nameless)
    code, printed = run(tmp_path, "luck", *files)
    assert code == 0
    assert sorted(row[: row.index(")") + 1] for row in printed.splitlines()[1:]) == sorted(
        f"Player {number} ({Path(file).name})" for number in (1, 2) for file in files
    )


@pytest.mark.parametrize("game", [ELSEWHERE, GAME])
def test_where_no_solved_game_is_over_there_is_no_luck_to_tell(tmp_path: Path, game: str) -> None:
    code, printed = run(tmp_path, "luck", "--everybody", *written(tmp_path, game=game))
    assert code == 2
    assert printed == "Error: no game in these files has a table of values and is over\n"


def test_what_is_no_game_is_refused_in_one_sentence(tmp_path: Path) -> None:
    sheet = tmp_path / "game.sheet"
    sheet.write_text(GAME.replace("in-a3", "in-a1"))
    code, printed = run(tmp_path, "luck", str(sheet))
    assert code == 2
    assert printed.startswith(f"Error: {sheet}: ")
