"""What names mean in one file: declared types of variables, and types and functions bound by imports."""

import re

# java.lang is imported everywhere; the classes that programs name most.
_JAVA_LANG = frozenset(
    [
        "Object",
        "String",
        "StringBuilder",
        "StringBuffer",
        "Integer",
        "Long",
        "Short",
        "Byte",
        "Character",
        "Boolean",
        "Double",
        "Float",
        "Number",
        "Math",
        "System",
        "Thread",
        "Runnable",
        "Class",
        "ClassLoader",
        "Enum",
        "Iterable",
        "Comparable",
        "CharSequence",
        "Exception",
        "RuntimeException",
        "Throwable",
        "Error",
        "IllegalArgumentException",
        "IllegalStateException",
        "NullPointerException",
        "IndexOutOfBoundsException",
        "AssertionError",
        "UnsupportedOperationException",
        "ClassCastException",
        "ClassNotFoundException",
        "NumberFormatException",
        "ArithmeticException",
        "InterruptedException",
        "CloneNotSupportedException",
        "NoSuchMethodException",
        "NoSuchFieldException",
        "SecurityException",
        "ArrayIndexOutOfBoundsException",
        "StringIndexOutOfBoundsException",
        "StackOverflowError",
        "OutOfMemoryError",
        "LinkageError",
        "NoClassDefFoundError",
        "ThreadLocal",
        "Process",
        "ProcessBuilder",
        "Runtime",
        "Void",
        "Override",
        "Deprecated",
        "SuppressWarnings",
        "Record",
        "AutoCloseable",
        "Cloneable",
        "Appendable",
        "Readable",
        "StackTraceElement",
        "Package",
        "Module",
        "ThreadGroup",
        "StrictMath",
    ]
)
_GENERIC = re.compile(r"<[^<>]*>")
_POINTER = re.compile(r"^[*&]+|\?$")
_BUILT_IN = re.compile(r"^[a-z][A-Za-z0-9]*(\[\])*$")


def bare_type(written: str) -> str:
    """The type without its generic arguments, pointers and white space."""
    text = "".join(written.split()) if "." in written or "<" in written else written.strip()
    while (shorter := _GENERIC.sub("", text)) != text:
        text = shorter
    return _POINTER.sub("", text).removeprefix("@Nullable").strip()


class Scope:
    """Imports, classes and variable types of one file, filled while it is walked."""

    def __init__(self, language: str) -> None:
        self._language = language
        self.package = ""
        self._imported: dict[str, str] = {}
        self._variables: list[dict[str, str]] = [{}]
        self._classes: list[str] = []
        self._fields: dict[str, dict[str, str]] = {}

    def bind_import(self, name: str, qualified: str) -> None:
        self._imported[name] = qualified

    def imported(self, name: str) -> str:
        """What the import that binds the name stands for, "" when none does."""
        return self._imported.get(name, "")

    def resolve_type(self, written: str) -> str:
        """The type as qualified as the file lets one know."""
        bare = bare_type(written)
        head, dot, rest = bare.partition(".")
        element = head.rstrip("[]")
        known = self._imported.get(element)
        if known is not None:
            return known + head[len(element) :] + dot + rest
        if self._language != "java" or dot or _BUILT_IN.match(bare):
            return bare
        if element in _JAVA_LANG:
            return f"java.lang.{bare}"
        return f"{self.package}.{bare}" if self.package and element[:1].isupper() and len(element) > 1 else bare

    def enter_function(self) -> None:
        self._variables.append({})

    def leave_function(self) -> None:
        self._variables.pop()

    def enter_class(self, name: str, fields: dict[str, str]) -> str:
        """Opens a class and returns its qualified name."""
        outer = self._classes[-1] if self._classes else self.package
        qualified = f"{outer}.{name}" if outer else name
        self._classes.append(qualified)
        self._fields[qualified] = fields
        return qualified

    def leave_class(self) -> None:
        self._classes.pop()

    @property
    def this_class(self) -> str:
        return self._classes[-1] if self._classes else ""

    def declare(self, name: str, type_name: str) -> None:
        if type_name or name not in self._variables[-1]:
            self._variables[-1][name] = type_name

    def is_local(self, name: str) -> bool:
        return any(name in variables for variables in self._variables)

    def is_field(self, name: str) -> bool:
        """Whether a bare name may stand for a field, as in Java."""
        return self._language == "java" and any(name in self._fields[owner] for owner in self._classes)

    def type_of(self, name: str) -> str:
        """The declared type of a variable or field in view, "" when unknown."""
        for variables in reversed(self._variables):
            if name in variables:
                return variables[name]
        for owner in reversed(self._classes) if self._language == "java" else ():
            if name in self._fields[owner]:
                return self._fields[owner][name]
        return ""

    def field_type(self, owner: str, name: str) -> str:
        return self._fields.get(owner, {}).get(name, "")

    def names_a_class(self, name: str) -> bool:
        """Whether an identifier that is no variable stands for a class or a module."""
        if self.is_local(name) or self.is_field(name):
            return False
        return name in self._imported or (self._language == "java" and name[:1].isupper() and not name.isupper())
