; Every identifier that defines nothing is a use of something.

((package_header (qualified_identifier (identifier) @reference.read)) (#set! unscoped true))
((labeled_expression (identifier) @reference.read) (#set! label true))
((return_expression label: (identifier) @reference.read) (#set! label true))
((this_expression (identifier) @reference.type))
((super_expression (identifier) @reference.type))

((identifier) @reference.none (#any-of? @reference.none "null" "class"))

; Calls
(call_expression . (identifier) @reference.call (value_arguments)? @arguments)
(call_expression . (navigation_expression (_) @receiver (identifier) @reference.call .) (value_arguments)? @arguments)
(call_expression . (call_expression . (identifier) @reference.call (value_arguments)? @arguments))
(call_expression . (call_expression
  . (navigation_expression (_) @receiver (identifier) @reference.call .) (value_arguments)? @arguments))
(constructor_invocation
  (user_type (identifier) @reference.call .)
  (value_arguments) @arguments)
(infix_expression (_) @receiver . (identifier) @reference.call . (_))
(callable_reference (user_type) @receiver (identifier) @reference.read)
((call_expression . (_) @callee (value_arguments (value_argument . (identifier) @reference.read . "=")))
  (#set! unscoped true))
((value_argument . (identifier) @reference.read . "=") (#set! unscoped true))

; Writes
(assignment left: (identifier) @reference.write)
(assignment left: (navigation_expression (_) @receiver (identifier) @reference.write .))
(unary_expression argument: (identifier) @reference.write operator: ["++" "--"])
(unary_expression operator: ["++" "--"] argument: (identifier) @reference.write)

; Types
(user_type (identifier) @receiver . "." . (identifier) @reference.type)
(user_type (identifier) @reference.type)
(type_constraint (identifier) @reference.type)
(callable_reference . (identifier) @reference.read .)

(navigation_expression (_) @receiver (identifier) @reference.read .)
((identifier) @reference.type (#match? @reference.type "^[A-Z][A-Za-z0-9]*[a-z]"))
(identifier) @reference.read
((string_literal) @reference.read (#set! pattern "(?<!\\\\)\\$([A-Za-z_]\\w*)"))
