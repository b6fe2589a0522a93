"""Where phones find the board: the address that it tells, and the code on its display."""

from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from gnomon.referee.games import begin
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.views import qr
from gnomon.views.display import oled
from gnomon.views.display.panes import HEIGHT, NOTICE_TIME, SIZE
from gnomon.web.server.listener import PLAIN, Listener, Way
from gnomon_pi.runtime.health import Health
from gnomon_pi.runtime.outputs import Devices, Outputs

START: Final = Instant(0)
HOUSE: Final = "http://192.168.1.7:8765/"
EVERYWHERE: Final = "0.0.0.0"
TOO_LONG: Final = "http://[2001:db8:1234:5678:9abc:def0:1234:5678]:8765/"
NETWORKS: Final = st.one_of(
    st.builds(lambda a, b: f"http://192.168.{a}.{b}:8765/", st.integers(0, 255), st.integers(1, 254)),
    st.builds(lambda a, b, c: f"http://10.{a}.{b}.{c}:65535/", *[st.integers(0, 255)] * 3),
    st.builds(lambda name: f"https://{name}.local:8765/", st.from_regex(r"[a-z][a-z0-9-]{0,15}", fullmatch=True)),
)


def modules(picture: Image.Image, size: int) -> tuple[tuple[bool, ...], ...]:
    """The modules of a code in the light square of the display, read from all of their pixels."""
    side = oled.PIXELS
    edge = (HEIGHT - side * size) // 2
    rows = []
    for top in range(size):
        row = []
        for left in range(size):
            at = (edge + side * left, edge + side * top)
            inks = {picture.getpixel((at[0] + x, at[1] + y)) for x in range(side) for y in range(side)}
            assert len(inks) == 1
            row.append(inks == {0})
        rows.append(tuple(row))
    return tuple(rows)


@pytest.mark.untraced
@given(NETWORKS)
def test_the_display_shows_every_module_of_the_code_with_light_around_it(address: str) -> None:
    code = qr.code(address)
    picture = oled.invitation(address, None)
    assert picture is not None
    assert picture.size == SIZE
    assert modules(picture, len(code)) == code
    edge = (HEIGHT - oled.PIXELS * len(code)) // 2
    assert edge >= oled.PIXELS * oled.LEAST_QUIET
    frame = picture.crop((0, 0, HEIGHT, HEIGHT)).convert("L")
    frame.paste(255, (edge, edge, HEIGHT - edge, HEIGHT - edge))
    assert frame.getextrema() == (255, 255)


def test_a_code_has_its_three_corners_and_none_where_a_fourth_would_be() -> None:
    code = qr.code(HOUSE)
    last = len(code) - 7
    corners = [[row[left : left + 7] for row in code[top : top + 7]] for top, left in ((0, 0), (0, last), (last, 0))]
    assert corners[0] == corners[1] == corners[2]
    assert [row[last:] for row in code[last:]] != corners[0]


def test_an_address_of_a_page_keeps_its_letters_and_that_of_a_house_is_coded_shorter() -> None:
    assert len(qr.code(HOUSE)) == 21
    assert qr.code(HOUSE) == qr.code(HOUSE.removesuffix("/"))
    assert qr.code(f"{HOUSE}board") != qr.code(f"{HOUSE}Board")


def test_the_picture_for_pages_has_a_square_for_every_dark_module() -> None:
    code = qr.code(HOUSE)
    svg = qr.svg(code)
    assert svg.count("h1v1h-1z") == sum(map(sum, code))
    assert 'viewBox="0 0 29 29"' in svg


def test_without_an_address_or_with_one_too_long_for_a_code_the_display_says_it_in_words() -> None:
    plain = oled.screen(None, START)
    assert oled.screen(None, START, (), TOO_LONG).tobytes() == plain.tobytes()
    assert oled.screen(None, START, (), HOUSE).tobytes() != plain.tobytes()


def test_trouble_of_the_board_is_told_beside_the_code() -> None:
    turns = [Instant(0), Instant(NOTICE_TIME)]
    quiet, told = (oled.screen(None, now, ("Lights: no answer.",), HOUSE) for now in turns)
    assert modules(quiet, 21) == modules(told, 21) == qr.code(HOUSE)
    assert quiet.tobytes() != told.tobytes()


@dataclass
class Paper:
    """A display that keeps what it is shown."""

    shown: list[Image.Image] = field(default_factory=list)

    def show(self, picture: Image.Image) -> None:
        self.shown.append(picture)


def test_the_board_invites_only_while_there_is_no_game_and_asks_for_the_address_each_time() -> None:
    paper, addresses = Paper(), ["", HOUSE]
    show = Outputs(Devices(None, paper, None), Health(lambda: None))  # type: ignore[arg-type]  # a display needs no more
    show.invite(lambda: addresses[0])
    for second in range(2):
        show.redraw(Instant(second * SECOND))
        show.draw(None, Instant(second * SECOND))
        addresses.reverse()
    game = begin("tabik", {})
    show.redraw(Instant(2 * SECOND))
    show.draw(game, Instant(2 * SECOND))
    expected = [oled.screen(None, START), oled.screen(None, START, (), HOUSE), oled.screen(game, Instant(2 * SECOND))]
    assert [picture.tobytes() for picture in paper.shown] == [picture.tobytes() for picture in expected]


# The address for phones


@pytest.mark.parametrize(
    ("host", "way", "told"),
    [
        ("127.0.0.1", PLAIN, ""),
        ("localhost", PLAIN, ""),
        (EVERYWHERE, Way(names=("board.example.org",)), "http://board.example.org:{port}/"),
        (EVERYWHERE, Way(proxies=("127.0.0.1",)), ""),
    ],
)
def test_phones_are_told_what_they_can_reach(host: str, way: Way, told: str) -> None:
    with closing(Listener(host, 0, way)) as listener:
        assert listener.for_phones == told.format(port=listener.port)


def test_a_board_that_listens_everywhere_tells_its_number_or_its_name() -> None:
    with closing(Listener(EVERYWHERE, 0)) as listener:
        address = listener.for_phones
    assert address.startswith("http://")
    assert address.endswith(f":{listener.port}/")
    assert not address.startswith(("http://0.0.0.0", "http://127."))


def test_a_certificate_is_for_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Way, "check", lambda _: None)  # a certificate is not read before somebody asks
    monkeypatch.setattr("socket.gethostname", lambda: "gnomon")
    with closing(Listener(EVERYWHERE, 0, Way(certificate=tmp_path / "board.crt"))) as listener:
        assert listener.for_phones == f"https://gnomon.local:{listener.port}/"
