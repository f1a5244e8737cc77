; module bindings
(import_specifier (identifier) @reference.import)
(namespace_import (identifier) @reference.import)
(import_clause (identifier) @reference.import)
(export_statement (export_clause (export_specifier (identifier) @reference.import)) source: (_))
(namespace_export (identifier) @reference.import)

; calls
(call_expression function: (identifier) @reference.call arguments: (_) @arguments)
(call_expression function: (member_expression object: (_) @receiver property: (property_identifier) @reference.call)
  arguments: (_) @arguments)
(call_expression function: (member_expression object: (_) @receiver property: (private_property_identifier) @reference.call)
  arguments: (_) @arguments)
(new_expression constructor: (identifier) @reference.call arguments: (_)? @arguments)
(new_expression constructor: (member_expression object: (_) @receiver property: (property_identifier) @reference.call)
  arguments: (_)? @arguments)
(call_expression function: (super) @reference.call arguments: (_) @arguments)
(decorator (identifier) @reference.call)

; writes
(assignment_expression left: (identifier) @reference.write)
(assignment_expression left: (member_expression object: (_) @receiver property: (property_identifier) @reference.write))
(assignment_expression left: (member_expression object: (_) @receiver property: (private_property_identifier) @reference.write))
(augmented_assignment_expression left: (identifier) @reference.write)
(augmented_assignment_expression left: (member_expression object: (_) @receiver property: (_) @reference.write))
(update_expression argument: (identifier) @reference.write)
(update_expression argument: (member_expression object: (_) @receiver property: (_) @reference.write))

; labels
((break_statement label: (statement_identifier) @reference.read) (#set! label "true"))
((continue_statement label: (statement_identifier) @reference.read) (#set! label "true"))

; everything else
((pair_pattern key: (property_identifier) @reference.read) (#set! unscoped "true") (#set! receiver "pattern"))
(member_expression object: (_) @receiver property: (property_identifier) @reference.read)
(member_expression object: (_) @receiver property: (private_property_identifier) @reference.read)
((shorthand_property_identifier_pattern) @reference.read (#set! unscoped "true") (#set! receiver "pattern"))
(undefined) @reference.read
((property_identifier) @reference.read (#set! unscoped "true"))
((private_property_identifier) @reference.read (#set! unscoped "true"))
(shorthand_property_identifier) @reference.read
((export_statement (export_clause (export_specifier alias: (identifier) @reference.read)))
  (#set! unscoped "true"))
(identifier) @reference.read
(return_statement (_) @returned)
(arrow_function body: (_) @returned)
