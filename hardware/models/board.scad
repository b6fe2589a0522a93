// A picture, no part: TAMSK's board put together, with its six glasses and some rings.
include <dimensions.scad>
use <shapes.scad>
use <socket.scad>
use <ring.scad>
use <cap.scad>
use <plate.scad>

module glass(colour) {
    color(colour) {
        cap(1);
        translate([0, 0, glass_height]) mirror([0, 0, 1]) cap(2);
    }
    color("LightBlue", 0.6) {
        translate([0, 0, cap_base]) cylinder(d1 = glass_end_diameter, d2 = 4, h = glass_height / 2 - cap_base);
        translate([0, 0, glass_height / 2]) cylinder(d1 = 4, d2 = glass_end_diameter, h = glass_height / 2 - cap_base);
    }
}

module segment(cells, colour) {
    color(colour) render() plate(cells);
    for (cell = cells)
        translate(concat(place(cell[0], cell[1]), [plate_thickness + flange_thickness])) {
            distance = max(abs(cell[0]), abs(cell[1]), abs(cell[0] + cell[1]));
            color("DimGray") translate([0, 0, -height_of(4 - distance)]) render() tamsk_socket(4 - distance);
            // Rings on some of the spaces.
            if ((2 * cell[0] + cell[1] + 12) % 3 == 0) color("White") translate([0, 0, -ring_height]) tamsk_ring();
        }
}

segment(centre_cells(), "BurlyWood");
for (turn = [0 : 5]) rotate(60 * turn) segment(side_cells(), turn % 2 == 0 ? "Tan" : "Wheat");
for (turn = [0 : 5])
    translate(concat(3 * pitch * [cos(60 * turn + 30), sin(60 * turn + 30)],
                     [plate_thickness + flange_thickness - socket_depth]))
        glass(turn % 2 == 0 ? "Firebrick" : "DarkSlateGray");
