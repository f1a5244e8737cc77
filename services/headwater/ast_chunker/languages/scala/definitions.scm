; What Scala declares, in both syntaxes.

(comment) @comment
(block_comment) @comment

(package_clause name: (package_identifier) @package)

(package_object name: (identifier) @name body: (_)? @body) @definition.namespace
(class_definition
  (modifiers)? @modifiers
  name: (identifier) @name
  class_parameters: (_)? @parameters
  extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)]+ @bases)?
  body: (_)? @body) @definition.class
(trait_definition
  (modifiers)? @modifiers
  name: (identifier) @name
  extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)]+ @bases)?
  body: (_)? @body) @definition.trait
(object_definition
  (modifiers)? @modifiers
  name: (identifier) @name
  extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)]+ @bases)?
  body: (_)? @body) @definition.class
(enum_definition
  (modifiers)? @modifiers
  name: (identifier) @name
  extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)]+ @bases)?
  body: (_)? @body) @definition.enum
(simple_enum_case name: (identifier) @name) @definition.enum_member
(full_enum_case name: (identifier) @name class_parameters: (_)? @parameters) @definition.enum_member
(type_definition
  (modifiers)? @modifiers
  name: (type_identifier) @name
  type: (_)? @type) @definition.type
((given_definition
  name: (identifier) @name
  return_type: (_)? @type
  body: (_)? @body) @definition.constant
  (#set! modifier given))

((function_definition
  (modifiers)? @modifiers
  name: (identifier) @name
  parameters: (parameters)? @parameters
  body: (_)? @body) @definition.constructor
  (#eq? @name "this"))
(function_definition
  (modifiers)? @modifiers
  name: [(identifier) (operator_identifier)] @name
  parameters: (parameters)? @parameters
  return_type: (_)? @type
  body: (_)? @body) @definition.function
(function_declaration
  (modifiers)? @modifiers
  name: [(identifier) (operator_identifier)] @name
  parameters: (parameters)? @parameters
  return_type: (_)? @type) @definition.function

(val_definition
  (modifiers)? @modifiers
  pattern: [
    (identifier) @name
    (identifiers (identifier) @name)
    (tuple_pattern (identifier) @name)
    (case_class_pattern pattern: (identifier) @name)
  ]
  type: (_)? @type
  value: (_)? @value) @definition.variable
(var_definition
  (modifiers)? @modifiers
  pattern: [
    (identifier) @name
    (identifiers (identifier) @name)
    (tuple_pattern (identifier) @name)
  ]
  type: (_)? @type
  value: (_)? @value) @definition.variable
(val_declaration (modifiers)? @modifiers name: (identifier) @name type: (_) @type) @definition.variable
(var_declaration (modifiers)? @modifiers name: (identifier) @name type: (_) @type) @definition.variable

(class_parameter (modifiers)? @modifiers name: (identifier) @name type: (_)? @type) @definition.property
(parameter name: (identifier) @name type: (_)? @type) @definition.parameter
(binding name: (identifier) @name type: (_)? @type) @definition.parameter
(lambda_expression parameters: (identifier) @name @definition.parameter)
(type_parameters name: (identifier) @name @definition.type_parameter)
(covariant_type_parameter name: (identifier) @name) @definition.type_parameter
(contravariant_type_parameter name: (identifier) @name) @definition.type_parameter
(self_type . (identifier) @name) @definition.parameter

; Patterns: a capitalised name in one is a constant
(enumerator . (identifier) @name @definition.local)
(enumerator . (tuple_pattern (identifier) @name @definition.local))
(case_clause pattern: (identifier) @name @definition.local (#match? @name "^[a-z_]"))
(typed_pattern pattern: (identifier) @name) @definition.local
(capture_pattern name: (identifier) @name) @definition.local
(case_class_pattern pattern: (identifier) @name @definition.local (#match? @name "^[a-z_]"))
(tuple_pattern (identifier) @name @definition.local (#match? @name "^[a-z_]"))
(infix_pattern left: (identifier) @name @definition.local (#match? @name "^[a-z_]"))
(infix_pattern right: (identifier) @name @definition.local (#match? @name "^[a-z_]"))
