; calls
(call_expression function: (identifier) @reference.call arguments: (_) @arguments)
(call_expression function: (selector_expression operand: (_) @receiver field: (field_identifier) @reference.call)
  arguments: (_) @arguments)
(call_expression function: (parenthesized_expression (identifier) @reference.call) arguments: (_) @arguments)

; writes
(assignment_statement left: (expression_list (identifier) @reference.write))
(assignment_statement left: (expression_list
  (selector_expression operand: (_) @receiver field: (field_identifier) @reference.write)))
(inc_statement (identifier) @reference.write)
(dec_statement (identifier) @reference.write)
(inc_statement (selector_expression operand: (_) @receiver field: (field_identifier) @reference.write))
(dec_statement (selector_expression operand: (_) @receiver field: (field_identifier) @reference.write))

; keys of composite literals: those of maps, slices and arrays are expressions, others name fields
(composite_literal type: [(map_type) (slice_type) (array_type) (implicit_length_array_type)]
  body: (literal_value (keyed_element key: (literal_element (identifier) @reference.read))))
(composite_literal type: (_) @literal
  body: (literal_value (keyed_element key: (literal_element (identifier) @reference.write))))
((literal_element (literal_value (keyed_element key: (literal_element (identifier) @reference.write))))
  (#set! unscoped "true") (#set! receiver "literal"))

; types
(qualified_type package: (package_identifier) @receiver name: (type_identifier) @reference.type)
(type_identifier) @reference.type

; everything else
((package_clause (package_identifier) @reference.import) (#set! unscoped "true"))
((label_name) @reference.read (#set! label "true"))
(selector_expression operand: (_) @receiver field: (field_identifier) @reference.read)
(package_identifier) @reference.read
((field_identifier) @reference.read (#set! unscoped "true"))
(identifier) @reference.read
