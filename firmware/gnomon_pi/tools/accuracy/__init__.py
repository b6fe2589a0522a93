"""Measurement of this machine's timing accuracy with a board, and the report of it."""

from gnomon_pi.tools.accuracy._idle import rate, watch_at_rest
from gnomon_pi.tools.accuracy.report import Answers, Findings, answers_in, machine_facts, report

__all__ = ["Answers", "Findings", "answers_in", "machine_facts", "rate", "report", "watch_at_rest"]
