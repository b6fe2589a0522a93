"""Read and write FIDE tournament report files (TRF16, TRF26)."""

from gnomon.tournament.trf._losses import TrfText, write_trf
from gnomon.tournament.trf._numbers import by_seeds
from gnomon.tournament.trf._reader import Imported, read_trf
from gnomon.tournament.trf.sheet import Remark, TrfEdition, TrfError

__all__ = [
    "Imported",
    "Remark",
    "TrfEdition",
    "TrfError",
    "TrfText",
    "by_seeds",
    "read_trf",
    "write_trf",
]
