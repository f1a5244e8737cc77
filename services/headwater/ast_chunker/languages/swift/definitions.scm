; What Swift declares. One node stands for class, struct, enum, actor and extension; its keyword tells which.

(comment) @comment
(multiline_comment) @comment

(class_declaration
  (modifiers)? @modifiers
  declaration_kind: "struct"
  name: (type_identifier) @name
  (inheritance_specifier inherits_from: (_) @bases)?
  body: (_) @body) @definition.struct
(class_declaration
  (modifiers)? @modifiers
  declaration_kind: "enum"
  name: (type_identifier) @name
  (inheritance_specifier inherits_from: (_) @bases)?
  body: (_) @body) @definition.enum
(class_declaration
  (modifiers)? @modifiers
  declaration_kind: ["class" "actor"]
  name: (type_identifier) @name
  (inheritance_specifier inherits_from: (_) @bases)?
  body: (_) @body) @definition.class
(protocol_declaration
  (modifiers)? @modifiers
  name: (type_identifier) @name
  (inheritance_specifier inherits_from: (_) @bases)?
  body: (_) @body) @definition.interface
(enum_entry name: (simple_identifier) @name) @definition.enum_member
(typealias_declaration
  (modifiers)? @modifiers
  name: (type_identifier) @name
  name: (_) @type) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type
(macro_declaration (simple_identifier) @name) @definition.macro

; Members of extensions
(class_declaration
  declaration_kind: "extension"
  name: (user_type) @receiver
  body: (class_body (function_declaration
    (modifiers)? @modifiers
    "func" . name: _ @name
    (parameter)* @parameters
    "->" . name: (_) @type
    body: (_)? @body) @definition.method))
(class_declaration
  declaration_kind: "extension"
  name: (user_type) @receiver
  body: (class_body (function_declaration
    (modifiers)? @modifiers
    "func" . name: _ @name
    (parameter)* @parameters
    body: (_)? @body) @definition.method))
(class_declaration
  declaration_kind: "extension"
  name: (user_type) @receiver
  body: (class_body (property_declaration
    (modifiers)? @modifiers
    name: (pattern bound_identifier: (simple_identifier) @name)
    (type_annotation (_) @type)?) @definition.property))
(class_declaration
  declaration_kind: "extension"
  name: (user_type) @receiver
  body: (class_body (init_declaration
    (modifiers)? @modifiers
    name: "init" @name
    (parameter)* @parameters
    body: (_)? @body) @definition.constructor))

(function_declaration
  (modifiers)? @modifiers
  "func" . name: _ @name
  (parameter)* @parameters
  "->" . name: (_) @type
  body: (_)? @body) @definition.function
(function_declaration
  (modifiers)? @modifiers
  "func" . name: _ @name
  (parameter)* @parameters
  body: (_)? @body) @definition.function
(protocol_function_declaration
  (modifiers)? @modifiers
  name: (simple_identifier) @name
  (parameter)* @parameters
  name: [(user_type) (optional_type) (array_type) (dictionary_type) (tuple_type) (function_type) (opaque_type) (existential_type) (protocol_composition_type)]? @type) @definition.method
(init_declaration (modifiers)? @modifiers name: "init" @name (parameter)* @parameters body: (_)? @body) @definition.constructor
(deinit_declaration "deinit" @name body: (_)? @body) @definition.method
(subscript_declaration (modifiers)? @modifiers "subscript" @name) @definition.property

(class_body (property_declaration
  (modifiers)? @modifiers
  name: (pattern bound_identifier: (simple_identifier) @name)
  .
  (type_annotation (_) @type)?
  value: (_)? @value) @definition.property)
(enum_class_body (property_declaration
  (modifiers)? @modifiers
  name: (pattern bound_identifier: (simple_identifier) @name)
  .
  (type_annotation (_) @type)?
  value: (_)? @value) @definition.property)
(property_declaration
  (modifiers)? @modifiers
  name: (pattern bound_identifier: (simple_identifier) @name)
  .
  (type_annotation (_) @type)?
  value: (_)? @value) @definition.variable
(property_declaration name: (pattern (pattern (simple_identifier) @name))) @definition.variable
(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  (type_annotation (_) @type)?) @definition.property

(parameter name: (simple_identifier) @name name: (_) @type) @definition.parameter
(lambda_parameter name: (simple_identifier) @name name: (_)? @type) @definition.parameter
(type_parameter . (type_identifier) @name) @definition.type_parameter
(willset_clause (simple_identifier) @name @definition.local)
(didset_clause (simple_identifier) @name @definition.local)
(computed_setter (simple_identifier) @name @definition.local)

(if_statement bound_identifier: (simple_identifier) @name @definition.local)
(guard_statement bound_identifier: (simple_identifier) @name @definition.local)
(while_statement bound_identifier: (simple_identifier) @name @definition.local)
(for_statement item: (pattern bound_identifier: (simple_identifier) @name) @definition.local)
(for_statement item: (pattern (pattern (simple_identifier) @name)) @definition.local)
(if_statement condition: (pattern (simple_identifier) @name @definition.local))
(guard_statement condition: (pattern (simple_identifier) @name @definition.local))
(pattern (value_binding_pattern) bound_identifier: (simple_identifier) @name) @definition.local
(pattern (value_binding_pattern) (simple_identifier) (pattern (simple_identifier) @name @definition.local))
(pattern (value_binding_pattern) (pattern bound_identifier: (simple_identifier) @name @definition.local))
