"""Define the colour names of pictures and their values in the light and the dark theme."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeAlias


class Colour(StrEnum):
    """What a colour is for; what it looks like is the theme's business."""

    # The sheet.
    PAPER = "paper"
    PANEL = "panel"
    INK = "ink"
    MUTED = "muted"
    FAINT = "faint"
    ACCENT = "accent"
    ON_ACCENT = "on-accent"
    HINT = "hint"  # a highlight on dark ground
    MARK = "mark"  # the last move

    # Boards.
    BOARD = "board"
    BOARD_ALT = "board-alt"
    BOARD_EDGE = "board-edge"
    BOARD_LINE = "board-line"
    BOARD_INK = "board-ink"

    # Players where a game gives them no colour.
    FIRST = "first"
    FIRST_EDGE = "first-edge"
    SECOND = "second"
    SECOND_EDGE = "second-edge"

    # Plates with wells, rings and hourglasses.
    FRAME = "frame"
    FRAME_SHADE = "frame-shade"
    PLATE = "plate"
    PLATE_CLOSED = "plate-closed"
    WELL = "well"
    WELL_INK = "well-ink"
    GROOVE = "groove"
    RING = "ring"
    RING_SHADE = "ring-shade"
    RING_LIGHT = "ring-light"
    RED = "red"
    BLACK = "black"
    RIM = "rim"  # around what stands on dark ground
    GLASS = "glass"
    SAND = "sand"
    SAND_SPENT = "sand-spent"

    # Stones, and rods between them.
    STONE_BLACK = "stone-black"
    STONE_BLACK_LIGHT = "stone-black-light"
    STONE_WHITE = "stone-white"
    STONE_WHITE_SHADE = "stone-white-shade"
    STONE_EDGE = "stone-edge"
    ROD = "rod"
    ROD_EDGE = "rod-edge"

    # Pencil on squared paper.
    GRAPH = "graph"
    PENCIL = "pencil"
    GROUP = "group"
    GROUP_EDGE = "group-edge"
    GROUP_INK = "group-ink"

    # Tiles with water on a meadow.
    MEADOW = "meadow"
    MEADOW_ALT = "meadow-alt"
    MEADOW_LINE = "meadow-line"
    TILE = "tile"
    TILE_EDGE = "tile-edge"
    TILE_SHADE = "tile-shade"
    BANK = "bank"
    WATER = "water"
    WATER_LIGHT = "water-light"

    # Inlaid squares, a route, and sticks that are thrown.
    INLAY = "inlay"
    INLAY_DEEP = "inlay-deep"
    ROUTE = "route"
    STICK = "stick"
    STICK_BACK = "stick-back"


Theme: TypeAlias = Mapping[Colour, str]

LIGHT: Final[Theme] = {
    Colour.PAPER: "#fbf8f1",
    Colour.PANEL: "#f1ebde",
    Colour.INK: "#20282c",
    Colour.MUTED: "#6a6f6d",
    Colour.FAINT: "#d9d0bd",
    Colour.ACCENT: "#0f766e",
    Colour.ON_ACCENT: "#ffffff",
    Colour.HINT: "#4fe3d0",
    Colour.MARK: "#e0592a",
    Colour.BOARD: "#ecd9b0",
    Colour.BOARD_ALT: "#e4cd9d",
    Colour.BOARD_EDGE: "#8a6230",
    Colour.BOARD_LINE: "#b9945a",
    Colour.BOARD_INK: "#7a5a2e",
    Colour.FIRST: "#1f4e79",
    Colour.FIRST_EDGE: "#0e2c49",
    Colour.SECOND: "#c2571a",
    Colour.SECOND_EDGE: "#6e2c08",
    Colour.FRAME: "#2a3338",
    Colour.FRAME_SHADE: "#c9bfaa",
    Colour.PLATE: "#4b5b63",
    Colour.PLATE_CLOSED: "#364147",
    Colour.WELL: "#1d262a",
    Colour.WELL_INK: "#93a3a9",
    Colour.GROOVE: "#3b4a52",
    Colour.RING: "#e3ab3f",
    Colour.RING_SHADE: "#7d5511",
    Colour.RING_LIGHT: "#f8d888",
    Colour.RED: "#cf2f36",
    Colour.BLACK: "#0d1113",
    Colour.RIM: "#f6ecd6",
    Colour.GLASS: "#dfe8ea",
    Colour.SAND: "#d9902a",
    Colour.SAND_SPENT: "#9aa3a5",
    Colour.STONE_BLACK: "#23282b",
    Colour.STONE_BLACK_LIGHT: "#4d565b",
    Colour.STONE_WHITE: "#fffdf7",
    Colour.STONE_WHITE_SHADE: "#d8cfbd",
    Colour.STONE_EDGE: "#23282b",
    Colour.ROD: "#c0392b",
    Colour.ROD_EDGE: "#5e150d",
    Colour.GRAPH: "#bcd3e2",
    Colour.PENCIL: "#3a4046",
    Colour.GROUP: "#ffe9a8",
    Colour.GROUP_EDGE: "#c99a1a",
    Colour.GROUP_INK: "#5c4304",
    Colour.MEADOW: "#d3dcb4",
    Colour.MEADOW_ALT: "#b5c48c",
    Colour.MEADOW_LINE: "#b4c08e",
    Colour.TILE: "#f6ebd2",
    Colour.TILE_EDGE: "#9c7a45",
    Colour.TILE_SHADE: "#d9c496",
    Colour.BANK: "#1d5c88",
    Colour.WATER: "#3f9bd0",
    Colour.WATER_LIGHT: "#a8daf2",
    Colour.INLAY: "#2b6e8f",
    Colour.INLAY_DEEP: "#a8342a",
    Colour.ROUTE: "#b08a50",
    Colour.STICK: "#f3e3bd",
    Colour.STICK_BACK: "#5f4020",
}

