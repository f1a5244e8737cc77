"""The parts that services share, each with its settings; a library is imported only by who opens the part."""
