"""Pages that open a tournament and set it up: settings, stages, groups, series and prizes."""
