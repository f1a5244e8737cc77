"""What is worth knowing of Java's library: results of its methods, and what comes out of its generic containers."""

from collections.abc import Sequence

from headwater.domain.resolution.types import EXTERNAL, UNKNOWN, External, ListType, Type, UnionType, Unknown, Variable

OF_OBJECT = frozenset(
    {"getClass", "hashCode", "equals", "toString", "notify", "notifyAll", "wait", "clone", "finalize",
     "values", "valueOf", "ordinal", "name", "compareTo", "getDeclaringClass", "length"}
)  # fmt: skip
_RESULTS = {
    "String": ("toString", "substring", "trim", "toUpperCase", "toLowerCase", "getName", "getSimpleName", "replace",
               "concat", "format", "join", "repeat", "intern", "strip", "getMessage", "getCanonicalName", "readLine",
               "lineSeparator",
               "getProperty",
               "getTypeName", "toGenericString"),
    "int": ("length", "size", "indexOf", "lastIndexOf", "hashCode", "compareTo", "intValue", "ordinal", "parseInt",
            "getModifiers", "signum", "compare", "identityHashCode", "getLength", "codePointAt", "getNumericValue",
            "bitCount", "floatToIntBits", "toCodePoint", "charCount", "compareToIgnoreCase"),
    "long": ("longValue", "currentTimeMillis", "nanoTime", "getTime", "parseLong", "doubleToLongBits", "toMillis"),
    "double": ("doubleValue", "parseDouble", "random", "sqrt", "pow", "floor", "ceil"),
    "float": ("floatValue", "parseFloat"),
    "boolean": ("equals", "isEmpty", "contains", "startsWith", "endsWith", "hasNext", "equalsIgnoreCase", "containsKey",
                "isArray", "isInstance", "isPrimitive", "isInterface", "isAssignableFrom", "matches", "booleanValue",
                "isWhitespace", "isDigit", "isLetter", "isNaN", "isInfinite", "isEnum", "parseBoolean", "isPresent",
                "isUpperCase", "isLowerCase", "isLetterOrDigit", "isTitleCase", "isAnonymousClass"),
    "char": ("charAt", "charValue", "toChars", "toUpperCase"),
    "Object": ("invoke", "newInstance"),
    "Type": ("getGenericComponentType", "getRawType", "getOwnerType", "getGenericSuperclass", "getGenericType"),
    "byte": ("byteValue",),
    "short": ("shortValue",),
    "Class": ("getClass", "getComponentType", "getSuperclass", "getDeclaringClass", "getEnclosingClass", "forName"),
}  # fmt: skip
_RESULT_OF = {name: type_ for type_, group in reversed(_RESULTS.items()) for name in group}
PASSES_ON = frozenset({"requireNonNull", "requireNonNullElse", "cast", "max", "min", "abs"})
_FACTORIES = frozenset(
    {"Stream", "Optional", "Arrays", "List", "Map", "Set", "Collections", "Collectors", "CompletableFuture", "EnumSet",
     "Comparator", "Pattern", "IntStream", "Entry"}
)  # fmt: skip
_ELEMENTS = frozenset(
    {"get", "getFirst", "getLast", "next", "previous", "remove", "poll", "pop", "peek", "element", "take", "orElse",
     "orElseGet", "orElseThrow", "apply", "call", "getValue", "put", "getOrDefault", "join", "newInstance", "cast"}
)  # fmt: skip
_CHANGES = frozenset({"map", "collect", "flatMap", "mapToObj", "boxed", "thenApply"})


def _of_generic(receiver: External, name: str) -> Type:
    """Members of library generics: elements come out again."""
    if name in ("iterator", "listIterator"):
        return External("Iterator", receiver.arguments)
    if name in _RESULT_OF:
        return External(_RESULT_OF[name])
    if name == "values":
        return External("Collection", receiver.arguments[-1:])
    if name == "keySet":
        return External("Set", receiver.arguments[:1])
    if name == "entrySet":
        return External("Set", (External("Entry", receiver.arguments),))
    if name == "getKey":
        return receiver.arguments[0]
    if name in _ELEMENTS:
        return receiver.arguments[-1]
    if name in _CHANGES:
        return External("", (UNKNOWN,))
    return External("", receiver.arguments) if name != "reduce" else UNKNOWN


_ARRAYS = {
    "toCharArray": "char", "getBytes": "byte", "toArray": "Object", "getActualTypeArguments": "Type",
    "getBounds": "Type",
    "getUpperBounds": "Type", "getLowerBounds": "Type", "getGenericInterfaces": "Type", "getInterfaces": "Class",
    "getParameterTypes": "Class", "getMethods": "Method", "getDeclaredMethods": "Method", "getFields": "Field",
    "getDeclaredFields": "Field", "getConstructors": "Constructor", "getStackTrace": "StackTraceElement",
    "split": "String", "getTypeParameters": "TypeVariable", "getEnumConstants": "",
}  # fmt: skip


def _made(receiver: External, given: Sequence[Type]) -> Type:
    """`Stream.of(array)`, `Arrays.asList(a, b)`, `List.of(a)`: a container of what went in."""
    first = given[0] if given else EXTERNAL
    return External(receiver.name, (first.element if isinstance(first, ListType) else first,))


def result(receiver: Type | None, name: str, given: Sequence[Type]) -> Type:
    """Of a library method called on `receiver` with arguments of the types `given`."""
    if isinstance(receiver, External):
        known = _of_external(receiver, name, given)
        if known is not None:
            return known
    if name in _ARRAYS:
        return ListType(External(_ARRAYS[name]))
    return External(_RESULT_OF[name]) if name in _RESULT_OF else _unlisted(receiver, given)


def _of_external(receiver: External, name: str, given: Sequence[Type]) -> Type | None:
    """Methods whose result depends on what they are called on."""
    if receiver.arguments:
        return ListType(External(_ARRAYS[name])) if name in _ARRAYS and not given else _of_generic(receiver, name)
    if receiver.name in _FACTORIES and name in ("of", "asList", "stream", "ofNullable"):
        return _made(receiver, given)
    if name == "valueOf":
        return External(receiver.name)
    if name in ("append", "insert", "reverse", "deleteCharAt"):
        return receiver
    if name in ("iterator", "listIterator"):
        return External("Iterator", receiver.arguments)
    return External("Date") if name == "getTime" and "Calendar" in receiver.name else None


def _unlisted(receiver: Type | None, given: Sequence[Type]) -> Type:
    if isinstance(receiver, Unknown | UnionType | Variable):
        return UNKNOWN
    if all(isinstance(g, External) for g in given):
        return EXTERNAL
    # a value of ours went in: it may come out again
    return (
        External(receiver.name, (UNKNOWN,))
        if isinstance(receiver, External) and receiver.name in _FACTORIES
        else UNKNOWN
    )
