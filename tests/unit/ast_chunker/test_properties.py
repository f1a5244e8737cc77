"""What holds for any bytes: nothing raises, every non-blank byte is in exactly one chunk, ranges slice exactly."""

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headwater.ast_chunker.languages.golden import examples
from headwater.ast_chunker.process import analyse_file
from headwater.domain.document import Document, Status
from headwater.domain.subtoken import subtokens
from headwater.domain.tree import Mode, hash_blob
from headwater.domain.version import PipelineVersion

VERSION = PipelineVersion("test", 8)
NAMES = st.sampled_from(["a.py", "b.java", "c.go", "d.js", "e.ts", "f.tsx", "g.txt", "h"])
SOURCES = [(p.name, p.read_bytes()) for p in examples(["python", "java", "go", "javascript", "typescript", "tsx"])]


def check(path: str, content: bytes) -> None:
    document, text = analyse_file(path, Mode.FILE, hash_blob(content), content, VERSION)
    if document.status is Status.INDEXED:
        assert text is not None
        check_chunks(document, text.encode())
        check_facts(document, text.encode())


def check_chunks(document: Document, raw: bytes) -> None:
    at = 0
    for chunk in document.chunks:
        span = chunk.span
        between = raw[at : span.start_byte]
        assert not between.removeprefix(b"\xef\xbb\xbf" if at == 0 else b"").strip(), "bytes in no chunk"
        assert at <= span.start_byte < span.end_byte, "chunks overlap"
        piece = raw[span.start_byte : span.end_byte]
        assert piece.strip(), "blank chunk"
        assert len(subtokens(piece.decode())) <= 500
        at = span.end_byte
    assert not raw[at:].removeprefix(b"\xef\xbb\xbf" if at == 0 else b"").strip()


def check_facts(document: Document, raw: bytes) -> None:
    facts = document.facts
    for symbol in facts.symbols:
        assert symbol.name == "<anonymous>" or raw[symbol.at.byte :].startswith(symbol.name.encode())
        assert symbol.span.start_byte <= symbol.at.byte < symbol.span.end_byte or symbol.name == ""
        assert -1 <= symbol.container < len(facts.symbols)
    for reference in facts.references:
        assert raw[reference.at.byte :].startswith(reference.name.encode())
        if reference.target >= 0:
            assert facts.symbols[reference.target].name == reference.name
    starts = [r.at.byte for r in facts.references]
    assert starts == sorted(starts)


@settings(deadline=None)
@given(NAMES, st.binary(max_size=400))
def test_random_bytes(name: str, content: bytes) -> None:
    check(name, content)


@settings(deadline=None)
@given(NAMES, st.text(alphabet="(){}[];:.,=<>'\"`@#/*\\\n \tabclassdef函0", max_size=300))
def test_random_punctuation(name: str, content: str) -> None:
    check(name, content.encode())


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.sampled_from(SOURCES), st.data())
def test_mutated_sources(source: tuple[str, bytes], data: st.DataObject) -> None:
    name, content = source
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, min(len(content), start + 60)))
    junk = data.draw(
        st.one_of(st.binary(max_size=12), st.sampled_from([b"", b"\r", b"\n\n", b"\xef\xbb\xbf", b"{{{", b'"""']))
    )
    check(name, content[:start] + junk + content[end:])


def test_every_example_is_covered() -> None:
    for path in examples([]):
        check(Path(path).name, path.read_bytes())
