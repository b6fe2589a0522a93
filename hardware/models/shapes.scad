// Shapes that several models share.
include <dimensions.scad>

// Where a space lies: axial coordinates, columns upright, 1 apart.
function place(q, r) = [1.5 * corner_radius * q, pitch * (r + q / 2)];

function height_of(capacity) = tube_floor + capacity * ring_height;

// The recess for a cap, its mouth at the height of the origin.
module cap_recess() {
    translate([0, 0, -socket_depth]) cylinder(d = socket_diameter, h = socket_depth + 1);
    translate([0, 0, -0.8]) cylinder(d1 = socket_diameter, d2 = socket_diameter + 1.6 + 0.4, h = 1);
}

// A cuboid centred on the origin in x and y only.
module block(size) {
    translate([-size[0] / 2, -size[1] / 2, 0]) cube(size);
}
