"""The languages whose rules resolution knows, by family; every other file answers "unknown" throughout."""

from headwater.domain.resolution.language import LanguageRules
from headwater.domain.resolution.rules.go import GoRules
from headwater.domain.resolution.rules.java import JavaRules
from headwater.domain.resolution.rules.plain import PlainRules
from headwater.domain.resolution.rules.python import PythonRules
from headwater.domain.resolution.rules.rust import RustRules
from headwater.domain.resolution.rules.typescript import TypeScriptRules

_PLAIN = PlainRules()
_RULES: dict[str, LanguageRules] = {
    "go": GoRules(),
    "java": JavaRules(),
    "python": PythonRules(),
    "rust": RustRules(),
    "typescript": TypeScriptRules(),
}


def rules_of(family: str) -> LanguageRules:
    return _RULES.get(family, _PLAIN)
