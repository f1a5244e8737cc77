"""Triton Inference Server from the `nvidia-pytriton` wheel, in an environment of its own, with the python backend."""

import os
import shutil
import sys
import sysconfig
from pathlib import Path

from headwater.runtime.child_process import inherited
from headwater.runtime.private_files import private_folder
from headwater.stack.component import MissingComponentError
from headwater.stack.environment import environment_python, install_environment
from headwater.stack.http_probe import answers
from headwater.stack.process import Command, Running, free_ports

REQUIREMENTS = ("nvidia-pytriton==0.7.0", "numpy<2", "msgspec>=0.20")
PYTHON = f"{sys.version_info[0]}.{sys.version_info[1]}"


class Triton:
    """Ports: `grpc`, `http`, `metrics`. `models` is the model repository that it serves."""

    name = "triton"

    def __init__(self, models: Path | None = None) -> None:
        self.models = models or default_models()

    def install(self, root: Path) -> None:
        _python_library()
        install_environment(root / self.name / "venv", REQUIREMENTS)
        _install_backend(root / self.name)
        _lend_package(root / self.name)

    def installed(self, root: Path) -> bool:
        return (root / self.name / "backends" / "python" / "triton_python_backend_stub").exists()

    def start(self, root: Path, data: Path, ports: dict[str, int] | None = None) -> Running:
        if not self.installed(root):
            raise MissingComponentError("triton: not installed; run `make stack`")
        home, ports = root / self.name, free_ports(("grpc", "http", "metrics"), ports)
        private_folder(data)
        site = _site(home)
        argv = [str(site / "pytriton" / "tritonserver" / "bin" / "tritonserver")]
        argv += [f"--model-repository={self.models}", f"--backend-directory={home / 'backends'}"]
        for kind in ("grpc", "http", "metrics"):
            argv += [f"--{kind}-address=127.0.0.1", f"--{kind}-port={ports[kind]}"]
        argv += ["--allow-gpu-metrics=false", "--exit-on-error=true", "--exit-timeout-secs=5"]
        command = Command(self.name, tuple(argv), data / "triton.log", env=_environment(home, site), cwd=data)
        running = Running(command, ports, lambda: answers(ports["http"], "/v2/health/ready"))
        running.wait_healthy()
        return running


def default_models() -> Path:
    """The model repository `models/` of the checkout, or the copy inside the installed package."""
    packaged = Path(__file__).resolve().parents[1] / "models"
    return packaged if packaged.is_dir() else Path(__file__).resolve().parents[3] / "models"


def _site(home: Path) -> Path:
    return home / "venv" / "lib" / f"python{PYTHON}" / "site-packages"


def _install_backend(home: Path) -> None:
    """The wheel keeps one stub per Python version; the server wants the right one beside the backend."""
    server, folder = _site(home) / "pytriton" / "tritonserver", home / "backends" / "python"
    folder.mkdir(parents=True, exist_ok=True)
    stub = server / "python_backend_stubs" / PYTHON / "triton_python_backend_stub"
    for file in (*(server / "backends" / "python").glob("*.*"), stub):
        if not (folder / file.name).exists():
            shutil.copy2(file, folder / file.name)


def _lend_package(home: Path) -> None:
    """The models load the program's own model code; the backend's stub heeds no PYTHONPATH, only its site folder."""
    (_site(home) / "headwater.pth").write_text(f"{Path(__file__).resolve().parents[2]}\n", "utf-8")


def _python_library() -> str:
    """The folder of this Python's shared library, which the backend's stub loads. Raises MissingComponentError."""
    library = f"libpython{PYTHON}.so.1.0"
    for folder in (sysconfig.get_config_var("LIBDIR"), f"{sys.base_prefix}/lib", "/usr/lib/x86_64-linux-gnu"):
        if folder and (Path(folder) / library).exists():
            return str(folder)
    raise MissingComponentError(f"triton: {library} not found; install `libpython{PYTHON}` (apt)")


def _environment(home: Path, site: Path) -> dict[str, str]:
    python = environment_python(home / "venv")
    libraries = (_python_library(), str(site / "nvidia_pytriton.libs"), os.environ.get("LD_LIBRARY_PATH", ""))
    return {
        **inherited(),
        "PATH": f"{python.parent}:{os.environ['PATH']}",
        "LD_LIBRARY_PATH": ":".join(libraries),
        "VIRTUAL_ENV": str(home / "venv"),
    }
