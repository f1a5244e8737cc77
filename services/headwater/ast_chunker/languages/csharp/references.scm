; Every identifier that defines nothing is a use of something. A type is an `identifier` wherever a type may stand.

((namespace_declaration name: (identifier) @reference.read) (#set! unscoped true))
((namespace_declaration name: (qualified_name (identifier) @reference.read)) (#set! unscoped true))
((file_scoped_namespace_declaration name: (identifier) @reference.read) (#set! unscoped true))
((file_scoped_namespace_declaration name: (qualified_name (identifier) @reference.read)) (#set! unscoped true))

((goto_statement (identifier) @reference.read) (#set! label true))

; Calls
(invocation_expression
  function: [
    (identifier) @reference.call
    (generic_name (identifier) @reference.call)
    (member_access_expression
      expression: _ @receiver
      name: [(identifier) @reference.call (generic_name (identifier) @reference.call)])
    (conditional_access_expression
      condition: (_) @receiver
      (member_binding_expression
        name: [(identifier) @reference.call (generic_name (identifier) @reference.call)]))
  ]
  arguments: (_) @arguments)
(object_creation_expression
  type: [
    (identifier) @reference.call
    (generic_name (identifier) @reference.call)
    (qualified_name qualifier: (_) @receiver name: (identifier) @reference.call)
    (qualified_name qualifier: (_) @receiver name: (generic_name (identifier) @reference.call))
  ]
  arguments: (_)? @arguments)
(attribute name: [
  (identifier) @reference.type
  (qualified_name qualifier: (_) @receiver name: (identifier) @reference.type)])

; Named arguments and members in initialisers
((invocation_expression
  function: _ @callee
  arguments: (argument_list (argument name: (identifier) @reference.read)))
  (#set! unscoped true))
((object_creation_expression
  type: _ @callee
  arguments: (argument_list (argument name: (identifier) @reference.read)))
  (#set! unscoped true))
((argument name: (identifier) @reference.read) (#set! unscoped true))
((attribute_argument name: (identifier) @reference.write) (#set! unscoped true))
(object_creation_expression
  type: (_) @literal
  initializer: (initializer_expression (assignment_expression left: (identifier) @reference.write)))
((initializer_expression (assignment_expression left: (identifier) @reference.write)) (#set! unscoped true))
((with_initializer . (identifier) @reference.write) (#set! unscoped true))
(recursive_pattern
  type: (_) @literal
  (property_pattern_clause (subpattern . (identifier) @reference.read)))
((property_pattern_clause (subpattern . (identifier) @reference.read)) (#set! unscoped true))

; Writes
(assignment_expression left: (identifier) @reference.write)
(assignment_expression left: (member_access_expression expression: _ @receiver name: (identifier) @reference.write))
(assignment_expression left: (tuple_expression (argument (identifier) @reference.write)))
(postfix_unary_expression (identifier) @reference.write ["++" "--"])
(prefix_unary_expression ["++" "--"] (identifier) @reference.write)
(postfix_unary_expression
  (member_access_expression expression: _ @receiver name: (identifier) @reference.write) ["++" "--"])

; Members
(member_access_expression
  expression: _ @receiver
  name: [(identifier) @reference.read (generic_name (identifier) @reference.read)])
(conditional_access_expression
  condition: (_) @receiver
  (member_binding_expression name: (identifier) @reference.read))
((member_binding_expression name: (identifier) @reference.read) (#set! unscoped true))

; Types
(qualified_name
  qualifier: (_) @receiver
  name: [(identifier) @reference.type (generic_name (identifier) @reference.type)])
(qualified_name qualifier: (identifier) @reference.type)
(generic_name (identifier) @reference.type)
(type_argument_list (identifier) @reference.type)
(base_list (identifier) @reference.type)
(primary_constructor_base_type type: (identifier) @reference.type)
(explicit_interface_specifier (identifier) @reference.type)
(type_parameter_constraint type: (identifier) @reference.type)
(type_parameter_constraints_clause (identifier) @reference.type)
(nullable_type type: (identifier) @reference.type)
(array_type type: (identifier) @reference.type)
(pointer_type type: (identifier) @reference.type)
(ref_type type: (identifier) @reference.type)
(tuple_element type: (identifier) @reference.type)
(method_declaration returns: (identifier) @reference.type)
(_ type: (identifier) @reference.type)
(as_expression right: (identifier) @reference.type)
(is_expression right: (identifier) @reference.type)

(identifier) @reference.read
