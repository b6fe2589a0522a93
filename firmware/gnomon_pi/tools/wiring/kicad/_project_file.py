"""Write the rules that KiCad checks a board by: `.kicad_pro`."""

import json
from typing import Final

from gnomon_pi.tools.wiring.kicad._board import CircuitBoard

_RULES: Final = {
    "min_clearance": 0.15, "min_resolved_spokes": 1, "min_copper_edge_clearance": 0.4,
    "min_hole_clearance": 0.25, "min_hole_to_hole": 0.25,
    "min_through_hole_diameter": 0.3, "min_track_width": 0.15, "min_via_annular_width": 0.13,
    "min_via_diameter": 0.5, "min_silk_clearance": 0.0, "min_text_height": 0.7, "min_text_thickness": 0.1,
    "solder_mask_to_copper_clearance": 0.0,
}  # fmt: skip
# The land patterns and symbols stand in the files themselves, written from data sheets: there is no library of them
# that KiCad could compare them with. Everything else is an error, so that nobody has to weigh warnings.
# One spoke carries what a pad here draws; the ways do not rely on a pour alone.
_IGNORED: Final = ("lib_footprint_issues", "lib_footprint_mismatch")
_IGNORED_IN_CIRCUITS: Final = ("lib_symbol_issues", "footprint_link_issues", "lib_symbol_mismatch")


def project_text(board: CircuitBoard) -> str:
    """The file."""
    return json.dumps(
        {
            "board": {"design_settings": {"rules": _RULES, "rule_severities": dict.fromkeys(_IGNORED, "ignore")}},
            "erc": {"rule_severities": dict.fromkeys(_IGNORED_IN_CIRCUITS, "ignore")},
            "meta": {"filename": f"{board.name}.kicad_pro", "version": 3},
            "net_settings": {
                "classes": [
                    {
                        "name": "Default", "clearance": 0.15, "track_width": 0.2, "via_diameter": 0.6,
                        "via_drill": 0.3, "priority": 2147483647,
                    }
                ],
                "meta": {"version": 4},
            },
            "sheets": [],
        },
        indent=2,
    ) + "\n"  # fmt: skip
