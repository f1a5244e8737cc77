"""SCIP, the public exchange format of compiler-made indexes: read, and turned into what resolution asks."""
