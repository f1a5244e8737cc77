"""The web page for people: one box, code with its commit, definitions and usages on click."""
