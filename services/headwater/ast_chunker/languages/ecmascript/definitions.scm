; functions
(function_declaration "async"? @modifiers name: (identifier) @name parameters: (_) @parameters body: (_) @body)
  @definition.function
(generator_function_declaration "async"? @modifiers name: (identifier) @name parameters: (_) @parameters body: (_) @body)
  @definition.function
((function_expression name: (identifier) @name parameters: (_) @parameters body: (_) @body) @definition.function
  (#set! bind "self"))
((lexical_declaration (variable_declarator name: (identifier) @name
  value: (arrow_function "async"? @modifiers parameters: (_) @parameters body: (_) @body)) @definition.function)
  (#set! within "lexical_declaration"))
((lexical_declaration (variable_declarator name: (identifier) @name
  value: (arrow_function "async"? @modifiers parameter: (_) @parameters body: (_) @body)) @definition.function)
  (#set! within "lexical_declaration"))
((lexical_declaration (variable_declarator name: (identifier) @name
  value: (function_expression "async"? @modifiers parameters: (_) @parameters body: (_) @body)) @definition.function)
  (#set! within "lexical_declaration"))
((variable_declaration (variable_declarator name: (identifier) @name
  value: [(arrow_function parameters: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)]) @definition.function)
  (#set! bind "function") (#set! within "variable_declaration"))

; members
((method_definition name: (property_identifier) @name parameters: (_) @parameters body: (_) @body)
  @definition.constructor (#eq? @name "constructor"))
(method_definition "get" @modifiers name: (_) @name parameters: (_) @parameters body: (_) @body) @definition.accessor
(method_definition "set" @modifiers name: (_) @name parameters: (_) @parameters body: (_) @body) @definition.accessor
(method_definition "static"? @modifiers "async"? @modifiers name: (property_identifier) @name parameters: (_) @parameters
  body: (_) @body) @definition.method
(method_definition "static"? @modifiers "async"? @modifiers name: (private_property_identifier) @name
  parameters: (_) @parameters body: (_) @body) @definition.method
(method_definition name: (string (string_fragment) @name) parameters: (_) @parameters body: (_) @body)
  @definition.method

; object literals
((object (pair key: (property_identifier) @name
  value: (arrow_function "async"? @modifiers parameters: (_) @parameters body: (_) @body)) @definition.method)
  (#set! modifier "arrow"))
((object (pair key: (property_identifier) @name
  value: (arrow_function "async"? @modifiers parameter: (_) @parameters body: (_) @body)) @definition.method)
  (#set! modifier "arrow"))
(object (pair key: (property_identifier) @name
  value: (function_expression "async"? @modifiers parameters: (_) @parameters body: (_) @body)) @definition.method)
(object (pair key: (property_identifier) @name value: (_) @value) @definition.property)
((object (shorthand_property_identifier) @name @definition.property) (#set! also "read"))

; variables
((lexical_declaration kind: "const" (variable_declarator name: (identifier) @name value: (_)? @value)
  @definition.constant) (#set! within "lexical_declaration"))
((lexical_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @definition.variable)
  (#set! within "lexical_declaration"))
((variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @definition.variable)
  (#set! bind "var") (#set! within "variable_declaration"))
((for_in_statement kind: ["let" "const"] left: (identifier) @name @definition.variable))
((for_in_statement kind: "var" left: (identifier) @name @definition.variable) (#set! bind "var"))
(catch_clause parameter: (identifier) @name @definition.local)
(arrow_function parameter: (identifier) @name @definition.parameter)
(labeled_statement label: (statement_identifier) @name) @definition.label

; patterns: what surrounds them says what they define
((shorthand_property_identifier_pattern) @name @definition.variable (#set! also "read")
  (#set! by "formal_parameters:parameter arrow_function:parameter variable_declarator:variable for_in_statement:variable catch_clause:local assignment_expression:write"))
((array_pattern (identifier) @name @definition.variable)
  (#set! by "formal_parameters:parameter arrow_function:parameter variable_declarator:variable for_in_statement:variable catch_clause:local assignment_expression:write"))
((pair_pattern value: (identifier) @name @definition.variable)
  (#set! by "formal_parameters:parameter arrow_function:parameter variable_declarator:variable for_in_statement:variable catch_clause:local assignment_expression:write"))
((array_pattern (assignment_pattern left: (identifier) @name @definition.variable))
  (#set! by "formal_parameters:parameter arrow_function:parameter variable_declarator:variable for_in_statement:variable catch_clause:local assignment_expression:write"))
((pair_pattern value: (assignment_pattern left: (identifier) @name @definition.variable))
  (#set! by "formal_parameters:parameter arrow_function:parameter variable_declarator:variable for_in_statement:variable catch_clause:local assignment_expression:write"))
((rest_pattern (identifier) @name) @definition.variable (#set! variadic "true")
  (#set! by "formal_parameters:parameter arrow_function:parameter variable_declarator:variable for_in_statement:variable catch_clause:local assignment_expression:write"))
