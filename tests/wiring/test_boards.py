"""Circuit boards without KiCad: they are the netlist, they are the same each time, and they fit what is printed."""

import re
from dataclasses import replace
from functools import cache
from itertools import combinations
from math import hypot
from pathlib import Path

import pytest
from click.testing import CliRunner

from gnomon_pi.cli.wiring import wiring
from gnomon_pi.config import load_bundled
from gnomon_pi.config.description import BoardDescription, Chain
from gnomon_pi.tools.wiring._netlist import WiringError
from gnomon_pi.tools.wiring.kicad import _head, _hub, _matrix, _space
from gnomon_pi.tools.wiring.kicad._assembly import Assembly, assemble
from gnomon_pi.tools.wiring.kicad._board import EDGE, CircuitBoard, Placed, Spot, ground_pour
from gnomon_pi.tools.wiring.kicad._copper import Piece, groups, pieces, touch
from gnomon_pi.tools.wiring.kicad._expression import Bare, dump, identity
from gnomon_pi.tools.wiring.kicad._order_lists import Shop, board_lines, cents_by_shop
from gnomon_pi.tools.wiring.kicad._panel import PIECES, orders, pieces_ordered
from gnomon_pi.tools.wiring.kicad._pcb_file import pcb_text
from gnomon_pi.tools.wiring.kicad._router import CLEARANCE, RoutingError, route
from gnomon_pi.tools.wiring.kicad._schematic_file import schematic_text
from gnomon_pi.tools.wiring.kicad._stock import FLAT, STOCK
from tests.hardware_folder.dimensions import HARDWARE, lengths
from tests.wiring.boards import board, nets_of
from tests.wiring.work import work_by_wire, work_on_boards

BUILT = {
    "tamsk-boards": ("tamsk", None, "boards"), "tayu-boards": ("tayu", 17, "boards"),
    "tayu19-boards": ("tayu", 19, "boards"), "table-clock": ("table", None, "clock"),
}  # fmt: skip
MM = lengths()
SMALL = ("strip-0", "strip-1", "strip-4", "hall", "end-101001", "end-111111")


def described(name: str) -> BoardDescription:
    return load_bundled(*BUILT[name])


@cache
def built(name: str) -> Assembly:
    return assemble(described(name), name, name)


@cache
def routed(name: str) -> CircuitBoard:
    return route(built("tamsk-boards").designs[name])


# The netlist


@pytest.mark.parametrize("name", BUILT)
def test_boards_and_cables_join_what_the_netlist_joins_and_nothing_else(name: str) -> None:
    made = built(name)
    assert frozenset(made.netlist.nets) <= frozenset(made.pads)
    assert made.conductors() == frozenset(map(frozenset, made.netlist.pins.values()))


def test_a_cable_that_is_turned_round_is_found() -> None:
    made = built("tamsk-boards")
    flat = next(cable for cable in made.cables if cable.kind == "flat")
    turned = flat._replace(
        pins=tuple(zip([one for one, _ in flat.pins], [other for _, other in flat.pins][::-1], strict=True))
    )
    wrong = replace(made, cables=tuple(turned if cable is flat else cable for cable in made.cables))
    assert wrong.conductors() != made.conductors()


def test_a_space_needs_its_strip_and_a_hub_has_eight() -> None:
    quantities = built("tamsk-boards").quantities
    assert [quantities[f"strip-{rings}"] for rings in (0, 1, 2, 3, 4)] == [1, 18, 12, 6, 1]
    assert quantities["hall"] == 38
    assert quantities["hub"] * _hub.TILES == described("tamsk-boards").sensors.registers == 40  # type: ignore[union-attr]  # it has sensors
    assert built("tayu-boards").quantities[_matrix.matrix_name(8)] * 8 + 1 == 17 * 17


@pytest.mark.parametrize("name", ["tamsk", "tamsk-single-pole", "tayu", "tamsk-expanders", "active high"])
def test_a_description_that_no_board_is_made_for_is_refused(name: str) -> None:
    with pytest.raises(WiringError) as refused:
        assemble(board(name), name, name)
    assert refused.value.args[0].key == "wiring.no_boards"


# Copper


@pytest.mark.parametrize("name", ["hub", "strip-1", "strip-4", "hall", "end-101001"])
def test_each_net_of_a_board_is_one_conductor_and_touches_no_other(name: str) -> None:
    made = routed(name)
    found = pieces(made)
    poured = {pour.net for pour in made.pours}
    for net in made.nets:
        if net not in poured:
            assert len(groups(piece for piece in found if piece.net == net)) == 1, net
    for one, other in combinations(found, 2):
        assert one.net == other.net or not touch(one, other)


def test_the_same_board_is_always_routed_alike() -> None:
    unrouted = built("tamsk-boards").designs["strip-2"]
    assert pcb_text(route(unrouted)) == pcb_text(route(unrouted))
    assert schematic_text(unrouted) == schematic_text(_space.strip(2))


