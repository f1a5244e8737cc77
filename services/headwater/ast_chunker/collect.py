"""Runs a language's queries over a syntax tree and sorts the matches: definitions, references, imports, scopes."""

import re
from collections.abc import Callable
from dataclasses import replace

import tree_sitter
from tree_sitter import Node

from headwater.ast_chunker.collected import Collected, RawDefinition, RawImport, RawReference
from headwater.ast_chunker.evident import evident_type
from headwater.ast_chunker.languages.registry import Grammar, Pattern
from headwater.ast_chunker.returned import literal_owner, returning_body, without_line_comments, without_struct_bodies

Captures = dict[str, list[Node]]

MAX_SIGNATURE, MAX_RECEIVER, MAX_ARGUMENT, MAX_TYPE, MAX_ARGUMENTS = 300, 240, 80, 240, 64
_LIST_NODE = re.compile(r"list|clause|bases|specifiers|inheritance")
_IMPORT_PARTS: tuple[str, ...] = ("name", "alias", "module")
_QUOTES = "\"'`<>"


def collect(tree: tree_sitter.Tree, source: bytes, grammar: Grammar) -> Collected:
    """All matches of the grammar's query, each token claimed once (definition > import > reference, first pattern)."""
    return _Collector(source, grammar).run(tree.root_node)


