"""Each service as a process of its own: what it is composed of, by its settings, and how all of them run together."""
