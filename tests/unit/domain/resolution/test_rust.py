"""Rust: impl blocks, traits and their implementations, fields apart from methods."""

from tests.support.marked_sources import usages


def check(files: dict[str, str]) -> None:
    expected, found = usages(files)
    assert found == expected


def test_methods_of_impl_blocks_in_any_file() -> None:
    check(
        {
            "src/a.rs": "pub struct Core { size: u64 }\nimpl Core { pub fn ⟦size⟧(&self) -> u64 { self.size } }\n",
            "src/b.rs": (
                "use crate::a::Core;\nstruct Other;\nimpl Other { fn size(&self) {} fn go(&self, c: &mut Core) "
                "{ self.size(); c.⟨size⟩(); c.size; } }\n"
            ),
        }
    )


def test_trait_methods_are_implemented_and_called_through_bounds() -> None:
    check(
        {
            "src/a.rs": (
                "pub trait Sink { fn ⟦done⟧(&self); }\nstruct File;\nimpl Sink for File { fn ⟨done⟩(&self) {} }\n"
                "fn all<S: Sink>(s: S) { s.⟨done⟩(); }\n"
            )
        }
    )


def test_unknown_receivers_stay_by_name() -> None:
    check({"src/a.rs": "struct A;\nimpl A { fn ⟦go⟧(&self) {} }\nfn f(x: &Foreign) { x.y().‹go›(); }\n"})
