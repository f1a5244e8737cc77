(function_definition) @scope.function
(lambda) @scope.function
(class_definition) @scope.class
(list_comprehension) @scope.function
(set_comprehension) @scope.function
(dictionary_comprehension) @scope.function
(generator_expression) @scope.function
(type_alias_statement) @scope
(global_statement (identifier) @scope.nonlocal)
(nonlocal_statement (identifier) @scope.nonlocal)
(function_definition body: (block . (expression_statement . (string) @doc)))
(class_definition body: (block . (expression_statement . (string) @doc)))
(module . (expression_statement . (string) @doc))
(decorated_definition (decorator) @modifiers definition: (_) @wrapped) @wrapper
