; Every identifier that defines nothing is a use of something; symbols are where they name a method.

(call
  !receiver
  method: [(identifier) (constant)] @reference.call
  arguments: (argument_list)? @arguments)
(assignment left: (call receiver: (_) @receiver method: (identifier) @reference.write))
(operator_assignment left: (call receiver: (_) @receiver method: (identifier) @reference.write))
(left_assignment_list (call receiver: (_) @receiver method: (identifier) @reference.write))
(call
  receiver: (_) @receiver
  method: [(identifier) (constant)] @reference.call
  arguments: (argument_list)? @arguments)
((block_argument (simple_symbol) @reference.call) (#set! strip ":") (#set! unscoped true))
((call
  method: (identifier) @_send
  arguments: (argument_list . (simple_symbol) @reference.call))
  (#any-of? @_send "send" "public_send" "__send__" "method" "respond_to?" "instance_method")
  (#set! strip ":") (#set! unscoped true))
((call
  method: (identifier) @_names
  arguments: (argument_list (simple_symbol) @reference.read))
  (#any-of? @_names "private" "protected" "public" "private_class_method" "module_function" "alias_method"
    "before_action" "after_action" "around_action" "delegate" "helper_method" "private_constant")
  (#set! strip ":"))
((alias alias: (_) @reference.read) (#set! unscoped true))
((argument_list (pair key: (hash_key_symbol) @reference.read)) (#set! unscoped true))

(scope_resolution scope: (_) @receiver name: (constant) @reference.type)
((constant) @reference.read (#match? @reference.read "^[A-Z][A-Z0-9_]+$"))
(constant) @reference.type

(instance_variable) @reference.read
(class_variable) @reference.read
(global_variable) @reference.read
(identifier) @reference.read
