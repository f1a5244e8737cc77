"""What a ref may be called: the spellings that git takes for one name."""

import re

HEAD = frozenset({"HEAD", "@"})
_OF_ITS_COMMIT = re.compile(r"(?:\^\{(?:commit)?\}|\^0|~0)+$")
_PLACES = ("refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}")


def bare_name(name: str) -> str:
    """Without the marks that ask for the commit that a name stands for (v1^{}, v1^0): a view shows nothing else."""
    return _OF_ITS_COMMIT.sub("", name)


def full_names(name: str) -> tuple[str, ...]:
    """The full ref names that a bare name may be short for: main, heads/main and origin/main, as git has it."""
    return (name,) if name.startswith("refs/") else tuple(place.format(name) for place in _PLACES)