class _Collector:
    def __init__(self, source: bytes, grammar: Grammar) -> None:
        self._source, self._grammar = source, grammar
        self._found = Collected()
        self._definitions: dict[int, tuple[Pattern, Captures]] = {}  # by the name's start
        self._imports: list[tuple[Pattern, Captures]] = []
        self._references: dict[int, tuple[Pattern, Captures]] = {}
        self._wrappers: dict[tuple[int, int], tuple[int, int, list[str]]] = {}
        self._aliases: set[int] = set()

    def run(self, root: Node) -> Collected:
        sort: dict[str, Callable[[Pattern, Captures], None]] = {
            "definition": self._definition,
            "reference": self._reference,
            "import": self._import,
            "scope": self._scope,
        }
        patterns = self._grammar.patterns
        for order, captures in tree_sitter.QueryCursor(self._grammar.query).matches(root):
            pattern = patterns[order]
            sort.get(pattern.role, self._other)(pattern, captures)
        for start, (pattern, captures) in sorted(self._definitions.items()):
            self._found.definitions.append(self._raw_definition(start, pattern, captures))
        self._found.definitions = [raw for raw in self._found.definitions if not self._is_use(raw)]
        for pattern, captures in self._distinct_imports():
            self._raw_import(pattern, captures)
        self._raw_references()
        return self._found

    def _definition(self, pattern: Pattern, captures: Captures) -> None:
        start = captures["name"][0].start_byte
        known = self._definitions.get(start)
        if known is not None and known[0].order == pattern.order:
            captures = _merged(known[1], captures)
        if known is None or pattern.order <= known[0].order:
            self._definitions[start] = (pattern, captures)

    def _reference(self, pattern: Pattern, captures: Captures) -> None:
        start = captures[pattern.main][0].start_byte
        known = self._references.get(start)
        if known is None or pattern.order < known[0].order:
            self._references[start] = (pattern, captures)

    def _import(self, pattern: Pattern, captures: Captures) -> None:
        self._imports.append((pattern, captures))

    def _scope(self, pattern: Pattern, captures: Captures) -> None:
        node = captures[pattern.main][0]
        if pattern.kind == "nonlocal":
            self._found.nonlocals.append((node.start_byte, self._text(node)))
            return
        key = (node.start_byte, node.end_byte)
        if key not in self._found.scopes or pattern.kind:
            self._found.scopes[key] = pattern.kind

    def _other(self, pattern: Pattern, captures: Captures) -> None:
        node = captures[pattern.main][0]
        key = (node.start_byte, node.end_byte)
        match pattern.main:
            case "comment":
                self._found.comments.append(key)
            case "attribute":
                self._found.attributes.append(key)
            case "doc":
                self._found.docs.append(key)
            case "returned":
                if (body := returning_body(node)) is not None:
                    self._found.results.setdefault(body, "=" + self._evident_text(node))
            case "atomic":
                self._found.atoms.append(key)
            case "package":
                self._found.package = self._found.package or self._text(node)
            case "wrapper":
                inner = captures["wrapped"][0]
                wrapper = self._wrappers.setdefault((inner.start_byte, inner.end_byte), (*key, []))
                wrapper[2].extend(self._folded(n, MAX_ARGUMENT) for n in captures.get("modifiers", ()))
                if modifier := pattern.settings.get("modifier"):
                    wrapper[2].append(str(modifier))

    def _raw_definition(self, name_start: int, pattern: Pattern, captures: Captures) -> RawDefinition:
        node, name = captures[pattern.main][0], captures["name"][0]
        kind = _kind_by_ancestor(node, str(pattern.settings.get("by", ""))) or pattern.kind
        outer = _climb(node, str(pattern.settings.get("within", "")))
        span = (outer.start_byte, outer.end_byte)
        modifiers = [word for n in captures.get("modifiers", ()) for word in self._modifier_words(n)]
        if set_modifier := pattern.settings.get("modifier"):
            modifiers.append(str(set_modifier))
        while span in self._wrappers:
            start, end, outer_modifiers = self._wrappers[span]
            modifiers[:0] = outer_modifiers
            if (start, end) == span:
                break
            span = (start, end)
        parameters, body = captures.get("parameters"), captures.get("body")
        name_text, skipped = self._name(name, pattern)
        return RawDefinition(
            pattern=pattern,
            kind=kind,
            name=name_text,
            name_start=name_start + skipped,
            start=node.start_byte,
            end=node.end_byte,
            span_start=span[0],
            span_end=self._without_newline(*span),
            signature=self._signature(captures),
            parameters=(parameters[0].start_byte, parameters[-1].end_byte) if parameters else None,
            type=self._type(captures),
            bases=tuple(self._bases(captures)),
            modifiers=tuple(modifiers),
            receiver=self._optional(captures, "receiver"),
            body_start=body[0].start_byte if body else -1,
            value_end=captures["value"][0].end_byte if "value" in captures else -1,
        )

    def _is_use(self, raw: RawDefinition) -> bool:
        """A pattern of an assignment: no definition, the token is a write."""
        if raw.kind not in {"write", "read"}:
            return False
        del self._definitions[raw.name_start]
        self._references.pop(raw.name_start, None)
        self._found.references.append(RawReference(raw.kind, raw.name, raw.name_start, bound=True))
        return True

    def _signature(self, captures: Captures) -> str:
        parameters, declared = captures.get("parameters"), captures.get("type")
        if not parameters:
            return self._folded(declared[0], MAX_SIGNATURE).lstrip(": ") if declared else ""
        first, last = parameters[0].start_byte, parameters[-1].end_byte
        if not declared:
            return self._fold(first, last, MAX_SIGNATURE)
        if declared[0].start_byte >= last:
            return self._fold(first, declared[0].end_byte, MAX_SIGNATURE)
        return f"{self._folded(declared[0], MAX_TYPE)} {self._fold(first, last, MAX_SIGNATURE)}"[:MAX_SIGNATURE]

    def _type(self, captures: Captures) -> str:
        if declared := captures.get("type"):
            return self._declared(declared[0])
        if (evident := evident_type(captures["name"][0], self._evident_text)) is not None:
            return evident
        if value := captures.get("value"):
            return "=" + self._evident_text(value[0])
        return ""

    def _declared(self, node: Node) -> str:
        if self._grammar.language.name == "go" and "struct" in (text := self._text(node)):
            return " ".join(without_struct_bodies(text).split())[:MAX_TYPE]
        return self._folded(node, MAX_TYPE).lstrip(": ")

    def _evident_text(self, node: Node) -> str:
        """An expression's text; of a call that is too long the callee, which is what its type depends on."""
        literal = (node.child_by_field_name("operand") or node) if node.type == "unary_expression" else node
        if literal.type == "composite_literal" and (written := literal.child_by_field_name("type")) is not None:
            return self._declared(written) + "{}"
        if node.end_byte - node.start_byte > MAX_TYPE:
            callee = node.child_by_field_name("function") or node.child_by_field_name("constructor")
            if callee is not None and callee.end_byte - callee.start_byte < MAX_TYPE:
                return f"{self._folded(callee, MAX_TYPE)}(…)"
        return self._folded(node, MAX_TYPE)

    def _bases(self, captures: Captures) -> list[str]:
        nodes: list[Node] = []
        for node in captures.get("bases", ()):
            nodes.extend(_without_extras(node.named_children) if _LIST_NODE.search(node.type) else [node])
        return [self._folded(n, MAX_TYPE) for n in nodes]

    def _modifier_words(self, node: Node) -> list[str]:
        if node.child_count == 0:
            return [self._text(node)]
        return [self._folded(child, 60) for child in node.children if not child.is_extra]

    def _distinct_imports(self) -> list[tuple[Pattern, Captures]]:
        """One match per binding token: the first pattern, and of that the most complete match."""
        claimed: set[tuple[str, int]] = set()
        kept: list[tuple[int, Pattern, Captures]] = []
        for pattern, captures in sorted(self._imports, key=lambda m: (m[0].order, -len(m[1]))):
            starts = {part: captures[part][0].start_byte for part in _IMPORT_PARTS if part in captures}
            part = next((p for p in _IMPORT_PARTS if p in starts), "")
            if (part, starts.get(part, -1)) in claimed:
                continue
            claimed.update(starts.items())
            kept.append((captures[pattern.main][0].start_byte, pattern, captures))
        kept.sort(key=lambda k: k[0])
        return [(pattern, captures) for _, pattern, captures in kept]

    def _raw_import(self, pattern: Pattern, captures: Captures) -> None:
        settings = pattern.settings
        separator = str(settings.get("join", "."))
        module = separator.join(self._folded(n, MAX_SIGNATURE) for n in captures.get("module", ())).strip(_QUOTES)
        name_node, alias_node = captures.get("name"), captures.get("alias")
        name = "*" if settings.get("wildcard") else self._text(name_node[0]) if name_node else ""
        anchor = (name_node or captures.get("module") or captures[pattern.main])[0]
        if alias_node and not name_node and settings.get("name"):
            name, anchor = str(settings["name"]), alias_node[0]
        start = anchor.start_byte
        if settings.get("split") == "last" and not name_node:
            module, _, name = module.rpartition(".")
            start = captures["module"][-1].end_byte - len(name.encode())
        alias, bind = str(settings.get("alias", name)), start
        if alias_node:
            alias, bind = self._text(alias_node[0]), alias_node[0].start_byte
            self._aliases.add(bind)
        elif settings.get("wildcard") or settings.get("bind") == "none":
            alias, bind = "", -1
        elif not name:
            alias = _bound_part(module, str(settings.get("bind", "")))
        self._drop_reference(start, (name, module if not name_node else name))
        reexported = bool(settings.get("reexported") or captures.get("reexported"))
        self._found.imports.append(
            RawImport(pattern, module, name.strip(_QUOTES), alias.strip(_QUOTES), start, bind, reexported)
        )

    def _drop_reference(self, start: int, names: tuple[str, ...]) -> None:
        """The token that an import is listed at is no reference besides, unless it names something of this file."""
        known = self._references.get(start)
        if known is not None and known[0].kind == "import" and self._text(known[1][known[0].main][0]) in names:
            del self._references[start]

    def _raw_references(self) -> None:
        defined = self._definitions
        append = self._found.references.append
        for start, (pattern, captures) in sorted(self._references.items()):
            if pattern.kind == "none" or (start in defined and not defined[start][0].settings.get("also")):
                continue
            reference = self._raw_reference(start, pattern, captures)
            if inner := pattern.settings.get("pattern"):
                self._found.references.extend(_inner_references(reference, str(inner)))
            else:
                append(reference)

    def _raw_reference(self, start: int, pattern: Pattern, captures: Captures) -> RawReference:
        receiver, arguments = "", None
        if len(captures) > 1:
            if node := captures.get("receiver"):
                receiver = self._folded(node[0], MAX_RECEIVER)
            elif node := captures.get("callee"):
                receiver = self._folded(node[0], MAX_RECEIVER) + "("
            elif node := captures.get("literal"):
                receiver = self._literal(node[0], 1)
            if node := captures.get("arguments"):
                arguments = self._arguments(node[0])
        settings = pattern.settings
        name, skipped = self._name(captures[pattern.main][0], pattern)
        if settings.get("receiver") == "literal" and (owner := literal_owner(captures[pattern.main][0])):
            receiver = self._literal(*owner)
        elif settings.get("receiver") == "pattern":
            _, _, receiver = (evident_type(captures[pattern.main][0], self._evident_text) or "").partition(
                f"=get {name} "
            )
        return RawReference(
            kind="import" if start in self._aliases else pattern.kind,
            name=name,
            start=start + skipped,
            bound=not (receiver or settings.get("unscoped")),
            label=bool(settings.get("label")),
            types=bool(settings.get("types")),
            receiver=receiver,
            arguments=arguments,
        )

    def _literal(self, type_: Node, depth: int) -> str:
        return without_struct_bodies(self._text(type_))[:MAX_RECEIVER] + "{" * depth

    def _arguments(self, node: Node) -> tuple[str, ...]:
        children = node.named_children
        return tuple(self._folded(c, MAX_ARGUMENT) for c in children[:MAX_ARGUMENTS] if not c.is_extra)

    def _optional(self, captures: Captures, capture: str) -> str:
        nodes = captures.get(capture)
        return self._folded(nodes[0], MAX_SIGNATURE) if nodes else ""

    def _name(self, node: Node, pattern: Pattern) -> tuple[str, int]:
        """A name token's text without the characters that `strip` names, and how many bytes those took."""
        if "called" in pattern.settings:
            return str(pattern.settings["called"]), 0
        text = self._text(node)
        name = text.lstrip(str(pattern.settings.get("strip", "")) or None) if "strip" in pattern.settings else text
        return name, len(text.encode()) - len(name.encode())

    def _without_newline(self, start: int, end: int) -> int:
        """Some grammars end a node with its line: the span ends with its last character."""
        while end > start and self._source[end - 1] in b"\r\n":
            end -= 1
        return end

    def _text(self, node: Node) -> str:
        return self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def _folded(self, node: Node, limit: int) -> str:
        return self._fold(node.start_byte, node.end_byte, limit)

    def _fold(self, start: int, end: int, limit: int) -> str:
        """Text with white space folded, at most `limit` characters; long ranges are never copied whole."""
        text = self._source[start : min(end, start + 4 * limit)].decode("utf-8", "replace")
        if "\n" in text and "//" in text:
            text = without_line_comments(text, self._grammar.language.name)
        if "\n" in text or "  " in text or "\t" in text:
            text = " ".join(text.split())
        return text if len(text) <= limit else text[: limit - 1] + "…"


