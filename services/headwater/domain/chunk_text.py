"""The text that stands for a chunk: its context header and its code, exactly as embedded and hashed."""

import hashlib

from headwater.domain.document import Chunk
from headwater.domain.version import PipelineVersion


def context_header(path: str, scopes: tuple[str, ...], doc: str, imports: tuple[str, ...]) -> str:
    """A line each for path, scopes, documentation and used imports; no line numbers, so that moves are free."""
    lines = [path]
    if scopes:
        lines.append(" > ".join(scopes))
    if doc:
        lines.append(doc)
    if imports:
        lines.append("uses " + ", ".join(imports))
    return "\n".join(lines)


def embedded_text(path: str, chunk: Chunk, text: str) -> str:
    """Header, blank line, code. `text` is the chunk's own slice of the file."""
    return f"{context_header(path, chunk.scopes, chunk.doc, chunk.imports)}\n\n{text}"


def content_hash(embedded: str, version: PipelineVersion) -> str:
    """32 hex over the embedded text, the chunker version and the model id."""
    raw = f"{version.chunker}\0{version.model}\0{embedded}"
    return hashlib.blake2b(raw.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
