"""Read lessons, which are data, and judge the answers to their steps by the rules of any game."""

from gnomon.lessons._judge import Answer, Scene, Verdict, is_last, judge, scene
from gnomon.lessons._lesson import Goal, Lesson, LessonError, Step
from gnomon.lessons._shelf import faults, faults_of, find_lesson, lessons_of, register, taught_games, unregister

__all__ = [
    "Answer",
    "Goal",
    "Lesson",
    "LessonError",
    "Scene",
    "Step",
    "Verdict",
    "faults",
    "faults_of",
    "find_lesson",
    "is_last",
    "judge",
    "lessons_of",
    "register",
    "scene",
    "taught_games",
    "unregister",
]
