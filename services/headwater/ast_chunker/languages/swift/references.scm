; Every identifier that defines nothing is a use of something.

(attribute (user_type (type_identifier) @reference.type))

; Calls
(call_expression . (simple_identifier) @reference.call (call_suffix (value_arguments)? @arguments))
(call_expression
  . (navigation_expression
    target: (_) @receiver
    suffix: (navigation_suffix suffix: (simple_identifier) @reference.call))
  (call_suffix (value_arguments)? @arguments))
((call_expression . (prefix_expression operation: "." target: (simple_identifier) @reference.call)
  (call_suffix (value_arguments)? @arguments)) (#set! unscoped true))
(constructor_expression
  constructed_type: (user_type (type_identifier) @reference.call)
  (constructor_suffix (value_arguments)? @arguments))
((value_argument_label (simple_identifier) @reference.read) (#set! unscoped true))

; Writes
(assignment target: (directly_assignable_expression (simple_identifier) @reference.write))
(assignment target: (directly_assignable_expression (navigation_expression
  target: (_) @receiver
  suffix: (navigation_suffix suffix: (simple_identifier) @reference.write))))

; Members
(navigation_expression
  target: (_) @receiver
  suffix: (navigation_suffix suffix: (simple_identifier) @reference.read))
((prefix_expression operation: "." target: (simple_identifier) @reference.read) (#set! unscoped true))
((pattern "." (simple_identifier) @reference.read) (#set! unscoped true))
((parameter external_name: (simple_identifier) @reference.read) (#set! unscoped true))

; Types
(type_constraint (_ constrained_type: (identifier (simple_identifier) @reference.type)))
(type_identifier) @reference.type
((simple_identifier) @reference.type (#match? @reference.type "^[A-Z][A-Za-z0-9]*[a-z]"))
((simple_identifier) @reference.read (#not-match? @reference.read "^[$_]"))
