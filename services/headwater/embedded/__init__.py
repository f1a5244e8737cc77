"""The whole product in one process."""
