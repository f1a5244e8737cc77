"""Turns chunks into vectors."""
