"""An arbiter publishes a person in a browser, and takes it back; a stranger beside sees the page come and go."""

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from gnomon.web.access import Role
from gnomon.web.pages.players import link_to
from tests.bench_page.visits import PATIENCE
from tests.web.street import Street, opened

pytestmark = pytest.mark.browser

ZOE: Final = link_to("Zoë Kaya")
GUESTS: Final = {("empty", Role.ARBITER), ("empty", Role.SPECTATOR)}


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Street]:
    with opened(tmp_path_factory.mktemp("people"), GUESTS) as street:
        yield street


def window(browser: Browser, street: Street, role: Role) -> BrowserContext:
    """A window of somebody of that role."""
    context = browser.new_context(locale="en", service_workers="block")
    context.set_default_timeout(PATIENCE)
    for name, value in street.cookies["empty", role].items():
        context.add_cookies([{"name": name, "value": value, "url": street.address("empty")}])
    return context


def test_a_person_is_published_made_private_and_forgotten(browser: Browser, street: Street) -> None:
    site = street.address("empty")
    with window(browser, street, Role.ARBITER) as arbiter, window(browser, street, Role.SPECTATOR) as stranger:
        desk, phone = arbiter.new_page(), stranger.new_page()
        answer = phone.goto(f"{site}{ZOE}")
        assert answer is not None
        assert answer.status == 404
        desk.goto(f"{site}/players")
        desk.get_by_role("link", name="Zoë Kaya").click()
        desk.get_by_role("button", name="Let everybody see this page").click()
        expect(desk.get_by_role("button", name="Make this page private")).to_be_visible()
        phone.goto(f"{site}{ZOE}")
        expect(phone.get_by_role("heading", name="Zoë Kaya")).to_be_visible()
        expect(phone.get_by_text("people who are private")).to_be_visible()
        expect(phone.get_by_text("Émile Roux")).to_have_count(0)
        desk.get_by_role("button", name="Make this page private").click()
        expect(desk.get_by_role("button", name="Let everybody see this page")).to_be_visible()
        again = phone.goto(f"{site}{ZOE}")
        assert again is not None
        assert again.status == 404
        desk.get_by_text("Forget this person").click()
        desk.get_by_role("button", name="Forget Zoë Kaya").click()
        expect(desk.get_by_role("link", name="N. N. 1")).to_be_visible()
        expect(desk.get_by_text("Zoë Kaya")).to_have_count(0)
