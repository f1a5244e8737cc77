"""A cursor over the tokens of an expression, and what can be told by tokens alone."""

from headwater.domain.resolution.expression import Expression, Index, Member, Name
from headwater.domain.resolution.expression_tokens import Token

CLOSING = {"(": ")", "[": "]", "{": "}"}


class ExpressionSyntaxError(Exception):
    """The text is none of the expressions that the parser knows."""


_MAX_DEPTH = 60


class ExpressionCursor:
    """Brackets in the tokens are balanced, or the methods raise ExpressionSyntaxError."""

    def __init__(self, text: str, tokens: list[Token], language: str) -> None:
        self._text = text
        self._tokens = tokens
        self._language = language
        self._at = 0
        self._depth = 0

    def _deeper(self) -> None:
        """Checked before each recursion: everything that recurses comes by here."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise ExpressionSyntaxError

    def peek(self, ahead: int = 0) -> Token:
        return self._tokens[min(self._at + ahead, len(self._tokens) - 1)]

    def _next(self) -> Token:
        token = self.peek()
        self._at += 1
        return token

    def _accept(self, text: str) -> bool:
        if self.peek().text != text or self.peek().kind == "string":
            return False
        self._at += 1
        return True

    def _expect(self, text: str) -> None:
        if not self._accept(text):
            raise ExpressionSyntaxError

    def _type_arguments_follow(self) -> bool:
        end = self._angle_end(self._at)
        return end > 0 and self._tokens[end].text in ("(", "::", ")", ",", "")

    def _balanced_start(self, value: Expression) -> str:
        self._balanced()
        return type_text(value)

    def _operator(self) -> str:
        token = self.peek()
        if token.text in "<>" and self.peek(1).text == token.text and self.peek(1).start == token.end:
            return token.text * 2
        if token.text == "not" and self.peek(1).text == "in":
            self._at += 1
            return "in"
        return token.text if token.kind in ("op", "name") else ""

    def _angle_end(self, at: int) -> int:
        """The token after a balanced `<…>` that holds nothing but what types are made of; 0 if it isn't one."""
        depth = 0
        for i in range(at, len(self._tokens)):
            token = self._tokens[i]
            if token.text == "<":
                depth += 1
            elif token.text == ">":
                depth -= 1
                if depth == 0:
                    return i + 1
            elif token.kind not in ("name", "string") and token.text not in ".,[]?&|(){}:;=>":
                return 0
        return 0

    def _angle(self) -> str:
        end = self._angle_end(self._at)
        if not end:
            raise ExpressionSyntaxError
        text = self._text[self._tokens[self._at].end : self._tokens[end - 1].start].strip()
        self._at = end
        return text

    def _count_elements(self, start: int, end: int) -> int:
        if start >= end:
            return 0
        depth, commas = 0, 0
        for token in self._tokens[start:end]:
            depth += (token.text in ("(", "[", "{", "<")) - (token.text in (")", "]", "}", ">"))
            commas += depth == 0 and token.text == ","
        return commas + 1 - (self._tokens[end - 1].text == ",")

    def _matching(self, at: int) -> int:
        depth = 0
        for i in range(at, len(self._tokens)):
            token = self._tokens[i]
            if token.kind == "op" and token.text in CLOSING:
                depth += 1
            elif token.kind == "op" and token.text in (")", "]", "}"):
                depth -= 1
                if depth == 0:
                    return i
        raise ExpressionSyntaxError

    def _balanced(self) -> None:
        self._at = self._matching(self._at) + 1

    def _skip_to(self, closing: str) -> None:
        while self.peek().text != closing:
            if self.peek().kind == "end":
                raise ExpressionSyntaxError
            self._balanced() if self.peek().text in CLOSING else self._next()
        self._next()

    def _has_arrow_after(self, at: int) -> bool:
        for i in range(at, len(self._tokens)):
            if self._tokens[i].text == "=>":
                return True
            if self._tokens[i].text in (";", ",", "?", "{"):
                return False
        return False

    def _rest_of_type(self) -> str:
        """Everything up to the next closing bracket or comma at this level."""
        start = self.peek().start
        while self.peek().kind != "end" and self.peek().text not in (")", "]", "}", ",", ";"):
            self._balanced() if self.peek().text in CLOSING else self._next()
        return self._text[start : self.peek().start].strip()

    def _skip_closure(self) -> None:
        """Everything up to the next comma or closing bracket at this level."""
        while self.peek().kind != "end" and self.peek().text not in (")", "]", "}"):
            if self.peek().text in CLOSING:
                self._balanced()
            elif self.peek().text == "," and self.peek(-1).text != "|":
                break
            else:
                self._next()


def number_kind(text: str, language: str) -> str:
    if text[:2].lower() in ("0x", "0b", "0o"):
        return "long" if text[-1] in "lL" else "number"
    if language == "java" and text[-1] in "lL":
        return "long"
    if language == "java" and text[-1] in "fF":
        return "float"
    return "double" if "." in text or "e" in text.lower() or text[-1] in "dDj" else "number"


def type_text(value: Expression) -> str:
    """A type as written where an expression may stand; its depth is the parser's, which is bounded."""
    if isinstance(value, Name):
        return value.name
    if isinstance(value, Member):
        return f"{type_text(value.object)}.{value.name}"
    if isinstance(value, Index):
        return f"{type_text(value.object)}[{type_text(value.index)}]"
    return ""


def split_type_arguments(text: str) -> tuple[str, ...]:
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "<([{") - (c in ">)]}")
        if c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    return (*parts, text[start:].strip())
