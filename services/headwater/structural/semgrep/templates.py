"""Semgrep pattern text for each construct and language; what is missing Semgrep can't match faithfully."""

from headwater.structural.query import LOOPS, Construct

# Slots: NAME, ARGS, LEFT, RIGHT, OP, VALUE, COND, TYPE, PARAMS. A template without a slot can't take that constraint.
_C_LIKE: dict[Construct, tuple[str, ...]] = {
    Construct.CALL: ("NAME(ARGS)", "RECV.NAME(ARGS)"),
    Construct.OPERATOR: ("LEFT OP RIGHT",),
    Construct.ASSIGNMENT: ("NAME = VALUE",),
    Construct.ARRAY_ACCESS: ("LEFT[RIGHT]",),
    Construct.RETURN: ("return VALUE;",),
    Construct.LITERAL: ("LITERAL",),
    Construct.VARIABLE: ("NAME",),
}
# An ellipsis stands neither for no initialisation nor for two, nor a block for a single statement.
_JAVA_FOR = (
    "for (...; COND; ...) { ... }",
    "for (...; COND; ...) $S;",
    "for ($T $I = $V, $J = $W; COND; ...) { ... }",
    "for ($I = $V, $J = $W; COND; ...) { ... }",
    "for (; COND; ...) { ... }",
    "for (; COND; ) { ... }",
    "for (...; COND; ) { ... }",
    "for (;;) { ... }",
)
_JAVA = _C_LIKE | {
    Construct.NEW: ("new TYPE(ARGS)", "new TYPE(ARGS) { ... }"),
    Construct.RETURN: ("return VALUE;", "return;"),
    Construct.CONDITIONAL: ("$C1 ? $C2 : $C3",),
    Construct.IF: ("if (COND) { ... }",),
    Construct.DO: ("do { ... } while (COND);",),
    Construct.THROW: ("throw VALUE;",),
    Construct.CAST: ("(TYPE) VALUE",),
    Construct.INSTANCEOF: ("LEFT instanceof TYPE",),
    Construct.FOR: _JAVA_FOR,
    Construct.FOREACH: ("for ($T $X : $Y) { ... }", "for ($T $X : $Y) $S;"),
    Construct.WHILE: ("while (COND) { ... }", "while (COND) $S;"),
    Construct.SYNCHRONIZED: ("synchronized ($X) { ... }",),
    Construct.ASSERT: ("assert $X;",),
    Construct.CLASS: ("class NAME { ... }", "interface NAME { ... }", "record NAME(...) { ... }"),
    Construct.METHOD: ("NAME(PARAMS) { ... }", "$T NAME(PARAMS);"),
}
_PYTHON = _C_LIKE | {
    Construct.RETURN: ("return VALUE",),
    Construct.THROW: ("raise VALUE",),
    Construct.IF: ("if COND: ...",),
    Construct.WHILE: ("while COND: ...",),
    Construct.FOREACH: ("for $X in $Y: ...",),
    Construct.CONDITIONAL: ("$C1 if $C2 else $C3",),
    Construct.CLASS: ("class NAME(...): ...",),
    Construct.METHOD: ("def NAME(...): ...",),
}
_ECMASCRIPT = _C_LIKE | {
    Construct.NEW: ("new TYPE(ARGS)",),
    Construct.IF: ("if (COND) $S",),
    Construct.WHILE: ("while (COND) $S",),
    Construct.DO: ("do { ... } while (COND)",),
    Construct.THROW: ("throw VALUE",),
    Construct.CONDITIONAL: ("$C1 ? $C2 : $C3",),
    Construct.CLASS: ("class NAME { ... }",),
}
_GO = _C_LIKE | {
    Construct.RETURN: ("return VALUE",),
    Construct.IF: ("if COND { ... }",),
    Construct.LOOP: ("for ... { ... }",),
    Construct.METHOD: ("func NAME(...) { ... }",),
}
TEMPLATES = {
    "java": _JAVA | {Construct.LOOP: tuple(t for loop in LOOPS for t in _JAVA[loop])},
    "python": _PYTHON | {Construct.LOOP: (*_PYTHON[Construct.FOREACH], *_PYTHON[Construct.WHILE])},
    "javascript": _ECMASCRIPT,
    "typescript": _ECMASCRIPT,
    "go": _GO,
}
SEMGREP_NAMES = {"javascript": "js", "typescript": "ts", "java": "java", "python": "python", "go": "go"}
PREFIX_OPERATORS = ("!", "-", "~", "not")
STEP_OPERATORS = ("++", "--")
