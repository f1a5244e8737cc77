; What PHP declares. Locals are named with their $, properties without, as their uses spell them.

(comment) @comment

(namespace_definition name: (namespace_name) @package)

(class_declaration
  [(abstract_modifier) (final_modifier) (readonly_modifier)]* @modifiers
  name: (name) @name
  (base_clause (_) @bases)?
  (class_interface_clause (_) @bases)?
  body: (_) @body) @definition.class
(interface_declaration
  name: (name) @name
  (base_clause (_) @bases)?
  body: (_) @body) @definition.interface
(trait_declaration name: (name) @name body: (_) @body) @definition.trait
(enum_declaration
  name: (name) @name
  (class_interface_clause (_) @bases)?
  body: (_) @body) @definition.enum
(enum_case name: (name) @name value: (_)? @value) @definition.enum_member

(function_definition
  name: (name) @name
  parameters: (_) @parameters
  return_type: (_)? @type
  body: (_) @body) @definition.function
((method_declaration
  [(visibility_modifier) (static_modifier) (abstract_modifier) (final_modifier)]* @modifiers
  name: (name) @name
  parameters: (_) @parameters
  body: (_)? @body) @definition.constructor
  (#eq? @name "__construct"))
(method_declaration
  [(visibility_modifier) (static_modifier) (abstract_modifier) (final_modifier)]* @modifiers
  name: (name) @name
  parameters: (_) @parameters
  return_type: (_)? @type
  body: (_)? @body) @definition.method

(const_declaration
  (visibility_modifier)? @modifiers
  (const_element (name) @name . (_)? @value)) @definition.constant
((function_call_expression
  function: (name) @_define
  arguments: (arguments . (argument (string (string_content) @name)))) @definition.constant
  (#eq? @_define "define"))
(property_declaration
  [(visibility_modifier) (static_modifier) (readonly_modifier)]* @modifiers
  type: (_)? @type
  (property_element name: (variable_name (name) @name) default_value: (_)? @value)) @definition.property
((property_promotion_parameter
  visibility: (_)? @modifiers
  type: (_)? @type
  name: (variable_name (name) @name)) @definition.property
  (#set! bind owner))

(property_promotion_parameter type: (_)? @type name: (variable_name) @name) @definition.parameter
(simple_parameter type: (_)? @type name: (variable_name) @name) @definition.parameter
((variadic_parameter type: (_)? @type name: (variable_name) @name) @definition.parameter (#set! variadic true))
((anonymous_function_use_clause (variable_name) @name @definition.local) (#set! also read))
((anonymous_function_use_clause (by_ref (variable_name) @name @definition.local)) (#set! also read))

((assignment_expression left: (variable_name) @name right: (_) @value) @definition.variable (#set! bind assign)
  (#not-eq? @name "$this"))
((reference_assignment_expression left: (variable_name) @name) @definition.variable (#set! bind assign))
((augmented_assignment_expression left: (variable_name) @name) @definition.variable (#set! bind assign))
((assignment_expression left: (list_literal (variable_name) @name @definition.variable)) (#set! bind assign))
((foreach_statement "as" . (variable_name) @name @definition.variable) (#set! bind assign))
((foreach_statement "as" . (by_ref (variable_name) @name @definition.variable)) (#set! bind assign))
((foreach_statement "as" . (pair (variable_name) @name @definition.variable)) (#set! bind assign))
((foreach_statement "as" . (pair (by_ref (variable_name) @name @definition.variable))) (#set! bind assign))
((foreach_statement "as" . (list_literal (variable_name) @name @definition.variable)) (#set! bind assign))
((foreach_statement "as" . (pair (_) (list_literal (variable_name) @name @definition.variable))) (#set! bind assign))
((catch_clause type: (_) @type name: (variable_name) @name) @definition.variable (#set! bind assign))
((static_variable_declaration name: (variable_name) @name value: (_)? @value) @definition.variable (#set! bind assign))
(global_declaration (variable_name) @scope.nonlocal)
(named_label_statement (name) @name) @definition.label
