"""Wiring tables, drawings and parts lists for builders, generated from a board description."""

from gnomon_pi.tools.wiring._netlist import WiringError
from gnomon_pi.tools.wiring.files import bundled_files, files, title
from gnomon_pi.tools.wiring.kicad.files import board_files

__all__ = ["WiringError", "board_files", "bundled_files", "files", "title"]
