"""The words by which a chunk is found: weighted sub-tokens, readable or as keyed hashes where no source may be kept."""

import base64
import hashlib
from collections import Counter
from collections.abc import Mapping

from headwater.domain.document import Chunk
from headwater.domain.subtoken import subtokens

Terms = tuple[dict[str, int], ...]  # of each chunk of a document

NAME_WEIGHT, HEADER_WEIGHT, BODY_WEIGHT = 4, 2, 1
_KEYED_BYTES = 9  # 12 characters: among 10 million words two meet with a chance of one in 10^8


def chunk_terms(path: str, chunk: Chunk, body: str) -> dict[str, int]:
    """Weighted frequency of each sub-token of a chunk's name, header (path, scopes, documentation) and body."""
    counts = Counter(subtokens(body))
    header = subtokens(" ".join((path, *chunk.scopes, chunk.doc)))
    for term in header:
        counts[term] += HEADER_WEIGHT
    if chunk.scopes:
        for term in subtokens(chunk.scopes[-1]):
            counts[term] += NAME_WEIGHT - HEADER_WEIGHT
    return counts


def keyed_term(term: str, key: str) -> str:
    """What stands for a term in a store: itself without a key, else a hash that nobody can make without the key."""
    if not key:
        return term
    secret = hashlib.blake2b(key.encode("utf-8"), digest_size=32).digest()
    digest = hashlib.blake2b(term.encode("utf-8", "surrogatepass"), key=secret, digest_size=_KEYED_BYTES).digest()
    return base64.urlsafe_b64encode(digest).decode("ascii")


def keyed_terms(terms: Mapping[str, int], key: str) -> dict[str, int]:
    """The same frequencies under what stands for each term."""
    return {keyed_term(term, key): count for term, count in terms.items()} if key else dict(terms)
