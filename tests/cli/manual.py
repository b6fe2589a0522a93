"""Write the manual pages and the shell completions of both commands from click's help (`make docs`).

They stand in docs/man and docs/completion, from where the wheel takes them: building it needs none of our libraries.
"""

import re
from collections.abc import Iterator, Mapping
from inspect import cleandoc
from pathlib import Path
from typing import Final

import click
from click.shell_completion import ShellComplete, get_completion_class

from gnomon.cli import main as gnomon
from gnomon_pi.cli.daemon import main as gnomond

ROOT: Final = Path(__file__).parents[2]
PROGRAMS: Final[Mapping[str, click.Group]] = {"gnomon": gnomon, "gnomond": gnomond}
COMPLETIONS: Final[Mapping[str, str]] = {"bash": "{}.bash", "zsh": "_{}", "fish": "{}.fish"}
"""By shell: the name of the file in which it looks for the completion of a command."""
_UNWRAPPED: Final = "\b"  # with it click keeps the lines of a paragraph as they are


def files() -> Iterator[tuple[Path, str]]:
    """Every file under docs, and what belongs into it."""
    for program, group in PROGRAMS.items():
        context = click.Context(group, info_name=program)
        commands = [command for name in group.list_commands(context) if (command := _command(context, name))]
        yield Path("man", f"{program}.1"), page(context, [each.info_name or "" for each in commands])
        for command in commands:
            yield Path("man", f"{program}-{command.info_name}.1"), page(command)
        for shell, file in COMPLETIONS.items():
            yield Path("completion", file.format(program)), _completion(shell, program, group)


def page(context: click.Context, pages: list[str] | None = None) -> str:
    """The manual page of a command with its subcommands; those in `pages` have a page of their own."""
    name = context.command_path.replace(" ", "-")
    command = context.command
    lines = [f'.TH "{name.upper()}" 1 "" Gnomon "Gnomon"', ".ad l", ".nh", ".SH NAME"]
    lines += [f"{_roff(name)} \\- {_roff(_first_sentence(command))}", ".SH SYNOPSIS", *_usage(context)]
    lines += [".SH DESCRIPTION", *_paragraphs(command.help or "")]
    lines += _options(context, ".SH OPTIONS")
    subcommands = _subcommands(context)
    if subcommands:
        lines.append(".SH COMMANDS")
    for each in subcommands:
        if pages is None:
            lines += [f".SS {_roff(each.command_path)}", *_usage(each), ".PP"]
            lines += [*_paragraphs(each.command.help or ""), *_options(each)]
        else:
            lines += [".TP", f"\\fB{_roff(each.info_name or '')}\\fR", _roff(_first_sentence(each.command))]
    program = context.find_root().info_name or ""
    others = [program] if context.parent else [f"{program}-{other}" for other in pages or ()]
    lines += [".SH SEE ALSO", ",\n".join(f"\\fB{_roff(other)}\\fR(1)" for other in others)]
    return "\n".join(lines) + "\n"


def _command(context: click.Context, name: str) -> click.Context | None:
    command = context.command.get_command(context, name) if isinstance(context.command, click.Group) else None
    return None if command is None or command.hidden else click.Context(command, parent=context, info_name=name)


def _subcommands(context: click.Context) -> list[click.Context]:
    names = context.command.list_commands(context) if isinstance(context.command, click.Group) else []
    return [found for name in names if (found := _command(context, name))]


def _usage(context: click.Context) -> list[str]:
    words = context.command.collect_usage_pieces(context)
    return [f"\\fB{_roff(context.command_path)}\\fR {_roff(' '.join(words))}".rstrip()]


def _options(context: click.Context, heading: str = "") -> list[str]:
    records = [record for each in context.command.get_params(context) if (record := each.get_help_record(context))]
    lines = [heading] if heading and records else []
    for names, said in records:
        if said and (heading or names != "--help"):  # an argument says nothing: its command does
            lines += [".TP", f"\\fB{_roff(names)}\\fR", _roff(said)]
    return lines


def _paragraphs(said: str) -> Iterator[str]:
    for number, paragraph in enumerate(cleandoc(said).split("\f")[0].strip().split("\n\n")):
        if number:
            yield ".PP"
        if paragraph.startswith(_UNWRAPPED):
            yield from (".nf", *map(_roff, paragraph.splitlines()[1:]), ".fi")
        else:
            yield _roff(" ".join(paragraph.split()))


def _first_sentence(command: click.Command) -> str:
    """What a command does, without its full stop."""
    paragraph = " ".join(cleandoc(command.help or "").split("\n\n")[0].split())
    return re.split(r"(?<=[^.])\.(?: |$)", paragraph, maxsplit=1)[0]


def _roff(said: str) -> str:
    """A line of text as roff reads it: a dot or a quotation mark at its beginning would be an order.

    A long list of choices may break after each.
    """
    escaped = said.replace("\\", "\\e").replace("-", "\\-").replace("|", "|\\:")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


def _completion(shell: str, program: str, group: click.Group) -> str:
    kind = get_completion_class(shell)
    if kind is None:
        message = f"click completes nothing in {shell}"
        raise ValueError(message)
    made = kind(group, {}, program, f"_{program.upper()}_COMPLETE")
    return f"{ShellComplete.source(made).strip()}\n"  # what the shell itself says of its version does not matter here


def write() -> None:
    """Write every file, and delete those that have become too many."""
    wanted = dict(files())
    for folder in ("man", "completion"):
        (ROOT / "docs" / folder).mkdir(exist_ok=True)
    for file in {path.relative_to(ROOT / "docs") for path in there()} - set(wanted):
        (ROOT / "docs" / file).unlink()
    for file, text in wanted.items():
        (ROOT / "docs" / file).write_text(text, encoding="utf-8")


def there() -> list[Path]:
    """The files that are there."""
    return sorted(path for folder in ("man", "completion") for path in (ROOT / "docs" / folder).glob("*"))


if __name__ == "__main__":
    write()
