; parts of module paths
(import_statement (dotted_name (identifier) @reference.import))
(aliased_import (dotted_name (identifier) @reference.import))
(import_from_statement module_name: (dotted_name (identifier) @reference.import))
(import_from_statement name: (dotted_name (identifier) @reference.import))
(future_import_statement (dotted_name (identifier) @reference.import))
(relative_import (dotted_name (identifier) @reference.import))

; calls
(call function: (identifier) @reference.call arguments: (_) @arguments)
(call function: (attribute object: (_) @receiver attribute: (identifier) @reference.call) arguments: (_) @arguments)
(decorator (identifier) @reference.call)
(decorator (attribute object: (_) @receiver attribute: (identifier) @reference.call))
(call function: (_) @callee arguments: (argument_list (keyword_argument name: (identifier) @reference.write)))
((keyword_argument name: (identifier) @reference.write) (#set! unscoped "true"))
(class_pattern (dotted_name (identifier) @reference.type))
(class_pattern (dotted_name) @callee (case_pattern (keyword_pattern . (identifier) @reference.read)))
((keyword_pattern . (identifier) @reference.read) (#set! unscoped "true"))

; types
(type (identifier) @reference.type)
(type (binary_operator (identifier) @reference.type))
(type (attribute object: (_) @receiver attribute: (identifier) @reference.type))
(generic_type (identifier) @reference.type)
(member_type (type) @receiver (identifier) @reference.type)
(class_definition superclasses: (argument_list (identifier) @reference.type))
(class_definition superclasses: (argument_list (attribute object: (_) @receiver attribute: (identifier) @reference.type)))
(except_clause value: (identifier) @reference.type)
(except_clause value: (tuple (identifier) @reference.type))
(except_clause value: (as_pattern (identifier) @reference.type))
(except_clause value: (as_pattern (tuple (identifier) @reference.type)))
(except_clause value: (attribute object: (_) @receiver attribute: (identifier) @reference.type))

; writes
(augmented_assignment left: (identifier) @reference.write)
(augmented_assignment left: (attribute object: (_) @receiver attribute: (identifier) @reference.write))
(assignment left: (attribute object: (_) @receiver attribute: (identifier) @reference.write))
(pattern_list (attribute object: (_) @receiver attribute: (identifier) @reference.write))
(tuple_pattern (attribute object: (_) @receiver attribute: (identifier) @reference.write))
(delete_statement (identifier) @reference.write)

; everything else
(attribute object: (_) @receiver attribute: (identifier) @reference.read)
(case_pattern (dotted_name (identifier) @reference.read))
(identifier) @reference.read
(return_statement (_) @returned)
