"""What is done to a ranked answer besides ranking it."""

import msgspec


class Shaping(msgspec.Struct, frozen=True):
    """All of it is on; evaluations take parts away to see what they are worth."""

    collapse: bool = True  # near-equal results are shown once
    demote: bool = True  # generated, vendored and test code comes later
    expand: bool = True  # a context holds what its hits call
