"""The parts of the embedded vector store: the row log, its folder, and the search over memory-mapped rows."""
