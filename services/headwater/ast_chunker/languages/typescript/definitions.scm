; types
(class_declaration name: (type_identifier) @name
  (class_heritage (extends_clause value: (_) @bases)? (implements_clause)? @bases)? body: (_) @body) @definition.class
(abstract_class_declaration "abstract" @modifiers name: (type_identifier) @name
  (class_heritage (extends_clause value: (_) @bases)? (implements_clause)? @bases)? body: (_) @body) @definition.class
((class name: (type_identifier) @name
  (class_heritage (extends_clause value: (_) @bases)? (implements_clause)? @bases)? body: (_) @body) @definition.class
  (#set! bind "self"))
(interface_declaration name: (type_identifier) @name (extends_type_clause)? @bases body: (_) @body)
  @definition.interface
(type_alias_declaration name: (type_identifier) @name value: (_) @type) @definition.type
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_body name: (property_identifier) @name @definition.enum_member)
(enum_body (enum_assignment name: (property_identifier) @name) @definition.enum_member)
(internal_module name: (identifier) @name body: (_) @body) @definition.namespace
(internal_module name: (nested_identifier property: (property_identifier) @name) body: (_) @body) @definition.namespace
(ambient_declaration "global" @name (statement_block) @body) @definition.namespace
(module name: (identifier) @name body: (_)? @body) @definition.namespace
(type_parameter name: (type_identifier) @name (constraint (_) @bases)?) @definition.type_parameter
(mapped_type_clause name: (type_identifier) @name) @definition.type_parameter
((infer_type . (type_identifier) @name) @definition.type_parameter (#set! bind "condition"))

; functions
(function_declaration "async"? @modifiers name: (identifier) @name parameters: (_) @parameters
  return_type: (_) @type body: (_) @body) @definition.function
(generator_function_declaration "async"? @modifiers name: (identifier) @name parameters: (_) @parameters
  return_type: (_) @type body: (_) @body) @definition.function
(function_signature name: (identifier) @name parameters: (_) @parameters return_type: (_)? @type) @definition.function
((lexical_declaration (variable_declarator name: (identifier) @name value: (arrow_function "async"? @modifiers
  parameters: (_) @parameters return_type: (_) @type body: (_) @body)) @definition.function)
  (#set! within "lexical_declaration"))

; members
((method_definition (accessibility_modifier)? @modifiers name: (property_identifier) @name parameters: (_) @parameters
  body: (_) @body) @definition.constructor (#eq? @name "constructor"))
(method_definition (accessibility_modifier)? @modifiers "static"? @modifiers "get" @modifiers name: (_) @name
  parameters: (_) @parameters return_type: (_)? @type body: (_) @body) @definition.accessor
(method_definition (accessibility_modifier)? @modifiers "static"? @modifiers "set" @modifiers name: (_) @name
  parameters: (_) @parameters body: (_) @body) @definition.accessor
(method_definition (accessibility_modifier)? @modifiers "static"? @modifiers (override_modifier)? @modifiers
  "async"? @modifiers name: [(property_identifier) (private_property_identifier)] @name
  parameters: (_) @parameters return_type: (_)? @type body: (_) @body) @definition.method
((method_signature name: (property_identifier) @name parameters: (_) @parameters) @definition.constructor
  (#eq? @name "constructor"))
(method_signature (accessibility_modifier)? @modifiers "static"? @modifiers
  name: [(property_identifier) (private_property_identifier)] @name
  parameters: (_) @parameters return_type: (_)? @type) @definition.method
(abstract_method_signature (accessibility_modifier)? @modifiers "abstract" @modifiers name: (property_identifier) @name
  parameters: (_) @parameters return_type: (_)? @type) @definition.method
(public_field_definition (accessibility_modifier)? @modifiers "static"? @modifiers name: (_) @name type: (_)? @type
  value: (arrow_function parameters: (_) @parameters body: (_) @body)) @definition.method
(public_field_definition (accessibility_modifier)? @modifiers "static"? @modifiers "readonly"? @modifiers
  name: [(property_identifier) (private_property_identifier)] @name type: (_)? @type value: (_)? @value)
  @definition.field
(property_signature "readonly"? @modifiers name: (property_identifier) @name type: (_)? @type) @definition.field

; parameters
((required_parameter (accessibility_modifier) @modifiers pattern: (identifier) @name type: (_)? @type)
  @definition.field (#set! bind "member"))
((required_parameter "readonly" @modifiers pattern: (identifier) @name type: (_)? @type)
  @definition.field (#set! bind "member"))
((optional_parameter (accessibility_modifier) @modifiers pattern: (identifier) @name type: (_)? @type)
  @definition.field (#set! bind "member"))
(required_parameter pattern: (identifier) @name type: (_)? @type value: (_)? @value) @definition.parameter
(optional_parameter pattern: (identifier) @name type: (_)? @type) @definition.parameter
((required_parameter pattern: (rest_pattern (identifier) @name) type: (_)? @type) @definition.parameter
  (#set! variadic "true"))
(index_signature name: (identifier) @name) @definition.parameter

; variables with a declared type
((lexical_declaration kind: "const" (variable_declarator name: (identifier) @name type: (_) @type)
  @definition.constant) (#set! within "lexical_declaration"))
((lexical_declaration (variable_declarator name: (identifier) @name type: (_) @type) @definition.variable)
  (#set! within "lexical_declaration"))
((variable_declaration (variable_declarator name: (identifier) @name type: (_) @type) @definition.variable)
  (#set! bind "var") (#set! within "variable_declaration"))
