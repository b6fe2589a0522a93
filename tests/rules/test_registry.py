"""Games of other distributions are found by their entry points, and a broken one does not take the others down."""

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gnomon.rules import registry
from gnomon.rules.kinds import GameKind
from gnomon.rules.protocol import SettingsError
from gnomon.rules.registry import GAMES, faults, find_game, folder_of, games, kind_of
from gnomon.words import words

Bring = Callable[..., None]


@pytest.fixture
def bring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bring]:
    """Install a distribution with an entry point, and a package with a KIND and words."""
    monkeypatch.syspath_prepend(tmp_path)
    known = set(sys.modules)
    registry.look_again()

    def install(distribution: str, game: str, kind: str = "", *, words: str = '{"game.GAME": "Of others"}') -> None:
        package = distribution.replace("-", "_")
        about = tmp_path / f"{package}-1.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1\n")
        (about / "entry_points.txt").write_text(f"[gnomon.games]\n{game} = {package}:KIND\n")
        (tmp_path / package / "words").mkdir(parents=True)
        (tmp_path / package / "words" / "en.json").write_text(words.replace("GAME", game))
        made = kind or f'GameKind("{game}", "gnomon.games.clock.rules:Free", "gnomon.games.clock.show:SHOW")'
        (tmp_path / package / "__init__.py").write_text(
            f"from gnomon.rules.kinds import GameKind\n\nKIND = {made}\n", encoding="utf-8"
        )

    yield install
    registry.look_again()
    for name in set(sys.modules) - known:
        del sys.modules[name]


def test_without_other_distributions_the_games_are_those_of_gnomon(bring: Bring) -> None:
    del bring
    assert (games(), faults()) == (tuple(GAMES), ())


def test_a_game_of_another_distribution_is_found_with_its_words(bring: Bring) -> None:
    bring("some-game", "zeta")
    bring("other-game", "alpha")
    assert games() == (*GAMES, "alpha", "zeta")
    assert isinstance(kind_of("zeta"), GameKind)
    assert [words(language)("game.zeta") for language in ("en", "de")] == ["Of others"] * 2
    assert faults() == ()


def test_a_game_does_not_say_in_other_words_what_gnomon_says(bring: Bring) -> None:
    said = words()("told.over")
    bring("some-game", "zeta", words='{"game.GAME": "Of others", "told.over": "never"}')
    assert "zeta" in games()
    assert words()("told.over") == said


@pytest.mark.parametrize(
    ("distribution", "game", "kind", "why"),
    [
        ("raises", "zeta", "1 / 0", "the game 'zeta' of the distribution raises cannot be played: ZeroDivisionError: "),
        ("nothing", "zeta", "None", "the game 'zeta' of the distribution nothing cannot be played: ValueError: "),
        ("own", "tabik", "", "the game 'tabik' of the distribution own is left out: Gnomon has a game of this name"),
        ("name", "Zeta", "", "the game 'Zeta' of the distribution name cannot be played: ValueError: "),
    ],
)
def test_a_broken_entry_says_why_and_the_others_are_played(
    bring: Bring, distribution: str, game: str, kind: str, why: str
) -> None:
    bring(distribution, game, kind)
    bring("well", "well")
    assert games() == (*GAMES, "well")
    (fault,) = faults()
    assert fault.message.startswith(why)
    if game not in GAMES:
        with pytest.raises(SettingsError) as caught:
            kind_of(game)
        assert caught.value.statement == fault


def test_words_that_cannot_be_read_break_the_game_alone(bring: Bring) -> None:
    bring("some-game", "zeta", words="{")
    bring("well", "well")
    assert games() == (*GAMES, "well")
    assert "en.json cannot be read" in faults()[0].message


def test_a_game_without_words_is_not_played(bring: Bring, tmp_path: Path) -> None:
    bring("some-game", "zeta")
    shutil.rmtree(tmp_path / "some_game" / "words")
    assert games() == tuple(GAMES)
    assert "there are no words beside some_game:KIND" in faults()[0].message


def test_of_two_that_bring_one_game_neither_is_played(bring: Bring) -> None:
    bring("one", "zeta")
    bring("other", "zeta")
    assert games() == tuple(GAMES)
    with pytest.raises(
        SettingsError, match=r"^the game 'zeta' is left out, because several distributions bring it: one, other$"
    ):
        kind_of("zeta")


def test_only_a_game_of_another_distribution_has_a_folder_of_its_own(bring: Bring) -> None:
    bring("gnomon-hex", "hex")
    assert folder_of("tamsk") is None
    assert folder_of("nowhere") is None
    assert folder_of("hex") is not None


def test_a_game_is_found_however_it_is_written() -> None:
    assert [find_game(text) for text in ("TAMSK", "Twenty squares", "tau ", "chess", "")] == [
        "tamsk",
        "twenty-squares",
        "tau",
        "",
        "",
    ]
