"""Board descriptions: TOML files parsed and validated into frozen values."""

from gnomon_pi.config.parser import (
    BoardError,
    Examined,
    bundled_sizes,
    bundled_text,
    examine_board,
    load,
    load_bundled,
    parse_board,
    read_board_text,
    variants,
)

__all__ = [
    "BoardError",
    "Examined",
    "bundled_sizes",
    "bundled_text",
    "examine_board",
    "load",
    "load_bundled",
    "parse_board",
    "read_board_text",
    "variants",
]
