"""Read and write FIDE tournament report files (TRF16, TRF26)."""

from gnomon.tournament.formats.trf._columns import RoundColumn
from gnomon.tournament.formats.trf._course import course_of
from gnomon.tournament.formats.trf._losses import TrfText, has_report, write_trf
from gnomon.tournament.formats.trf._numbers import by_seeds
from gnomon.tournament.formats.trf._reader import Imported, read_trf
from gnomon.tournament.formats.trf.sheet import Remark, TrfEdition, TrfError

__all__ = [
    "Imported",
    "Remark",
    "RoundColumn",
    "TrfEdition",
    "TrfError",
    "TrfText",
    "by_seeds",
    "course_of",
    "has_report",
    "read_trf",
    "write_trf",
]
