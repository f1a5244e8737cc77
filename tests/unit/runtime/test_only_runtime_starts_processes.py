"""No module starts a process but through runtime/child_process.py; the import contract knows no functions of `os`."""

import ast
import re
from pathlib import Path

SERVICES = Path(__file__).parents[3] / "services" / "headwater"
STARTING = ("exec", "spawn", "posix_spawn", "fork", "system", "popen", "startfile")
ALLOWED = {
    # becomes the server in the component's own environment; child_process started it
    "stack/launchers/milvus_server.py": {"execve"},
}
STARTERS = {"Popen", "create_subprocess_exec", "create_subprocess_shell", "subprocess_exec", "ProcessPoolExecutor"}


def _started(tree: ast.AST) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os":
            found |= {node.attr} if node.attr.startswith(STARTING) else set()
        if isinstance(node, ast.ImportFrom) and node.module == "os":
            found |= {alias.name for alias in node.names if alias.name.startswith(STARTING)}
        if isinstance(node, ast.Attribute | ast.Name):
            name = node.attr if isinstance(node, ast.Attribute) else node.id
            found |= {name} & STARTERS
    return found


def test_s1_only_runtime_starts_processes() -> None:
    for file in SERVICES.rglob("*.py"):
        name = file.relative_to(SERVICES).as_posix()
        if name != "runtime/child_process.py" and "/examples/" not in name:
            assert _started(ast.parse(file.read_text("utf-8"))) == ALLOWED.get(name, set()), name


def test_s1_every_python_that_the_project_starts_leaves_the_current_folder() -> None:
    root = SERVICES.parents[1]
    files = [
        root / "Makefile",
        root / "Dockerfile",
        *root.glob("helm/headwater/templates/**/*.*"),
        *root.glob("*/*.sh"),
    ]
    for file in files:
        for line in file.read_text("utf-8").splitlines():
            if re.search(r"""-m[",]*\s*"?headwater""", line):
                assert "-P" in line, f"{file}: {line}"
