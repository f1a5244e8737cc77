; What Ruby declares. Variables are declared by their first assignment, attributes by symbols.

(comment) @comment

(module name: [(constant) @name (scope_resolution name: (constant) @name)]) @definition.namespace
(class
  name: [(constant) @name (scope_resolution name: (constant) @name)]
  superclass: (superclass (_) @bases)?
  body: (_)? @body) @definition.class
((assignment
  left: (constant) @name
  right: (call receiver: (constant) @_factory method: (identifier) @_new)) @definition.class
  (#match? @_factory "^(Struct|Class|Data)$") (#match? @_new "^(new|define)$"))
((assignment
  left: (constant)
  right: (call
    receiver: (constant) @_factory
    arguments: (argument_list (simple_symbol) @name @definition.property)))
  (#match? @_factory "^(Struct|Data)$") (#set! strip ":"))

(method
  name: [(identifier) (constant) (operator)] @name
  parameters: (_)? @parameters
  body: (_)? @body) @definition.function
(method
  name: (setter name: (_) @name)
  parameters: (_)? @parameters
  body: (_)? @body) @definition.accessor
((singleton_method
  object: (self)
  name: [(identifier) (constant) (operator)] @name
  parameters: (_)? @parameters
  body: (_)? @body) @definition.method
  (#set! modifier static))
((singleton_method
  object: (_) @receiver
  name: [(identifier) (constant) (operator)] @name
  parameters: (_)? @parameters
  body: (_)? @body) @definition.method
  (#set! modifier static))
((call
  method: (identifier) @_define
  arguments: (argument_list . (simple_symbol) @name)
  block: (_) @body) @definition.method
  (#any-of? @_define "define_method" "define_singleton_method") (#set! strip ":"))
((call
  method: (identifier) @_attribute
  arguments: (argument_list (simple_symbol) @name @definition.property))
  (#any-of? @_attribute "attr" "attr_reader" "attr_writer" "attr_accessor" "cattr_accessor" "mattr_accessor")
  (#set! strip ":"))
((call
  method: (identifier) @_alias
  arguments: (argument_list . (simple_symbol) @name)) @definition.method
  (#eq? @_alias "alias_method") (#set! strip ":"))
(alias name: [(identifier) (operator) (global_variable)] @name) @definition.method

(assignment left: (constant) @name right: (_) @value) @definition.constant

((assignment left: (instance_variable) @name right: (_) @value) @definition.field (#set! bind owner))
((assignment left: (class_variable) @name right: (_) @value) @definition.field (#set! bind owner))
((operator_assignment left: [(instance_variable) (class_variable)] @name) @definition.field (#set! bind owner))
((left_assignment_list [(instance_variable) (class_variable)] @name @definition.field) (#set! bind owner))
((assignment left: (global_variable) @name right: (_) @value) @definition.variable (#set! bind global))

((assignment left: (identifier) @name right: (_) @value) @definition.variable (#set! bind assign))
((operator_assignment left: (identifier) @name) @definition.variable (#set! bind assign))
((left_assignment_list (identifier) @name @definition.variable) (#set! bind assign))
((left_assignment_list (_ (identifier) @name @definition.variable)) (#set! bind assign))
((for pattern: (identifier) @name @definition.variable) (#set! bind assign))
((for pattern: (left_assignment_list (identifier) @name @definition.variable)) (#set! bind assign))
((exception_variable (identifier) @name @definition.variable) (#set! bind assign))
((as_pattern name: (identifier) @name @definition.variable) (#set! bind assign))
((array_pattern (identifier) @name @definition.variable) (#set! bind assign))
((array_pattern (splat_parameter name: (identifier) @name @definition.variable)) (#set! bind assign))
((in_clause pattern: (identifier) @name @definition.variable) (#set! bind assign))
((keyword_pattern value: (identifier) @name @definition.variable) (#set! bind assign))
((keyword_pattern key: (hash_key_symbol) @name @definition.variable !value) (#set! bind assign))

(method_parameters (identifier) @name @definition.parameter)
(block_parameters (identifier) @name @definition.parameter)
(lambda_parameters (identifier) @name @definition.parameter)
(destructured_parameter (identifier) @name @definition.parameter)
(optional_parameter name: (identifier) @name value: (_) @value) @definition.parameter
(keyword_parameter name: (identifier) @name value: (_)? @value) @definition.parameter
((splat_parameter name: (identifier) @name) @definition.parameter (#set! variadic true))
((hash_splat_parameter name: (identifier) @name) @definition.parameter (#set! variadic true))
(block_parameter name: (identifier) @name) @definition.parameter