DARK: Final[Theme] = {
    **LIGHT,
    Colour.PAPER: "#14191c",
    Colour.PANEL: "#1e262a",
    Colour.INK: "#f0e9da",
    Colour.MUTED: "#a3a79f",
    Colour.FAINT: "#38434a",
    Colour.ACCENT: "#4fd1c1",
    Colour.ON_ACCENT: "#06211e",
    Colour.MARK: "#ff8a55",
    Colour.BOARD: "#4a3b28",
    Colour.BOARD_ALT: "#413321",
    Colour.BOARD_EDGE: "#a98450",
    Colour.BOARD_LINE: "#775d38",
    Colour.BOARD_INK: "#d9b980",
    Colour.FIRST: "#6db4ee",
    Colour.FIRST_EDGE: "#0b2a45",
    Colour.SECOND: "#f5965a",
    Colour.SECOND_EDGE: "#4a1d04",
    Colour.FRAME: "#2b353a",
    Colour.FRAME_SHADE: "#090c0d",
    Colour.PLATE: "#46555d",
    Colour.PLATE_CLOSED: "#313b41",
    Colour.WELL: "#141a1d",
    Colour.WELL_INK: "#8fa0a6",
    Colour.GROOVE: "#36444b",
    Colour.RED: "#f04c50",
    Colour.BLACK: "#07090a",
    Colour.STONE_BLACK: "#101416",
    Colour.STONE_BLACK_LIGHT: "#424c51",
    Colour.STONE_WHITE: "#f4eee0",
    Colour.STONE_WHITE_SHADE: "#b9b09d",
    Colour.STONE_EDGE: "#c9b48c",
    Colour.ROD: "#ff6a55",
    Colour.ROD_EDGE: "#3d0b05",
    Colour.GRAPH: "#2c4454",
    Colour.PENCIL: "#d5d8d6",
    Colour.GROUP: "#4f4114",
    Colour.GROUP_EDGE: "#d8ab32",
    Colour.GROUP_INK: "#ffe6a0",
    Colour.MEADOW: "#27332a",
    Colour.MEADOW_ALT: "#3b4c35",
    Colour.MEADOW_LINE: "#3a483a",
    Colour.TILE: "#75664a",
    Colour.TILE_EDGE: "#c6a468",
    Colour.TILE_SHADE: "#54482f",
    Colour.BANK: "#0a2436",
    Colour.WATER: "#3fa4de",
    Colour.WATER_LIGHT: "#b5e3f9",
    Colour.INLAY: "#6fc0e3",
    Colour.INLAY_DEEP: "#f0766a",
    Colour.ROUTE: "#8d6f42",
    Colour.STICK: "#e8d6ab",
    Colour.STICK_BACK: "#7a5730",
}
