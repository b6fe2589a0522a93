"""Test that every tie-break is said in every language, with what its modifiers do."""

import pytest

from gnomon.tournament.tiebreaks.direct_encounter import GROUP_TIE_BREAKS
from gnomon.tournament.tiebreaks.values import TIE_BREAKS
from gnomon.web._tie_breaks import tie_break_text
from gnomon.words import LANGUAGES, words


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tie_break_is_said_and_no_two_are_said_alike(language: str) -> None:
    texts = {name: tie_break_text(name, words(language)) for name in (*GROUP_TIE_BREAKS, *TIE_BREAKS)}
    assert all(texts.values())
    assert len(set(texts.values())) == len(texts)


def test_modifiers_follow_what_they_change() -> None:
    say = words("en")
    assert tie_break_text("BHC3P", say) == (
        "Buchholz, the points of all opponents; without the 3 lowest; forfeits counted as games"
    )
    assert tie_break_text("BHC1", say) == "Buchholz without the lowest opponent"
    assert tie_break_text("PSC3", say).endswith("; without the first 3 rounds")
    assert tie_break_text("AROM1", say).endswith("; without the highest and the lowest")
    assert tie_break_text("KSL-3", say).endswith("; the limit moved by -1½")
    assert tie_break_text("AOBF", say) == "average Buchholz of opponents; with fore-Buchholz"
    assert tie_break_text("RTNGR", say) == "rating; the other way round"
