"""A small indexed shop, asked in process."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from headwater.clients.static_model import StaticModel
from headwater.query.engine import Engine, Parts
from headwater.query.retrieval import VectorSide
from support.small_index import SmallIndex

MODEL = StaticModel()

STORE = '''"""Keeps orders."""
from shop import money as cash
from shop.money import add as plus


class Store:
    """Saves orders to disk."""

    def save(self, order):
        total = plus(order.a, order.b)
        return self.write(cash.add(total, 1))

    def write(self, text):
        return text
'''
MONEY = '''def add(a, b):
    """Adds two amounts."""
    return a + b
'''
FINDER = """package shop;

class Finder {
  String find(int id) { return ""; }
  String find(String name) { return name; }
  String both() { return find(1) + find("x"); }
}
"""
FILES = {
    "shop/store.py": STORE,
    "shop/money.py": MONEY,
    "shop/Finder.java": FINDER,
    "tests/test_store.py": "from shop.store import Store\n\n\ndef test_save():\n    Store().save(None)\n",
    "notes.txt": "漢字の検索\n" + "a" * 50_000 + "!\n",
}


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SmallIndex]:
    made = SmallIndex(tmp_path, MODEL)
    made.commit(FILES)
    yield made
    made.close()


@pytest.fixture
def engine(index: SmallIndex) -> Iterator[Engine]:
    made = Engine(Parts(reader=index.catalog, vectors=VectorSide(index.model, index.vectors), page_secret=b"s"))
    yield made
    made.close()
