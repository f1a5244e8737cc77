"""Measured quality: golden questions through the service, metrics over them, and the gate that guards each slice."""
