; functions and classes
(function_definition "async"? @modifiers name: (identifier) @name
  parameters: (parameters) @parameters return_type: (type)? @type body: (block) @body) @definition.function

(class_definition name: (identifier) @name superclasses: (argument_list)? @bases body: (block) @body) @definition.class

; parameters
(parameters (identifier) @name @definition.parameter)
(lambda_parameters (identifier) @name @definition.parameter)
(typed_parameter . (identifier) @name type: (type) @type) @definition.parameter
(default_parameter name: (identifier) @name value: (_) @value) @definition.parameter
(typed_default_parameter name: (identifier) @name type: (type) @type value: (_) @value) @definition.parameter
((parameters (list_splat_pattern (identifier) @name) @definition.parameter) (#set! variadic "true"))
((parameters (dictionary_splat_pattern (identifier) @name) @definition.parameter) (#set! variadic "true"))
((lambda_parameters (list_splat_pattern (identifier) @name) @definition.parameter) (#set! variadic "true"))
((lambda_parameters (dictionary_splat_pattern (identifier) @name) @definition.parameter) (#set! variadic "true"))
((typed_parameter (list_splat_pattern (identifier) @name)) @definition.parameter (#set! variadic "true"))
((typed_parameter (dictionary_splat_pattern (identifier) @name)) @definition.parameter (#set! variadic "true"))

; type parameters and aliases
(function_definition type_parameters: (type_parameter (type (identifier) @name @definition.type_parameter)))
(class_definition type_parameters: (type_parameter (type (identifier) @name @definition.type_parameter)))
(type_parameter (type (constrained_type . (type (identifier) @name)) @definition.type_parameter))
(type_parameter (type (splat_type (identifier) @name) @definition.type_parameter))
(type_alias_statement left: (type (identifier) @name) right: (type) @type) @definition.type
(type_alias_statement left: (type (generic_type . (identifier) @name)) right: (type) @type) @definition.type
(type_alias_statement
  left: (type (generic_type (type_parameter (type (identifier) @name @definition.type_parameter)))))

; variables: the first assignment of a scope defines
((assignment left: (identifier) @name type: (type)? @type right: (_)? @value) @definition.variable (#set! bind "assign"))
((named_expression name: (identifier) @name value: (_) @value) @definition.variable (#set! bind "assign"))
((for_statement left: (identifier) @name @definition.variable) (#set! bind "assign"))
((for_in_clause left: (identifier) @name @definition.variable) (#set! bind "assign"))
((pattern_list (identifier) @name) @definition.variable
  (#set! bind "assign") (#set! within "assignment"))
((tuple_pattern (identifier) @name) @definition.variable (#set! bind "assign") (#set! within "assignment"))
((list_pattern (identifier) @name) @definition.variable (#set! bind "assign") (#set! within "assignment"))
((pattern_list (list_splat_pattern (identifier) @name)) @definition.variable
  (#set! bind "assign") (#set! within "assignment"))
((tuple_pattern (list_splat_pattern (identifier) @name)) @definition.variable
  (#set! bind "assign") (#set! within "assignment"))
((as_pattern (_) @value alias: (as_pattern_target (identifier) @name)) @definition.variable (#set! bind "assign"))
((as_pattern_target (tuple (identifier) @name)) @definition.variable (#set! bind "assign"))

; names bound by match
((as_pattern (case_pattern) (identifier) @name) @definition.variable (#set! bind "assign"))
((case_pattern . (dotted_name . (identifier) @name .) .) @definition.variable (#set! bind "assign")
  (#not-eq? @name "_"))
((case_pattern (splat_pattern (identifier) @name)) @definition.variable (#set! bind "assign"))
((dict_pattern (splat_pattern (identifier) @name)) @definition.variable (#set! bind "assign"))
((keyword_pattern (identifier) (dotted_name . (identifier) @name .)) @definition.variable (#set! bind "assign"))
((union_pattern (dotted_name . (identifier) @name .)) @definition.variable (#set! bind "assign"))

; attributes of the current object
((assignment left: (attribute object: (identifier) @owner attribute: (identifier) @name) type: (type)? @type right: (_)? @value)
  @definition.field (#any-of? @owner "self" "cls") (#set! bind "owner"))
((pattern_list (attribute object: (identifier) @owner attribute: (identifier) @name)) @definition.field
  (#any-of? @owner "self" "cls") (#set! bind "owner") (#set! within "assignment"))
((tuple_pattern (attribute object: (identifier) @owner attribute: (identifier) @name)) @definition.field
  (#any-of? @owner "self" "cls") (#set! bind "owner") (#set! within "assignment"))
