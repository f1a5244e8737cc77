(class_declaration) @scope.class
(enum_declaration) @scope.class
(record_declaration) @scope.class
(interface_declaration) @scope.class
(annotation_type_declaration) @scope.class
(object_creation_expression (class_body) @scope.class)
(enum_constant (class_body) @scope.class)
(method_declaration) @scope.function
(constructor_declaration) @scope.function
(compact_constructor_declaration) @scope.function
(lambda_expression) @scope.function
(static_initializer) @scope.function
(class_body (block) @scope.function)
(block) @scope
(for_statement) @scope
(enhanced_for_statement) @scope
(catch_clause) @scope
(try_with_resources_statement) @scope
(switch_block) @scope
(switch_rule) @scope
