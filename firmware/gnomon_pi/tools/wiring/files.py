"""Generate the builder's files for a board: tables, drawings and parts lists, by file name."""

from collections.abc import Mapping
from importlib import resources
from string import digits
from typing import Final

from gnomon.rules.kinds import load
from gnomon.rules.registry import kind_of
from gnomon_pi.config import parse_board
from gnomon_pi.config.description import BOARDS, TABLE, BoardDescription
from gnomon_pi.tools.wiring._blocks import place_drawing, wiring_drawing
from gnomon_pi.tools.wiring._breadboard import breadboard_drawing, one_space
from gnomon_pi.tools.wiring._nets import netlist
from gnomon_pi.tools.wiring._pinout import pinout_drawing
from gnomon_pi.tools.wiring._tables import FOREWORD, parts_csv, parts_document, parts_lines, wiring_tables
from gnomon_pi.tools.wiring.kicad.files import BOARD_FOREWORD, BOARD_NOTE, board_lines, boards_of

_TOML: Final = ".toml"


def files(description: BoardDescription, name: str) -> Mapping[str, str]:
    """The files by their names; `name` is what people call the board. Raises WiringError.

    Of a board that is tried in parts there is a breadboard instead: it has no plugs, and its chips need no buffer.
    """
    if description.only:
        return {"breadboard.svg": breadboard_drawing(one_space(description), name)}
    nets = netlist(description)
    built = boards_of(description)
    lines = parts_lines(description, nets) if built is None else board_lines(description, built)
    foreword = FOREWORD if built is None else BOARD_FOREWORD
    wiring = wiring_tables(description, nets, name)
    texts = {
        "wiring.md": wiring if built is None else wiring.replace("\n\n", f"\n\n{BOARD_NOTE}\n", 1),
        "wiring.svg": wiring_drawing(description, nets, name),
        "header.svg": pinout_drawing(description, nets, name),
        "parts.md": parts_document(nets, name, lines, foreword),
        "parts.csv": parts_csv(lines),
    }
    if description.sensors is not None:
        texts["place.svg"] = place_drawing(description.sensors, nets, name)
    return texts


def title(stem: str) -> str:
    """What people call a board, from the name of its description: `tamsk-no-lights` is TAMSK, no lights."""
    name, _, variant = stem.partition("-")
    board = name.rstrip(digits)
    side = name.removeprefix(board)
    if board == TABLE:
        name = board.capitalize()
    elif board in BOARDS:
        name = load(kind_of(board).show).title + (f", {side} × {side}" if side else "")
    return f"{name}, {variant.replace('-', ' ')}" if variant else name


def bundled_files() -> Mapping[str, str]:
    """Those of every description that comes with the program: `wiring/tamsk/header.svg`, `parts/tamsk.csv`."""
    texts: dict[str, str] = {}
    for name, text in bundled_descriptions().items():
        stem = name.removesuffix(_TOML)
        for file, content in files(parse_board(text, name), title(stem)).items():
            what, _, ending = file.partition(".")
            texts[f"parts/{stem}.{ending}" if what == "parts" else f"wiring/{stem}/{file}"] = content
    return texts


def bundled_descriptions() -> Mapping[str, str]:
    """The text of every description that comes with the program, by the name of its file."""
    folder = resources.files("gnomon_pi") / "boards"
    found = sorted(file.name for file in folder.iterdir() if file.name.endswith(_TOML))
    return {name: (folder / name).read_text(encoding="utf-8") for name in found}
