"""Where the embedded index keeps its files."""

import os
import sys
from functools import cache
from pathlib import Path

import msgspec
import platformdirs

from headwater.runtime.private_files import open_to_others, private_folder
from headwater.settings import absolute_path


class Home(msgspec.Struct, frozen=True):
    """One folder holds one index."""

    root: Path

    @staticmethod
    def default() -> "Home":
        """$HEADWATER_HOME, else the user's data folder; a relative path is refused.

        Raises SettingsError.
        """
        configured = os.environ.get("HEADWATER_HOME")
        return Home(
            absolute_path(configured, "HEADWATER_HOME") if configured else Path(platformdirs.user_data_dir("headwater"))
        )

    @property
    def catalog(self) -> Path:
        return self.root / "catalog.db"

    @property
    def vectors(self) -> Path:
        return self.root / "vectors"

    @property
    def weights(self) -> Path:
        """Of the edition's own model; absent where it is that of the program."""
        return self.root / "weights"

    @property
    def editions(self) -> Path:
        """Which editions there are, see domain/edition.py."""
        return self.root / "editions.json"

    def edition(self, number: int) -> "Home":
        """The folder of one edition's catalog, vectors and weights: the first has them in the home itself."""
        return self if number == 1 else Home(self.root / "editions" / str(number))

    @property
    def damaged(self) -> Path:
        """Is there while `verify` has found damage in the catalog that no indexing run has mended yet."""
        return self.root / "damaged"

    @property
    def graphs(self) -> Path:
        """Dependence graphs by blob; a cache."""
        return self.root / "graphs"

    @property
    def outcomes(self) -> Path:
        return self.root / "outcomes.jsonl"

    @property
    def compiled(self) -> Path:
        """Compiler-made indexes, by repository and commit."""
        return self.root / "compiled"

    @property
    def worktrees(self) -> Path:
        """Which working copies are private views."""
        return self.root / "worktrees"

    @property
    def page_secret(self) -> Path:
        return self.root / "page_secret"

    def make(self) -> "Home":
        """Create the folder, for its owner alone; an older one that isn't is warned of.

        Raises OSError.
        """
        if open_to_others(private_folder(self.root)):
            _warn(self.root)
        return self


@cache
def _warn(root: Path) -> None:
    sys.stderr.write(f"headwater: others may read the index and its source: run 'chmod -R go= {root}'\n")
