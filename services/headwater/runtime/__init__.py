"""What every process of the program needs from its machine: child processes, private files, clocks."""
