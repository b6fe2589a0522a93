"""Analyse recorded games: what each turn was worth, the better line, accuracy, luck, and puzzles.

`analyse` values the turns of a score sheet by an engine and gives an `Analysis`. `codec` writes one as JSON and reads
it again, `report` tells it in text, `chart` draws the chance of winning, `commented_sgf` writes it into the game as
variations and comments, and `puzzles` finds positions in which one move alone wins.
"""

from gnomon.analysis._engine_values import Effort, Progress, analyse
from gnomon.analysis._game_analysis import AnalysedTurn, Analysis, Cost, CostKind, Forecast, Luck, SpentGlass, Value

__all__ = [
    "AnalysedTurn",
    "Analysis",
    "Cost",
    "CostKind",
    "Effort",
    "Forecast",
    "Luck",
    "Progress",
    "SpentGlass",
    "Value",
    "analyse",
]