def test_a_net_that_has_no_way_is_named() -> None:
    walled = CircuitBoard(
        "walled", "", 24, 8.5,
        (
            Placed("J1", FLAT, Spot(6, 4.5), 0, {"1": "across"}),
            Placed("J2", FLAT, Spot(18, 4.5), 0, {"1": "across"}),
        ),
        widths={"across": 9.0},
    )  # fmt: skip
    with pytest.raises(RoutingError, match="across"):
        route(walled)


def test_pieces_that_cross_or_overlap_touch_and_those_on_two_sides_do_not() -> None:
    across = Piece("a", ("F.Cu",), Spot(0, 1), Spot(2, 1), 0.1)
    along = Piece("b", ("F.Cu",), Spot(1, 0), Spot(1, 2), 0.1)
    assert touch(across, along)
    assert not touch(across, along._replace(sides=("B.Cu",)))
    assert not touch(across, along._replace(start=Spot(5, 0), end=Spot(5, 2)))


@pytest.mark.parametrize("name", SMALL)
def test_copper_keeps_away_from_the_edge_and_from_other_nets(name: str) -> None:
    made = routed(name)
    for track in made.tracks:
        for x, y in (track.start, track.end):
            assert min(x, y, made.width - x, made.height - y) >= EDGE + track.width / 2 - 1e-6
    for via in made.vias:
        for piece in pieces(made):
            if piece.net != via.net:
                assert piece.distance(*via.at) >= CLEARANCE + via.diameter / 2 - 1e-6


# Files


@pytest.mark.parametrize("name", [*SMALL, "hub"])
def test_a_file_has_each_part_with_its_nets(name: str) -> None:
    made = built("tamsk-boards").designs[name]
    text, sheet = pcb_text(made), schematic_text(made)
    for part in made.parts:
        assert f'"Reference" "{part.reference}"' in text
        assert f'(reference "{part.reference}")' in sheet
        assert identity("symbol", made.name, part.reference) in text
        assert identity("symbol", made.name, part.reference) in sheet
    assert text.count("(") == text.count(")")


def test_an_expression_is_written_as_kicad_reads_it() -> None:
    assert dump((Bare("net"), 1, 'a"b\\')) == '(net 1 "a\\"b\\\\")'
    assert dump((Bare("at"), 1.5, -0.0, 2)) == "(at 1.5 0 2)"
    assert dump((Bare("pts"),)) == "(pts)"
    assert dump(Bare("yes")) == "yes"


def test_the_command_writes_a_folder_for_each_board(tmp_path: object) -> None:
    words = ["--board", "table", "--variant", "clock", "--format", "kicad", "--out", str(tmp_path)]
    done = CliRunner().invoke(wiring, words)
    assert done.exit_code == 0
    names = {line.rpartition("/")[2] for line in done.output.splitlines()}
    assert names == {
        "carrier-table-clock.kicad_pro", "carrier-table-clock.kicad_sch", "carrier-table-clock.kicad_pcb", "bom.csv",
        "orders.csv", "pins.csv",
    }  # fmt: skip
    orders_of_it = Path(str(tmp_path)) / "kicad" / "orders.csv"
    assert orders_of_it.read_text(encoding="utf-8").splitlines()[1].startswith("carrier-table-clock,5,150,66,1.6,")


def test_the_command_refuses_boards_of_everything_and_of_what_has_none(tmp_path: object) -> None:
    for words, code, said in ((["--all"], 2, "one board at a time"), (["--board", "tamsk"], 1, "no circuit boards")):
        done = CliRunner().invoke(wiring, [*words, "--format", "kicad", "--out", str(tmp_path)])
        assert (done.exit_code, said in done.output) == (code, True)


# Panels and numbers


@pytest.mark.parametrize("name", ["tamsk-boards", "tayu-boards", "tayu19-boards"])
def test_five_pieces_of_each_order_are_enough(name: str) -> None:
    made = built(name)
    plugs = {design: sum(part.stock is FLAT for part in board.parts) for design, board in made.designs.items()}
    needed = sum(plugs[design] * count for design, count in made.quantities.items())
    ordered = sum(
        pieces_ordered(made, order) * sum(part.stock is FLAT for part in panel.parts)
        for order, panel in orders(made).items()
    )
    assert ordered >= needed
    assert {name: len(order.holes) for name, order in orders(made).items() if name.startswith("hub")} in (
        {"hub": 2},
        {"hub-dark": 2},
    )
    for order in orders(made).values():
        references = [part.reference for part in order.parts]
        assert len(references) == len(set(references))


