// Lengths of the printed parts, in millimetres. The models and the tables of the documents
// follow it: change a number here, then run `make models` and `make test`, which names every table that must follow.

// What is bought or at hand: measure yours.
glass_end_diameter = 22;       // of the bare end of a sand glass, without the printed cap
glass_height = 80;             // of a sand glass with both caps
magnet_diameter = 5;           // disc of neodymium, N35
magnet_thickness = 2;
reflex_height = 2.9;           // QRE1113, across the body, along the tube
reflex_width = 3.6;            // QRE1113, along the body, round the tube
reflex_depth = 1.7;            // QRE1113, from the circuit board to the face, at most
led_side = 5;                  // SK9822 in a 5050 package
printer_bed = 220;             // the square that a printer must be able to fill

// Play: how much wider a hole is than what goes in, across the diameter.
slide_play = 0.6;              // what is taken out again and again: a cap in its socket
glue_play = 0.4;               // what is glued: a glass in its cap
press_play = 0.2;              // what holds by itself: a magnet in its pocket

// Caps of the glasses.
cap_wall = 1.3;
cap_diameter = glass_end_diameter + glue_play + 2 * cap_wall;
cap_depth = 8;                 // how far a glass goes in
cap_skin = 0.8;                // plastic between the magnet and the socket
magnet_pocket_depth = magnet_thickness + press_play;
cap_base = cap_skin + magnet_pocket_depth + 0.4;  // the rest is glue
cap_height = cap_base + cap_depth;

// Sockets.
socket_diameter = cap_diameter + slide_play;
socket_depth = 4;              // how far a cap goes in
socket_floor = 1.2;            // plastic between the cap and the hall sensor
post_wall = 1.6;
post_diameter = socket_diameter + 2 * post_wall;
hall_pocket_diameter = 18.4;   // room for two switches lying side by side, or for the circuit board of one
hall_aside = 2.4;              // a switch's element from the axis: half of 4.2, and the play of a cap in its socket
hall_gap = 1.8;                // glue, and a whole DRV5032 in TO-92 (1.6): one of the two lies turned over
sensor_distance = cap_skin + socket_floor + hall_gap;  // from the magnet to the hall element

// Rings, and the tubes they fall into.
ring_height = 6;
ring_inner_diameter = 31;
ring_outer_diameter = 39;
ring_chamfer = 1;              // of both inner edges: a hook of 1 mm wire lifts a ring by it
tube_inner_diameter = 40;
tube_wall = 3;
tube_outer_diameter = tube_inner_diameter + 2 * tube_wall;
tube_floor = 2;
strip_width = 12;              // circuit board of a tube's reflex sensors
strip_radius = tube_inner_diameter / 2 + 2.3;  // from the axis to that board: the tube is cut flat there
reflex_recess = strip_radius - reflex_depth - tube_inner_diameter / 2;  // the sensor's face behind the tube's wall
reflex_body = 3.6;             // QRE1113GR on its circuit board, along the tube: turned by a right angle
reflex_leads = 5.7;            // its leads and their solder, round the tube
reflex_lead_depth = 0.9;       // how far they stand out from the board
height_of_1 = tube_floor + 1 * ring_height;
height_of_2 = tube_floor + 2 * ring_height;
height_of_3 = tube_floor + 3 * ring_height;
height_of_4 = tube_floor + 4 * ring_height;
flange_thickness = 1.2;
flange_diameter = 54;
window_width = 2.4;            // of the slit for the light
window_length = 5;

// Board plate.
pitch = 56;                    // from one space to its neighbour
corner_radius = pitch / sqrt(3);  // of a space's hexagon
plate_thickness = 5;
hole_diameter = tube_outer_diameter + slide_play;
strip_notch_radius = 27;       // how far the plate is cut away for the sensors' circuit board
led_notch_radius = 29.2;       // how far it is hollow for the LED
plate_skin = 1.2;              // plastic over that hollow
seam = 0.15;                   // taken off each edge of a segment
screw_hole = 3.2;              // M3

// Circuit boards: their layouts have the same lengths, which a test compares.
board_thickness = 1.6;
strip_length_of_1 = 22.5;      // board beside the tube for one ring, plugs included
strip_length_of_2 = 28.5;
strip_length_of_3 = 40.5;      // as long as that for four, so that a panel is scored in straight lines
strip_length_of_4 = 40.5;
hall_board_width = 12;         // board under a socket
hall_board_length = 12.8;
hall_board_above = 6.5;        // from its edge to its switch, which lies on the axis
hall_chip = 0.2;               // from the board to the switch's element, at most
hub_length = 100;
hub_width = 37.5;
spacer = 40;                   // between the plate and the base board
flat_cable_bend = 4;           // what a flat cable needs below a strip

// Stand of the 15-second glass.
stand_diameter = 64;
stand_height = 20;
cable_channel = 6;

// Enclosure.
box_wall = 2.4;
box_inner_length = 100;
box_inner_width = 74;
box_inner_height = 42;
lid_lip = 3;
pi_length = 85;                // Pi 4 and 5; the Zero 2 W is 65 x 30 and shares two of the holes
pi_width = 56;
pi_hole_edge = 3.5;            // from the edges of every Pi to its first hole
pi_hole_length = 58;           // the same on a Pi 4, a Pi 5 and a Zero 2 W
pi_hole_width = 49;            // Pi 4 and 5
zero_hole_width = 23;          // Zero 2 W
post_height = 6;
post_outer_diameter = 6;
post_hole = 2.2;               // M2.5, cut by the screw
oled_width = 27;               // circuit board of the usual 0.96 inch module
oled_height = 27.5;
oled_window_width = 23;
oled_window_height = 13;
button_hole = 16.2;            // for 16 mm buttons
button_pitch = 19.5;           // their nuts are 18 mm wide

// Tayu.
square = 20;                   // side of a square of Tayu's board
tayu_thickness = 5;
tayu_skin = 0.8;               // plastic between a tile and the hall switches
tayu_pocket = 7;               // side of the pocket of a switch in TO-92, lying
tayu_groove = 0.4;             // depth of the lines between squares
tayu_gap = 0.3;                // a tile is shorter than its squares by this at each end
tile_height = 4;
tile_skin = 0.6;               // plastic between a tile's magnets and the board
tile_magnet_diameter = 3;
tile_magnet_thickness = 1;
tayu_hall_gap = 1.1;           // glue, and from the skin to the hall element, at most: a TO-92, or a thin circuit board
tayu_strip_width = 6.4;        // circuit board of eight squares, in a groove along them
tayu_strip_thickness = 0.8;
tayu_distance = tile_skin + tayu_groove + tayu_skin + tayu_hall_gap;  // from the magnet to the hall element
