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
// Circuit boards: the hall switch under the socket, the strip with the reflex sensors in the wall.
color("ForestGreen") translate([-hall_board_above, 0, top - socket_depth - socket_floor - board_thickness])
    cube([hall_board_length, hall_board_width / 2, board_thickness]);
color("Gold") translate([-0.7, 0, top - socket_depth - socket_floor - board_thickness - 0.4]) cube([1.4, 0.55, 0.4]);
color("ForestGreen") translate([-strip_radius - board_thickness, 0, top - flange_thickness - strip_length_of_3])
    cube([board_thickness, strip_width / 2, strip_length_of_3]);
for (level = [1 : 3]) color("Gold")
    translate([-strip_radius, 0, tube_floor + (level - 0.5) * ring_height - reflex_body / 2])
        cube([reflex_depth, reflex_height / 2, reflex_body]);
