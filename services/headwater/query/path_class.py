"""What a path says of its file: production, test, vendored or generated code."""

import re
from functools import lru_cache

_TEST_FOLDER = re.compile(
    r"(?:^|/)(?:tests?|testing|testdata|test-data|__tests__|specs?|fixtures|mocks?|examples?|benchmarks?|[^/]*(?:[_-]tests?|testing|testutils?))/",
    re.IGNORECASE,
)
_TEST_FILE = re.compile(
    r"(?:^|/)(?:test_[^/]*|conftest\.py|[^/]*_test\.[^/.]+|[^/]*[._-](?:test|spec)s?\.[^/]+|[^/]*(?:Test|Tests|TestCase|IT|Spec)\.(?:java|kt|scala|cs|swift|php|rb))$"
)
_VENDORED = re.compile(
    r"(?:^|/)(?:vendor|node_modules|third[_-]party|external|bower_components|dist|generated)/", re.IGNORECASE
)


@lru_cache(maxsize=65536)
def is_test_path(path: str) -> bool:
    return bool(_TEST_FOLDER.search(path) or _TEST_FILE.search(path))


@lru_cache(maxsize=65536)
def is_vendored_path(path: str) -> bool:
    return bool(_VENDORED.search(path))


def code_weight(path: str, generated: bool, wants_tests: bool) -> float:
    """What a result's score is multiplied by: 1 for production code, less for what is rarely meant."""
    if generated or is_vendored_path(path):
        return 0.5
    if is_test_path(path) and not wants_tests:
        return 0.75
    return 1.0
