"""Writes the Python code of every proto file with the locked grpcio-tools; run by `make proto`."""

import re
import sys
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc

ROOT = Path(__file__).parent
TARGET = ROOT.parent / "services/headwater/rpc/generated"
_IMPORT = re.compile(r"^(from|import) headwater\.v1", re.MULTILINE)


def generate(target: Path) -> None:
    """Fill `target` with the modules of proto/headwater/v1, importable as headwater.rpc.generated."""
    target.mkdir(parents=True, exist_ok=True)
    protos = [str(p.relative_to(ROOT)) for p in sorted(ROOT.glob("headwater/v1/*.proto"))]
    includes = [f"-I{ROOT}", f"-I{files('grpc_tools') / '_proto'}"]
    outputs = [f"--python_out={target}", f"--pyi_out={target}", f"--grpc_python_out={target}"]
    if protoc.main(["protoc", *includes, *outputs, *protos]) != 0:
        raise SystemExit("protoc failed, see its message above")
    made = target / "headwater/v1"
    for module in sorted([*made.glob("*.py"), *made.glob("*.pyi")]):
        text = _IMPORT.sub(r"\1 headwater.rpc.generated", module.read_text())
        (target / module.name).write_text(text)
        module.unlink()
    made.rmdir()
    made.parent.rmdir()
    (target / "__init__.py").write_text('"""Generated from proto/ by `make proto`; never edited."""\n')


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET)
