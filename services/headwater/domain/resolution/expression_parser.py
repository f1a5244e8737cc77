"""Parsing expression texts of Python, Java, Go and TypeScript as far as their types can be told."""

from functools import lru_cache

from headwater.domain.resolution.expression import (
    OPAQUE,
    Binary,
    Call,
    Cast,
    Choice,
    Construct,
    Expression,
    Index,
    Lambda,
    Literal,
    Member,
    Name,
    Sequence,
    Slice,
    Unary,
)
from headwater.domain.resolution.expression_cursor import (
    CLOSING,
    ExpressionCursor,
    ExpressionSyntaxError,
    number_kind,
    split_type_arguments,
)
from headwater.domain.resolution.expression_tokens import Token, tokens_of
from headwater.domain.resolution.expression_words import BINARY, CHOICES, CONSTANTS, PREFIX, PRIMITIVES

_MAX_STEPS = 100  # of a chain: each makes its tree one deeper


@lru_cache(maxsize=32768)
def parse_expression(text: str, language: str) -> Expression:
    """The tree of a whole text; OPAQUE where it isn't understood. `language` is python, java, go or typescript."""
    tokens = tokens_of(text)
    if tokens is None:
        return OPAQUE
    try:
        parser = _Parser(text, tokens, language)
        tree = parser.expression(0)
        return tree if parser.peek().kind == "end" else OPAQUE
    except ExpressionSyntaxError:
        return OPAQUE


