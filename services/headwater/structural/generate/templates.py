"""Declarative templates: how each construct and condition can be said. Supporting a new one is a line here."""

from headwater.structural.query import Construct, Relation

OPENINGS = (
    "Find all {}",
    "Find every {one}",
    "Find all cases of {}",
    "Show all {}",
    "List all {}",
    "Search for {}",
    "Find {}",
    "Look for all {}",
)
# (plural phrases). The singular drops the last s of the head noun, given as a pair where that is wrong.
NOUNS: dict[Construct, tuple[tuple[str, str], ...]] = {
    Construct.CALL: (("call", "calls"), ("method call", "method calls"), ("invocation", "invocations")),
    Construct.NEW: (("object creation", "object creations"), ("instantiation", "instantiations")),
    Construct.OPERATOR: (("operator", "operators"), ("operation", "operations")),
    Construct.ASSIGNMENT: (("assignment", "assignments"),),
    Construct.CAST: (("cast", "casts"), ("type cast", "type casts")),
    Construct.INSTANCEOF: (
        ("instanceof check", "instanceof checks"),
        ("instanceof expression", "instanceof expressions"),
    ),
    Construct.ARRAY_ACCESS: (("array access", "array accesses"),),
    Construct.CONDITIONAL: (
        ("ternary expression", "ternary expressions"),
        ("conditional expression", "conditional expressions"),
    ),
    Construct.LAMBDA: (("lambda", "lambdas"), ("lambda expression", "lambda expressions")),
    Construct.IF: (("if statement", "if statements"), ("if stmt", "if stmts")),
    Construct.FOR: (("for loop", "for loops"), ("for statement", "for statements")),
    Construct.FOREACH: (("for-each loop", "for-each loops"), ("enhanced for loop", "enhanced for loops")),
    Construct.WHILE: (("while loop", "while loops"), ("while statement", "while statements")),
    Construct.DO: (("do-while loop", "do-while loops"), ("do while loop", "do while loops")),
    Construct.SWITCH: (("switch statement", "switch statements"), ("switch", "switches")),
    Construct.CASE: (("switch case", "switch cases"), ("case label", "case labels")),
    Construct.TRY: (("try statement", "try statements"), ("try block", "try blocks")),
    Construct.CATCH: (("catch clause", "catch clauses"), ("catch block", "catch blocks")),
    Construct.FINALLY: (("finally block", "finally blocks"),),
    Construct.SYNCHRONIZED: (
        ("synchronized block", "synchronized blocks"),
        ("synchronized statement", "synchronized statements"),
    ),
    Construct.RETURN: (("return statement", "return statements"), ("return", "returns")),
    Construct.THROW: (("throw statement", "throw statements"), ("throw", "throws")),
    Construct.BREAK: (("break statement", "break statements"),),
    Construct.CONTINUE: (("continue statement", "continue statements"),),
    Construct.ASSERT: (("assert statement", "assert statements"), ("assertion", "assertions")),
    Construct.VARIABLE: (("variable", "variables"),),
    Construct.PARAMETER: (("parameter", "parameters"),),
    Construct.FIELD: (("field access", "field accesses"), ("field", "fields")),
    Construct.LITERAL: (("literal", "literals"),),
    Construct.DECLARATION: (("variable declaration", "variable declarations"),),
    Construct.METHOD: (("method declaration", "method declarations"), ("method", "methods")),
    Construct.CLASS: (("class declaration", "class declarations"), ("class", "classes")),
    Construct.IMPORT: (("import", "imports"),),
    Construct.LOOP: (("loop", "loops"),),
    Construct.ANY: (("construct", "constructs"),),
}
NAMED: dict[Construct, tuple[str, ...]] = {
    Construct.CALL: ("{noun} to {name}", "{noun} of {name}", "{noun} to {name}()"),
    Construct.NEW: ("{noun} of {name}", "{noun} of class {name}"),
    Construct.OPERATOR: ("{name} {noun}", "{noun} {name}"),
    Construct.ASSIGNMENT: ("{noun} to {name}", "{noun} to variable {name}"),
    Construct.VARIABLE: ("{noun} {name}", "{noun} named {name}"),
    Construct.PARAMETER: ("{noun} {name}", "{noun} named {name}"),
    Construct.FIELD: ("{noun} {name}", "{noun} named {name}"),
    Construct.METHOD: ("{noun} {name}", "{noun} named {name}", "{noun} called {name}"),
    Construct.CLASS: ("{noun} {name}", "{noun} named {name}"),
    Construct.IMPORT: ("{noun} of {name}",),
}
TYPED: dict[Construct, tuple[str, ...]] = {
    Construct.CAST: ("to {type}", "to type {type}"),
    Construct.INSTANCEOF: ("for {type}", "for type {type}"),
    Construct.CATCH: ("of {type}", "catching {type}", "that catch {type}"),
    Construct.METHOD: ("returning {type}", "that return {type}", "with return type {type}"),
    Construct.CLASS: ("extending {type}", "that extend or implement {type}"),
}
ANY_TYPED = ("of type {type}", "with type {type}")
VALUES = ("with value {value}", "equal to {value}", "{value}")
COUNTS = ("with {n} {argument}", "that take {n} {argument}", "having {n} {argument}", "with exactly {n} {argument}")
RELATED: dict[Relation, tuple[str, ...]] = {
    Relation.INSIDE: ("inside {}", "within {}", "in {}", "that are inside {}"),
    Relation.CONTAINS: ("containing {}", "that contain {}", "with {} inside"),
    Relation.CONTROLLED_BY: ("controlled by {}", "that are controlled by {}", "in the body of {}"),
    Relation.CONTROLS: ("controlling {}", "that control {}", "with {} in the body"),
    Relation.FOLLOWS: ("after {}", "that follow {}", "following {}"),
    Relation.PRECEDES: ("before {}", "that precede {}", "followed by {}"),
    Relation.USES: ("that use the value of {}", "using the value of {}", "that depend on {}", "using {}"),
    Relation.USED_BY: ("used by {}", "that are used by {}", "whose value is used by {}", "whose value is used in {}"),
    Relation.RECEIVER: ("called on {}", "invoked on {}"),
    Relation.RECEIVER_OF: ("that are the receiver of {}", "on which {} is invoked"),
    Relation.ARGUMENT: ("with {} as {argument}", "that take {} as {argument}", "having {} as {argument}"),
    Relation.ARGUMENT_OF: ("that are {argument} of {}", "passed as {argument} to {}"),
    Relation.CONDITION: ("with {} in the condition", "whose condition contains {}", "that check {}"),
    Relation.CONDITION_OF: ("in the condition of {}", "checked in {}"),
    Relation.VALUE: ("of {}", "with value {}"),
    Relation.VALUE_OF: ("that are the value of {}",),
}
VALUE_PHRASES: dict[Construct, tuple[str, ...]] = {
    Construct.RETURN: ("returning {}", "that return {}"),
    Construct.THROW: ("throwing {}", "that throw {}"),
    Construct.ASSIGNMENT: ("of {}", "that assign {}", "assigning {}"),
    Construct.CAST: ("of {}", "that cast {}"),
}
VALUE_OF_PHRASES: dict[Construct, tuple[str, ...]] = {
    Construct.RETURN: ("returned by {}", "that are returned by {}"),
    Construct.THROW: ("thrown by {}",),
    Construct.ASSIGNMENT: ("assigned in {}", "assigned by {}"),
    Construct.CAST: ("cast by {}",),
}
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
