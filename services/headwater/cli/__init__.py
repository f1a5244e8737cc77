"""The headwater program."""
