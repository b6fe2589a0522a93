// One of the seven segments of TAMSK's board plate: the centre, or one of six equal sides, each turned by 60 degrees
// from the one before. They meet along the edges of the spaces; screws at the corners where two segments meet hold them.
include <dimensions.scad>
use <shapes.scad>

centre = true;  // or a side

ring_directions = [[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]];

function centre_cells() = concat([[0, 0]], ring_directions);
function side_cells() = [for (ring = [2 : 3], step = [0 : ring - 1]) [ring - step, step]];
function distance(cell) = max(abs(cell[0]), abs(cell[1]), abs(cell[0] + cell[1]));
function is_in(cell, cells) = len([for (other = cells) if (other == cell) 1]) > 0;

// The three cells that meet at each corner of a cell, and where that is.
function corners(cell) = [for (turn = [0 : 5]) [
    place(cell[0], cell[1]) + corner_radius * [cos(60 * turn), sin(60 * turn)],
    [cell, cell + ring_directions[(turn + 5) % 6], cell + ring_directions[turn]],
]];

function joins(corner, cells) =
    len([for (cell = corner[1]) if (distance(cell) <= 3) 1]) == 3
    && len([for (cell = corner[1]) if (is_in(cell, cells)) 1]) < 3;

module outline(cells) {
    offset(delta = -seam) union()
        for (cell = cells) translate(place(cell[0], cell[1])) circle(r = corner_radius + 0.002, $fn = 6);
}

module screw_holes(cells) {
    for (cell = cells, corner = corners(cell)) if (joins(corner, cells)) translate(corner[0]) circle(d = screw_hole, $fn = 24);
}

// What every layer lets through: the tube, and the circuit board beside it.
module passage() {
    circle(d = hole_diameter);
    translate([-strip_notch_radius, -(strip_width + slide_play) / 2]) square([20, strip_width + slide_play]);
}

module layer(cells, from, to, with_led) {
    translate([0, 0, from]) linear_extrude(to - from) difference() {
        outline(cells);
        screw_holes(cells);
        for (cell = cells) translate(place(cell[0], cell[1])) {
            passage();
            // Under the slit of the flange; the plate above closes the hollow outside the flange.
            translate([0, -(led_side + slide_play) / 2])
                square([with_led ? led_notch_radius : flange_diameter / 2 - 1, led_side + slide_play]);
        }
    }
}

module plate(cells) {
    difference() {
        union() {
            layer(cells, 0, plate_thickness - plate_skin, true);
            layer(cells, plate_thickness - plate_skin, plate_thickness, false);
        }
        for (cell = cells) translate(concat(place(cell[0], cell[1]), [plate_thickness - (flange_diameter - tube_outer_diameter) / 2]))
            cylinder(d1 = hole_diameter, d2 = flange_diameter + slide_play + 0.02,
                     h = (flange_diameter - tube_outer_diameter) / 2 + 0.01);
    }
}

plate(centre ? centre_cells() : side_cells());
