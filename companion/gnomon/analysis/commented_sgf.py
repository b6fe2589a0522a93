"""Write a game as SGF with its analysis: comments at the turns, and the better lines as variations."""

from collections.abc import Sequence
from dataclasses import replace

from gnomon.analysis import report
from gnomon.analysis._game_analysis import AnalysedTurn, Analysis
from gnomon.records.formats.sgf_sheets import sgf_text
from gnomon.records.formats.sheets import Sheet, SheetLine
from gnomon.records.formats.turns import played_turns
from gnomon.rules.protocol import PlayedTurn, Rules
from gnomon.rules.registry import rules_of
from gnomon.words import Words


def commented_sgf(sheet: Sheet, analysis: Analysis, words: Words) -> str:
    """The text of the file. Raises ValueError for a game that SGF has no number for."""
    rules = rules_of(sheet.game, sheet.settings)
    lines = list(sheet.lines)
    variations: dict[int, Sequence[SheetLine]] = {}
    for played, turn in zip(played_turns(sheet), analysis.turns, strict=True):
        comment = tuple(_comments(analysis, turn, words))
        place = played.line - 1
        lines[place] = replace(lines[place], comment=lines[place].comment + comment)
        if turn.is_costly:
            variations[place] = _variation(rules, played, turn)
    remarks = (*sheet.remarks, *_summary(analysis, words))
    return sgf_text(replace(sheet, lines=tuple(lines), remarks=remarks), variations)


def _comments(analysis: Analysis, turn: AnalysedTurn, words: Words) -> Sequence[str]:
    told = []
    if turn.forecast is not None:
        chance = report.forecast_text(turn.forecast, words)
        told.append(words("page.named", name=report.chance_heading(analysis, words), value=chance))
    if turn.found:
        told.append(words("analysis.found.turn"))
    if turn.is_costly:
        told.append(report.costly_sentence(analysis, turn, words))
    return told


def _summary(analysis: Analysis, words: Words) -> Sequence[str]:
    told = [report.effort_text(analysis, words)]
    told += [report.accuracy_sentence(analysis, person, words) for person in range(len(analysis.seats))]
    luck = report.luck_sentences(analysis, words)
    return [*told, luck] if luck else told


def _variation(rules: Rules[object, object], played: PlayedTurn, turn: AnalysedTurn) -> Sequence[SheetLine]:
    """The better line from the position in which a turn began."""
    position, lines = played.before, []
    for text in turn.line:
        lines.append(SheetLine(text, rules.turn(position)))
        position = rules.play(position, rules.parse(position, text))
    return lines
