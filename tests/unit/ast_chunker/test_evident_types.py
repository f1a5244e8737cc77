"""What facts say of definitions without a declared type, for resolution to evaluate."""

import pytest

from headwater.ast_chunker.process import analyse_file
from headwater.domain.tree import Mode
from headwater.domain.version import PipelineVersion


def types(path: str, source: str) -> dict[str, str]:
    document, _ = analyse_file(path, Mode.FILE, "0" * 40, source.encode(), PipelineVersion("none", 0))
    return {s.name: s.type for s in document.facts.symbols}


@pytest.mark.parametrize(
    ("path", "source", "name", "type_"),
    [
        ("a.py", "for k, v in d.items(): pass\n", "v", "=item 1 each d.items()"),
        ("a.py", "a, b = f()\n", "b", "=item 1 f()"),
        ("a.py", "a, b = x, y\n", "b", "=y"),
        ("a.py", "with open(p) as f: pass\n", "f", "=with open(p)"),
        ("a.py", "try: pass\nexcept (A, B) as e: pass\n", "e", "A | B"),
        ("a.py", "def f():\n    def g(): return 1\n    return A()\n", "f", "=A()"),
        ("a.go", "package a\nfunc f() { v, err := g() }\n", "err", "=item 1 g()"),
        ("a.go", "package a\nfunc f() { for i, v := range m { } }\n", "v", "=each m"),
        ("a.go", "package a\nfunc f() { for k := range m { } }\n", "k", "=key m"),
        ("a.go", "package a\nvar ts = []struct{ a int; b struct{ c int } }{{a: 1}}\n", "ts", "=[]struct{}{}"),
        ("a.go", "package a\nfunc f(x any) { switch y := x.(type) { } }\n", "y", ""),
        ("A.java", "class A { void f() { list.forEach(a -> a.go()); } }", "a", "=argument 0.0 list.forEach"),
        ("A.java", "class A { F<B> f = (x, y) -> 1; }", "y", "=parameter 1 F<B>"),
        ("a.ts", "new Obs<A>((s) => s);\n", "s", "=argument 0.0 new Obs<A>"),
        ("a.ts", "const { a: b } = f();\n", "b", "=get a f()"),
        ("a.ts", "const f = (x: A) => x.b;\n", "f", "=x.b"),
        ("a.ts", "function f(): Op<A> { return (s) => 1; }\n", "s", "=parameter 0 Op<A>"),
        ("a.ts", "const x = a // why\n  .b();\n", "x", "=a .b()"),
    ],
)
def test_evident_types(path: str, source: str, name: str, type_: str) -> None:
    assert types(path, source)[name] == type_
