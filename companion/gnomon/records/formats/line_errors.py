"""Define the error for a line of a record that cannot be read."""

from gnomon.refusals import InvalidValueError, Statement, statement


class LineError(InvalidValueError):
    """A line of a record cannot be read; `line` is its number from 1."""

    def __init__(self, line: int, why: Statement) -> None:
        super().__init__(statement("records.line", line=line, why=why))
        self.line = line
