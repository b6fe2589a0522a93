// The cap of one end of a glass; its magnet lies under the glass and cannot come out. One groove round it: the north
// pole looks out; two: the south pole.
include <dimensions.scad>

grooves = 1;

module groove(height) {
    translate([cap_diameter / 2, height]) rotate(45) square(0.8, center = true);
}

module cap(grooves) rotate_extrude() difference() {
    polygon([
        [0, 0], [cap_diameter / 2 - 0.6, 0], [cap_diameter / 2, 0.6], [cap_diameter / 2, cap_height],
        [cap_diameter / 2 - cap_wall, cap_height], [cap_diameter / 2 - cap_wall, cap_base],
        [(magnet_diameter + press_play) / 2, cap_base], [(magnet_diameter + press_play) / 2, cap_skin], [0, cap_skin],
    ]);
    for (number = [1 : grooves]) groove(cap_height - 2 * number);
}

cap(grooves);
