"""Who may do what with a tournament: every address as every role."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.routing import Route

from gnomon.web.access import Role, refuse_open_actions
from gnomon.web.access.gate import role_of
from gnomon.web.director import routes
from tests.web_director.houses import DirectorHouse

ARBITERS_MAY = {
    "/desk/start",
    "/desk/pause",
    "/desk/more",
    "/desk/set",
    "/results/enter",
    "/results/accept",
    "/tables/places",
    "/door/check-in",
    "/door/check-out",
}
ABSENT = ("/open/teams", "/print/boards", "/print/lineups", "/open/games/")
"""What there is only where teams play, and where games were recorded."""
BY_CODE = "/my/{code}/result"
ROLES = (Role.SPECTATOR, Role.PLAYER, Role.ARBITER, Role.DIRECTOR, Role.ADMIN)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DirectorHouse]:
    house = DirectorHouse(Path(tmp_path_factory.mktemp("roles")))
    house.tournament()
    house.publish()
    yield house
    house.close()


def addresses(house: DirectorHouse, *, post: bool) -> list[tuple[str, Role | None]]:
    """Every address of the tournament, with the role that it needs."""
    found = []
    for route in routes(house.office):
        assert isinstance(route, Route)
        is_post = "POST" in (route.methods or ())
        if is_post == post:
            path = route.path.replace("{name}", "open").replace("{number:number}", "1").replace("{file}", "results.csv")
            path = path.replace("{code}", _code(house))
            if "{game}" not in path:  # nobody has played one here: see tests/web_publication/test_published_games.py
                found.append((path, role_of(route.endpoint)))
    return found


def _code(house: DirectorHouse) -> str:
    return house.hall.player_codes("open")[1]


def test_no_address_lets_anybody_change_anything(hall: DirectorHouse) -> None:
    refuse_open_actions(routes(hall.office))
    actions = dict(addresses(hall, post=True))
    assert len(actions) > 25
    # Anyone who has a player's code may speak for that player: see tests/web_director/test_players_phones.py.
    assert [path for path, role in actions.items() if role is Role.SPECTATOR] == [BY_CODE.format(code=_code(hall))]
    arbiters = {path.removeprefix("/tournaments/open") for path, role in actions.items() if role is Role.ARBITER}
    assert arbiters == ARBITERS_MAY
    assert {role for path, role in actions.items()} == {Role.SPECTATOR, Role.ARBITER, Role.DIRECTOR}


@pytest.mark.parametrize("role", ROLES)
def test_every_action_is_refused_to_who_may_not_and_to_nobody_else(hall: DirectorHouse, role: Role) -> None:
    person = hall.anybody() if role is Role.SPECTATOR else hall.person(role)
    before = len(hall.hall.book("open").read())
    for path, needed in addresses(hall, post=True):
        assert needed is not None
        status = person.send(path, wants="application/json").status_code if not role.may(needed) else 0
        assert status in {0, 401, 403}, f"{path} as {role}: {status}"
    assert len(hall.hall.book("open").read()) == before


@pytest.mark.parametrize("role", ROLES)
def test_every_page_is_shown_to_who_may_see_it(hall: DirectorHouse, role: Role) -> None:
    person = hall.anybody() if role is Role.SPECTATOR else hall.person(role)
    for path, needed in addresses(hall, post=False):
        if path.endswith(("/live", "/bracket")):
            continue
        status = person.get(path).status_code
        if needed is None or role.may(needed):
            assert status == (404 if any(part in path for part in ABSENT) else 200), f"{path} as {role}: {status}"
        else:
            assert status == (303 if role is Role.SPECTATOR else 403), f"{path} as {role}: {status}"


def test_a_form_of_another_page_does_nothing(hall: DirectorHouse) -> None:
    dora = hall.person(Role.DIRECTOR)
    answer = dora.send("/tournaments/open/entrants/add", name="Eve", csrf="0" * 64)
    assert answer.status_code == 403
    answer = dora.upload("/tournaments/open/entrants/read", "a.csv", b"name\nEve\n", csrf="0" * 64)
    assert answer.status_code == 403
    assert "Eve" not in dora.page("/tournaments/open/entrants")
