(function_definition) @scope.function
(preproc_function_def) @scope.function
(declaration declarator: (function_declarator)) @scope.function
(declaration declarator: (pointer_declarator declarator: (function_declarator))) @scope.function
(type_definition declarator: (function_declarator)) @scope.function
(struct_specifier body: (_)) @scope.class
(union_specifier body: (_)) @scope.class
(compound_statement) @scope
(for_statement) @scope
