"""Languages without rules of their own: by name, with what lexical scope proves, and apart from other languages."""

from tests.support.marked_sources import usages


def check(files: dict[str, str]) -> None:
    expected, found = usages(files)
    assert found == expected


def test_names_of_another_language_are_no_uses() -> None:
    check(
        {
            "a.rb": "def ⟦deploy⟧\nend\ndeploy_all = 1\n",
            "b.rb": "‹deploy›()\n",
            "c.py": "deploy()\nx.deploy()\n",
            "d.lua": "deploy()\n",
        }
    )


def test_languages_that_share_names_are_searched_together() -> None:
    check(
        {
            "p/A.java": "package p; public class ⟦A⟧ { }",
            "p/Use.kt": "package p\nfun use() = ‹A›()\n",
            "x.py": "A()\n",
        }
    )


def test_scripts_in_pages_are_of_the_same_family() -> None:
    check(
        {
            "src/a.ts": "export function ⟦load⟧() {}\n",
            "src/page.vue": "<template/>\n<script>\nimport { ⟨load⟩ } from './a';\n⟨load⟩();\n</script>\n",
        }
    )
