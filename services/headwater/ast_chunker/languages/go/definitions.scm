; functions
(function_declaration name: (identifier) @name parameters: (_) @parameters result: (_)? @type body: (_)? @body)
  @definition.function
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @receiver)) name: (field_identifier) @name
  parameters: (_) @parameters result: (_)? @type body: (_)? @body) @definition.method
(method_elem name: (field_identifier) @name parameters: (_) @parameters result: (_)? @type) @definition.method

; types: alone in its declaration it owns the keyword, too
(type_declaration . (type_spec name: (type_identifier) @name type: (struct_type)) .) @definition.struct
(type_declaration . (type_spec name: (type_identifier) @name type: (interface_type (type_elem . (_) @bases .)*)) .) @definition.interface
(type_declaration . (type_spec name: (type_identifier) @name type: (_) @type) .) @definition.type
(type_spec name: (type_identifier) @name type: (struct_type)) @definition.struct
(type_spec name: (type_identifier) @name type: (interface_type (type_elem . (_) @bases .)*)) @definition.interface
(type_spec name: (type_identifier) @name type: (_) @type) @definition.type
(type_alias name: (type_identifier) @name type: (_) @type) @definition.type
(type_parameter_declaration name: (identifier) @name type: (_) @type) @definition.type_parameter

; fields
(field_declaration name: (field_identifier) @name type: (_) @type) @definition.field
((field_declaration !name type: (type_identifier) @name @type) @definition.field (#set! also "type") (#set! modifier "embedded"))
((field_declaration !name type: (qualified_type name: (type_identifier) @name) @type) @definition.field
  (#set! also "type") (#set! modifier "embedded"))
((field_declaration !name type: (generic_type type: (type_identifier) @name) @type) @definition.field
  (#set! also "type") (#set! modifier "embedded"))
((field_declaration !name type: (generic_type type: (qualified_type name: (type_identifier) @name)) @type)
  @definition.field (#set! also "type") (#set! modifier "embedded"))

; parameters
((parameter_declaration name: (identifier) @name type: (_) @type) @definition.parameter (#not-eq? @name "_"))
((variadic_parameter_declaration name: (identifier) @name type: (_) @type) @definition.parameter
  (#set! variadic "true") (#not-eq? @name "_"))

; variables and constants
((const_spec name: (identifier) @name type: (_)? @type value: (expression_list . (_) @value)?) @definition.constant
  (#not-eq? @name "_"))
((const_spec name: (identifier) @name) @definition.constant (#not-eq? @name "_"))
((var_spec . name: (identifier) @name . value: (expression_list . (_) @value .)) @definition.variable
  (#not-eq? @name "_"))
((var_spec . name: (identifier) @name . name: (identifier) value: (expression_list . (_) @value .))
  @definition.variable (#not-eq? @name "_"))
((var_spec name: (identifier) @name type: (_)? @type) @definition.variable (#not-eq? @name "_"))
((short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . (_) @value .))
  @definition.variable (#set! bind "block") (#not-eq? @name "_"))
((short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . (_) @value))
  @definition.variable (#set! bind "block") (#not-eq? @name "_"))
((short_var_declaration left: (expression_list (identifier) @name)) @definition.variable
  (#set! bind "block") (#not-eq? @name "_"))
((range_clause left: (expression_list (identifier) @name) ":=") @definition.variable
  (#set! bind "block") (#not-eq? @name "_"))
((type_switch_statement alias: (expression_list (identifier) @name @definition.variable) value: (_) @value)
  (#not-eq? @name "_"))
((receive_statement left: (expression_list (identifier) @name) ":=" right: (_) @value) @definition.variable
  (#set! bind "block") (#not-eq? @name "_"))
(labeled_statement label: (label_name) @name) @definition.label
