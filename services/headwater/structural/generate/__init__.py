"""Makes pairs of a question in words and a structural query from real code, by the paper's Algorithm 1."""
