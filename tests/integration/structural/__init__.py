"""Structural search against the real Semgrep."""
