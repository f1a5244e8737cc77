"""`make demo`: indexes a repository and asks one question of each kind with the program's own commands."""

import sys
from collections import Counter
from pathlib import Path

from headwater.cli.main import main
from headwater.domain.document import SymbolKind
from headwater.domain.view import ViewKey
from headwater.embedded.home import Home
from headwater.embedded.product import Product
from headwater.stores.git_store import GitRepository

ASKABLE = (SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CLASS, SymbolKind.STRUCT, SymbolKind.INTERFACE)
QUESTION = "where are errors logged"
LOOKED_AT = 400  # documents


def demo(repository: str) -> int:
    """Returns the exit status of the first command that fails."""
    path = str(Path(repository).resolve())
    status = _run("index", path)
    if status:
        return status
    name, symbol = _subject(path)
    for command in (
        ("search", symbol, "--repo", name, "-n", "3"),
        ("usages", symbol, "--repo", name, "-n", "8"),
        ("search", QUESTION, "--repo", name, "-n", "3"),
    ):
        status = status or _run(*command)
    print("\nGo on with your own questions, or another repository:")
    print("  .venv/bin/headwater index PATH…   .venv/bin/headwater search 'QUESTION'   .venv/bin/headwater --help")
    return status


def _run(*command: str) -> int:
    shown = " ".join(f"'{word}'" if " " in word else word for word in command)
    print(f"\n$ headwater {shown}", flush=True)
    return main(command)


def _subject(path: str) -> tuple[str, str]:
    """The repository's name in the index and its most used definition."""
    with Product(Home.default()) as product:
        git = GitRepository(path)
        name = next(r.name for r in product.catalog.repositories() if r.location == str(git.path))
        with product.catalog.pin([ViewKey(name, git.resolve(None)[0])]) as scope:
            rows = product.catalog.documents_containing(scope, [])[:LOOKED_AT]
            facts = [product.catalog.document(row.document_id).facts for row in rows]
    used = Counter(r.name for f in facts for r in f.references)
    defined = {s.name for f in facts for s in f.symbols if s.kind in ASKABLE and not s.local}
    return name, max(defined, key=lambda n: (used[n], n), default="main")


if __name__ == "__main__":
    sys.exit(demo(sys.argv[1] if len(sys.argv) > 1 else "."))
