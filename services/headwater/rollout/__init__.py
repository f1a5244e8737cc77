"""Replaces the live edition of the index by one of another model, dimension or chunker, and goes back."""
