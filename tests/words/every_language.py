"""Tell every refusal that the tests of a package raise in every language, with the values it was raised with."""

from collections.abc import Iterator

import pytest

from gnomon.refusals import Refusal, Statement, clause
from gnomon.words import LANGUAGES, words


@pytest.fixture(scope="module", autouse=True)
def told_in_every_language() -> Iterator[None]:
    """Fail where an entry does not take what a refusal gives it; each key is told once a module and kind of value."""
    raised, known = Refusal.__init__, set[tuple[str, ...]]()

    def told(self: Refusal, why: Statement | Refusal | str) -> None:
        raised(self, why)
        kind = (self.statement.key, *(type(each).__name__ for each in self.statement.values.values()))
        if kind not in known:
            known.add(kind)
            for language in LANGUAGES:
                text = clause(self.statement, words(language))
                assert text
                assert "Statement(" not in text

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Refusal, "__init__", told)
        yield
