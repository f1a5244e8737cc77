; types
(class_declaration (modifiers)? @modifiers name: (identifier) @name superclass: (superclass (_) @bases)?
  interfaces: (super_interfaces (type_list) @bases)? body: (_) @body) @definition.class
(enum_declaration (modifiers)? @modifiers name: (identifier) @name
  interfaces: (super_interfaces (type_list) @bases)? body: (_) @body) @definition.enum
(record_declaration (modifiers)? @modifiers name: (identifier) @name parameters: (_) @parameters
  interfaces: (super_interfaces (type_list) @bases)? body: (_) @body) @definition.record
(interface_declaration (modifiers)? @modifiers name: (identifier) @name
  (extends_interfaces (type_list) @bases)? body: (_) @body) @definition.interface
(annotation_type_declaration (modifiers)? @modifiers name: (identifier) @name body: (_) @body) @definition.annotation
(type_parameter (type_identifier) @name (type_bound (_) @bases)?) @definition.type_parameter

; anonymous classes, named by no token: the created type's token stays a use
((object_creation_expression type: (type_identifier) @name @bases (class_body) @body) @definition.class
  (#set! also "call") (#set! called "<anonymous>"))
((object_creation_expression type: (generic_type . (type_identifier) @name) @bases (class_body) @body) @definition.class
  (#set! also "call") (#set! called "<anonymous>"))
((object_creation_expression type: (scoped_type_identifier (type_identifier) @name .) @bases (class_body) @body)
  @definition.class (#set! also "call") (#set! called "<anonymous>"))
((object_creation_expression type: (generic_type . (scoped_type_identifier (type_identifier) @name .)) @bases
  (class_body) @body) @definition.class (#set! also "call") (#set! called "<anonymous>"))

; methods
(method_declaration (modifiers)? @modifiers type: (_) @type name: (identifier) @name
  parameters: (_) @parameters body: (_)? @body) @definition.method
(constructor_declaration (modifiers)? @modifiers name: (identifier) @name parameters: (_) @parameters
  body: (_) @body) @definition.constructor
(compact_constructor_declaration (modifiers)? @modifiers name: (identifier) @name body: (_) @body)
  @definition.constructor
(annotation_type_element_declaration (modifiers)? @modifiers type: (_) @type name: (identifier) @name)
  @definition.method

; fields
((field_declaration (modifiers "static" "final") @modifiers type: (_) @type
  declarator: (variable_declarator name: (identifier) @name) @definition.constant) (#set! within "field_declaration"))
((field_declaration (modifiers "final" "static") @modifiers type: (_) @type
  declarator: (variable_declarator name: (identifier) @name) @definition.constant) (#set! within "field_declaration"))
((field_declaration (modifiers)? @modifiers type: (_) @type
  declarator: (variable_declarator name: (identifier) @name) @definition.field) (#set! within "field_declaration"))
((constant_declaration (modifiers)? @modifiers type: (_) @type
  declarator: (variable_declarator name: (identifier) @name) @definition.constant)
  (#set! within "constant_declaration"))
(enum_constant (modifiers)? @modifiers name: (identifier) @name body: (_)? @body) @definition.enum_member
(record_declaration parameters: (formal_parameters
  (formal_parameter type: (_) @type name: (identifier) @name) @definition.field))

; parameters and locals
(formal_parameter (modifiers)? @modifiers type: (_) @type name: (identifier) @name) @definition.parameter
((spread_parameter (modifiers)? @modifiers (_) @type . "..." (variable_declarator name: (identifier) @name)) @definition.parameter
  (#set! variadic "true"))
(lambda_expression parameters: (identifier) @name @definition.parameter)
(inferred_parameters (identifier) @name @definition.parameter)
(catch_formal_parameter (catch_type) @type name: (identifier) @name) @definition.parameter
((local_variable_declaration type: (type_identifier) @_var
  declarator: (variable_declarator name: (identifier) @name value: (_) @value) @definition.local)
  (#eq? @_var "var") (#set! within "local_variable_declaration"))
((local_variable_declaration (modifiers)? @modifiers type: (_) @type
  declarator: (variable_declarator name: (identifier) @name) @definition.local)
  (#set! within "local_variable_declaration"))
(enhanced_for_statement type: (_) @type name: (identifier) @name @definition.parameter)
(resource type: (_) @type name: (identifier) @name value: (_)? @value) @definition.local
(instanceof_expression right: (_) @type name: (identifier) @name) @definition.local
(type_pattern (_) @type (identifier) @name) @definition.local
(record_pattern_component (_) @type (identifier) @name) @definition.local
(labeled_statement . (identifier) @name) @definition.label
