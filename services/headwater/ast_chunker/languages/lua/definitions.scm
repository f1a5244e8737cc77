; What Lua declares: locals, globals at their first assignment, and functions as fields of tables.

(comment) @comment

(function_declaration
  name: (identifier) @name
  parameters: (_) @parameters
  body: (_)? @body) @definition.function
(function_declaration
  name: (dot_index_expression table: (_) @receiver field: (identifier) @name)
  parameters: (_) @parameters
  body: (_)? @body) @definition.function
(function_declaration
  name: (method_index_expression table: (_) @receiver method: (identifier) @name)
  parameters: (_) @parameters
  body: (_)? @body) @definition.method

; Functions as values
(variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @name)
    (expression_list . value: (function_definition parameters: (_) @parameters body: (_)? @body))))
  @definition.function
((assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition parameters: (_) @parameters body: (_)? @body)))
  @definition.function
  (#set! bind global))
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @receiver field: (identifier) @name))
  (expression_list . value: (function_definition parameters: (_) @parameters body: (_)? @body)))
  @definition.function
(field
  name: (identifier) @name
  value: (function_definition parameters: (_) @parameters body: (_)? @body)) @definition.function
(field name: (identifier) @name !operator value: (_) @value) @definition.field

((variable_declaration
  (assignment_statement
    (variable_list name: (identifier) @name))) @definition.variable
  (#not-match? @definition.variable "=\\s*require\\b"))
(variable_declaration (variable_list name: (identifier) @name)) @definition.variable
((assignment_statement
  (variable_list name: (identifier) @name)) @definition.variable
  (#set! bind global) (#not-match? @definition.variable "=\\s*require\\b"))
(assignment_statement
  (variable_list name: (dot_index_expression
    table: (identifier) @receiver
    field: (identifier) @name))
  (#match? @receiver "^(M|_M|[A-Z]\\w*)$")) @definition.field

(parameters name: (identifier) @name @definition.parameter)
(for_generic_clause (variable_list name: (identifier) @name @definition.local))
(for_numeric_clause name: (identifier) @name @definition.local)
(label_statement (identifier) @name) @definition.label
