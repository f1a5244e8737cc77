"""Names as people write them."""

import pytest

from headwater.query.symbol_name import SymbolName, matched_containers, matches_parameters, parse_symbol_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("save", SymbolName("save")),
        ("Store.save", SymbolName("save", ("Store",))),
        ("Store#save", SymbolName("save", ("Store",))),
        ("Store::save", SymbolName("save", ("Store",))),
        ("(*Store).Save", SymbolName("Save", ("Store",))),
        ("pkg.Store.save()", SymbolName("save", ("pkg", "Store"))),
        ("Store.find(String, int)", SymbolName("find", ("Store",), ("String", "int"))),
        ("a/b/c.name", SymbolName("name", ("a", "b", "c"))),
        ("List<String>.add", SymbolName("add", ("List",))),
        ("foo(", SymbolName("foo")),
        ("kebab-name", SymbolName("kebab-name")),
        ("valid?", SymbolName("valid?")),
        ("`quoted`", SymbolName("quoted")),
        ("名前", SymbolName("名前")),
    ],
)
def test_forms(text: str, name: SymbolName) -> None:
    assert parse_symbol_name(text) == name


@pytest.mark.parametrize("text", ["", "123", "two words", "a.+", "((", "(sym:foo)x y", "x" * 513])
def test_what_is_no_name(text: str) -> None:
    assert parse_symbol_name(text) is None


def test_containers() -> None:
    path, qualified = "src/shop/store.py", "shop.store.Store.save"
    assert matched_containers((), qualified, path) == 0
    assert matched_containers(("Store",), qualified, path) == 0
    assert matched_containers(("shop", "store", "Store"), qualified, path) == 0
    assert matched_containers(("shop", "Store"), qualified, path) is not None
    assert matched_containers(("acme_shop", "Store"), qualified, path) is not None  # a distribution's own name
    assert matched_containers(("Shelf",), qualified, path) is None
    assert matched_containers(("store",), "save", path) is not None  # by its module


def test_c5_parameters_choose_an_overload() -> None:
    assert matches_parameters(("String",), ("java.lang.String",))
    assert not matches_parameters(("String",), ("int",))
    assert not matches_parameters(("String",), ("String", "int"))
    assert matches_parameters(None, ("int",))
