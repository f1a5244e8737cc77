"""Sources with marks: ⟦name⟧ is the definition asked about, ⟨name⟩ a use to be found, ‹name› one by name only."""

import re

from headwater.ast_chunker.process import analyse_file
from headwater.domain.document import FileFacts
from headwater.domain.resolution.source import SymbolId
from headwater.domain.resolution.usages import Usages
from headwater.domain.tree import Mode, hash_blob
from headwater.domain.version import PipelineVersion
from headwater.evaluation.corpus import MemoryCorpus

_MARK = re.compile(r"([⟦⟨‹])([^⟧⟩›]*)[⟧⟩›]")
_VERSION = PipelineVersion("none", 0)
Place = tuple[str, int, str]  # path, byte, how: "resolved" or "by name"


def facts_of(path: str, content: bytes) -> FileFacts:
    document, _ = analyse_file(path, Mode.FILE, hash_blob(content), content, _VERSION)
    return document.facts


def usages(files: dict[str, str]) -> tuple[set[Place], set[Place]]:
    """What the marks expect, and what resolution answers, for the one marked definition."""
    plain, expected, definitions = {}, set(), []
    for path, text in files.items():
        plain[path], places = _strip(text)
        expected |= {(path, byte, how) for byte, how in places if how != "definition"}
        definitions += [(path, byte) for byte, how in places if how == "definition"]
    corpus = MemoryCorpus(((p, t.encode()) for p, t in plain.items()), facts_of)
    ids = [_symbol_at(corpus, path, byte) for path, byte in definitions]
    found = Usages(corpus).of(ids)
    return expected, {(corpus.path(u.document), u.at.byte, "resolved" if u.resolved else "by name") for u in found}


def _strip(text: str) -> tuple[str, list[tuple[int, str]]]:
    hows = {"⟦": "definition", "⟨": "resolved", "‹": "by name"}
    out, places, at = "", [], 0
    for match in _MARK.finditer(text):
        out += text[at : match.start()]
        places.append((len(out.encode()), hows[match[1]]))
        out += match[2]
        at = match.end()
    return out + text[at:], places


def _symbol_at(corpus: MemoryCorpus, path: str, byte: int) -> SymbolId:
    document = corpus.document_at(path)
    assert document is not None
    symbols = corpus.facts(document).symbols
    return SymbolId(document, next(i for i, s in enumerate(symbols) if s.at.byte == byte))
