; What C declares. A declarator may be wrapped in pointers and arrays; `_` stands for one such wrapper.

(comment) @comment

(preproc_def name: (identifier) @name value: (_)? @value) @definition.macro
(preproc_function_def name: (identifier) @name parameters: (_) @parameters) @definition.macro
(preproc_params (identifier) @name @definition.parameter)

(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum
(enumerator name: (identifier) @name value: (_)? @value) @definition.enum_member

(type_definition
  type: (_) @type
  declarator: [
    (type_identifier) @name
    (primitive_type) @name
    (_ declarator: (type_identifier) @name)
    (_ declarator: (_ declarator: (type_identifier) @name))
    (function_declarator declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name)))
  ]) @definition.type

(function_definition
  (storage_class_specifier)? @modifiers
  type: (_) @type
  declarator: [
    (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
    (_ declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters))
    (_ declarator: (_ declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters)))
  ]
  body: (_) @body) @definition.function

; Prototypes
((declaration
  (storage_class_specifier)? @modifiers
  type: (_) @type
  declarator: [
    (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
    (_ declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters))
    (_ declarator: (_ declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters)))
  ]) @definition.function
  (#set! modifier declaration))

((declaration
  (storage_class_specifier)? @modifiers
  type: (_) @type
  declarator: (init_declarator
    declarator: [
      (identifier) @name
      (_ declarator: (identifier) @name)
      (_ declarator: (_ declarator: (identifier) @name))
      (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))
    ]
    value: (_) @value) @definition.variable)
  (#set! within "declaration"))
((declaration
  (storage_class_specifier)? @modifiers
  type: (_) @type
  declarator: [
    (identifier) @name
    (_ declarator: (identifier) @name)
    (_ declarator: (_ declarator: (identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))
    (_ declarator: (parenthesized_declarator (_ declarator: (_ declarator: (identifier) @name))))
  ]) @definition.variable
  (#not-any-of? @name "return" "else" "delete" "throw" "goto" "case" "break" "continue"))

(field_declaration
  type: (_) @type
  declarator: [
    (field_identifier) @name
    (_ declarator: (field_identifier) @name)
    (_ declarator: (_ declarator: (field_identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name)))
    (_ declarator: (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name))))
  ]) @definition.field

(parameter_declaration
  type: (_) @type
  declarator: [
    (identifier) @name
    (_ declarator: (identifier) @name)
    (_ declarator: (_ declarator: (identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))
  ]) @definition.parameter

(labeled_statement label: (statement_identifier) @name) @definition.label
