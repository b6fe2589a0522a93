"""Commands whose help, and whose messages about wrong usage, are in the language of a run.

What click is given as a help text is the key of an entry, as `option.engine.levels`.
"""

from gnomon.cli.localized._commands import Argument, Command, Group, Option, argument, command, group, option, section
from gnomon.cli.localized._language import folder_option, language_option, words_option
from gnomon.cli.localized._usage import WrongUsageError

__all__ = [
    "Argument",
    "Command",
    "Group",
    "Option",
    "WrongUsageError",
    "argument",
    "command",
    "folder_option",
    "group",
    "language_option",
    "option",
    "section",
    "words_option",
]
