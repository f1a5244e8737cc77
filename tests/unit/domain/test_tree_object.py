"""A tree object of any form hashes to its own id from the entries that were read of it."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.domain.tree import EMPTY_TREE, FORM_NAME, Mode, TreeUnreadableError
from headwater.domain.tree_object import hash_tree, is_misspelled, read_tree_object

A, B = "a" * 40, "b" * 40


def raw(*rows: tuple[bytes, bytes, str]) -> bytes:
    return b"".join(mode + b" " + name + b"\0" + bytes.fromhex(oid) for mode, name, oid in rows)


def git_id(content: bytes) -> str:
    return hashlib.sha1(b"tree %d\0" % len(content) + content).hexdigest()


_modes = st.one_of(
    st.sampled_from(
        [
            b"100644",
            b"100755",
            b"100664",
            b"0100644",
            b"40000",
            b"040000",
            b"40755",
            b"120777",
            b"160000",
            b"0",
            b"1",
            b"7",
        ]
    ),
    st.text("01234567", min_size=1, max_size=12).map(str.encode),
)
_names = st.one_of(
    st.sampled_from(
        [b"a", b"a.b", b"a/b", b"", b".", b"..", b".git", b"\xff", b"\xee\xbc\x80", b"\xee\xbe\x80", b"\\", b" "]
    ),
    st.binary(max_size=6).map(lambda name: name.replace(b"\0", b"")),
)
_ids = st.sampled_from([A, B, EMPTY_TREE])


@given(st.lists(st.tuples(_modes, _names, _ids), max_size=6))
def test_s13_any_tree_that_git_can_store_is_proven_from_its_entries(rows: list[tuple[bytes, bytes, str]]) -> None:
    content = raw(*rows)
    entries = read_tree_object(content)
    assert hash_tree(entries) == hash_tree(reversed(entries)) == git_id(content)
    names = [entry.name for entry in entries]
    assert len(set(names)) == len(names), "two entries were taken for one"
    assert all("/" not in name and "\0" not in name for name in names)
    assert all(entry.mode for entry in entries)


def test_s13_modes_of_old_repositories_are_kept() -> None:
    content = raw((b"100664", b"a", A), (b"100640", b"b", B))
    assert [(e.mode, e.name) for e in read_tree_object(content)] == [(0o100664, "a"), (0o100640, "b")]


def test_s13_a_usual_tree_has_no_form() -> None:
    content = raw((b"100644", b"a.b", A), (b"40000", b"a", B), (b"100644", b"a0", A))
    assert [e.name for e in read_tree_object(content)] == ["a.b", "a", "a0"]


def test_s13_a_changed_entry_or_form_is_another_tree() -> None:
    content = raw((b"0100644", b"b", A), (b"040000", b"a", B))
    *entries, form = read_tree_object(content)
    assert form.name == FORM_NAME
    assert hash_tree(entries) != git_id(content)
    assert hash_tree([*entries[1:], form]) != git_id(content)


@pytest.mark.parametrize("name", [b"", b".", b"..", b"a/b", b"/", b"/etc/passwd"])
def test_s13_names_that_no_file_has_are_told_apart_from_paths(name: bytes) -> None:
    (entry, *_) = read_tree_object(raw((b"100644", name, A)))
    assert is_misspelled(f"folder/{entry.name}")


def test_s13_the_second_of_two_equal_names_is_told_apart() -> None:
    entries = read_tree_object(raw((b"100644", b"a", A), (b"100644", b"a", B)))
    assert [(is_misspelled(e.name), e.oid) for e in entries[:2]] == [(False, A), (True, B)]


@pytest.mark.parametrize(
    "content", [b"100644", b"100644 a", b"100644 a\0short", b"9 a\0" + bytes(20), b" a\0" + bytes(20)]
)
def test_r1_bytes_that_are_no_tree_are_unreadable(content: bytes) -> None:
    with pytest.raises(TreeUnreadableError):
        read_tree_object(content)


def test_modes_mean_what_git_takes_them_for() -> None:
    rows = [(b"120777", b"a", A), (b"40755", b"b", A), (b"170000", b"c", A), (b"0", b"d", A)]
    modes = [entry.mode for entry in read_tree_object(raw(*rows))][:4]
    assert modes == [Mode.SYMLINK, Mode.TREE, Mode.SUBMODULE, Mode.SUBMODULE]
