"""Board descriptions: TOML files parsed and validated into frozen values."""

from gnomon_pi.config.bundles import bundled, bundled_sizes, bundled_text, variants
from gnomon_pi.config.reading import BoardError, Examined, described, examined, load, written

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
