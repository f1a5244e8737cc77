"""An image that buildah has built, unpacked so that commands run in its root."""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import msgspec

IN_IMAGE = Path(__file__).resolve().parents[1] / "tools" / "in_image.sh"
FLAGS = {"BUILDAH_ISOLATION": "chroot", "STORAGE_DRIVER": os.environ.get("STORAGE_DRIVER", "overlay")}


class Image(msgspec.Struct, frozen=True):
    """`environment` is a file with the image's own variables; `data` the one folder beside /tmp that can be written."""

    root: Path
    user: str
    entrypoint: tuple[str, ...]
    environment: Path
    data: Path

    @classmethod
    @contextmanager
    def unpacked(cls, name: str, data: Path) -> Iterator[Self]:
        """While the context lasts. Raises CalledProcessError when buildah knows no such image."""
        settings: Any = json.loads(_buildah("inspect", "--type", "image", name))["OCIv1"]["config"]
        environment = data / f"{name.replace('/', '-')}.env"
        environment.write_text("".join(f"{line}\n" for line in settings["Env"]), "utf-8")
        container = _buildah("from", name)
        try:
            root = Path(_buildah("mount", container))
            yield cls(root, settings["User"].split(":")[0], tuple(settings["Entrypoint"]), environment, data)
        finally:
            _buildah("rm", container)

    def command(self, *arguments: str, program: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The entry point with arguments, or another program."""
        within = (str(IN_IMAGE), str(self.root), self.user, str(self.data), str(self.environment))
        return (*within, *(program or self.entrypoint), *arguments)

    def run(self, *arguments: str, program: tuple[str, ...] = (), environ: Mapping[str, str] | None = None) -> str:
        """What was printed, both streams. Raises CalledProcessError."""
        done = subprocess.run(
            self.command(*arguments, program=program),
            env={**os.environ, **(environ or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode:
            raise subprocess.CalledProcessError(done.returncode, arguments, done.stdout)
        return done.stdout


def _buildah(*command: str) -> str:
    done = subprocess.run(
        ["buildah", *command], env={**os.environ, **FLAGS}, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()
