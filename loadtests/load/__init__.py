"""Loads on the whole streaming system, and what is measured of it."""
