"""Writes vectors to the vector store."""
