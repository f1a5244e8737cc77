; What Kotlin declares. The grammar has few fields, so kinds are told by modifiers and keywords.

(line_comment) @comment
(block_comment) @comment

(package_header (qualified_identifier) @package)

(class_declaration
  (modifiers (class_modifier) @_enum)
  "class"
  name: (identifier) @name
  (delegation_specifiers (delegation_specifier [
    (user_type) @bases
    (constructor_invocation (user_type) @bases)
    (explicit_delegation . (user_type) @bases)]))?
  (enum_class_body) @body
  (#eq? @_enum "enum")) @definition.enum
((class_declaration
  (modifiers (class_modifier) @_annotation) @modifiers
  name: (identifier) @name) @definition.annotation
  (#eq? @_annotation "annotation"))
(class_declaration
  (modifiers)? @modifiers
  "interface"
  name: (identifier) @name
  (delegation_specifiers (delegation_specifier [
    (user_type) @bases
    (constructor_invocation (user_type) @bases)
    (explicit_delegation . (user_type) @bases)]))?
  (class_body)? @body) @definition.interface
(class_declaration
  (modifiers)? @modifiers
  "class"
  name: (identifier) @name
  (primary_constructor (class_parameters) @parameters)?
  (delegation_specifiers (delegation_specifier [
    (user_type) @bases
    (constructor_invocation (user_type) @bases)
    (explicit_delegation . (user_type) @bases)]))?
  [(class_body) (enum_class_body)]? @body) @definition.class
(object_declaration
  (modifiers)? @modifiers
  name: (identifier) @name
  (delegation_specifiers (delegation_specifier [
    (user_type) @bases
    (constructor_invocation (user_type) @bases)
    (explicit_delegation . (user_type) @bases)]))?
  (class_body)? @body) @definition.class
(companion_object name: (identifier) @name (class_body)? @body) @definition.class
(enum_entry . (modifiers)? . (identifier) @name) @definition.enum_member
(type_alias type: (identifier) @name (_) @type .) @definition.type

; An extension's receiver type stands before the dot
(function_declaration
  (modifiers)? @modifiers
  [(user_type) @receiver (nullable_type (user_type) @receiver)]
  .
  "."
  .
  name: (identifier) @name
  (function_value_parameters) @parameters
  [(user_type) (nullable_type) (function_type)]? @type
  (function_body)? @body) @definition.function
(function_declaration
  (modifiers)? @modifiers
  name: (identifier) @name
  (function_value_parameters) @parameters
  [(user_type) (nullable_type) (function_type)]? @type
  (function_body)? @body) @definition.function
((secondary_constructor
  (modifiers)? @modifiers
  "constructor" @name
  (function_value_parameters) @parameters
  (block)? @body) @definition.constructor)

(property_declaration
  (modifiers)? @modifiers
  [(user_type) @receiver (nullable_type (user_type) @receiver)]
  .
  "."
  .
  (variable_declaration
    (identifier) @name
    [(user_type) (nullable_type) (function_type)]? @type)) @definition.property
(property_declaration
  (modifiers (property_modifier) @_const) @modifiers
  (variable_declaration
    (identifier) @name
    [(user_type) (nullable_type) (function_type)]? @type)
  (#eq? @_const "const")) @definition.constant
(class_body
  (property_declaration
    (modifiers)? @modifiers
    (variable_declaration
      (identifier) @name
      [(user_type) (nullable_type) (function_type)]? @type)
    [(call_expression) (string_literal) (number_literal)]? @value) @definition.property)
(property_declaration
  (modifiers)? @modifiers
  (variable_declaration
    (identifier) @name
    [(user_type) (nullable_type) (function_type)]? @type)
  [(call_expression) (string_literal) (number_literal)]? @value) @definition.variable
(property_declaration
  (multi_variable_declaration (variable_declaration (identifier) @name))) @definition.variable
(class_parameter
  (modifiers)? @modifiers
  ["val" "var"]
  (identifier) @name
  [(user_type) (nullable_type) (function_type)] @type) @definition.property
(class_parameter
  (identifier) @name
  [(user_type) (nullable_type) (function_type)] @type) @definition.parameter

(parameter . (identifier) @name (_) @type) @definition.parameter
(lambda_parameters (variable_declaration . (identifier) @name @definition.parameter))
(lambda_parameters (multi_variable_declaration (variable_declaration . (identifier) @name @definition.parameter)))
(setter (identifier) @name @definition.local)
(type_parameter (identifier) @name) @definition.type_parameter

(for_statement (variable_declaration . (identifier) @name @definition.local))
(for_statement (multi_variable_declaration (variable_declaration . (identifier) @name @definition.local)))
(when_subject (variable_declaration . (identifier) @name)) @definition.local
(catch_block . (identifier) @name @definition.local (_) @type)
