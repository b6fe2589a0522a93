"""Test that the page on releases names the versions of this program, of its data formats and of its changelog."""

import re
import tomllib

from gnomon.hall.messaging.hall_topics import VERSION as MESSAGES
from gnomon.hall.store._schema import MIGRATIONS as HALL
from gnomon.records.formats.sheets import VERSION as SHEET
from gnomon.records.formats.traces import VERSION as TRACE
from gnomon.records.journal.store import MIGRATIONS as JOURNAL
from gnomon.referee.evidence import EDITIONS
from gnomon.web.access.store import VERSION as PEOPLE
from gnomon.web.api._description import ROOT as API
from tests.docs_examples.pages import ROOT, page, table

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]


def test_the_formats_have_the_versions_that_the_page_names() -> None:
    column = f"version in {VERSION}"
    named = {row["format"]: row[column] for row in table(page("releasing.md"), "format", column)}
    assert named == {
        "journal": str(len(JOURNAL)),
        "terms of evidence": str(len(EDITIONS) - 1),
        "trace and dispute bundle": str(TRACE),
        "score sheet": str(SHEET),
        "SGF": "FF[4]",
        "tournament file": "1",
        "hall's database": str(len(HALL)),
        "people and devices": str(PEOPLE),
        "messages of a hall": str(MESSAGES),
        "API of the pages": API.rpartition("/v")[2],
        "board description": "none",
    }


def test_the_changelog_is_in_release_form_with_this_version_first() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    releases = re.findall(r"^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$", text, re.MULTILINE)
    assert releases[0] == ("Unreleased", "")
    assert releases[1][0] == VERSION
    assert all(day for _, day in releases[1:])
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= kinds
    for release in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        found = re.findall(r"^### (.+)$", release, re.MULTILINE)
        assert len(found) == len(set(found)), release.splitlines()[0]