def test_with_boards_there_are_at_most_500_joints_and_90_plugs_to_make() -> None:
    by_wire = work_by_wire(board("tamsk"), nets_of("tamsk"))
    on_boards = work_on_boards(described("tamsk-boards"), built("tamsk-boards"))
    assert (by_wire.joints, by_wire.plugs) == (1880, 290)
    assert (on_boards.joints, on_boards.plugs) == (482, 26)
    assert on_boards.joints <= 500
    assert on_boards.plugs <= 90


@pytest.mark.parametrize("name", ["tamsk-boards", "tayu-boards", "tayu19-boards"])
def test_every_contact_that_is_crimped_is_in_the_bill_with_its_plug_and_wire(name: str) -> None:
    lines = board_lines(described(name), built(name))
    crimped = sum(int(found[1]) * line.quantity for line in lines if (found := re.match(r"XH-(\d+) plug", line.value)))
    assert crimped == work_on_boards(described(name), built(name)).crimps
    (wire,) = (line for line in lines if line.value == "wire")
    assert wire.what.startswith(f"{crimped} cores to the plugs")
    assert wire.quantity == crimped + (15 if described(name).lights else 0)
    assert next(line for line in lines if line.value.startswith("spacer, M2.5")).quantity == 4


def test_every_part_has_a_maker_and_its_number() -> None:
    for part in STOCK.values():
        assert part.maker
        assert part.number
        assert set(part.footprint.numbers) <= set(part.pins)
        assert set(part.kinds) <= set(part.pins)


# What is printed


def test_boards_are_as_large_as_the_printed_parts_believe() -> None:
    for rings in (1, 2, 3, 4):
        strip = _space.strip(rings)
        assert (strip.width, strip.height) == pytest.approx((MM["strip_width"], MM[f"strip_length_of_{rings}"]))
        assert _space.on_the_tube(rings) == pytest.approx(MM[f"height_of_{rings}"] - MM["flange_thickness"])
    hall, hub, matrix = _space.hall(), _hub.hub(lit=True), _matrix.matrix(8)
    assert (hall.width, hall.height) == (MM["hall_board_width"], MM["hall_board_length"])
    assert Spot(MM["hall_board_width"] / 2, MM["hall_board_above"]) == _space.HALL_CENTRE
    assert (hub.width, hub.height) == (MM["hub_length"], MM["hub_width"])
    assert (matrix.width / 8, matrix.height) == (MM["square"], MM["tayu_strip_width"])
    assert (matrix.thickness, hall.thickness) == (MM["tayu_strip_thickness"], MM["board_thickness"])


def test_each_sensor_looks_at_the_middle_of_its_ring() -> None:
    for rings in (1, 2, 3, 4):
        top = MM[f"height_of_{rings}"] - MM["flange_thickness"]
        strip = _space.strip(rings)
        for ring in range(1, rings + 1):
            height = top - strip.by_reference[f"U{ring}"].at.y
            assert height == pytest.approx(MM["tube_floor"] + (ring - 0.5) * MM["ring_height"])


def test_on_the_tube_a_strip_carries_sensors_only() -> None:
    for rings in (1, 2, 3, 4):
        for part in _space.strip(rings).parts:
            if not part.mark.startswith("ring"):
                assert part.courtyard.top >= _space.on_the_tube(rings)


def test_a_sensor_sits_in_its_seat_and_leaves_a_wall() -> None:
    eye = _space.strip(1).by_reference["U1"]
    span = max(pad.right for _, pad, _ in eye.pads()) - min(pad.left for _, pad, _ in eye.pads())
    assert span <= MM["reflex_leads"] + MM["press_play"]
    assert MM["strip_radius"] - MM["reflex_lead_depth"] > MM["tube_inner_diameter"] / 2 + 1
    assert MM["reflex_body"] + MM["press_play"] < MM["ring_height"] - 2


def test_a_hall_board_fits_its_pocket_and_its_switch_is_as_near_as_one_by_hand() -> None:
    above, below = MM["hall_board_above"], MM["hall_board_length"] - MM["hall_board_above"]
    corner = hypot(MM["hall_board_width"] / 2, max(above, below))
    assert 2 * corner + MM["glue_play"] / 2 <= MM["hall_pocket_diameter"]
    assert MM["board_thickness"] + MM["hall_chip"] <= MM["hall_gap"] + 1e-9
    assert MM["tayu_strip_thickness"] + MM["hall_chip"] <= MM["tayu_hall_gap"]


def test_a_strip_and_its_cable_have_room_above_the_base_board_and_beside_screws() -> None:
    below_the_top = MM["plate_thickness"] + MM["spacer"]
    assert MM["strip_length_of_4"] + MM["flat_cable_bend"] <= below_the_top
    washer = 9 / 2
    assert MM["strip_radius"] + MM["board_thickness"] < MM["strip_notch_radius"]
    assert MM["strip_radius"] + MM["board_thickness"] < MM["corner_radius"] - washer


