"""What kind of question a query is."""

import pytest

from headwater.domain.answer import QueryKind
from headwater.query.classify import classify
from headwater.query.syntax import parse_query


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("OvertimeService", "OvertimeService"),
        ("std::vector", "std::vector"),
        ("foo(", "foo("),
        ("(*Tx).Commit", "(*Tx).Commit"),
        ("managed-identity-config", "managed-identity-config"),
        ("commit", "commit"),
        ("sym:open", "open"),
        ("Type.find(String, int)", "Type.find(String, int)"),
        ("org/apache/Foo.bar", "org/apache/Foo.bar"),
    ],
)
def test_names(text: str, symbol: str) -> None:
    intent = classify(parse_query(text))
    assert intent.kind is QueryKind.IDENTIFIER
    assert intent.symbol == symbol


@pytest.mark.parametrize(
    ("text", "symbol", "path"),
    [
        ("who calls Store.save", "Store.save", ""),
        ("usages of save", "save", ""),
        ("where is Inode.Value used", "Inode.Value", ""),
        ("callers of (*Page).SetFlags", "(*Page).SetFlags", ""),
        ("UTF8 usages", "UTF8", ""),
        ("what breaks if I change hooks.default_hooks", "hooks.default_hooks", ""),
        ("usages and overrides of AsyncAction.schedule", "AsyncAction.schedule", ""),
        ("where is bbolt.Tx.pages read or written", "bbolt.Tx.pages", ""),
        ("usages of zip (src/internal/zip.ts)", "zip", "src/internal/zip.ts"),
        ("I am about to rename a.b.Type.member(): list every reference", "a.b.Type.member()", ""),
        ("I want to change the signature of Format#format, show me every caller", "Format#format", ""),
    ],
)
def test_usages(text: str, symbol: str, path: str) -> None:
    intent = classify(parse_query(text))
    assert (intent.kind, intent.symbol, intent.path) == (QueryKind.USAGES, symbol, path)


@pytest.mark.parametrize(
    "text",
    [
        "how is the digest auth header computed",
        "which hosts skip the proxy because of the environment variable used there",
        "remember a computed value for five minutes, then recompute",
        "漢字 の 検索",
    ],
)
def test_prose(text: str) -> None:
    assert classify(parse_query(text)).kind is QueryKind.NATURAL_LANGUAGE


def test_prose_that_names_code_is_mixed() -> None:
    intent = classify(parse_query("why does parse_header ignore `HttpRequest.body` when empty"))
    assert intent.kind is QueryKind.MIXED
    assert intent.mentions == ("parse_header", "HttpRequest.body")


@pytest.mark.parametrize("text", ["src/app.py", "README.md", "services/"])
def test_paths(text: str) -> None:
    assert classify(parse_query(text)).kind is QueryKind.PATH


def test_a_name_in_a_named_file() -> None:
    intent = classify(parse_query("freelist.go Reload"))
    assert (intent.kind, intent.symbol, intent.path) == (QueryKind.IDENTIFIER, "Reload", "freelist.go")


def test_quotes_are_literal() -> None:
    assert classify(parse_query('"save the order"')).kind is QueryKind.LITERAL
