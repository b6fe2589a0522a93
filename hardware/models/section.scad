// A picture, no part: a tube of three rings cut open, two rings in it, and the cap of a glass in its socket.
include <dimensions.scad>
use <shapes.scad>
use <socket.scad>
use <ring.scad>
use <cap.scad>

top = height_of(3);

module cut() {
    render() difference() {
        children();
        translate([-100, -200, -100]) cube([200, 200, 300]);
    }
}

color("DimGray") cut() tamsk_socket(3);
for (level = [0, 1]) color("White") translate([0, 0, tube_floor + level * ring_height + 0.1]) cut() tamsk_ring();
translate([0, 0, top - socket_depth + 0.2]) {
    color("Firebrick") cut() cap(1);
    color("Silver") translate([0, 0, cap_skin + 0.05]) cut() cylinder(d = magnet_diameter, h = magnet_thickness);
    color("LightBlue", 0.7) translate([0, 0, cap_base + 0.05]) cut() cylinder(d = glass_end_diameter, h = 25);
}
// Sensors: hall under the socket, reflex in the wall.
color("Gold") for (side = [-1, 1])
    translate([side * 2.1 - 2, 0, top - socket_depth - socket_floor - hall_gap]) cube([4, 3.15, hall_gap - 0.2]);
color("ForestGreen") translate([-strip_radius - 1.6, 0, 0]) cube([1.5, strip_width / 2, top - flange_thickness]);
for (level = [1 : 3]) color("Gold")
    translate([-strip_radius, 0, tube_floor + (level - 0.5) * ring_height - reflex_height / 2])
        cube([reflex_depth, reflex_width / 2, reflex_height]);
