"""The points with even luck in a published site: all of them, though nobody has looked at the hall's pages before."""

from pathlib import Path

import pytest

from gnomon.web.director import LUCK
from gnomon.web.publication import Publication, publish
from tests.web_director.houses import DirectorHouse
from tests.web_director.test_even_luck import played, rows


def test_a_site_waits_until_the_luck_in_every_game_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    data, site = tmp_path / "data", tmp_path / "site"
    data.mkdir()
    house = DirectorHouse(data)
    try:
        played(house)
        written = publish(Publication(str(data), site, ("en", "fr")))
        page = (site / "tournaments/open/standings/index.html").read_text(encoding="utf-8")
        assert len(rows(page)) == 4
        assert "still being worked out" not in page
        assert "ne décide jamais" in (site / "fr/tournaments/open/standings/index.html").read_text(encoding="utf-8")
        assert len((data / LUCK).read_text(encoding="utf-8").splitlines()) == 2
        again = publish(Publication(str(data), site, ("en", "fr")))
        assert (again.files, again.changed) == (written.files, 0)
    finally:
        house.close()
