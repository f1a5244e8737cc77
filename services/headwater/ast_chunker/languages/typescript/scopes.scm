(abstract_class_declaration) @scope.class
(interface_declaration) @scope.class
(object_type) @scope.class
(enum_declaration) @scope.class
(type_alias_declaration) @scope
(conditional_type) @scope
(function_signature) @scope.function
(method_signature) @scope.function
(abstract_method_signature) @scope.function
(construct_signature) @scope.function
(call_signature) @scope.function
(function_type) @scope.function
(constructor_type) @scope.function
(index_signature) @scope
(internal_module) @scope
(module) @scope
(export_statement (decorator) @modifiers declaration: (_) @wrapped) @wrapper