def test_a_hub_lies_under_the_spaces_of_one_ring() -> None:
    plug_and_ribbon, feet = 18.0, 0.0
    below = MM["plate_thickness"] + MM["spacer"] - MM["strip_length_of_1"]
    assert MM["board_thickness"] + plug_and_ribbon + feet < below


def test_the_board_on_the_pi_has_the_holes_of_the_pi_and_fits_the_box() -> None:
    head = built("tamsk-boards").designs["head-tamsk-boards"]
    (x, y), *_, last = [hole.at for hole in head.holes]
    assert (last.x - x, last.y - y) == (MM["pi_hole_length"], MM["pi_hole_width"])
    assert (x, y) == (_head.PI_CORNER.x + MM["pi_hole_edge"], _head.PI_CORNER.y + MM["pi_hole_edge"])
    assert head.width < MM["box_inner_length"]
    assert head.height < MM["box_inner_width"]


def test_the_parts_of_a_board_do_not_overlap() -> None:
    for name in BUILT:
        for design in built(name).designs.values():
            for one, other in combinations([part.courtyard for part in design.parts], 2):
                apart = one.right <= other.left + 1e-6 or other.right <= one.left + 1e-6
                assert apart or one.bottom <= other.top + 1e-6 or other.bottom <= one.top + 1e-6


def test_a_pour_keeps_away_from_the_edge() -> None:
    (pour,) = ground_pour(10, 20)
    assert pour == ("GND", (EDGE, EDGE, 10 - EDGE, 20 - EDGE))


# The pages

PAGE = (HARDWARE / "boards.md").read_text(encoding="utf-8")
COST = (HARDWARE / "cost.md").read_text(encoding="utf-8")


def test_the_page_says_the_work_that_is_counted() -> None:
    counted = {
        "TAMSK, by wire": work_by_wire(board("tamsk"), nets_of("tamsk")),
        "TAMSK, boards": work_on_boards(described("tamsk-boards"), built("tamsk-boards")),
        "Tayu, by wire": work_by_wire(board("tayu"), nets_of("tayu")),
        "Tayu, boards": work_on_boards(described("tayu-boards"), built("tayu-boards")),
        "match clock, carrier": work_on_boards(described("table-clock"), built("table-clock")),
    }
    for name, work in counted.items():
        assert f"| {name} | {' | '.join(map(str, work))} | {sum(work.hours.values()):.1f} |" in PAGE
    assert "By hand, TAMSK's board is 1880 joints and 290 crimped contacts.\n" in PAGE
    assert "\nThese boards leave 482 joints, 16 crimped contacts and 10 plugs to press" in PAGE


@pytest.mark.parametrize("name", ["tamsk-boards", "tayu-boards", "tayu19-boards"])
def test_the_page_names_every_board_and_every_order(name: str) -> None:
    made = built(name)
    for design, count in made.quantities.items():
        assert f"| {count} | `{design}` |" in PAGE
    if name == "tamsk-boards":
        for order, panel in orders(made).items():
            assert f"| {PIECES} | `{order}` | {panel.width:g} × {panel.height:g} × {panel.thickness:g} |" in PAGE


def test_the_page_says_which_space_is_on_which_plug_and_what_the_poles_are() -> None:
    chain = described("tamsk-boards").sensors
    assert isinstance(chain, Chain)
    spaces = {chain.place(name).chip: name.partition(".")[0] for name in chain.inputs}
    spaces |= {chain.registers - 2: "spare", chain.registers - 1: "canary"}
    for hub in range(chain.registers // _hub.TILES):
        row = [spaces[register] for register in range(hub * _hub.TILES, (hub + 1) * _hub.TILES)]
        assert f"| {hub} | {' | '.join(row)} |" in PAGE
    assert f"| strip | {' | '.join(_space.POLES)} |" in PAGE


@pytest.mark.parametrize(
    ("which", "name", "many"),
    [
        ("TAMSK", "tamsk-boards", 1), ("TAMSK", "tamsk-boards", 2), ("TAMSK", "tamsk-boards", 5),
        ("Tayu", "tayu-boards", 1), ("Tayu", "tayu-boards", 2),
        ("match clock", "table-clock", 1), ("match clock", "table-clock", 5),
    ],
)  # fmt: skip
def test_the_cost_by_shop_and_quantity_is_what_the_lists_come_to(which: str, name: str, many: int) -> None:
    sums = cents_by_shop(described(name), built(name), many)
    together = sum(sums.values())
    euros = [*(sums[shop] for shop in (Shop.BOARDS, Shop.PI, Shop.PARTS)), together, round(together / many)]
    assert f"| {which} | {many} | {' | '.join(f'{cents / 100:.2f}' for cents in euros)} |" in COST
    if many == 1 and name != "table-clock":
        assert together == sum(line.total for line in board_lines(described(name), built(name)))
