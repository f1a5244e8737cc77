"""What "ignoring case" compares."""


def fold(text: str) -> str:
    """Applied character by character, so a substring folds to a substring; NUL, where indexes stop, is replaced."""
    return text.casefold().replace("\0", "\ufffd")
