"""The vocabulary and the pure decisions that every service shares."""
