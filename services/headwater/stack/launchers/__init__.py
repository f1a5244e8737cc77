"""Programs that run in a component's own environment."""
