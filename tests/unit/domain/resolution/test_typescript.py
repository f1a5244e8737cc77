"""TypeScript: relative modules, re-exports, structural receivers, merged declarations."""

from tests.support.marked_sources import usages


def check(files: dict[str, str]) -> None:
    expected, found = usages(files)
    assert found == expected


def test_re_exports_and_aliases() -> None:
    check(
        {
            "src/a.ts": "export function ⟦make⟧(): number { return 1; }\n",
            "src/index.ts": "export { ⟨make⟩ } from './a';\nexport * from './b';\n",
            "src/b.ts": "import { ⟨make⟩ as ⟨build⟩ } from './a.js';\nexport const n = ⟨build⟩();\n",
            "src/use.ts": "import { ⟨make⟩ } from '.';\nimport * as all from './index';\n⟨make⟩();\nall.⟨make⟩();\n",
            "src/own.ts": "function make() {}\nmake();\n",
        }
    )


def test_members_by_lambda_parameters_and_generics() -> None:
    check(
        {
            "src/o.ts": (
                "export class Sub<T> { ⟦next⟧(v: T) {} }\n"
                "export class Obs<T> { constructor(f: (s: Sub<T>) => void) {} }\n"
                "export function operate<T>(f: (source: Obs<T>, sub: Sub<T>) => void) {}\n"
            ),
            "src/u.ts": (
                "import { Obs, Sub, operate } from './o';\nclass Other { next() {} }\n"
                "new Obs<number>((s) => { s.⟨next⟩(1); });\noperate((source, sub) => sub.⟨next⟩(2));\n"
                "new Other().next();\nconst { a } = { a: new Sub<string>() };\na.⟨next⟩('x');\n"
            ),
        }
    )


def test_interface_members_and_implementations() -> None:
    check(
        {
            "src/i.ts": (
                "export interface Shape { ⟦area⟧(): number; }\n"
                "export class Square implements Shape { ⟨area⟩() { return 1; } }\n"
                "export function sum(shapes: Shape[], s: Square) { s.area(); return shapes.map((x) => x.⟨area⟩()); }\n"
            )
        }
    )
