// A piece of Tayu's board: squares with a pocket for a hall switch under each. Printed face down.
include <dimensions.scad>

columns = 9;
rows = 9;

size = [columns * square, rows * square];

module outline() {
    translate([seam, seam]) square(size - 2 * [seam, seam]);
}

module screw_holes() {
    for (x = [1, columns - 1], y = [1, rows - 1]) translate([x * square, y * square]) circle(d = screw_hole);
}

module pockets() {
    for (column = [0 : columns - 1], row = [0 : rows - 1])
        translate([(column + 0.5) * square, (row + 0.5) * square]) square(tayu_pocket, center = true);
    // Wires run from pocket to pocket, along the rows.
    for (row = [0 : rows - 1]) translate([-1, (row + 0.5) * square - 1.5]) square([size[0] + 2, 3]);
}

module lines() {
    for (column = [1 : columns - 1]) translate([column * square - 0.4, -1]) square([0.8, size[1] + 2]);
    for (row = [1 : rows - 1]) translate([-1, row * square - 0.4]) square([size[0] + 2, 0.8]);
}

module layer(from, to) {
    translate([0, 0, from]) linear_extrude(to - from) difference() {
        outline();
        screw_holes();
        children();
    }
}

layer(0, tayu_groove) lines();
layer(tayu_groove, tayu_skin + tayu_groove) {}
layer(tayu_skin + tayu_groove, tayu_thickness) pockets();
