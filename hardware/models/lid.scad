// The lid of the box: the window of the display, and the holes of the buttons in a row. Printed face down.
include <dimensions.scad>
use <shapes.scad>

buttons = 3;

outer = [box_inner_length + 2 * box_wall, box_inner_width + 2 * box_wall];
oled_at = [outer[0] / 2, outer[1] * 0.68];

module at_the_corners() {
    for (x = [box_wall + 2, outer[0] - box_wall - 2], y = [box_wall + 2, outer[1] - box_wall - 2])
        translate([x, y, 0]) children();
}

difference() {
    union() {
        cube(concat(outer, [box_wall]));
        // The lip goes into the box, past the posts in its corners.
        translate([box_wall + slide_play / 2, box_wall + 8, box_wall])
            cube([1.6, box_inner_width - 16, lid_lip - 0.5]);
        translate([outer[0] - box_wall - slide_play / 2 - 1.6, box_wall + 8, box_wall])
            cube([1.6, box_inner_width - 16, lid_lip - 0.5]);
        // A frame holds the display's circuit board.
        translate(concat(oled_at, [box_wall])) difference() {
            block([oled_width + slide_play + 3, oled_height + slide_play + 3, 2.5]);
            translate([0, 0, -1]) block([oled_width + slide_play, oled_height + slide_play, 5]);
        }
    }
    translate(concat(oled_at, [-1])) block([oled_window_width, oled_window_height, box_wall + 2]);
    for (number = [0 : buttons - 1])
        translate([outer[0] / 2 + (number - (buttons - 1) / 2) * button_pitch, outer[1] * 0.24, -1])
            cylinder(d = button_hole, h = box_wall + 2);
    at_the_corners() translate([0, 0, -1]) cylinder(d = screw_hole, h = box_wall + 2);
}
