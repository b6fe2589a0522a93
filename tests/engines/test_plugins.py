"""The files of plugged-in engines: what they say, and what is wrong with them in one sentence with the line."""

from pathlib import Path

import pytest

from gnomon.engines.plugins import MEMORY, PATIENCE, PluginError, plugin_folders, read_plugin, read_plugins
from tests.words.every_language import told_in_every_language  # noqa: F401 - a fixture

GOOD = 'command = ["sh", "-c", "true"]\ngames = ["tabik"]\n'


def write(folder: Path, text: str, name: str = "mine") -> Path:
    path = folder / f"{name}.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_file_says_how_an_engine_is_started_and_what_it_is_told(tmp_path: Path) -> None:
    more = "memory = 64\npatience = 5\n[options]\nHash = 16\nBook = true\nStyle = 'wild'\n"
    plugin = read_plugin(write(tmp_path, GOOD + more))
    assert plugin.name == "mine"
    assert Path(plugin.command[0]).name == "sh"
    assert plugin.command[1:] == ("-c", "true")
    assert (plugin.games, plugin.memory, plugin.patience) == (("tabik",), 64, 5)
    assert plugin.options == {"Hash": "16", "Book": "true", "Style": "wild"}
    usual = read_plugin(write(tmp_path, GOOD))
    assert (usual.memory, usual.patience, usual.options) == (MEMORY, PATIENCE, {})


def test_a_path_is_meant_from_the_folder_of_the_file(tmp_path: Path) -> None:
    program = tmp_path / "run"
    program.write_text("#!/bin/sh\n", "utf-8")
    path = write(tmp_path, 'command = ["./run"]\ngames = ["tau"]\n')
    with pytest.raises(PluginError, match=r"line 1: there is no program './run' that can be run"):
        read_plugin(path)
    program.chmod(0o755)
    assert Path(read_plugin(path).command[0]) == program
    assert read_plugin(path).folder == tmp_path


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("games = [\n", 2, "this is not TOML: "),
        ("command = \n", 1, "this is not TOML: "),
        pytest.param(
            f"{GOOD}memory = {'9' * 5_000}\n",
            1,
            "a number has too many digits, or lists or keys are nested",
            id="digits",
        ),
        pytest.param(
            f"{GOOD}{'a.' * 30_000}a = 1\n", 1, "a number has too many digits, or lists or keys are nested", id="dotted"
        ),
        pytest.param(
            f"{GOOD}x = {'[' * 20_000}\n", 1, "a number has too many digits, or lists or keys are nested", id="nested"
        ),
        ('games = ["tabik"]\n', 1, "command is missing: "),
        ('\ncommand = "sh"\n', 2, "command is a list of texts"),
        ('command = ["no-such-program"]\n', 1, "there is no program 'no-such-program' that can be run"),
        ('command = ["sh"]\n', 1, "games is missing: "),
        ('command = ["sh"]\n\ngames = ["chess"]\n', 3, "'chess' is none of the games: "),
        (f"{GOOD}speed = 9\n", 3, "there is no key 'speed'; the keys are command, games, memory, patience, options"),
        (f"{GOOD}memory = -1\n", 3, "memory is a whole number from 0 to 1048576"),
        (f"{GOOD}\npatience = true\n", 4, "patience is a whole number from 0 to 86400"),
        (f"{GOOD}options = 3\n", 3, "options is a table: [options]"),
        (f"{GOOD}[options]\nHash = [1]\n", 4, "the option Hash is a text, a number, true or false"),
        (f'{GOOD}[options]\n"a value" = 1\n', 4, "the option 'a value' cannot be sent: "),
        (f'{GOOD}[options]\nHash = "1\\nquit"\n', 4, "the option 'Hash' cannot be sent: "),
    ],
)
def test_a_mistake_is_told_with_file_and_line(text: str, line: int, why: str, tmp_path: Path) -> None:
    path = write(tmp_path, text)
    with pytest.raises(PluginError) as error:
        read_plugin(path)
    said = str(error.value)
    if why.startswith("'chess'"):
        assert "chess" in said
        why = ""
    assert said.startswith(f"{path}, line {line}: {why}")
    assert len(said.splitlines()) == 1


def test_a_file_that_is_no_text_or_too_large_or_gone_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD)
    path.write_bytes(b"# a\n# \xff\n")
    with pytest.raises(PluginError, match="line 2: the line is not UTF-8"):
        read_plugin(path)
    path.write_bytes(b"#" * 70_000)
    with pytest.raises(PluginError, match="more than 65536 bytes"):
        read_plugin(path)
    with pytest.raises(PluginError, match="cannot be read: No such file"):
        read_plugin(tmp_path / "none.toml")
    with pytest.raises(PluginError, match="line 1: an engine has the name of its file"):
        read_plugin(write(tmp_path, GOOD, "my engine"))


def test_an_engine_is_not_called_like_a_level(tmp_path: Path) -> None:
    file = tmp_path / "3.toml"
    file.write_text('command = ["three"]\ngames = ["tabik"]\n', "utf-8")
    with pytest.raises(PluginError, match="3 is the number of a level of Gnomon's own engine"):
        read_plugin(file)


def test_one_bad_file_leaves_the_others(tmp_path: Path) -> None:
    write(tmp_path, GOOD, "good")
    write(tmp_path, "", "bad")
    found, wrong = read_plugins([tmp_path, tmp_path / "none"])
    assert list(found) == ["good"]
    assert len(wrong) == 1


def test_the_files_of_the_machine_are_found_and_those_of_the_person() -> None:
    folders = plugin_folders({"XDG_CONFIG_HOME": "/home/me/config"})
    assert [str(folder) for folder in folders] == ["/etc/gnomon/engines.d", "/home/me/config/gnomon/engines.d"]
    assert str(plugin_folders({})[1]).endswith("/.config/gnomon/engines.d")


def test_a_folder_that_the_environment_names_replaces_them() -> None:
    folders = plugin_folders({"GNOMON_ENGINES": "/srv/engines", "XDG_CONFIG_HOME": "/home/me/config"})
    assert folders == (Path("/srv/engines"),)
