"""The committed protobuf code is what the proto files give."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[3]
COMMITTED = ROOT / "services/headwater/rpc/generated"


def test_generated_code_is_not_stale(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "proto/generate.py")
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    generate.generate(tmp_path / "generated")
    made = {p.name: p.read_text() for p in (tmp_path / "generated").iterdir()}
    committed = {p.name: p.read_text() for p in COMMITTED.iterdir() if p.is_file()}
    assert committed == made, "run `make proto` and commit what it writes"
