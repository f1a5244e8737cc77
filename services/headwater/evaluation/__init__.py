"""Measures how good the answers are."""
