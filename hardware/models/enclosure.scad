// The box of the computer: posts for a Pi 4, a Pi 5 or a Zero 2 W, openings for its plugs and for the board's cables.
include <dimensions.scad>
use <shapes.scad>

outer = [box_inner_length + 2 * box_wall, box_inner_width + 2 * box_wall, box_inner_height + box_wall];
pi_at = [box_wall + box_inner_length - pi_length - 1, box_wall + 4];  // corner of the Pi; its USB sockets look east

module pi_posts(diameter, height) {
    for (x = [0, pi_hole_length], y = [0, zero_hole_width, pi_hole_width])
        translate(concat(pi_at + [pi_hole_edge + x, pi_hole_edge + y], [box_wall]))
            cylinder(d = diameter, h = height);
}

module lid_posts(diameter, from, to) {
    for (x = [box_wall + 2, outer[0] - box_wall - 2], y = [box_wall + 2, outer[1] - box_wall - 2])
        translate([x, y, from]) cylinder(d = diameter, h = to - from);
}

difference() {
    union() {
        difference() {
            cube(outer);
            translate([box_wall, box_wall, box_wall]) cube([box_inner_length, box_inner_width, outer[2]]);
        }
        pi_posts(post_outer_diameter, post_height);
        intersection() {
            cube(outer);
            lid_posts(7, 0, outer[2] - lid_lip);
        }
    }
    translate([0, 0, 1]) pi_posts(post_hole, post_height + 1);
    lid_posts(2.5, outer[2] - 15, outer[2]);
    // Supply, displays and sound along the south; USB and network in the east.
    translate([pi_at[0] + 5, -1, box_wall + post_height + 1]) cube([56, box_wall + 2, 9]);
    translate([outer[0] - box_wall - 1, pi_at[1] + 1, box_wall + post_height + 1]) cube([box_wall + 2, 54, 18]);
    // The board's ribbon cables leave in the north.
    translate([outer[0] / 2 - 25, outer[1] - box_wall - 1, box_wall + 22]) cube([50, box_wall + 2, 8]);
    // Air, from below and through the west wall.
    for (row = [0 : 4]) translate([outer[0] / 2 - 20, pi_at[1] + 11 + 8 * row, -1]) cube([40, 2.5, box_wall + 2]);
    for (row = [0 : 4]) translate([-1, outer[1] / 2 - 21 + 10 * row, box_wall + 24]) cube([box_wall + 2, 2.5, 12]);
}
