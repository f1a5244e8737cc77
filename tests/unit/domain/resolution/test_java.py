"""Java: overloads, inheritance, static imports, nested and anonymous classes."""

from tests.support.marked_sources import usages


def check(files: dict[str, str]) -> None:
    expected, found = usages(files)
    assert found == expected


def test_c5_overloads_have_separate_usages() -> None:
    check(
        {
            "p/A.java": (
                "package p; class A { void find(int i) {} void ⟦find⟧(String s) {}\n"
                'void use(Object o) { find(1); ⟨find⟩("x"); this.⟨find⟩(name()); find(name().length()); }\n'
                "String name() { return null; } }"
            )
        }
    )


def test_a_class_is_used_by_constructors_static_members_and_types() -> None:
    check(
        {
            "p/Box.java": "package p; public class ⟦Box⟧ { static int n; }",
            "q/Use.java": "package q; import p.⟨Box⟩; class Use { ⟨Box⟩ b = new ⟨Box⟩(); int m = ⟨Box⟩.n; }",
            "r/Box.java": "package r; class Box {} class Use { Box b; }",
        }
    )


def test_an_anonymous_class_overrides() -> None:
    check(
        {
            "p/Rule.java": "package p; abstract class Rule { abstract int ⟦apply⟧(int x); }",
            "p/Use.java": (
                "package p; class Use { Rule r = new Rule() { int ⟨apply⟩(int x) { return x; } };\n"
                "int use() { return r.⟨apply⟩(1); } int apply(int x) { return apply(2); } }"
            ),
        }
    )


def test_lambda_parameters_are_typed_by_the_callee() -> None:
    check(
        {
            "p/A.java": (
                "package p; import java.util.List; class A { void ⟦go⟧() {}\n"
                "void all(List<A> list) { list.forEach(a -> a.⟨go⟩()); list.stream().filter(x -> x.ok()).findFirst()"
                ".get().⟨go⟩(); }\n boolean ok() { return true; } }\nclass B { void go() {} void use() { go(); } }"
            )
        }
    )


def test_constructors_by_this_super_and_new() -> None:
    check(
        {
            "p/A.java": "package p; class A { ⟦A⟧(int i) {} A() { ⟨this⟩(1); } }",
            "p/B.java": "package p; class B extends A { B() { ⟨super⟩(2); new ⟨A⟩(3); new A(); } }",
        }
    )
