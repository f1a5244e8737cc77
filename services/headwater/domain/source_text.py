"""From a file's bytes in git to the text that its document's spans refer to: one rule for whoever reads the blob."""

from headwater.domain.decoding import decode
from headwater.domain.notebook import is_notebook, read_notebook
from headwater.domain.treatment import ContentRules
from headwater.domain.tree import Mode

_ANY_SIZE = ContentRules(max_bytes=1 << 40)


def source_text(path: str, content: bytes) -> bytes:
    """UTF-8 bytes; b"" for content that no document has text of (binary, pointers of Git LFS)."""
    decoded = decode(Mode.FILE, content, _ANY_SIZE)
    notebook = read_notebook(decoded.source.decode("utf-8")) if is_notebook(path) else None
    return decoded.source if notebook is None else notebook.text.encode("utf-8", "replace")
