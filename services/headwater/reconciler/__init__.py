"""Publishes generations, proves them and repairs what diverged."""
