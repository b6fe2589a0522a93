// The insert of one space: a post with the glass's socket, the tube for the rings around it, pockets for the sensors,
// a slit for the light. Printed as it stands; the top face is the playing surface.
include <dimensions.scad>
use <shapes.scad>

capacity = 1;  // rings

cone = (flange_diameter - tube_outer_diameter) / 2;  // 45 degrees: prints without support

module body(top) {
    rotate_extrude() polygon([
        [hall_pocket_diameter / 2, 0], [tube_outer_diameter / 2, 0],
        [tube_outer_diameter / 2, top - flange_thickness - cone],
        [flange_diameter / 2, top - flange_thickness], [flange_diameter / 2, top],
        [tube_inner_diameter / 2, top], [tube_inner_diameter / 2, tube_floor],
        [post_diameter / 2, tube_floor], [post_diameter / 2, top],
        [socket_diameter / 2 + 0.6, top], [socket_diameter / 2, top - 0.8],
        [socket_diameter / 2, top - socket_depth], [0, top - socket_depth],
        [0, top - socket_depth - socket_floor], [hall_pocket_diameter / 2, top - socket_depth - socket_floor],
    ]);
}

// The tube is flat in the west, where the circuit board of the reflex sensors slides up to the flange; the cone is cut.
module strip_pocket(top) {
    translate([-flange_diameter, -strip_width / 2, -1])
        cube([flange_diameter - strip_radius, strip_width, top - flange_thickness + 1]);
}

module reflex_windows(capacity) {
    for (level = [1 : capacity])
        translate([-strip_radius - 1, -(reflex_width + press_play) / 2,
                   tube_floor + (level - 0.5) * ring_height - (reflex_height + press_play) / 2])
            cube([strip_radius - tube_inner_diameter / 2 + 2, reflex_width + press_play, reflex_height + press_play]);
}

// A sensor in its surface-mount package sits behind its window, turned by a right angle, its leads beside it.
module reflex_seats(capacity) {
    height = reflex_body + press_play;
    for (level = [1 : capacity])
        translate([-strip_radius - 1, 0, tube_floor + (level - 0.5) * ring_height - height / 2]) {
            translate([0, -(reflex_width + press_play) / 2, 0])
                cube([1 + reflex_depth + 0.05, reflex_width + press_play, height]);
            translate([0, -(reflex_leads + press_play) / 2, 0])
                cube([1 + reflex_lead_depth, reflex_leads + press_play, height]);
        }
}

module light_slit(top) {
    translate([(tube_outer_diameter + flange_diameter) / 4 + 0.2, 0, -1])
        block([window_width, window_length, top + 2]);
}

module tamsk_socket(capacity) {
    top = height_of(capacity);
    difference() {
        body(top);
        strip_pocket(top);
        reflex_windows(capacity);
        reflex_seats(capacity);
        light_slit(top);
    }
}

tamsk_socket(capacity);
