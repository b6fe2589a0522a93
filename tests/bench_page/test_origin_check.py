"""Who may reach the bench: people at this machine, and no page from elsewhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.web.middleware.origin_check import HEADERS
from tests.bench_page.paper import PaperDesk, Visitor

LIFT = {"verb": "lift", "space": "D1"}


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8765", "127.0.0.1:8765", "[::1]:8765", "192.168.1.7", "LOCALHOST"]
)
def test_the_boards_own_addresses_are_answered(client: Visitor, host: str) -> None:
    assert client.get("/bench/", headers={"host": host}).status_code == 200


@pytest.mark.untraced
@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "[", "a b", "@127.0.0.1:x@"]
)
def test_a_foreign_name_that_points_here_is_refused(client: Visitor, controller: PaperDesk, host: str) -> None:
    assert client.get("/bench/", headers={"host": host}).status_code == 421
    assert client.post("simulation/hands", json=LIFT, headers={"host": host}).status_code == 421
    assert controller.asked == []


def test_a_further_name_of_this_machine_may_be_given(controller: PaperDesk) -> None:
    client = Visitor(controller, ("gnomon.local",), "http://gnomon.local")
    assert client.get("/bench/").status_code == 200
    assert client.get("/bench/", headers={"host": "other.local"}).status_code == 421


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "https://evil.example:8765", "null", "http://127.0.0.1:9999", "http://["]
)
def test_another_page_may_not_command(client: Visitor, controller: PaperDesk, origin: str) -> None:
    answer = client.post("simulation/hands", json=LIFT, headers={"origin": origin})
    assert (answer.status_code, answer.json()["error"]) == (403, "Another page may not command this board.")
    assert controller.asked == []


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_the_browser_knows_to_come_from_elsewhere_is_refused(
    client: Visitor, controller: PaperDesk, site: str
) -> None:
    assert client.post("simulation/hands", json=LIFT, headers={"sec-fetch-site": site}).status_code == 403
    assert controller.asked == []


def test_the_page_itself_may_command(client: Visitor) -> None:
    own = {"origin": "http://127.0.0.1:8765", "sec-fetch-site": "same-origin"}
    assert client.post("simulation/hands", json=LIFT, headers=own).status_code == 200


def test_a_program_without_an_origin_may_command(client: Visitor) -> None:
    assert client.post("simulation/hands", json=LIFT).status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_type_that_any_page_may_send_is_refused(client: Visitor, controller: PaperDesk, kind: str) -> None:
    answer = client.post("simulation/hands", content=b'{"verb": "lift", "space": "D1"}', headers={"content-type": kind})
    assert answer.status_code == 415
    assert controller.asked == []


@pytest.mark.parametrize("path", ["/bench/", "/static/controls.js", "/static/nothing.js", "simulation/hands"])
def test_every_answer_says_what_a_browser_may_do_with_it(client: Visitor, path: str) -> None:
    headers = client.get(path).headers
    assert headers["content-security-policy"] == HEADERS["Content-Security-Policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert "unsafe" not in HEADERS["Content-Security-Policy"]


@given(host=st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=20))
def test_no_host_header_whatever_breaks_the_guard(host: str) -> None:
    client = Visitor(PaperDesk())
    assert client.get("/bench/", headers={"host": host}).status_code in (200, 421)
