"""List the names that `import gnomon` offers, and import each when it is first asked for (PEP 562)."""

from importlib import import_module, metadata
from typing import Final

HOMES: Final = {
    # Rules
    "load_rules": "gnomon.rules.registry:rules_of",
    "IllegalMoveError": "gnomon.rules.protocol",
    "NotationError": "gnomon.rules.protocol",
    "Outcome": "gnomon.rules.protocol",
    "RulesError": "gnomon.rules.protocol",
    "SettingsError": "gnomon.rules.protocol",
    # A game with its referee
    "begin": "gnomon.referee.games",
    "tell": "gnomon.referee.games",
    "CorrectionError": "gnomon.referee.errors",
    "Temperament": "gnomon.referee.judgement",
    "effects": "gnomon.referee.effects:",
    "events": "gnomon.referee.events:",
    "rulings": "gnomon.referee.rulings:",
    "Instant": "gnomon.timekeeping.instants",
    "Duration": "gnomon.timekeeping.instants",
    # What people are shown
    "sentence": "gnomon.views.sentences",
    "summary": "gnomon.views.summary",
    # Records
    "Journal": "gnomon.records.journal.writer",
    "JournalError": "gnomon.records.journal.writer",
    "read_games": "gnomon.records.files:stored_games",
    "read_game": "gnomon.records.files:stored_game",
    "bundle": "gnomon.records.bundles",
    "difference": "gnomon.records.bundles",
    "import_trace": "gnomon.records.imports",
    "read_bundle": "gnomon.records.bundles",
    "read_trace": "gnomon.records.formats.traces",
    "replay": "gnomon.records.formats.trace_rulings:rulings",
    "transcribe": "gnomon.records.transcripts:transcript",
    "Sheet": "gnomon.records.formats.sheets",
    "read_sheet": "gnomon.records.formats.sheets",
    "read_sheets": "gnomon.records.files",
    "format_sheet": "gnomon.records.formats.sheets:sheet_text",
    "read_sgf": "gnomon.records.formats.sgf_sheets",
    "format_sgf": "gnomon.records.formats.sgf_sheets:sgf_text",
}
"""Where each name comes from: a module, after a colon its name there, where that is another one; or a whole module."""


def load(name: str) -> object:
    """What the package offers by this name. Raises AttributeError."""
    match name:
        case "__all__":
            return ["__version__", *HOMES]
        case "__version__":
            return metadata.version("gnomon")
        case _ if name in HOMES:
            module, colon, there = HOMES[name].partition(":")
            found = import_module(module)
            return found if colon and not there else getattr(found, there or name)
        case _:
            message = f"module 'gnomon' has no attribute {name!r}"
            raise AttributeError(message)
