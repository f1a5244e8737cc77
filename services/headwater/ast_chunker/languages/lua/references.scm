; Every identifier that defines nothing is a use of something.

((goto_statement (identifier) @reference.read) (#set! label true))
((attribute (identifier) @reference.read) (#set! unscoped true))

(function_call name: (identifier) @reference.call arguments: (_) @arguments)
(function_call
  name: (dot_index_expression table: (_) @receiver field: (identifier) @reference.call)
  arguments: (_) @arguments)
(function_call
  name: (method_index_expression table: (_) @receiver method: (identifier) @reference.call)
  arguments: (_) @arguments)
(assignment_statement (variable_list name: (dot_index_expression
  table: (_) @receiver
  field: (identifier) @reference.write)))
(dot_index_expression table: (_) @receiver field: (identifier) @reference.read)
(method_index_expression table: (_) @receiver method: (identifier) @reference.read)
(identifier) @reference.read
