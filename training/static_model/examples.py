"""Selects documented definitions, builds the vocabulary and stores every text as term numbers."""

import hashlib
import random
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
from sources import SourceFile, read_sources, source_files
from units import Unit, cut_units

from headwater.clients.static_lexicon import Lexicon
from headwater.domain.subtoken import subtokens

PER_PACKAGE = 2_500
NEW_TERM_UNITS = 12  # a term that the prior lacks must stand in so many definitions
MAX_SAME_SENTENCE = 2
UNDOCUMENTED_SHARE = 0.4

Packaged = tuple[str, Unit]
Ints = npt.NDArray[np.int64]


class Examples(msgspec.Struct):
    """Texts as term numbers. A row is (first text, doc sentences, comments, messages): its texts are name, place, body
    and then those. `package` numbers `packages`."""

    terms: list[str]
    unit_counts: Ints  # in how many definitions each term stands
    flat: npt.NDArray[np.int32]
    offsets: Ints
    rows: Ints
    package: Ints
    packages: list[str]


def extract(cache: Path) -> Path:
    """Cuts all packages into units, once; the file holds length-prefixed (package, units)."""
    target = cache / "units.msgpack"
    if target.exists():
        return target
    encode = msgspec.msgpack.Encoder().encode
    with target.with_suffix(".part").open("wb") as out:
        for package in read_sources():
            files = source_files(package, cache)
            packed = encode((package.key, [_slim(unit) for file in files for unit in _cut(file)]))
            out.write(len(packed).to_bytes(8, "little") + packed)
    target.with_suffix(".part").rename(target)
    return target


def _cut(file: SourceFile) -> Iterator[Unit]:
    return cut_units(file.language, file.path, file.content)


def _slim(unit: Unit) -> Unit:
    unit.text = ""
    return unit


def read_units(file: Path) -> Iterator[tuple[str, list[Unit]]]:
    decode = msgspec.msgpack.Decoder(tuple[str, list[Unit]]).decode
    with file.open("rb") as packed:
        while header := packed.read(8):
            yield decode(packed.read(int.from_bytes(header, "little")))


def select(units: Iterable[tuple[str, list[Unit]]], left_out: Sequence[Unit]) -> list[Packaged]:
    """At most PER_PACKAGE a package, no code twice, no sentence more than twice, nothing that `left_out` holds."""
    rng = random.Random(1)
    seen = {_code(unit) for unit in left_out if len(unit.body) > 60}
    sentences = Counter({unit.doc[0].lower(): MAX_SAME_SENTENCE for unit in left_out if unit.doc})
    kept: list[Packaged] = []
    for package, found in units:
        rng.shuffle(found)
        before = len(kept)
        for unit in found:
            if len(kept) - before >= PER_PACKAGE:
                break
            if _is_wanted(unit, seen, sentences, rng):
                kept.append((package, unit))
    return kept


def _is_wanted(unit: Unit, seen: set[bytes], sentences: Counter[str], rng: random.Random) -> bool:
    if not (unit.doc or unit.messages or unit.comments) or len(unit.body) < 40:
        return False
    code, sentence = _code(unit), unit.doc[0].lower() if unit.doc else ""
    if code in seen or sentences[sentence] >= MAX_SAME_SENTENCE:
        return False
    if not sentence and rng.random() > UNDOCUMENTED_SHARE:
        return False
    if sentence:
        sentences[sentence] += 1
    seen.add(code)
    return True


def _code(unit: Unit) -> bytes:
    return hashlib.blake2b(re.sub(r"\s+", "", unit.body).encode(), digest_size=8).digest()


def number(kept: Sequence[Packaged], prior_terms: Sequence[str], words: set[str]) -> Examples:
    """The vocabulary: prior terms that code holds, frequent new ones, and prior terms that are English words."""
    counts: Counter[str] = Counter()
    for _, unit in kept:
        counts.update(set(subtokens(" ".join((unit.path, *unit.scopes, *unit.doc, *unit.comments, unit.body[:2000])))))
    known = set(prior_terms)
    new = [t for t, n in counts.most_common() if t not in known and n >= NEW_TERM_UNITS and len(t) > 1]
    unseen = [t for t in prior_terms if not counts[t] and len(t) > 2 and t in words]
    terms = [t for t in prior_terms if counts[t]] + new + unseen
    lexicon, flat, offsets = Lexicon(terms), array("i"), array("q", [0])
    rows = [_append(unit, lexicon, flat, offsets) for _, unit in kept]
    packages = sorted({package for package, _ in kept})
    number_of = {package: i for i, package in enumerate(packages)}
    return Examples(
        terms,
        np.array([counts[t] for t in terms]),
        np.array(flat, np.int32),
        np.array(offsets),
        np.array(rows),
        np.array([number_of[package] for package, _ in kept]),
        packages,
    )


def _append(unit: Unit, lexicon: Lexicon, flat: "array[int]", offsets: "array[int]") -> tuple[int, int, int, int]:
    doc, comments, messages = unit.doc[:6], unit.comments[:8], unit.messages[:3]
    first = len(offsets) - 1
    name = unit.scopes[-1] if unit.scopes else ""
    for text in (name, " ".join((unit.path, *unit.scopes[:-1])), unit.body, *doc, *comments, *messages):
        flat.extend(lexicon.numbers(text))
        offsets.append(len(flat))
    return first, len(doc), len(comments), len(messages)
