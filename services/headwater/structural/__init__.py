"""Answers structural questions."""
