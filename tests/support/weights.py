"""A second real model for tests: the program's own, cut to fewer dimensions under another name."""

import json
from pathlib import Path

import numpy as np

from headwater.clients.static_model import WEIGHTS


def shorter_model(folder: Path, dimensions: int = 48, name: str = "") -> Path:
    """The folder, with the files of a model that StaticModel reads."""
    folder.mkdir(parents=True)
    card = json.loads((WEIGHTS / "card.json").read_bytes())
    card |= {"model": name or f"{card['model']}-{dimensions}", "dimensions": dimensions}
    (folder / "card.json").write_text(json.dumps(card))
    np.save(folder / "vectors.npy", np.ascontiguousarray(np.load(WEIGHTS / "vectors.npy")[:, :dimensions]))
    for file in ("term_weights.npy", "terms.txt"):
        (folder / file).symlink_to(WEIGHTS / file)
    return folder
