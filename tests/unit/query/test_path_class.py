"""What a path says of its file."""

import pytest

from headwater.query.path_class import code_weight, is_test_path, is_vendored_path


@pytest.mark.parametrize(
    "path", ["tests/a.py", "x/test_a.py", "a_test.go", "FooTest.java", "a.spec.ts", "t/__tests__/a.js", "conftest.py"]
)
def test_tests(path: str) -> None:
    assert is_test_path(path)


@pytest.mark.parametrize(
    "path", ["src/contest.py", "latest/a.py", "testimony.go", "src/Attestation.java", "protest.ts"]
)
def test_what_only_sounds_like_a_test(path: str) -> None:
    assert not is_test_path(path)


def test_weights() -> None:
    assert is_vendored_path("vendor/x/a.go")
    assert code_weight("src/a.py", False, False) == 1.0
    assert code_weight("src/a.py", True, False) < code_weight("tests/a.py", False, False) < 1.0
    assert code_weight("tests/a.py", False, True) == 1.0
