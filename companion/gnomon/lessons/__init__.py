"""Read lessons, which are data, and judge the answers to their steps by the rules of any game."""

from gnomon.lessons._judge import Grade, JudgedAnswer, StepStart, is_last, is_turn, judge, step_start, way_to
from gnomon.lessons._lesson import Goal, Lesson, LessonError, LessonStep
from gnomon.lessons._shelf import faults, faults_of, find_lesson, lessons_of, register, taught_games, unregister

__all__ = [
    "Goal",
    "Grade",
    "JudgedAnswer",
    "Lesson",
    "LessonError",
    "LessonStep",
    "StepStart",
    "faults",
    "faults_of",
    "find_lesson",
    "is_last",
    "is_turn",
    "judge",
    "lessons_of",
    "register",
    "step_start",
    "taught_games",
    "unregister",
    "way_to",
]
