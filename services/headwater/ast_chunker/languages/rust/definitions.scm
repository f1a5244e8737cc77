; What Rust declares. A method's receiver is the type of its impl block; its bases are the trait that the block implements.

(line_comment) @comment
(block_comment) @comment
(attribute_item) @attribute

(mod_item
  (visibility_modifier)? @modifiers
  name: (identifier) @name
  body: (declaration_list) @body) @definition.namespace
(mod_item (visibility_modifier)? @modifiers name: (identifier) @name) @definition.module

(struct_item
  (visibility_modifier)? @modifiers
  name: (type_identifier) @name
  body: (_)? @body) @definition.struct

(union_item
  (visibility_modifier)? @modifiers
  name: (type_identifier) @name
  body: (_) @body) @definition.struct

(enum_item
  (visibility_modifier)? @modifiers
  name: (type_identifier) @name
  body: (_) @body) @definition.enum

(enum_variant
  name: (identifier) @name
  body: (_)? @body) @definition.enum_member

(field_declaration
  (visibility_modifier)? @modifiers
  name: (field_identifier) @name
  type: (_) @type) @definition.field

(trait_item
  (visibility_modifier)? @modifiers
  name: (type_identifier) @name
  bounds: (trait_bounds (_) @bases)?
  body: (_) @body) @definition.trait

; Members of impl blocks
(impl_item
  trait: (_)? @bases
  type: [
    (type_identifier) @receiver
    (generic_type type: (type_identifier) @receiver)
    (generic_type type: (scoped_type_identifier name: (type_identifier) @receiver))
    (scoped_type_identifier name: (type_identifier) @receiver)
    (reference_type type: (type_identifier) @receiver)
    (reference_type type: (generic_type type: (type_identifier) @receiver))
    (primitive_type) @receiver
  ]
  body: (declaration_list
    (function_item
      (visibility_modifier)? @modifiers
      (function_modifiers)? @modifiers
      name: (identifier) @name
      parameters: (parameters) @parameters
      return_type: (_)? @type
      body: (block) @body) @definition.method))

(impl_item
  trait: (_)? @bases
  type: [
    (type_identifier) @receiver
    (generic_type type: (type_identifier) @receiver)
    (generic_type type: (scoped_type_identifier name: (type_identifier) @receiver))
    (scoped_type_identifier name: (type_identifier) @receiver)
    (reference_type type: (type_identifier) @receiver)
    (reference_type type: (generic_type type: (type_identifier) @receiver))
    (primitive_type) @receiver
  ]
  body: (declaration_list
    (const_item
      (visibility_modifier)? @modifiers
      name: (identifier) @name
      type: (_) @type
      value: (_)? @value) @definition.constant))

(impl_item
  trait: (_)? @bases
  type: [
    (type_identifier) @receiver
    (generic_type type: (type_identifier) @receiver)
    (generic_type type: (scoped_type_identifier name: (type_identifier) @receiver))
    (scoped_type_identifier name: (type_identifier) @receiver)
    (reference_type type: (type_identifier) @receiver)
    (reference_type type: (generic_type type: (type_identifier) @receiver))
    (primitive_type) @receiver
  ]
  body: (declaration_list
    (type_item
      name: (type_identifier) @name
      type: (_) @type) @definition.type))

(type_item
  (visibility_modifier)? @modifiers
  name: (type_identifier) @name
  type: (_) @type) @definition.type

(associated_type
  name: (type_identifier) @name) @definition.type

(macro_definition
  name: (identifier) @name) @definition.macro

(function_item
  (visibility_modifier)? @modifiers
  (function_modifiers)? @modifiers
  name: (identifier) @name
  parameters: (parameters) @parameters
  return_type: (_)? @type
  body: (block) @body) @definition.function

(function_signature_item
  (visibility_modifier)? @modifiers
  (function_modifiers)? @modifiers
  name: (identifier) @name
  parameters: (parameters) @parameters
  return_type: (_)? @type) @definition.function

(const_item
  (visibility_modifier)? @modifiers
  name: (identifier) @name
  type: (_) @type
  value: (_)? @value) @definition.constant

(static_item
  (visibility_modifier)? @modifiers
  name: (identifier) @name
  type: (_) @type
  value: (_)? @value) @definition.variable

; Parameters
(type_parameter name: (type_identifier) @name bounds: (_)? @type) @definition.type_parameter
(const_parameter name: (identifier) @name type: (_) @type) @definition.type_parameter
(lifetime_parameter name: (lifetime (identifier) @name)) @definition.type_parameter
(parameter pattern: (identifier) @name type: (_) @type) @definition.parameter
(parameter pattern: (_ (identifier) @name) type: (_) @type) @definition.parameter
(closure_parameters (identifier) @name @definition.parameter)
(closure_parameters (_ (identifier) @name @definition.parameter))
(for_expression (label (identifier) @name @definition.label))
(while_expression (label (identifier) @name @definition.label))
(loop_expression (label (identifier) @name @definition.label))
(block (label (identifier) @name @definition.label))

; Patterns: a capitalised name in one is a constant or a variant
(let_declaration
  pattern: (identifier) @name
  type: (_)? @type
  value: (_)? @value) @definition.local
(let_condition
  pattern: (identifier) @name (#match? @name "^[a-z_]")
  value: (_) @value) @definition.local
(for_expression pattern: (identifier) @name @definition.local)
(match_pattern (identifier) @name @definition.local (#match? @name "^[a-z_]"))
(tuple_pattern (identifier) @name @definition.local (#match? @name "^[a-z_]"))
(tuple_struct_pattern type: (_) (identifier) @name @definition.local (#match? @name "^[a-z_]"))
(field_pattern pattern: (identifier) @name @definition.local (#match? @name "^[a-z_]"))
((field_pattern name: (shorthand_field_identifier) @name @definition.local) (#set! also read))
(slice_pattern (identifier) @name @definition.local (#match? @name "^[a-z_]"))
(ref_pattern (identifier) @name @definition.local)
(mut_pattern (identifier) @name @definition.local)
(captured_pattern . (identifier) @name @definition.local)
(reference_pattern (identifier) @name @definition.local (#match? @name "^[a-z_]"))
(or_pattern (identifier) @name @definition.local (#match? @name "^[a-z_]"))
