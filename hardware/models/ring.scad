// A ring. White or light grey plastic: the reflex sensors see it against the matt black post.
include <dimensions.scad>

module tamsk_ring() rotate_extrude() polygon([
    [ring_inner_diameter / 2 + ring_chamfer, 0], [ring_outer_diameter / 2 - 0.4, 0], [ring_outer_diameter / 2, 0.4],
    [ring_outer_diameter / 2, ring_height - 0.4], [ring_outer_diameter / 2 - 0.4, ring_height],
    [ring_inner_diameter / 2 + ring_chamfer, ring_height], [ring_inner_diameter / 2, ring_height - ring_chamfer],
    [ring_inner_diameter / 2, ring_chamfer],
]);

tamsk_ring();
