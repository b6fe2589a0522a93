"""Help, and what is said about wrong usage, in the language of a run."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from gnomon.cli import localized, main
from gnomon.words import ENGLISH, LANGUAGES, unregister, words
from gnomon_pi.cli.daemon import main as daemon

PROGRAMS = {"gnomon": main, "gnomond": daemon}
KEY = re.compile(r"(command|option)(\.\w+)+")


def commands(context: click.Context) -> Iterator[click.Context]:
    """The contexts of a command and of all below it, those of the engines of all games included."""
    yield context
    if isinstance(context.command, click.Group):
        names = [*context.command.list_commands(context), *(["tabik"] if context.info_name == "engine" else [])]
        for name in names:
            command = context.command.get_command(context, name)
            assert command is not None
            yield from commands(click.Context(command, parent=context, info_name=name))


EVERY = [each for name, program in PROGRAMS.items() for each in commands(click.Context(program, info_name=name))]


def texts(context: click.Context) -> Iterator[str]:
    """What the help of a command says of it and of its options."""
    yield context.command.help or ""
    for each in context.command.get_params(context):
        if isinstance(each, click.Option):
            assert isinstance(each, localized.Option), f"{context.command_path} {each.name}"
            assert each.help or each.hidden, f"{context.command_path} {each.name}"
            yield each.help or ""


@pytest.mark.parametrize("context", EVERY, ids=lambda context: context.command_path)
def test_each_command_and_each_option_that_is_shown_says_what_it_does(context: click.Context) -> None:
    assert isinstance(context.command, localized.Command)
    assert [text for text in texts(context) if KEY.fullmatch(text)] == []
    assert context.command.help


def test_no_text_is_left_over() -> None:
    said = {text for context in EVERY for text in texts(context)}
    entries = {key: text for key, text in ENGLISH.entries.items() if key.startswith(("command.", "option."))}
    assert [key for key, text in entries.items() if text not in said] == []
    assert len(entries) > 400


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_in_a_list_of_commands_is_cut_off_in_a_terminal(language: str) -> None:
    for context in EVERY:
        if isinstance(context.command, click.Group):
            path = context.command_path.split()
            program = PROGRAMS[path[0]]
            told = CliRunner().invoke(program, ["--language", language, *path[1:], "--help"], terminal_width=80)
            listed = told.output.partition(words(language)("usage.commands"))[2]
            assert listed
            assert [line for line in listed.splitlines() if line.endswith("...")] == []


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
def test_help_is_in_the_language_of_the_run(language: str) -> None:
    spoken = words(language)
    given = ["--language", language, "engine", "ladder", "--help"]
    told = CliRunner().invoke(main, given, prog_name="gnomon")
    assert told.exit_code == 0
    text = " ".join(told.output.split())
    for key in ("command.engine.ladder", "option.engine.neighbours", "option.help"):
        assert " ".join(spoken(key).split()) in text, key
    assert f"{' '.join(spoken('usage.usage').split())} gnomon engine ladder {spoken('usage.metavar.options')}" in text
    assert " ".join(spoken("usage.options").split()) in text
    listed = CliRunner().invoke(main, ["--language", language, "engine", "--help"]).output
    assert spoken("usage.commands") in listed
    assert spoken("command.engine.solve").partition("\n")[0][:20] in listed


@pytest.mark.parametrize("given", [["--language", "de", "--help"], ["--help", "--language=de"]])
def test_the_help_of_the_program_itself_is_in_the_language_that_is_asked_for(given: list[str]) -> None:
    asked = CliRunner().invoke(daemon, given).output
    assert words("de")("command.gnomond") in " ".join(asked.split())
    assert CliRunner().invoke(daemon, ["--help"], env={"GNOMON_LANGUAGE": "de"}).output == asked


def test_a_language_of_a_folder_is_enough_for_help(tmp_path: Path) -> None:
    (tmp_path / "eo").mkdir()
    (tmp_path / "eo/language.json").write_text('{"name": "Esperanto"}', "utf-8")
    (tmp_path / "eo/all.json").write_text('{"command.gnomon": "Akompananto de ludtabulo."}', "utf-8")
    told = CliRunner().invoke(main, ["--words", str(tmp_path), "--language", "eo", "--help"])
    unregister(tmp_path)
    assert "Akompananto de ludtabulo." in told.output
    assert ENGLISH("option.version") in told.output  # what it lacks is said in English


def test_a_line_of_help_says_all_that_click_says_of_an_option() -> None:
    option = localized.Option(["--pace"], type=click.IntRange(1, 3), default=2, show_default=True, required=True)
    option.show_envvar, option.envvar, option.help = True, "PACE", "option.engine.pace"
    context = click.Context(localized.Command("x"))
    assert option.get_help_record(context) == (
        "--pace INTEGER",
        f"{ENGLISH('option.engine.pace')}  [env var: PACE, default: 2, 1<=x<=3, required]",
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_shells_complete_with_the_same_words(language: str) -> None:
    shell = ShellComplete(main, {}, "gnomon", "_GNOMON_COMPLETE")
    found = shell.get_completions(["--language", language, "engine", "ladder"], "--nei")
    assert [(each.value, each.help) for each in found] == [
        ("--neighbours", words(language)("option.engine.neighbours"))
    ]
    assert "solve" in {each.value for each in shell.get_completions(["engine", "chess"], "")}


def test_the_last_of_several_languages_counts_and_none_of_a_command() -> None:
    given = ["--language", "de", "--language=fr", "--help"]
    assert words("fr")("option.help") in CliRunner().invoke(main, given).output
    refused = CliRunner().invoke(main, ["--nothing", "tournament", "print", "--language", "fr"])
    assert "Error: No such option '--nothing'." in refused.stderr
    unknown = CliRunner().invoke(main, ["--words", "none", "--words", "nowhere", "--language", "eo", "sheet"])
    assert "'nowhere' does not exist." in unknown.stderr


def test_what_is_typed_reaches_the_terminal_in_one_line_without_its_signs() -> None:
    told = CliRunner().invoke(main, ["--a\nb\x1b[31m"]).stderr
    assert told.splitlines()[-1] == r"Error: No such option '--a\nb\x1b[31m'."


WRONG = [
    ("engine ladder tamsk --games x", "Unzulässiger Wert für '--games': 'x' ist keine ganze Zahl."),
    ("engine ladder tamsk --games 0", "Unzulässiger Wert für '--games': 0 liegt nicht im Bereich x>=1."),
    ("engine ladder tamsk --pace x", "Unzulässiger Wert für '--pace': 'x' ist keine Zahl."),
    ("engine ladder chess", "'chess' gehört nicht zu 'tamsk', 'tayu'"),
    ("engine ladder", "fehlt. Möglich sind: 'tamsk', 'tayu'"),
    ("engine ladder tamsk --gamse 1", "Die Option '--gamse' gibt es nicht. Ist eines davon gemeint: '--games',"),
    ("engine ladder tamsk --neighbours=1", "Die Option '--neighbours' nimmt keinen Wert an."),
    ("engine ladder tamsk --games", "Die Option '--games' braucht einen Wert."),
    ("engine ladder tamsk tayu", "Ein Argument ist zu viel (tayu)"),
    ("engine ladder tamsk tayu tau", "Diese Argumente sind zu viel (tayu tau)"),
    ("tournament split --groups x", "Unzulässiger Wert für '--groups': 'x' ist keine ganze Zahl."),
    ("tournament split", "Die Option '--groups' fehlt."),
    ("sheet chek x", "Den Befehl 'chek' gibt es nicht. Ist 'check' gemeint?"),
    ("gess", "Den Befehl 'gess' gibt es nicht. Ist 'guess' gemeint?"),
    ("./partie.sgf", "Den Befehl './partie.sgf' gibt es nicht."),
    ("it's", """Den Befehl "it's" gibt es nicht."""),
    ("engine --", "Der Befehl fehlt."),
    ("tournament new x --no-balance=1", "Die Option '--no-balance' nimmt keinen Wert an."),
    ("--words= engine list", "'' gibt es nicht."),
    ("--words /dev/null/ engine list", "'/dev/null/' gibt es nicht."),
    (f"--words {'x' * 300} engine list", "gibt es nicht."),
    ("--words nowhere engine list", "'--words' (Umgebungsvariable: 'GNOMON_WORDS'): 'nowhere' gibt es nicht."),
    ("relay --tls-key x", "--tls-key braucht --tls-certificate."),
    ("tournament new --system knockout Abend", "wie viele Runden es werden (K.-o.-System)"),
    ("rules chess", "chess"),
    ("--words nowhere sheet", "'nowhere' gibt es nicht."),
    ("--nothing", "Die Option '--nothing' gibt es nicht."),
]


@pytest.mark.parametrize(("given", "told"), WRONG)
def test_wrong_usage_is_refused_in_the_language_of_the_run(given: str, told: str) -> None:
    found = CliRunner().invoke(main, ["--language", "de", *given.split()])
    assert found.exit_code == 2
    assert told in found.stderr
    assert found.stdout == ""
    assert "Fehler: " in found.stderr
    assert re.search(r"Error|Usage|Invalid|Try", found.stderr) is None


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("check-config nowhere.toml --board tamsk", "Eines davon angeben: FILE"),
        ("--variant round --board tamsk", "--variant des Bretts tamsk ist eine von"),
        ("--spectator-delay nan", "Unzulässiger Wert für '--spectator-delay': 'nan' ist keine Zahl."),
        ("--spectator-delay -1", "-1 liegt nicht im Bereich 0<=x<=3600."),
        ("wiring", "Die Option '--out' fehlt."),
        ("--tls-key x", "--tls-key braucht --tls-certificate."),
    ],
)
def test_the_daemon_refuses_in_the_language_of_the_run(given: str, told: str) -> None:
    found = CliRunner().invoke(daemon, ["--language", "de", *given.split()])
    assert (found.exit_code, told in found.stderr) == (2, True), found.stderr


def test_of_several_values_the_wrong_one_is_named(tmp_path: Path) -> None:
    @localized.command()
    @localized.option("--at", type=int, multiple=True)
    @localized.argument("files", type=click.Path(exists=True, dir_okay=False), nargs=-1)
    def look(at: tuple[int, ...], files: tuple[str, ...]) -> None: ...

    here = tmp_path / "here"
    here.write_text("")
    assert "'three' is not a whole number." in CliRunner().invoke(look, ["--at", "2", "--at", "three"]).output
    assert f"'{tmp_path}' is a directory." in CliRunner().invoke(look, [str(here), str(tmp_path)]).output
    assert "'gone' does not exist." in CliRunner().invoke(look, ["gone"]).output


@pytest.mark.parametrize(
    ("kind", "value", "why"),
    [
        (click.IntRange(max=3), "4", "4 is not in the range x<=3."),
        (click.FloatRange(0, 1), "2", "2 is not in the range 0<=x<=1."),
        (click.Path(exists=True, file_okay=False), __file__, f"'{__file__}' is a file."),
        (click.UUID, "x", "'x' is not a valid UUID."),  # of a kind that no option of ours has: click's own words
    ],
)
def test_why_a_value_cannot_be_taken(kind: click.ParamType[object], value: str, why: str) -> None:
    @localized.command()
    @localized.argument("given", type=kind)
    def take(given: object) -> None: ...

    assert f"Error: Invalid value for 'GIVEN': {why}" in CliRunner().invoke(take, [value]).output
