"""Turns pushes and polls into commit-received events."""
