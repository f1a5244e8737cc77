; Every identifier that defines nothing is a use of something.

((package_clause name: (package_identifier (identifier) @reference.read)) (#set! unscoped true))

; Calls
(call_expression function: (identifier) @reference.call arguments: (_) @arguments)
(call_expression
  function: (field_expression value: (_) @receiver field: (identifier) @reference.call)
  arguments: (_) @arguments)
(call_expression
  function: (generic_function function: (identifier) @reference.call)
  arguments: (_) @arguments)
(call_expression
  function: (generic_function function: (field_expression value: (_) @receiver field: (identifier) @reference.call))
  arguments: (_) @arguments)
(instance_expression . "new" . (type_identifier) @reference.call (arguments)? @arguments)
(instance_expression . "new" . (generic_type type: (type_identifier) @reference.call) (arguments)? @arguments)
(instance_expression . "new" . (stable_type_identifier (_) @receiver (type_identifier) @reference.call .)
  (arguments)? @arguments)
(infix_expression left: (_) @receiver operator: [(identifier) (operator_identifier)] @reference.call)
(postfix_expression (_) @receiver . (identifier) @reference.call .)
((call_expression function: (_) @callee
  arguments: (arguments (assignment_expression left: (identifier) @reference.read))) (#set! unscoped true))
(case_class_pattern type: (type_identifier) @reference.type)

; Writes
(assignment_expression left: (identifier) @reference.write)
(assignment_expression left: (field_expression value: (_) @receiver field: (identifier) @reference.write))

; Types
(stable_type_identifier (_) @receiver (type_identifier) @reference.type .)
(type_identifier) @reference.type

(field_expression value: (_) @receiver field: (identifier) @reference.read)
(stable_identifier (_) @receiver (identifier) @reference.read .)
(interpolated_string_expression interpolator: (identifier) @reference.call)
((identifier) @reference.type (#match? @reference.type "^[A-Z][A-Za-z0-9]*[a-z]"))
(identifier) @reference.read
(operator_identifier) @reference.read
