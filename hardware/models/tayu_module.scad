// A piece of Tayu's board: squares with a pocket for a hall switch under each. Printed face down.
include <dimensions.scad>

columns = 9;
rows = 9;
last_columns = 0;  // up how many of them strips run too: where squares of a row are left over

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
    // Wires run from pocket to pocket, along the rows, or the circuit boards of eight squares.
    groove = tayu_strip_width + glue_play;
    for (row = [0 : rows - 1]) translate([-1, (row + 0.5) * square - groove / 2]) square([size[0] + 2, groove]);
    if (last_columns > 0) for (column = [columns - last_columns : columns - 1])
        translate([(column + 0.5) * square - groove / 2, -1]) square([groove, size[1] + 2]);
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
