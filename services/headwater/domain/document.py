"""A document is one file's content under one pipeline version: its chunks, symbols, references and imports."""

import hashlib
from enum import StrEnum

import msgspec


class Status(StrEnum):
    """What became of a tracked file. Every entry of a tree has one."""

    INDEXED = "indexed"
    SKIPPED = "skipped"  # on purpose, for the reason given
    PARKED = "parked"  # could not be read or processed now; retried


class SymbolKind(StrEnum):
    """What a definition is. Kinds are shared by all languages; a language uses those it has."""

    MODULE = "module"
    NAMESPACE = "namespace"
    CLASS = "class"
    STRUCT = "struct"
    INTERFACE = "interface"
    TRAIT = "trait"
    ENUM = "enum"
    ENUM_MEMBER = "enum_member"
    RECORD = "record"
    ANNOTATION = "annotation"
    TYPE = "type"
    FUNCTION = "function"
    METHOD = "method"
    CONSTRUCTOR = "constructor"
    ACCESSOR = "accessor"
    FIELD = "field"
    PROPERTY = "property"
    CONSTANT = "constant"
    VARIABLE = "variable"
    MACRO = "macro"
    PARAMETER = "parameter"
    TYPE_PARAMETER = "type_parameter"
    LOCAL = "local"
    LABEL = "label"


class ReferenceKind(StrEnum):
    """How a name is used."""

    CALL = "call"
    TYPE = "type"
    IMPORT = "import"
    READ = "read"
    WRITE = "write"
    OVERRIDE = "override"


class Span(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A half-open byte range of the UTF-8 text and the same range as people count.

    Lines are 1-based (only LF ends a line); columns are 1-based, `*_col` in code points, `*_byte_col` in UTF-8 bytes.
    The end position is just past the last character. A byte order mark counts as bytes but not as a column.
    """

    start_byte: int
    end_byte: int
    start_line: int
    start_col: int
    start_byte_col: int
    end_line: int
    end_col: int
    end_byte_col: int


class Position(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Where a single-line token starts, counted as in `Span`; the token's text gives its end."""

    byte: int
    line: int
    col: int
    byte_col: int


class Symbol(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One definition. `span` is the whole declaration with decorators and modifiers, without the comment above."""

    name: str
    kind: SymbolKind
    qualified: str  # package or module and containers, dotted: requests.adapters.HTTPAdapter.send
    signature: str  # parameters and result as written, white space folded, at most 300 characters
    container: int  # index of the enclosing symbol in FileFacts.symbols, -1 at the top
    at: Position  # the defining identifier
    span: Span
    exported: bool
    local: bool  # parameters, type parameters, labels and whatever is declared in a function body
    type: str = ""  # declared type (field, variable, parameter, result) as written; "=EXPRESSION" when undeclared but
    # initialised, with markers as in ast_chunker/evident.py; "" when unknown
    bases: tuple[str, ...] = ()  # supertypes as written
    parameters: tuple[
        str, ...
    ] = ()  # one per parameter: its declared type as written, "" when untyped, "…" if variadic
    modifiers: tuple[str, ...] = ()  # static, abstract, override, async, … as the language spells them
    doc: str = ""  # first sentence of its documentation


class Reference(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One use of a name. `target` and `import_` are what lexical scope alone decides; the rest is for `resolution`."""

    name: str  # the token as written (an alias stays the alias)
    kind: ReferenceKind
    at: Position
    scope: int  # index of the innermost enclosing symbol, -1 at the top of the file
    target: int = -1  # index of the symbol of this file that lexical scope binds it to
    import_: int = -1  # index of the import of this file that binds it
    receiver: str = ""  # for a member: the expression before the dot as written, white space folded;
    # "CALLEE(" for a keyword argument, "TYPE{" for a field named in a literal or pattern
    arguments: tuple[str, ...] | None = None  # for a call: its arguments as written, each at most 80 characters


class Import(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One imported binding. `from p import m as x` is module="p", name="m", alias="x"; `import m` has name=""."""

    module: str  # as written: relative dots and path prefixes kept
    name: str  # the imported member; "*" for a wildcard; "" for the module itself
    alias: str  # the name bound in this file; "" for a wildcard or a side-effect import
    at: Position  # the token of the imported member (or of the module)
    scope: int = -1
    reexported: bool = False
    static: bool = False  # Java's import static
    type_only: bool = False


class FileFacts(msgspec.Struct, frozen=True, array_like=True):
    """What one file says of itself, nothing of it resolved across files."""

    language: str  # lower-case: python, java, go, javascript, typescript, tsx, …; "text" for line chunks
    package: str = ""  # Java and Kotlin package, Go package name, PHP and C# namespace; "" where the path says it
    symbols: tuple[Symbol, ...] = ()
    references: tuple[Reference, ...] = ()
    imports: tuple[Import, ...] = ()
    parse_errors: int = 0  # ERROR and MISSING nodes: symbols may be lost there
    parsed: bool = False  # False: no grammar, or the parser was given up; the chunks are line chunks


class Chunk(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One retrieval unit: a slice of the file and the context header that is embedded with it."""

    content_hash: str  # 32 hex: the exact embedded text, the chunker version and the model id
    kind: str  # SymbolKind value of its main definition, or "block" (merged or split code), "lines"
    symbol: int  # index of its main definition, -1
    span: Span
    tokens: int  # by the model's tokenizer, header included
    scopes: tuple[str, ...] = ()  # names of the enclosing scopes, outermost first, its own name last
    doc: str = ""  # first sentence of the definition's documentation
    imports: tuple[str, ...] = ()  # only those import lines that the chunk uses, as one phrase each
    doc_at: tuple[tuple[int, int], ...] = ()  # in pointers-only mode: the byte ranges of the text that hold `doc`


class Document(msgspec.Struct, frozen=True, array_like=True):
    """One file's content as indexed, keyed by (path, blob, version); written once and immutable."""

    path: str
    blob: str  # 40 hex
    version: str  # pipeline version, see domain/version.py
    mode: int
    status: Status
    reason: str = ""  # why skipped or parked: one of domain/reason.py, with detail after a colon
    size: int = 0  # bytes in git
    lines: int = 0
    encoding: str = "utf-8"  # what the bytes were decoded from; spans refer to the UTF-8 text
    generated: bool = False  # generated, vendored or minified: ranked down
    warnings: tuple[str, ...] = ()
    facts: FileFacts = FileFacts("text")
    chunks: tuple[Chunk, ...] = ()
    variant: str = ""  # how the file was treated, see domain/treatment.py

    @property
    def key(self) -> str:
        return document_key(self.path, self.blob, self.mode, self.version, self.variant)


def document_key(path: str, blob: str, mode: int, version: str, variant: str = "") -> str:
    """The identity (32 hex) of a document: same path, blob, mode, pipeline version and treatment, same document."""
    raw = "\0".join((path, blob, f"{mode:o}", version, *((variant,) if variant else ())))
    return hashlib.blake2b(raw.encode("utf-8"), digest_size=16).hexdigest()
