; module paths
((package_declaration (identifier) @reference.import) (#set! unscoped "true"))
((package_declaration (scoped_identifier name: (identifier) @reference.import)) (#set! unscoped "true"))
(import_declaration (scoped_identifier scope: (_) @receiver name: (identifier) @reference.import))
(import_declaration (identifier) @reference.import)

; calls
(method_invocation object: (_) @receiver name: (identifier) @reference.call arguments: (_) @arguments)
(method_invocation name: (identifier) @reference.call arguments: (_) @arguments)
(object_creation_expression type: (type_identifier) @reference.call arguments: (_) @arguments)
(object_creation_expression type: (generic_type . (type_identifier) @reference.call) arguments: (_) @arguments)
(object_creation_expression
  type: (scoped_type_identifier (_) @receiver (type_identifier) @reference.call .) arguments: (_) @arguments)
(object_creation_expression
  type: (generic_type . (scoped_type_identifier (_) @receiver (type_identifier) @reference.call .))
  arguments: (_) @arguments)
(method_reference . (_) @receiver (identifier) @reference.call .)

(explicit_constructor_invocation constructor: (_) @reference.call arguments: (_) @arguments)

; annotations
(marker_annotation name: (identifier) @reference.type)
(annotation name: (identifier) @reference.type)
(marker_annotation name: (scoped_identifier scope: (_) @receiver name: (identifier) @reference.type))
(annotation name: (scoped_identifier scope: (_) @receiver name: (identifier) @reference.type))
(annotation name: (_) @callee arguments: (_ (element_value_pair key: (identifier) @reference.write)))

; labels
((break_statement (identifier) @reference.read) (#set! label "true"))
((continue_statement (identifier) @reference.read) (#set! label "true"))

; writes
(assignment_expression left: (identifier) @reference.write)
(assignment_expression left: (field_access object: (_) @receiver field: (identifier) @reference.write))
(update_expression (identifier) @reference.write)
(update_expression (field_access object: (_) @receiver field: (identifier) @reference.write))

; types
(scoped_type_identifier (_) @receiver (type_identifier) @reference.type .)
(type_identifier) @reference.type

; everything else
(field_access object: (_) @receiver field: (identifier) @reference.read)
(scoped_identifier scope: (_) @receiver name: (identifier) @reference.read)
(identifier) @reference.read
