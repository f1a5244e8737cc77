"""Headwater: a code search index that flows with git."""

__version__ = "0.1.0"
