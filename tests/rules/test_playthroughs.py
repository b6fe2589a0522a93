"""Golden play-throughs: every reply of the line protocol in whole games, as recorded and read."""

from pathlib import Path

import pytest

from gnomon.cli.game_commands.rules import Talk
from gnomon.rules.registry import GAMES, rules_of

RECORDINGS = sorted((Path(__file__).parent / "playthroughs").glob("*.txt"))


def conversation(recording: Path) -> tuple[Talk, list[tuple[str, str]]]:
    """The talk that the first line asks for, and the commands with their replies."""
    first, *lines = recording.read_text("utf-8").splitlines()
    game, *words = first.removeprefix("# gnomon rules ").split()
    settings = dict(word.split("=", 1) for word in words if word != "--set")
    commands = [line.removeprefix("> ") for line in lines[::2]]
    return Talk(rules_of(game, settings)), list(zip(commands, lines[1::2], strict=True))


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.stem)
def test_a_recorded_game_is_answered_word_for_word(recording: Path) -> None:
    talk, exchanges = conversation(recording)
    assert [talk.reply(command.encode()) for command, _ in exchanges] == [reply for _, reply in exchanges]


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.stem)
def test_a_recorded_game_is_played_to_its_end(recording: Path) -> None:
    assert ("turn", "ok over") in conversation(recording)[1]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_recording(game: str) -> None:
    assert any(recording.stem.startswith(game) for recording in RECORDINGS)
