"""The words that people use for constructs and relations: the paper's vocabulary and developers' slang."""

from typing import Literal, TypeAlias, TypeVar

from headwater.structural.query import Construct, Relation

C, R = Construct, Relation


# Said or not said, the meaning is the same: they are left out of questions and phrases alike.
DROPPED = frozenset(
    [
        "a",
        "an",
        "the",
        "that",
        "which",
        "is",
        "are",
        "be",
        "been",
        "was",
        "were",
        "their",
        "its",
        "our",
        "this",
        "these",
        "those",
        "also",
        "then",
    ]
)
T = TypeVar("T")


def _phrases(table: dict[str, T]) -> dict[tuple[str, ...], T]:
    """Splits `a|b c` keys into phrases of words."""
    split = ((phrase.split(), value) for key, value in table.items() for phrase in key.split("|"))
    return {tuple(word for word in words if word not in DROPPED): value for words, value in split}


NOUNS = _phrases(
    {
        "call|method call|chained call|chained method call|function call|invocation|method invocation|calling|invoke"
        "|caller": C.CALL,
        "object creation|new|ctor|ctor call|instantiation|created object|created instance|constructor call|creation"
        "|instance creation|newly created object"
        "|new object"
        "|newly created obj|new exception|new error|new expression|new instance|constructor invocation"
        "|allocation|creating|create": C.NEW,
        "operator|operation|expression with operator|binary expression|unary expression": C.OPERATOR,
        "assignment|assign|write|assigning": C.ASSIGNMENT,
        "cast|type cast|typecast|casting|type conversion|downcast": C.CAST,
        "instanceof|instanceof check|instanceof expression|instance check|type check|instanceof test": C.INSTANCEOF,
        "array access|array index|array element|array elem|array lookup|indexing|array indexing"
        "|subscript|index access"
        "|array expression": C.ARRAY_ACCESS,
        "ternary|ternary expression|ternary operator|conditional expression|conditional expr|ternary op"
        "|conditional operator"
        "|?:": C.CONDITIONAL,
        "lambda|lambda expression|closure|anonymous function|arrow function|lambda function": C.LAMBDA,
        "if|if statement|if stmt|if condition|if block|conditional|if check|if clause|branch"
        "|conditional statement": C.IF,
        "for loop|for statement|for stmt|classic for|classic for loop|counting loop|indexed for loop": C.FOR,
        "foreach|for each|for-each|for each loop|foreach loop|for-each loop|enhanced for"
        "|enhanced for loop|for-in loop|for in loop"
        "|for-of loop|range loop|enhanced for statement|for each statement|foreach statement": C.FOREACH,
        "while|while loop|while statement|while stmt": C.WHILE,
        "do while|do-while|do while loop|do-while loop|do loop|do while statement|do-while statement|dowhile": C.DO,
        "switch|switch statement|switch stmt|switch block|match statement|switch expression": C.SWITCH,
        "case|switch case|case label|case clause|switch branch": C.CASE,
        "try|try block|try statement|try catch|try-catch|try stmt|try with resources|try/catch": C.TRY,
        "catch|catch clause|catch block|except|except clause|except block|exception handler|catch handler"
        "|catch statement": C.CATCH,
        "finally|finally block|finally clause|finally statement": C.FINALLY,
        "synchronized|synchronized block|synchronized statement|synchronized section|critical section|lock block"
        "|synchronised block|synchronised": C.SYNCHRONIZED,
        "return|return statement|return stmt|returning": C.RETURN,
        "throw|throwing|raising|throw statement|throw stmt|raise|raise statement|exception throw"
        "|exception thrown": C.THROW,
        "break|break statement|break stmt": C.BREAK,
        "continue|continue statement|continue stmt": C.CONTINUE,
        "assert|assertion|assert statement|assert stmt": C.ASSERT,
        "variable|var|local variable|local|object": C.VARIABLE,
        "parameter|param|method parameter|formal parameter": C.PARAMETER,
        "field|field access|member access|attribute|member|property|instance variable|attribute access": C.FIELD,
        "literal|constant|literal value": C.LITERAL,
        "declaration|variable declaration|local declaration|field declaration|var declaration": C.DECLARATION,
        "method|method declaration|function|function declaration|method definition|function definition"
        "|def|constructor": C.METHOD,
        "class|class declaration|interface|enum|class definition|interface declaration|type declaration": C.CLASS,
        "import|import statement": C.IMPORT,
        "loop|looping|loop statement|iteration": C.LOOP,
        "statement|expression|construct|code|stuff": C.ANY,
    }
)
# A relation of what stands before to the noun phrase after.
RELATIONS = _phrases(
    {
        "inside|inside of|within|in|under|nested in|enclosed by|enclosed in|located in|from|defined in|surrounded by"
        "|defined inside|nested inside|wrapped in|anywhere in": R.INSIDE,
        "containing|contain|that contain|enclosing|surrounding|include|including|wrapping|hold": R.CONTAINS,
        "controlled by|in the body of|guarded by|governed by|in the scope of|in body of|executed by"
        "|depending on condition of"
        "|whose execution depend on|conditional on|control dependent on": R.CONTROLLED_BY,
        "controlling|control|guarding|guard|that control|with in the body|whose body contain|governing": R.CONTROLS,
        "after|following|follow|that follow|preceded by|coming after|later than|which come after": R.FOLLOWS,
        "before|preceding|precede|followed by|ahead of|prior to|that come before|earlier than": R.PRECEDES,
        "use the value of|using the value of|using|use|depend on|depending on|that depend on"
        "|use the result of|based on"
        "|using the result of|consume|consuming|derived from|which use|read|whose rhs have|computed from": R.USES,
        "used by|used in|use by|whose value is used by|whose value is used in|that be used by|used for"
        "|fed to|fed into|flowing into"
        "|that go into|go into|stored to|stored in|stored into|go to|whose result go to"
        "|whose result is used by|consumed by"
        "|iterated over in|iterated over by|iterated by|iterated in|whose value flow into|used inside"
        "|whose result is used in|whose value is used|used as": R.USED_BY,
        "called on|invoked on|call on|invoked upon|on": R.RECEIVER,
        "the receiver of|receiver of": R.RECEIVER_OF,
        "taking|take|passing|pass|receiving|accepting|accept|getting passed|with argument|with arg|given": R.ARGUMENT,
        "as argument to|as argument of|as arg to|as arg of|as parameter to|as parameter of|compared with"
        "|compared by|compared using|passed to|passed into|passed in to"
        "|passed as argument to|passed as an argument to|argument of|an argument of|arg of"
        "|given to|operand of|an operand of|parameter of|a parameter of|handed to|supplied to|passed as an operand to"
        "|passed as operand to|passed as a parameter to": R.ARGUMENT_OF,
        "whose condition contain|whose condition have|that check|checking|check|with condition|testing"
        "|test|whose condition is"
        "|whose condition use|that test|that check for|checking for|whose condition check": R.CONDITION,
        "in the condition of|used in the condition of|used in condition of|checked in|checked by"
        "|in condition of|tested in|tested by|in the test of": R.CONDITION_OF,
        "that return|that throw|that assign|assigning|throwing|returning|casting|whose value is|with value of": R.VALUE,
        "returned by|thrown by|assigned in|assigned by|cast by|the value of|value of|assigned to|cast in"
        "|returned in|returned from"
        "|assigned into|thrown in": R.VALUE_OF,
    }
)
# A relation to a construct that the word itself names, unless it says by whom.
IMPLIED = _phrases(
    {
        "thrown|that be thrown": (R.VALUE_OF, C.THROW),
        "returned|that be returned": (R.VALUE_OF, C.RETURN),
        "being cast|cast to": (R.VALUE_OF, C.CAST),
        "assigned|that be assigned|get assigned": (R.VALUE_OF, C.ASSIGNMENT),
    }
)
# After "with X": where in the owner X is.
MARKERS = _phrases(
    {
        "in the condition|in its condition|in condition|as condition|as the condition|as its condition"
        "|in the test|in the check"
        "|in their condition": R.CONDITION,
        "in the body|in its body|inside its body|in body|inside the body|in their body": R.CONTROLS,
        "in it|inside it|in them|inside them|within it|inside|in there": R.CONTAINS,
        "in arg|in argument|among argument|in argument list|in parameter list": R.ARGUMENT,
        "as receiver|as the receiver": R.RECEIVER,
        "as value|as its value|as the value": R.VALUE,
        "before it|before them|earlier|before": R.FOLLOWS,
        "after it|after them|coming later|later|afterward|after that|coming after": R.PRECEDES,
    }
)
WITH = frozenset(["with", "having", "have", "whose", "w/", "containing"])
WITHOUT = frozenset(["without", "w/o", "lacking"])
NEGATIONS = frozenset(
    ["not", "never", "no", "isn't", "aren't", "don't", "doesn't", "except", "excluding", "n't", "neither", "outside"]
)
OUTSIDE = frozenset(("outside",))
CREATED = frozenset(("created", "instantiated", "constructed", "allocated", "built"))
ARGUMENT_NOUNS = frozenset(["argument", "arg", "parameter", "param", "operand", "input"])
ORDINALS = {
    word: n for n, word in enumerate(["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"])
}
ORDINALS |= {"1st": 0, "2nd": 1, "3rd": 2, "4th": 3, "5th": 4}
NUMBERS = {
    word: n for n, word in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
}
NUMBERS |= {"no": 0, "single": 1}
Comparison: TypeAlias = Literal["=", "<=", ">="]
EXACTLY: Comparison = "="
_MOST: Comparison = "<="
_LEAST: Comparison = ">="
AT_LEAST = _phrases(
    {
        "at least|more than or equal to|minimum": _LEAST,
        "at most|no more than|up to": _MOST,
        "exactly|just|only": EXACTLY,
    }
)
LITERAL_KINDS = {
    "string": "string",
    "numeric": "number",
    "number": "number",
    "integer": "number",
    "boolean": "boolean",
    "bool": "boolean",
    "character": "character",
    "char": "character",
    "numerical": "number",
}
LITERAL_VALUES = frozenset(["true", "false", "null", "None", "True", "False", "nil", "undefined"])
MODIFIER_WORDS = frozenset(
    [
        "public",
        "private",
        "protected",
        "static",
        "final",
        "abstract",
        "async",
        "native",
        "default",
        "transient",
        "volatile",
    ]
)
PRIMITIVES = frozenset(
    [
        "int",
        "long",
        "short",
        "byte",
        "char",
        "float",
        "double",
        "boolean",
        "void",
        "string",
        "str",
        "bool",
        "number",
        "any",
        "object",
    ]
)
OPERATOR_WORDS: dict[str, tuple[str, ...]] = {
    "plus": ("+",),
    "add": ("+", "+="),
    "addition": ("+", "+="),
    "concatenation": ("+", "+="),
    "concat": ("+", "+="),
    "minus": ("-",),
    "subtraction": ("-",),
    "multiplication": ("*",),
    "multiply": ("*",),
    "division": ("/",),
    "divide": ("/",),
    "modulo": ("%",),
    "increment": ("++",),
    "decrement": ("--",),
    "negation": ("!", "not"),
    "inequality": ("!=",),
    "equality": ("==", "==="),
    "negated": ("!", "not"),
}
COMPARISON = ("==", "!=", "<", ">", "<=", ">=", "===", "!==")
GROUP_OPERATORS = {
    "comparison": COMPARISON,
    "logical": ("&&", "||", "and", "or"),
    "shift": ("<<", ">>", ">>>"),
    "arithmetic": ("+", "-", "*", "/", "%"),
}
FILLERS = frozenset(
    [
        "find",
        "returned",
        "show",
        "list",
        "search",
        "look",
        "all",
        "every",
        "each",
        "any",
        "a",
        "an",
        "the",
        "of",
        "where",
        "place",
        "places",
        "location",
        "that",
        "which",
        "are",
        "is",
        "be",
        "been",
        "do",
        "does",
        "me",
        "please",
        "pls",
        "gimme",
        "give",
        "get",
        "locate",
        "for",
        "there",
        "here",
        "i",
        "want",
        "need",
        "to",
        "see",
        "can",
        "you",
        "my",
        "we",
        "anything",
        "doing",
        "something",
        "usage",
        "use",
        "occurrence",
        "instance",
        "thing",
        "it",
        "its",
        "their",
        "this",
        "these",
        "those",
        "them",
        "by",
        "has",
        "have",
        "also",
        "and",
        "then",
        "at",
        "value",
        "result",
        "some",
        "various",
        "some",
        "how",
        "what",
        "when",
        "who",
        "whatever",
        "being",
        "as",
        "such",
        "so",
        "just",
        "only",
        "exactly",
        "occurrences",
        "instances",
        "kind",
        "which's",
        "rhs",
        "so-called",
        "e.g.",
        "i.e.",
        "who's",
        "whose",
        "with",
        "on",
        "up",
        "go",
        "goes",
        "come",
        "coming",
        "was",
        "were",
        "named",
        "called",
    ]
)
# Passed over between a conjunction or a negation and what it is of.
IDLE = frozenset(["only", "just", "also", "then"])
NAMED = frozenset(["named", "called"])
SPOKEN = tuple(sorted({word for table in (NOUNS, RELATIONS, MARKERS, IMPLIED) for key in table for word in key}))
