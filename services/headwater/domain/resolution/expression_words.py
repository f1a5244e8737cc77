"""Operators by strength, prefixes and constants of Python, Java, Go and TypeScript."""

BINARY = {
    "||": 1, "or": 1, "??": 1, "&&": 2, "and": 2,
    "==": 4, "!=": 4, "===": 4, "!==": 4, "<": 4, ">": 4, "<=": 4, ">=": 4, "in": 4, "is": 4, "instanceof": 4,
    "|": 5, "^": 5, "&": 6, "+": 8, "-": 8, "*": 9, "/": 9, "%": 9, "//": 9, "**": 10, ">>": 7, "<<": 7,
}  # fmt: skip
CHOICES = frozenset({"||", "or", "??"})
PREFIX = frozenset({"!", "-", "+", "~", "*", "&", "not", "typeof", "void", "delete", "++", "--", "<-", "**", "..."})
CONSTANTS = {
    "None": "null", "null": "null", "nil": "null", "undefined": "null",
    "True": "boolean", "False": "boolean", "true": "boolean", "false": "boolean",
}  # fmt: skip
PRIMITIVES = frozenset({"int", "long", "double", "float", "char", "short", "byte", "boolean"})
