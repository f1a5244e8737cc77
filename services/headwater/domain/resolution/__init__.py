"""Which definition a use of a name means, across files: decided from facts, and never guessed silently."""
