"""Parses files and cuts them into chunks, symbols and references."""
