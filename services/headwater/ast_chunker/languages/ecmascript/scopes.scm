(function_declaration) @scope.function
(generator_function_declaration) @scope.function
(function_expression) @scope.function
(generator_function) @scope.function
(arrow_function) @scope.function
(method_definition) @scope.function
(class_declaration) @scope.class
(class) @scope.class
(object) @scope.class
(class_static_block) @scope.function
(statement_block) @scope
(for_statement) @scope
(for_in_statement) @scope
(catch_clause) @scope
(switch_body) @scope
((export_statement "default" @modifiers declaration: (_) @wrapped) @wrapper (#set! modifier "export"))
((export_statement declaration: (_) @wrapped) @wrapper (#set! modifier "export"))
