; What C++ declares. A template's span and scope are those of the whole template declaration, so those patterns come first.

(comment) @comment

(preproc_def name: (identifier) @name value: (_)? @value) @definition.macro
(preproc_function_def name: (identifier) @name parameters: (_) @parameters) @definition.macro
(preproc_params (identifier) @name @definition.parameter)

(namespace_definition name: [(namespace_identifier) (nested_namespace_specifier)] @name body: (_) @body)
  @definition.namespace

; Templates
(template_declaration
  (class_specifier
    name: [(type_identifier) @name (template_type name: (type_identifier) @name)]
    (base_class_clause [(type_identifier) (template_type) (qualified_identifier)] @bases)?
    body: (_) @body)) @definition.class
(template_declaration
  (struct_specifier
    name: [(type_identifier) @name (template_type name: (type_identifier) @name)]
    (base_class_clause [(type_identifier) (template_type) (qualified_identifier)] @bases)?
    body: (_) @body)) @definition.struct
(template_declaration (alias_declaration name: (type_identifier) @name type: (_) @type)) @definition.type
(template_declaration (concept_definition name: (identifier) @name)) @definition.type

(template_declaration
  (function_definition
    type: (_) @type
    declarator: [
      (function_declarator
        declarator: [(identifier) (field_identifier) (operator_name)] @name parameters: (_) @parameters)
      (_ declarator: (function_declarator
        declarator: [(identifier) (field_identifier) (operator_name)] @name parameters: (_) @parameters))
      (reference_declarator (function_declarator
        declarator: [(identifier) (field_identifier) (operator_name)] @name parameters: (_) @parameters))
    ]
    body: (_)? @body)) @definition.function
(template_declaration
  (function_definition
    type: (_)? @type
    declarator: [
      (function_declarator
        declarator: (qualified_identifier
          scope: [(namespace_identifier) @receiver (template_type name: (_) @receiver)]
          name: [(identifier) (operator_name) (destructor_name)] @name)
        parameters: (_) @parameters)
      (_ declarator: (function_declarator
        declarator: (qualified_identifier
          scope: [(namespace_identifier) @receiver (template_type name: (_) @receiver)]
          name: [(identifier) (operator_name) (destructor_name)] @name)
        parameters: (_) @parameters))
      (reference_declarator (function_declarator
        declarator: (qualified_identifier
          scope: [(namespace_identifier) @receiver (template_type name: (_) @receiver)]
          name: [(identifier) (operator_name) (destructor_name)] @name)
        parameters: (_) @parameters))
    ]
    body: (_)? @body)) @definition.method
(template_declaration
  [
    (declaration type: (_) @type declarator: (function_declarator
      declarator: [(identifier) (field_identifier) (operator_name)] @name parameters: (_) @parameters))
    (field_declaration type: (_) @type declarator: (function_declarator
      declarator: [(identifier) (field_identifier) (operator_name)] @name parameters: (_) @parameters))
  ]) @definition.function

; Types
(class_specifier
  name: [(type_identifier) @name (template_type name: (type_identifier) @name)]
  (virtual_specifier)? @modifiers
  (base_class_clause [(type_identifier) (template_type) (qualified_identifier)] @bases)?
  body: (_) @body) @definition.class
(struct_specifier
  name: [(type_identifier) @name (template_type name: (type_identifier) @name)]
  (base_class_clause [(type_identifier) (template_type) (qualified_identifier)] @bases)?
  body: (_) @body) @definition.struct
(class_specifier
  name: (qualified_identifier scope: (_) @receiver name: (type_identifier) @name) body: (_) @body) @definition.class
(struct_specifier
  name: (qualified_identifier scope: (_) @receiver name: (type_identifier) @name) body: (_) @body) @definition.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum
