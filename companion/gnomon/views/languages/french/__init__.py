"""French words, one module an area, each with the same entries as the English one."""
