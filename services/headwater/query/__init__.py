"""Answers questions from the catalog and the vectors."""
