"""The installed program, run as a user runs it, on a small shop of a repository."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from support.git_repo import Files, RepoBuilder

PROGRAM = Path(sys.executable).with_name("headwater")
SHOP = b'''"""A shop."""


def validate_token(token):
    """Check the signature and the expiry of a JSON web token."""
    header, payload, signature = token.split(".")
    if signature != sign(header, payload):
        raise ValueError("bad signature")
    return bool(token)


def login(request):
    claims = validate_token(request.token)
    if not claims or request.user != claims["sub"]:
        raise PermissionError(request.user)
    request.session.renew(request.user)
    return request.user
'''
FILES: Files = {
    "shop/auth.py": SHOP,
    "shop/__init__.py": b"",
    "shop/views.py": b"from shop.auth import validate_token as check\n\n\ndef view(r):\n    return check(r)\n",
    "logo.png": b"\x89PNG\r\n\x1a\n\0\0",
}


class Program:
    """The installed program on a home and a repository of its own."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.git = RepoBuilder(folder / "shop.git")
        self.env = {**os.environ, "HEADWATER_HOME": str(self.home)}

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        line = [PROGRAM, *command]
        return subprocess.run(line, env=self.env, capture_output=True, text=True, timeout=120, check=False)

    def json(self, *command: str) -> Any:
        done = self.run(*command, "--json")
        assert done.stdout, done.stderr
        return json.loads(done.stdout)
