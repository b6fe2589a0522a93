// The foot of a tile of Tayu: three cells with a magnet in each, all the same pole down; the printed tile goes on top.
// Printed face down, as drawn: the magnets are put in from above and covered by the tile.
include <dimensions.scad>

length = 3 * square - 2 * tayu_gap;
width = square - 2 * tayu_gap;

module pockets() {
    for (cell = [0 : 2])
        translate([(cell + 0.5) * square - tayu_gap, width / 2]) circle(d = tile_magnet_diameter + press_play);
}

linear_extrude(tile_skin) square([length, width]);
translate([0, 0, tile_skin]) linear_extrude(tile_height - tile_skin) difference() {
    square([length, width]);
    pockets();
}
