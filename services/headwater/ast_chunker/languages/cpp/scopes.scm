(function_definition) @scope.function
(lambda_expression) @scope.function
(preproc_function_def) @scope.function
(declaration declarator: (function_declarator)) @scope.function
(declaration declarator: (_ declarator: (function_declarator))) @scope.function
(field_declaration declarator: (function_declarator)) @scope.function
(field_declaration declarator: (_ declarator: (function_declarator))) @scope.function
(class_specifier body: (_)) @scope.class
(struct_specifier body: (_)) @scope.class
(union_specifier body: (_)) @scope.class
(enum_specifier "class" body: (_)) @scope.class
(enum_specifier "struct" body: (_)) @scope.class
(template_declaration) @scope
(namespace_definition) @scope
(compound_statement) @scope
(for_statement) @scope
(for_range_loop) @scope
(if_statement) @scope
(while_statement) @scope
(catch_clause) @scope
