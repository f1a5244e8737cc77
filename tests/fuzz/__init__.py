"""Hostile inputs for every surface that takes input: briefly in `make test`, longer by `make fuzz MINUTES=…`."""
