"""Texts from the git host: believed by their hash, remembered for one caller and one time, in bounded memory."""

from collections.abc import Collection, Iterator

import pytest

from headwater.domain.credential import Credential
from headwater.domain.tree import hash_blob
from headwater.query.deadline import Deadline
from headwater.query.hydration import Caller, Hydration, Wanted
from headwater.query.texts import HydratedTexts
from headwater.stores.index_reader import DocumentRow

TEXT = b"def hello():\n    return 1\n"
BLOB = ("a/b", hash_blob(TEXT))
FILE = Wanted("a/b", "hello.py", BLOB[1])
ANN, BOB = Caller("user:ann", Credential.of("anns")), Caller("user:bob", Credential.of("bobs"))


class Host:
    """Shows everything to whoever has a token of the list."""

    def __init__(self, *tokens: str, contents: dict[tuple[str, str], bytes] | None = None) -> None:
        self.tokens, self.contents = tokens, {BLOB: TEXT} if contents is None else contents
        self.asked: list[tuple[str, frozenset[tuple[str, str]], float]] = []

    def blobs(
        self, credential: Credential | None, wanted: Collection[tuple[str, str]], seconds: float
    ) -> Iterator[tuple[tuple[str, str], bytes]]:
        token = credential.token if credential else ""
        self.asked.append((token, frozenset(wanted), seconds))
        if token in self.tokens:
            yield from ((blob, self.contents[blob]) for blob in list(wanted) if blob in self.contents)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_each_caller_is_asked_for_under_its_own_credential() -> None:
    host = Host("anns")
    hydration = Hydration(host)
    assert hydration.texts(ANN, [FILE], 1.0) == {FILE: TEXT}
    assert hydration.texts(BOB, [FILE], 1.0) == {}
    assert hydration.texts(Caller("user:ann", None), [FILE], 1.0) == {}
    assert hydration.texts(Caller("user:ann", Credential.of("other")), [FILE], 1.0) == {}
    assert [token for token, _, _ in host.asked] == ["anns", "bobs", "", "other"]


def test_it_is_remembered_for_its_caller_and_no_longer_than_stated() -> None:
    host, clock = Host("anns"), Clock()
    hydration = Hydration(host, ttl_s=45.0, clock=clock)
    hydration.texts(ANN, [FILE], 1.0)
    host.tokens = ()
    clock.now = 44.0
    assert hydration.texts(ANN, [FILE], 1.0) == {FILE: TEXT}
    assert len(host.asked) == 1
    clock.now = 45.0
    assert hydration.texts(ANN, [FILE], 1.0) == {}


def test_what_is_not_what_its_id_says_is_not_believed() -> None:
    host = Host("anns", contents={BLOB: b"something else"})
    assert Hydration(host).texts(ANN, [FILE], 1.0) == {}


def test_a_blob_of_several_paths_is_asked_for_once_and_the_wait_is_bounded() -> None:
    host = Host("anns")
    other = Wanted("a/b", "copy.py", BLOB[1])
    assert Hydration(host, wait_s=2.0).texts(ANN, [FILE, other], 60.0) == {FILE: TEXT, other: TEXT}
    assert host.asked == [("anns", frozenset({BLOB}), 2.0)]


def test_memory_is_bounded() -> None:
    contents = {("a/b", hash_blob(bytes([n]) * 100)): bytes([n]) * 100 for n in range(65, 75)}
    host = Host("anns", contents=contents)
    hydration = Hydration(host, kept_bytes=250)
    files = [Wanted("a/b", "x.txt", oid) for _, oid in contents]
    assert len(hydration.texts(ANN, files, 1.0)) == 10
    assert len(hydration.texts(ANN, files, 1.0)) == 10
    assert len(host.asked[1][1]) == 8


def test_no_token_outlives_its_question() -> None:
    hydration = Hydration(Host("anns"))
    hydration.texts(ANN, [FILE], 1.0)
    assert "anns" not in repr(vars(hydration))
    assert "anns" not in repr(ANN)
    assert all(caller.credential is not None and caller.credential.token == "" for caller, _ in hydration._kept)


def row(path: str = "hello.py", blob: str = BLOB[1]) -> DocumentRow:
    return DocumentRow(0, 1, path, "python", False, blob)


def test_a_question_asks_at_once_and_never_again_for_what_failed() -> None:
    host = Host("anns")
    texts = HydratedTexts(Hydration(host), ANN, Deadline(10.0))
    texts.prepare([("a/b", row()), ("a/b", row(blob="0" * 40))])
    assert texts.held("a/b", row()) == TEXT
    assert not texts.lacking
    for _ in range(3):
        assert texts.text("a/b", row(blob="0" * 40)) is None
    assert texts.lacking
    assert len(host.asked) == 1


def test_without_time_nothing_is_asked() -> None:
    host = Host("anns")
    clock = Clock()
    deadline = Deadline(1.0, clock)
    clock.now = 2.0
    assert HydratedTexts(Hydration(host), ANN, deadline).text("a/b", row()) is None
    assert host.asked == []


@pytest.mark.parametrize("token", ["anns", "x" * 200])
def test_a_credential_shows_nothing_of_its_token(token: str) -> None:
    credential = Credential.of(token)
    assert token not in repr(credential)
    assert credential.remembered == Credential.of(token).remembered
    assert credential.remembered.token == ""
