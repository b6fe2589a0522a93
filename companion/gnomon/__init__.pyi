from gnomon.records.bundles import bundle, difference, read_bundle
from gnomon.records.files import read_sheets
from gnomon.records.files import stored_game as read_game
from gnomon.records.files import stored_games as read_games
from gnomon.records.formats.sgf_sheets import read_sgf
from gnomon.records.formats.sgf_sheets import sgf_text as format_sgf
from gnomon.records.formats.sheets import Sheet, read_sheet
from gnomon.records.formats.sheets import sheet_text as format_sheet
from gnomon.records.formats.trace_rulings import rulings as replay
from gnomon.records.formats.traces import read_trace
from gnomon.records.imports import import_trace
from gnomon.records.journal.writer import Journal, JournalError
from gnomon.records.transcripts import transcript as transcribe
from gnomon.referee import effects, events, rulings
from gnomon.referee.errors import CorrectionError
from gnomon.referee.games import begin, tell
from gnomon.referee.judgement import Temperament
from gnomon.rules.protocol import IllegalMoveError, NotationError, Outcome, RulesError, SettingsError
from gnomon.rules.registry import rules_of as load_rules
from gnomon.timekeeping.instants import Duration, Instant
from gnomon.views.sentences import sentence
from gnomon.views.summary import summary

__all__ = [
    "CorrectionError",
    "Duration",
    "IllegalMoveError",
    "Instant",
    "Journal",
    "JournalError",
    "NotationError",
    "Outcome",
    "RulesError",
    "SettingsError",
    "Sheet",
    "Temperament",
    "__version__",
    "begin",
    "bundle",
    "difference",
    "effects",
    "events",
    "format_sgf",
    "format_sheet",
    "import_trace",
    "load_rules",
    "read_bundle",
    "read_game",
    "read_games",
    "read_sgf",
    "read_sheet",
    "read_sheets",
    "read_trace",
    "replay",
    "rulings",
    "sentence",
    "summary",
    "tell",
    "transcribe",
]

__version__: str
