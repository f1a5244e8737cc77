"""Compares a ref's new tree with the one last emitted and says which files changed."""
