// The stand of the 15-second glass: a socket without rings, with the same hall sensor under it.
include <dimensions.scad>
use <shapes.scad>

difference() {
    rotate_extrude() polygon([
        [0, 0], [stand_diameter / 2 - 0.8, 0], [stand_diameter / 2, 0.8], [stand_diameter / 2, 8],
        [post_diameter / 2 + 2, stand_height], [0, stand_height],
    ]);
    translate([0, 0, stand_height]) cap_recess();
    translate([0, 0, -1])
        cylinder(d = hall_pocket_diameter, h = stand_height - socket_depth - socket_floor + 1);
    translate([0, -cable_channel / 2, -1]) cube([stand_diameter, cable_channel, cable_channel + 1]);
}
