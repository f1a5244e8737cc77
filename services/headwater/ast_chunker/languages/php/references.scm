; Every name that defines nothing is a use of something.

((namespace_definition name: (namespace_name (name) @reference.read)) (#set! unscoped true))
(property_element name: (variable_name) @reference.none)
(scoped_property_access_expression name: (variable_name) @reference.none)

((goto_statement (name) @reference.read) (#set! label true))

; Calls
(function_call_expression
  function: [(name) @reference.call (variable_name) @reference.call (relative_name (name) @reference.call)]
  arguments: (_) @arguments)
(function_call_expression
  function: (qualified_name prefix: (namespace_name) @receiver (name) @reference.call)
  arguments: (_) @arguments)
(function_call_expression
  function: (qualified_name (name) @reference.call)
  arguments: (_) @arguments)
(member_call_expression object: (_) @receiver name: (name) @reference.call arguments: (_) @arguments)
(nullsafe_member_call_expression object: (_) @receiver name: (name) @reference.call arguments: (_) @arguments)
(scoped_call_expression scope: (_) @receiver name: (name) @reference.call arguments: (_) @arguments)
(object_creation_expression . "new" . (name) @reference.call (arguments)? @arguments)
(object_creation_expression . "new" . (qualified_name
  prefix: (namespace_name) @receiver (name) @reference.call) (arguments)? @arguments)
(object_creation_expression . "new" . (qualified_name (name) @reference.call) (arguments)? @arguments)
(attribute (name) @reference.type)
((argument name: (name) @reference.read) (#set! unscoped true))

; Writes
(assignment_expression left: (member_access_expression object: (_) @receiver name: (name) @reference.write))
(augmented_assignment_expression left: (member_access_expression object: (_) @receiver name: (name) @reference.write))
(assignment_expression left: (scoped_property_access_expression
  scope: (_) @receiver name: (variable_name (name) @reference.write)))
(augmented_assignment_expression left: (scoped_property_access_expression
  scope: (_) @receiver name: (variable_name (name) @reference.write)))
(update_expression argument: (variable_name) @reference.write)
(update_expression argument: (member_access_expression object: (_) @receiver name: (name) @reference.write))
(update_expression argument: (scoped_property_access_expression
  scope: (_) @receiver name: (variable_name (name) @reference.write)))

; Members
(member_access_expression object: (_) @receiver name: (name) @reference.read)
(nullsafe_member_access_expression object: (_) @receiver name: (name) @reference.read)
(scoped_property_access_expression scope: (_) @receiver name: (variable_name (name) @reference.read))
(scoped_property_access_expression scope: (name) @reference.type)
(scoped_call_expression scope: (name) @reference.type)
(class_constant_access_expression . (name) @reference.type . (name))
(class_constant_access_expression (_) @receiver . (name) @reference.read)

; Types
(named_type (name) @reference.type)
(named_type (qualified_name prefix: (namespace_name) @receiver (name) @reference.type))
(base_clause (name) @reference.type)
(class_interface_clause (name) @reference.type)
(use_declaration (name) @reference.type)
(binary_expression operator: "instanceof" right: (name) @reference.type)
(qualified_name prefix: (namespace_name) @receiver (name) @reference.type)
(qualified_name (name) @reference.type)

(variable_name) @reference.read
(variable_name (name) @reference.none)
(name) @reference.read