def _without_extras(nodes: list[Node]) -> list[Node]:
    return [n for n in nodes if n.type != "keyword_argument" and not n.is_extra]


def _kind_by_ancestor(node: Node, by: str) -> str:
    """`by` is "type:kind type:kind …": the kind of the nearest ancestor of these types, "" without one."""
    if not by:
        return ""
    kinds = dict(pair.split(":") for pair in by.split())
    at = node.parent
    for _ in range(32):
        if at is None:
            break
        if at.type in kinds:
            return kinds[at.type]
        at = at.parent
    return ""


def _merged(known: Captures, more: Captures) -> Captures:
    """The captures of two matches of one pattern on one name: each node once, those of the first match first."""
    merged = {capture: list(nodes) for capture, nodes in known.items()}
    for capture, nodes in more.items():
        have = merged.setdefault(capture, [])
        have.extend(node for node in nodes if node not in have)
    return merged


def _inner_references(token: RawReference, pattern: str) -> list[RawReference]:
    """The names that the regex's group finds in a token's text: `$name` in a string, a macro's body."""
    found: list[RawReference] = []
    for match in re.compile(pattern).finditer(token.name):
        start = token.start + len(token.name[: match.start(1)].encode())
        found.append(replace(token, name=match.group(1), start=start))
    return found


def _climb(node: Node, within: str) -> Node:
    """The nearest ancestor of the type `within`, the node itself when there is none near."""
    if not within:
        return node
    at: Node | None = node
    for _ in range(8):
        if at is None:
            break
        if at.type == within:
            return at
        at = at.parent
    return node


def _bound_part(module: str, bind: str) -> str:
    if bind == "first":
        return module.split(".", 1)[0]
    if bind == "last":
        return module.replace("\\", "/").replace("::", "/").rstrip("/").rsplit("/", 1)[-1].rsplit(".", 1)[-1]
    return ""