(enumerator name: (identifier) @name value: (_)? @value) @definition.enum_member
(alias_declaration name: (type_identifier) @name type: (_) @type) @definition.type
(type_definition
  type: (_) @type
  declarator: [
    (type_identifier) @name
    (primitive_type) @name
    (_ declarator: (type_identifier) @name)
    (function_declarator declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name)))
  ]) @definition.type

; Constructors and destructors
(field_declaration_list (function_definition
  !type
  (explicit_function_specifier)? @modifiers
  declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
  body: (_)? @body) @definition.constructor)
(field_declaration_list (template_declaration (function_definition
  !type
  (explicit_function_specifier)? @modifiers
  declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
  body: (_)? @body)) @definition.constructor)
((field_declaration_list (declaration
  !type
  (explicit_function_specifier)? @modifiers
  declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters))
  @definition.constructor)
  (#set! modifier declaration))
; A macro that declares a function: TEST(Suite, Name) { … }
(function_definition
  !type
  declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
  body: (_)? @body) @definition.function
(function_definition
  !type
  declarator: (function_declarator
    declarator: (qualified_identifier scope: (namespace_identifier) @receiver name: (identifier) @name)
    parameters: (_) @parameters)
  body: (_)? @body (#eq? @receiver @name)) @definition.constructor
(function_definition
  declarator: (function_declarator declarator: (destructor_name) @name parameters: (_) @parameters)
  body: (_)? @body) @definition.method
((declaration declarator: (function_declarator declarator: (destructor_name) @name parameters: (_) @parameters))
  @definition.method
  (#set! modifier declaration))

; Functions and methods
(function_definition
  (storage_class_specifier)? @modifiers
  type: (_) @type
  declarator: [
    (function_declarator
      declarator: [(identifier) (field_identifier) (operator_name)] @name
      parameters: (_) @parameters
      (virtual_specifier)? @modifiers)
    (_ declarator: (function_declarator
      declarator: [(identifier) (field_identifier) (operator_name)] @name parameters: (_) @parameters))
    (_ declarator: (_ declarator: (function_declarator
      declarator: [(identifier) (field_identifier) (operator_name)] @name parameters: (_) @parameters)))
    (reference_declarator (function_declarator
      declarator: [(identifier) (field_identifier) (operator_name)] @name parameters: (_) @parameters))
  ]
  body: (_)? @body) @definition.function
(function_definition
  type: (_)? @type
  declarator: [
    (function_declarator
      declarator: (qualified_identifier
        scope: [(namespace_identifier) @receiver (template_type name: (_) @receiver)]
        name: [(identifier) (operator_name) (destructor_name)] @name)
      parameters: (_) @parameters)
    (function_declarator
      declarator: (qualified_identifier name: (qualified_identifier
        scope: [(namespace_identifier) @receiver (template_type name: (_) @receiver)]
        name: [(identifier) (operator_name) (destructor_name)] @name))
      parameters: (_) @parameters)
    (_ declarator: (function_declarator
      declarator: (qualified_identifier
        scope: [(namespace_identifier) @receiver (template_type name: (_) @receiver)]
        name: [(identifier) (operator_name)] @name)
      parameters: (_) @parameters))
    (reference_declarator (function_declarator
      declarator: (qualified_identifier
        scope: [(namespace_identifier) @receiver (template_type name: (_) @receiver)]
        name: [(identifier) (operator_name)] @name)
      parameters: (_) @parameters))
  ]
  body: (_)? @body) @definition.method

; A word that the grammar doesn't know (an export macro) is taken for the type, and the real type for an error
(function_definition
  (ERROR (function_declarator declarator: (identifier) @name parameters: (_) @parameters))
  body: (_) @body) @definition.function

; Prototypes
([
  (declaration
    (storage_class_specifier)? @modifiers
    type: (_) @type
    declarator: [
      (function_declarator declarator: [(identifier) (operator_name)] @name parameters: (_) @parameters)
      (_ declarator: (function_declarator declarator: [(identifier) (operator_name)] @name parameters: (_) @parameters))
      (reference_declarator (function_declarator
        declarator: [(identifier) (operator_name)] @name parameters: (_) @parameters))
    ])
  (field_declaration
    (storage_class_specifier)? @modifiers
    type: (_) @type
    declarator: [
      (function_declarator
        declarator: [(field_identifier) (operator_name)] @name
        parameters: (_) @parameters
        (virtual_specifier)? @modifiers)
      (_ declarator: (function_declarator
        declarator: [(field_identifier) (operator_name)] @name parameters: (_) @parameters))
      (reference_declarator (function_declarator
        declarator: [(field_identifier) (operator_name)] @name parameters: (_) @parameters))
    ])
] @definition.function
  (#set! modifier declaration))

(template_parameter_list (parameter_declaration type: (_) @type declarator: (identifier) @name) @definition.type_parameter)
(template_parameter_list
  (optional_parameter_declaration type: (_) @type declarator: (identifier) @name) @definition.type_parameter)
(type_parameter_declaration (type_identifier) @name) @definition.type_parameter

; Variables, fields, parameters
((declaration
  (storage_class_specifier)? @modifiers
  type: (_) @type
  declarator: (init_declarator
    declarator: [
      (identifier) @name
      (_ declarator: (identifier) @name)
      (_ declarator: (_ declarator: (identifier) @name))
      (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))
      (reference_declarator (identifier) @name)
    ]
    value: (_) @value) @definition.variable)
  (#set! within "declaration"))
(declaration
  type: (_) @type
  declarator: (init_declarator
    declarator: (qualified_identifier scope: (_) @receiver name: (identifier) @name)
    value: (_) @value)) @definition.field
(declaration
  type: (_) @type
  declarator: (qualified_identifier scope: (_) @receiver name: (identifier) @name)) @definition.field
((declaration
  (storage_class_specifier)? @modifiers
  type: (_) @type
  declarator: [
    (identifier) @name
    (_ declarator: (identifier) @name)
    (_ declarator: (_ declarator: (identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))
    (reference_declarator (identifier) @name)
  ]) @definition.variable
  (#not-any-of? @name "return" "else" "delete" "throw" "goto" "case" "break" "continue"))
(structured_binding_declarator (identifier) @name @definition.local)

(field_declaration
  (storage_class_specifier)? @modifiers
  type: (_) @type
  declarator: [
    (field_identifier) @name
    (_ declarator: (field_identifier) @name)
    (_ declarator: (_ declarator: (field_identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name)))
    (reference_declarator (field_identifier) @name)
  ]
  default_value: (_)? @value) @definition.field

([(parameter_declaration
    type: (_) @type
    declarator: [
      (identifier) @name
      (_ declarator: (identifier) @name)
      (_ declarator: (_ declarator: (identifier) @name))
      (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))
      (_ declarator: (parenthesized_declarator (reference_declarator (identifier) @name)))
      (reference_declarator (identifier) @name)
    ])
  (optional_parameter_declaration
    type: (_) @type
    declarator: [
      (identifier) @name
      (_ declarator: (identifier) @name)
      (reference_declarator (identifier) @name)
    ])
] @definition.parameter)
((variadic_parameter_declaration
  type: (_) @type
  declarator: [(variadic_declarator (identifier) @name) (_ (variadic_declarator (identifier) @name))])
  @definition.parameter
  (#set! variadic true))

(optional_type_parameter_declaration name: (type_identifier) @name) @definition.type_parameter
(variadic_type_parameter_declaration (type_identifier) @name) @definition.type_parameter
(for_range_loop
  type: (_) @type
  declarator: [
    (identifier) @name
    (_ declarator: (identifier) @name)
    (reference_declarator (identifier) @name)
  ] @definition.local)
(lambda_capture_initializer left: (identifier) @name) @definition.local
(labeled_statement label: (statement_identifier) @name) @definition.label
