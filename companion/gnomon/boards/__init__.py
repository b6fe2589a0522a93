"""The geometry of the boards that games are played on."""