class _Parser(ExpressionCursor):
    def expression(self, power: int) -> Expression:
        self._deeper()
        left = self._prefix()
        for _ in range(_MAX_STEPS):
            operator = self._operator()
            strength = BINARY.get(operator, 0)
            if strength <= power:
                break
            self._at += 2 if operator in (">>", "<<") else 1
            if operator == "is" and self.peek().text == "not":
                self._at += 1
            right = self.expression(strength)
            left = Choice(left, right) if operator in CHOICES else Binary(operator, left, right)
        else:
            raise ExpressionSyntaxError
        whole = self._conditional(left) if power == 0 else left
        self._depth -= 1
        return whole

    def _conditional(self, left: Expression) -> Expression:
        if self._language in ("java", "typescript") and self._accept("="):
            return self.expression(0)
        if self._language in ("java", "typescript") and self._accept("?"):
            first = self.expression(0)
            self._expect(":")
            return Choice(first, self.expression(0))
        if self._language == "python" and self._accept("if"):
            self.expression(1)
            self._expect("else")
            return Choice(left, self.expression(0))
        if self._language == "typescript" and self.peek().text in ("as", "satisfies"):
            keep = self._next().text == "satisfies"
            type_ = self._rest_of_type()
            return left if keep or type_ == "const" else Cast(type_, left)
        return left

    def _prefix(self) -> Expression:
        self._deeper()
        value = self._prefixed()
        self._depth -= 1
        return value

    def _prefixed(self) -> Expression:
        token = self.peek()
        if self._language == "rust" and (token.text == "|" or token.text in ("||", "move")):
            self._skip_closure()
            return Lambda()
        if self._language == "rust" and token.text == "mut":
            self._next()
            return self._prefix()
        if token.kind == "name" and token.text in ("await", "yield"):
            self._next()
            return Unary("await", self._prefix())
        if token.text in PREFIX and token.kind != "string":
            self._next()
            return Unary(token.text, self._prefix())
        return self._postfix(self._primary())

    def _primary(self) -> Expression:
        token = self._next()
        if token.kind == "string":
            return self._joined_strings(
                "char" if self._language in ("java", "go") and token.text[0] == "'" else "string"
            )
        if token.text == "…":
            return OPAQUE
        if token.kind == "template":
            return Literal("string")
        if token.kind == "number":
            return Literal(number_kind(token.text, self._language))
        if token.kind == "name":
            return self._named(token)
        if token.text == "(":
            return self._parenthesis()
        if token.text == "[":
            return self._bracketed()
        if token.text == "{":
            return self._braces()
        if token.text == "<" and self._language == "typescript":
            self._at -= 1
            type_ = self._angle()
            return Cast(type_, self._prefix())
        raise ExpressionSyntaxError

    def _braces(self) -> Expression:
        """An object by its first own member, or by what it spreads first."""
        start = self._at - 1
        end = self._matching(start)
        value: Expression = Literal("dict")
        keys = (i for i in range(start + 1, end) if self._tokens[i].kind == "name")
        key = next((i for i in keys if self._tokens[i + 1].text in (":", ",", "}", "(")), 0)
        if self._language == "typescript" and key:
            value = Literal(f"object {self._tokens[key].text}")
        for at in range(start + 1, end):
            if self._tokens[at].text == "..." and self._language == "typescript":
                self._at = at + 1
                spread = self.expression(0)
                value = spread if value == Literal("dict") else Choice(value, spread)
        self._at = end + 1
        return value

    def _joined_strings(self, kind: str) -> Expression:
        while self._language == "python" and self.peek().kind == "string":
            self._next()
        return Literal(kind)

    def _named(self, token: Token) -> Expression:
        word = token.text
        if word in CONSTANTS:
            return Literal(CONSTANTS[word])
        if word == "new" and self._language in ("java", "typescript"):
            return self._construct()
        if word == "lambda" and self._language == "python":
            return self._python_lambda()
        if word in ("function", "func", "async") and self._language in ("typescript", "go"):
            return self._function(word)
        if self.peek().text in ("=>", "->") and self._language in ("typescript", "java"):
            return self._arrow(1)
        if self._language == "go" and word in ("map", "chan", "struct", "interface"):
            self._at -= 1
            return self._go_type()
        return Name(word)

    def _construct(self) -> Expression:
        start = self.peek().start
        while self.peek().kind == "name" or self.peek().text == ".":
            self._next()
            if self.peek().text == "<":
                self._angle()
        type_ = self._text[start : self.peek().start].strip()
        if self.peek().text == "[" and self._language == "java":
            while self.peek().text == "[":
                self._balanced()
                type_ += "[]"
            if self.peek().text == "{":
                self._balanced()
            return Construct(type_)
        arguments = self._arguments() if self._accept("(") else ()
        if self.peek().text == "{" and self._language == "java":
            self._balanced()
        return Construct(type_, arguments)

    def _arguments(self) -> tuple[Expression, ...]:
        """After the opening parenthesis, up to and with the closing one. Keyword arguments give their value."""
        out: list[Expression] = []
        while not self._accept(")"):
            if self.peek().kind == "name" and self.peek(1).text == "=" and self._language == "python":
                self._at += 2
            out.append(self._argument())
            if self.peek().text in ("...", "…"):
                self._next()
            if not self._accept(","):
                self._expect(")")
                break
        return tuple(out)

    def _argument(self) -> Expression:
        if self._language == "go" and (self.peek().text in ("[", "map", "chan", "struct")):
            return self._go_type()
        value = self.expression(0)
        if self.peek().text in ("for", "async") and self._language == "python":
            while self.peek().text not in (")", "") and self.peek().kind != "end":
                self._balanced() if self.peek().text in CLOSING else self._next()
            return Literal("generator")
        return value

    def _parenthesis(self) -> Expression:
        end = self._matching(self._at - 1)
        after = self._tokens[end + 1] if end + 1 < len(self._tokens) else self._tokens[-1]
        if after.text in ("=>", "->") and self._language in ("typescript", "java"):
            count = self._count_elements(self._at, end)
            self._at = end + 1
            return self._arrow(count)
        if after.text == ":" and self._language == "typescript" and self._has_arrow_after(end + 1):
            count = self._count_elements(self._at, end)
            while self.peek().text != "=>":
                self._next()
            return self._arrow(count)
        if self._language == "java" and self._looks_like_cast(end, after):
            type_ = self._text[self.peek().start : self._tokens[end].start].strip()
            self._at = end + 1
            return Cast(type_, self._prefix())
        return self._grouped()

    def _grouped(self) -> Expression:
        if self._accept(")"):
            return Sequence("tuple", ())
        first = self.expression(0)
        if self._language != "python" or self.peek().text not in (",", "for", "async"):
            self._accept("as") and self._rest_of_type()
            self._expect(")")
            return first
        elements = [first]
        if self.peek().text != ",":
            self._skip_to(")")
            return Literal("generator")
        while self._accept(",") and self.peek().text != ")":
            elements.append(self.expression(0))
        self._expect(")")
        return Sequence("tuple", tuple(elements))

    def _bracketed(self) -> Expression:
        if self._language == "go":
            self._at -= 1
            return self._go_type()
        elements: list[Expression] = []
        while not self._accept("]"):
            elements.append(self.expression(0))
            if self.peek().text in ("for", "async"):
                self._skip_to("]")
                return Sequence("list", tuple(elements))
            if not self._accept(","):
                self._expect("]")
                break
        return Sequence("list", tuple(elements))

    def _go_type(self) -> Expression:
        """A Go type in an expression: a composite literal, a conversion, or the type itself (make, new)."""
        start = self.peek().start
        while self.peek().kind == "name" or self.peek().text in ("[", "*", ".", "<-", "(", "{"):
            token = self.peek()
            before = self._text[start : token.start].rstrip()
            if token.text in ("(", "{") and not before.endswith(("struct", "interface", "func")):
                break
            self._balanced() if token.text in CLOSING else self._next()
        type_ = self._text[start : self.peek().start].strip()
        if not type_:
            raise ExpressionSyntaxError
        if self.peek().text == "{":
            self._balanced()
        elif self._accept("("):
            return Cast(type_, (self._arguments() or (OPAQUE,))[0])
        return Construct(type_)

    def _postfix(self, value: Expression) -> Expression:
        for _ in range(_MAX_STEPS):
            token = self.peek()
            if token.text in (".", "?.", "::") and token.kind == "op":
                self._next()
                value = self._member(value)
            elif token.text == "(" and token.kind == "op":
                self._next()
                value = Call(value, self._arguments())
            elif token.text == "[":
                value = self._subscript(value)
            elif token.text == "?" and self._language == "rust":
                self._next()
            elif token.text == "{" and self._language in ("go", "rust") and isinstance(value, Name | Member | Index):
                start = self._balanced_start(value)
                value = Construct(start)
            elif token.text == "<" and self._language in ("java", "typescript") and self._type_arguments_follow():
                arguments = split_type_arguments(self._angle())
                if self._accept("("):
                    value = Call(value, self._arguments(), arguments)
            elif (token.text in ("++", "--", "…")) or (
                token.text == "!" and self._language == "typescript" and self.peek(1).text != "="
            ):
                self._next()
            else:
                return value
        raise ExpressionSyntaxError

    def _member(self, value: Expression) -> Expression:
        if self._accept("("):  # Go type assertion, or an optional call in TypeScript
            if self._language == "typescript":
                return Call(value, self._arguments())
            type_ = self._rest_of_type()
            self._expect(")")
            return Cast(type_, value)
        if self.peek().text == "[":
            return self._subscript(value)
        if self.peek().text == "<" and self._language in ("java", "rust"):
            self._angle()
            if self._language == "rust":
                return value
        token = self._next()
        if token.kind != "name":
            raise ExpressionSyntaxError
        if token.text == "new" and self._language == "java" and self.peek().kind != "name":
            return Lambda(1 if self._tokens[self._at - 3].text == "]" else -1)  # Type[]::new, Type::new
        if token.text == "new" and self._language == "java":
            return self._construct()
        return Member(value, token.text)

    def _subscript(self, value: Expression) -> Expression:
        end = self._matching(self._at)
        inner = self._tokens[self._at + 1 : end]
        if not inner:  # `int[]` in Foo[]::new and the like
            self._at = end + 1
            return value
        if any(t.text == ":" for t in inner) and self._language in ("python", "go"):
            self._at = end + 1
            return Slice(value)
        self._next()
        index = self.expression(0)
        while self._accept(","):
            self.expression(0)
        self._expect("]")
        return Index(value, index)

    def _looks_like_cast(self, end: int, after: Token) -> bool:
        inner = self._tokens[self._at : end]
        if (
            not inner
            or inner[0].kind != "name"
            or any(t.kind not in ("name",) and t.text not in (".", "<", ">", ",", "[", "]", "?", "&") for t in inner)
        ):
            return False
        if inner[0].text in PRIMITIVES and len(inner) <= 3:
            return True
        starts_operand = after.kind in ("name", "string", "number") or after.text in ("(", "!", "~")
        return starts_operand and after.text not in ("instanceof",)

    def _arrow(self, parameters: int) -> Expression:
        self._next()
        if self.peek().text == "{":
            self._balanced()
        else:
            self.expression(0)
        return Lambda(parameters)

    def _function(self, word: str) -> Expression:
        if word == "async" and self.peek().text != "function" and self.peek().text != "(":
            return self._arrow(1) if self.peek(1).text == "=>" and self._next() else Name(word)
        while self.peek().text != "(":
            if self._next().kind == "end":
                raise ExpressionSyntaxError
        count = self._count_elements(self._at + 1, self._matching(self._at))
        self._balanced()
        while self.peek().text not in ("{", "=>"):
            if self.peek().kind == "end" or self.peek().text in (",", ")"):
                return Lambda(count)
            self._balanced() if self.peek().text in ("(", "[") else self._next()
        if self.peek().text == "=>":
            return self._arrow(count)
        self._balanced()
        return Lambda(count)

    def _python_lambda(self) -> Expression:
        while self.peek().text != ":":
            if self._next().kind == "end":
                raise ExpressionSyntaxError
        self._next()
        self.expression(0)
        return Lambda()
