"""Circuit boards for KiCad, generated from the netlist: laid out, routed, panelised, counted."""
