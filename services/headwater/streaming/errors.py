"""The three errors that a runner survives; anything else is a crash."""


class InvalidEventError(Exception):
    """The event can never be handled: it goes to the dead-letter topic with this reason."""


class RetryableError(Exception):
    """The event can be handled later: the partition pauses, backs off and tries again."""


class NotNowError(Exception):
    """Downstream is full or down: the stage stops taking events until it is not (back-pressure)."""
