; elements: lower-case names are the platform's, others are components
((jsx_opening_element name: (identifier) @reference.read) (#match? @reference.read "^[a-z]") (#set! unscoped "true"))
((jsx_closing_element name: (identifier) @reference.read) (#match? @reference.read "^[a-z]") (#set! unscoped "true"))
((jsx_self_closing_element name: (identifier) @reference.read) (#match? @reference.read "^[a-z]")
  (#set! unscoped "true"))
(jsx_opening_element name: (identifier) @reference.call)
(jsx_self_closing_element name: (identifier) @reference.call)
(jsx_opening_element name: (member_expression object: (_) @receiver property: (property_identifier) @reference.call))
(jsx_self_closing_element
  name: (member_expression object: (_) @receiver property: (property_identifier) @reference.call))
(jsx_opening_element name: (_) @callee attribute: (jsx_attribute (property_identifier) @reference.write))
(jsx_self_closing_element name: (_) @callee attribute: (jsx_attribute (property_identifier) @reference.write))
