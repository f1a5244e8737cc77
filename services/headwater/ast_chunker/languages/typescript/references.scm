(import_require_clause (identifier) @reference.import)

; types
(nested_type_identifier module: (_) @receiver name: (type_identifier) @reference.type)
(nested_identifier object: (_) @receiver property: (property_identifier) @reference.read)
(extends_clause value: (identifier) @reference.type)
(extends_clause value: (member_expression object: (_) @receiver property: (property_identifier) @reference.type))
(type_identifier) @reference.type
((required_parameter name: (identifier) @reference.read) (#set! unscoped "true"))
((optional_parameter name: (identifier) @reference.read) (#set! unscoped "true"))
