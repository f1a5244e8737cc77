"""Writes documents to the catalog."""
