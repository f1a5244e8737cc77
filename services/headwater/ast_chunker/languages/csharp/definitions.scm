; What C# declares. Attributes are inside the declarations, so spans hold them.

(comment) @comment

(namespace_declaration name: (_) @package)
(file_scoped_namespace_declaration name: (_) @package)

(class_declaration
  (modifier)* @modifiers
  name: (identifier) @name
  (base_list [(identifier) (qualified_name) (generic_name) (primary_constructor_base_type)] @bases)?
  body: (_)? @body) @definition.class
(struct_declaration
  (modifier)* @modifiers
  name: (identifier) @name
  (base_list [(identifier) (qualified_name) (generic_name)] @bases)?
  body: (_)? @body) @definition.struct
(record_declaration
  (modifier)* @modifiers
  name: (identifier) @name
  (parameter_list)? @parameters
  (base_list [(identifier) (qualified_name) (generic_name) (primary_constructor_base_type)] @bases)?
  body: (_)? @body) @definition.record
(interface_declaration
  (modifier)* @modifiers
  name: (identifier) @name
  (base_list [(identifier) (qualified_name) (generic_name)] @bases)?
  body: (_)? @body) @definition.interface
(enum_declaration
  (modifier)* @modifiers
  name: (identifier) @name
  body: (_)? @body) @definition.enum
(enum_member_declaration name: (identifier) @name value: (_)? @value) @definition.enum_member
(delegate_declaration
  (modifier)* @modifiers
  type: (_) @type
  name: (identifier) @name
  parameters: (_) @parameters) @definition.type

(method_declaration
  (modifier)* @modifiers
  returns: (_) @type
  (explicit_interface_specifier (_) @bases)?
  name: (identifier) @name
  parameters: (_) @parameters
  body: (_)? @body) @definition.method
(constructor_declaration
  (modifier)* @modifiers
  name: (identifier) @name
  parameters: (_) @parameters
  body: (_)? @body) @definition.constructor
(destructor_declaration
  name: (identifier) @name
  parameters: (_) @parameters
  body: (_)? @body) @definition.constructor
(conversion_operator_declaration
  (modifier)* @modifiers
  "operator" @name
  type: (_) @type
  parameters: (_) @parameters
  body: (_)? @body) @definition.method
((indexer_declaration
  (modifier)* @modifiers
  type: (_) @type
  "this" @name
  parameters: (_) @parameters) @definition.property)
(operator_declaration
  (modifier)* @modifiers
  type: (_) @type
  operator: _ @name
  parameters: (_) @parameters
  body: (_)? @body) @definition.method
(local_function_statement
  (modifier)* @modifiers
  type: (_) @type
  name: (identifier) @name
  parameters: (_) @parameters
  body: (_)? @body) @definition.function

(property_declaration
  (modifier)* @modifiers
  type: (_) @type
  name: (identifier) @name
  value: (_)? @value) @definition.property
(event_declaration
  (modifier)* @modifiers
  type: (_) @type
  name: (identifier) @name) @definition.property
(event_field_declaration
  (modifier)* @modifiers
  (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name))) @definition.property
(field_declaration
  (modifier)* @modifiers
  (modifier "const")
  (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name))) @definition.constant
(field_declaration
  (modifier)* @modifiers
  (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name . (_)? @value)))
  @definition.field

; Records and primary constructors declare their parameters as members, too
(record_declaration (parameter_list (parameter type: (_) @type name: (identifier) @name) @definition.property))
(parameter (modifier)* @modifiers type: (_)? @type name: (identifier) @name) @definition.parameter
((parameter_list "params" type: (_) @type name: (identifier) @name @definition.parameter) (#set! variadic true))
(implicit_parameter) @name @definition.parameter
(type_parameter name: (identifier) @name) @definition.type_parameter

(local_declaration_statement
  (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name . (_)? @value)))
  @definition.local
(variable_declaration type: (_) @type (variable_declarator name: (identifier) @name . (_)? @value) @definition.local)
(tuple_pattern name: (identifier) @name @definition.local)
(foreach_statement type: (_) @type left: (identifier) @name @definition.local)
(catch_declaration type: (_) @type name: (identifier) @name) @definition.local
(declaration_expression type: (_) @type name: (identifier) @name) @definition.local
(declaration_pattern type: (_) @type name: (identifier) @name) @definition.local
(recursive_pattern type: (_)? @type name: (identifier) @name) @definition.local
(var_pattern name: (identifier) @name) @definition.local
(from_clause name: (identifier) @name) @definition.local
(let_clause . (identifier) @name) @definition.local
(join_clause . (identifier) @name) @definition.local
(labeled_statement . (identifier) @name) @definition.label
