"""Python: what is found, what is proven to be something else, and what stays by name."""

from tests.support.marked_sources import usages


def check(files: dict[str, str]) -> None:
    expected, found = usages(files)
    assert found == expected


def test_c9_aliased_modules_and_members() -> None:
    check(
        {
            "pkg/__init__.py": "from .tools import ⟨run⟩ as ⟨go⟩\n",
            "pkg/tools.py": "def ⟦run⟧(): pass\ndef other(): ⟨run⟩()\n",
            "app.py": "import pkg.tools as t\nfrom pkg import ⟨go⟩\nt.⟨run⟩()\n⟨go⟩()\n",
            "elsewhere.py": "from os import run\nrun()\n",
        }
    )


def test_a_member_by_constructor_result_and_inheritance() -> None:
    check(
        {
            "a.py": (
                "class Base:\n    def ⟦close⟧(self): pass\n"
                "class File(Base):\n    def end(self): self.⟨close⟩()\n    def __enter__(self): return self\n"
                "class Other:\n    def close(self): pass\n"
                "def open_file(): return File()\n"
                "with open_file() as f: f.⟨close⟩()\n"
                "for g in [File(), Base()]: g.⟨close⟩()\n"
                "Other().close()\nopen('x').close()\n"
            )
        }
    )


def test_an_unknown_receiver_stays_by_name() -> None:
    check({"a.py": "class A:\n    def ⟦send⟧(self): pass\ndef f(x): x.‹send›()\n"})


def test_overrides_are_nearest_only() -> None:
    check(
        {
            "a.py": (
                "class A:\n    def ⟦go⟧(self): pass\nclass B(A):\n    def ⟨go⟩(self): super().⟨go⟩()\n"
                "class C(B):\n    def go(self): pass\n"
            )
        }
    )


def test_a_parameter_is_named_by_callers() -> None:
    check({"a.py": "def f(⟦limit⟧=1): return ⟨limit⟩\nf(⟨limit⟩=2)\ng(‹limit›=3)\nlimit = 4\n"})


def test_wildcards_and_local_shadows() -> None:
    check(
        {
            "m.py": "def ⟦help_me⟧(): pass\n",
            "n.py": "from m import *\n⟨help_me⟩()\ndef f(help_me): help_me()\n",
        }
    )


def test_a_package_below_a_source_folder_of_any_name() -> None:
    check(
        {
            "services/shop/__init__.py": "",
            "services/shop/clients/__init__.py": "",
            "services/shop/clients/asker.py": "class ⟦Asker⟧:\n    pass\n",
            "services/shop/main.py": "from shop.clients.asker import ⟨Asker⟩\n⟨Asker⟩()\n",
            "tests/unit/test_asker.py": "from shop.clients import asker\nasker.⟨Asker⟩()\n",
            "tools/run.py": "from elsewhere.clients.asker import Asker\nAsker()\n",
            "other/pkg/__init__.py": "",
            "other/pkg/shop/__init__.py": "",
            "other/pkg/shop/clients/__init__.py": "",
            "other/pkg/shop/clients/asker.py": "class Asker: pass\n",
        }
    )


def test_of_several_packages_of_one_name_none_is_ruled_out() -> None:
    files = {
        "team_a/shop/__init__.py": "def ⟦run⟧(): pass\n",
        "team_b/shop/__init__.py": "def run(): pass\n",
        "tests/test_run.py": "from shop import ‹run›\n‹run›()\n",
    }
    check(files)
