"""Go: packages by folder and module path, methods across files, embedding, literals."""

from tests.support.marked_sources import usages

MODULE = {"go.mod": "module example.org/app\n"}


def check(files: dict[str, str]) -> None:
    expected, found = usages(MODULE | files)
    assert found == expected


def test_a_function_of_another_package() -> None:
    check(
        {
            "errors/errors.go": "package errors\nfunc ⟦New⟧() error { return nil }\n",
            "main.go": 'package main\nimport (\n"errors"\nown "example.org/app/errors"\n)\n'
            "func main() { errors.New(1); own.⟨New⟩() }\n",
        }
    )


def test_methods_by_static_type_through_results_and_embedding() -> None:
    check(
        {
            "db.go": "package app\ntype DB struct{}\nfunc (db *DB) ⟦Close⟧() error { return nil }\n",
            "open.go": "package app\nfunc Open() (*DB, error) { return nil, nil }\ntype Wrap struct { *DB }\n",
            "use.go": "package app\ntype File struct{}\nfunc (f File) Close() {}\n"
            "func use(w Wrap, f File) { db, _ := Open(); db.⟨Close⟩(); w.⟨Close⟩()\n"
            "f.Close(); f2 := &File{}; f2.Close()\n"
            "for _, d := range []*DB{db} { d.⟨Close⟩() } }\n",
        }
    )


def test_keys_of_literals_with_elided_and_anonymous_types() -> None:
    check(
        {
            "a.go": "package app\ntype P struct { ⟦name⟧ string }\ntype Q struct { name string }\n"
            'var ps = []P{{⟨name⟩: "x"}, {⟨name⟩: "y"}}\nvar qs = map[string]Q{"a": {name: "z"}}\n'
            'var ts = []struct{ name string }{{name: "t"}}\nfunc f() { for _, t := range ts { _ = t.name }'
            "; _ = ps[0].⟨name⟩ }\n",
        }
    )
