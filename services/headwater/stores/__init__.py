"""Where the index lives: the catalog, the vectors and git objects, each a port with its implementations."""
