"""Board descriptions: TOML files parsed and validated into frozen values."""

from gnomon_pi.config.reading import (
    BoardError,
    Examined,
    bundled,
    bundled_sizes,
    bundled_text,
    described,
    examined,
    load,
    variants,
    written,
)

__all__ = [
    "BoardError",
    "Examined",
    "bundled",
    "bundled_sizes",
    "bundled_text",
    "described",
    "examined",
    "load",
    "variants",
    "written",
]
