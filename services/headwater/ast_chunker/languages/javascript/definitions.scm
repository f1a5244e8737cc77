(class_declaration name: (identifier) @name (class_heritage (_) @bases)? body: (_) @body) @definition.class
((lexical_declaration (variable_declarator name: (identifier) @name
  value: (class (class_heritage (_) @bases)? body: (_) @body)) @definition.class) (#set! within "lexical_declaration"))
((class name: (identifier) @name (class_heritage (_) @bases)? body: (_) @body) @definition.class (#set! bind "self"))

(field_definition "static"? @modifiers property: (_) @name
  value: (arrow_function parameters: (_) @parameters body: (_) @body)) @definition.method
(field_definition "static"? @modifiers property: [(property_identifier) (private_property_identifier)] @name
  value: (_)? @value) @definition.field
((assignment_expression left: (member_expression object: (this) property: [(property_identifier) (private_property_identifier)] @name)
  right: (_) @value) @definition.field (#set! bind "owner"))

; functions put on an object
((assignment_expression left: (member_expression object: (_) @receiver property: (property_identifier) @name)
  right: [(function_expression parameters: (_) @parameters body: (_) @body)
    (arrow_function parameters: (_) @parameters body: (_) @body)]) @definition.method
  (#match? @receiver "^(module\\.)?exports$|\\.prototype$|^[A-Z]\\w*$") (#set! bind "member"))

(formal_parameters (identifier) @name @definition.parameter)
(formal_parameters (assignment_pattern left: (identifier) @name right: (_) @value) @definition.parameter)
