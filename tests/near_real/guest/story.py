"""Check one thing after another in a machine, and say on its console what was found."""

import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.near_real.records import Found, format_found

See = Callable[[object], None]


class Story:
    """What is checked under one name; a check that fails does not end it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.failures = 0

    @contextmanager
    def checked(self, what: str) -> Iterator[See]:
        """Check something; whatever is raised meanwhile says that it is not as it should be."""
        began = time.monotonic()
        seen: list[str] = []
        is_right = True
        try:
            yield lambda said: seen.append(str(said))
        except Exception as error:  # noqa: BLE001 - it is told
            is_right = False
            self.failures += 1
            seen.append(str(error) or type(error).__name__)
            traceback.print_exc()
        found = Found(self.name, what, is_right, "; ".join(seen), round(time.monotonic() - began, 1))
        print(format_found(found), flush=True)


def expect(condition: object, otherwise: object) -> None:
    """Raise AssertionError with what was seen unless the condition holds."""
    if not condition:
        raise AssertionError(otherwise)
