"""Read and write FIDE tournament report files (TRF16, TRF26)."""

from gnomon.tournament.trf.losses import Written, write_trf
from gnomon.tournament.trf.numbers import by_seeds
from gnomon.tournament.trf.reading import Imported, read_trf
from gnomon.tournament.trf.sheet import Edition, Remark, TrfError

__all__ = [
    "Edition",
    "Imported",
    "Remark",
    "TrfError",
    "Written",
    "by_seeds",
    "read_trf",
    "write_trf",
]
