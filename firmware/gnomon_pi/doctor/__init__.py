"""The door to `gnomond doctor`: what can be found out about a machine and its board before anybody plays."""
