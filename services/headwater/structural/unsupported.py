"""The one way in which a compiler says that its engine can't express a query."""


class UnsupportedQueryError(ValueError):
    """The engine can't express the query; the message says which part and what to do."""
