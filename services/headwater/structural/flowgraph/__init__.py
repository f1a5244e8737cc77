"""Flowgraph: a per-file graph of actions, control and data, and a language of filters and transforms over it."""
