; Every identifier that defines nothing is a use of something.

(attribute (identifier) @reference.read (#set! unscoped true))
(attribute_item (attribute arguments: (token_tree (identifier) @reference.type (#set! unscoped true))))
(lifetime (identifier) @reference.type)
((continue_expression (label (identifier) @reference.read)) (#set! label true))
((break_expression (label (identifier) @reference.read)) (#set! label true))

; Calls
(call_expression
  function: [
    (identifier) @reference.call
    (generic_function function: (identifier) @reference.call)
  ]
  arguments: (arguments) @arguments)
(call_expression
  function: [
    (field_expression value: (_) @receiver field: (field_identifier) @reference.call)
    (generic_function function: (field_expression value: (_) @receiver field: (field_identifier) @reference.call))
    (scoped_identifier path: (_) @receiver name: (identifier) @reference.call)
    (generic_function function: (scoped_identifier path: (_) @receiver name: (identifier) @reference.call))
  ]
  arguments: (arguments) @arguments)
((macro_invocation macro: (identifier) @reference.call) (#set! unscoped true))
(macro_invocation macro: (scoped_identifier path: (_) @receiver name: (identifier) @reference.call))

; Inside macros there are only tokens, and names in format strings
((macro_invocation
  macro: (identifier) @_format
  (token_tree (string_literal (string_content) @reference.read)))
  (#any-of? @_format
    "format" "format_args" "print" "println" "eprint" "eprintln" "write" "writeln" "panic" "todo" "unreachable"
    "unimplemented" "assert" "assert_eq" "assert_ne" "debug_assert" "debug_assert_eq" "debug_assert_ne"
    "trace" "debug" "info" "warn" "error" "bail" "ensure" "anyhow")
  (#set! pattern "(?<!\\{)\\{([a-z_]\\w*)(?=[:}])"))
(token_tree . (identifier) @reference.call . (token_tree) @arguments (#match? @arguments "^\\("))
(token_tree
  (_) @receiver . ["." "::"] . (identifier) @reference.call . (token_tree) @arguments
  (#match? @arguments "^\\("))
(token_tree (identifier) @reference.call . (token_tree) @arguments (#match? @arguments "^\\("))
(token_tree (_) @receiver . ["." "::"] . (identifier) @reference.read)
(token_tree (identifier) @reference.type (#match? @reference.type "^[A-Z].*[a-z]"))

; Writes
(assignment_expression left: (identifier) @reference.write)
(assignment_expression left: (field_expression value: (_) @receiver field: (field_identifier) @reference.write))
(compound_assignment_expr left: (identifier) @reference.write)
(compound_assignment_expr left: (field_expression value: (_) @receiver field: (field_identifier) @reference.write))

; Literals and patterns of structs
(struct_expression
  name: (_) @literal
  body: (field_initializer_list (field_initializer field: (field_identifier) @reference.write)))
(struct_expression
  name: (_) @literal
  body: (field_initializer_list (shorthand_field_initializer (identifier) @reference.read)))
(struct_pattern type: (_) @literal (field_pattern name: (field_identifier) @reference.read))

(struct_pattern type: (_) @literal (field_pattern name: (shorthand_field_identifier) @reference.read))

; Types
(type_binding name: (type_identifier) @reference.type (#set! unscoped true))
(scoped_type_identifier path: (_) @receiver name: (type_identifier) @reference.type)
(type_identifier) @reference.type
(tuple_struct_pattern type: (identifier) @reference.type)
(tuple_struct_pattern type: (scoped_identifier path: (_) @receiver name: (identifier) @reference.type))
(scoped_identifier path: (identifier) @reference.type (#match? @reference.type "^[A-Z]"))
(scoped_type_identifier path: (identifier) @reference.type (#match? @reference.type "^[A-Z]"))

; The rest is read
(scoped_identifier path: (_) @receiver name: (identifier) @reference.read)
(field_expression value: (_) @receiver field: (field_identifier) @reference.read)
(field_identifier) @reference.read
(shorthand_field_identifier) @reference.read
(identifier) @reference.read
