; What Bash declares. A variable is global wherever it is first set, unless `local` or `declare` says otherwise.

(comment) @comment

(function_definition name: (word) @name body: (_) @body) @definition.function

(declaration_command
  ["local" "declare" "typeset"]
  (variable_assignment name: (variable_name) @name value: (_)? @value)) @definition.variable
(declaration_command ["local" "declare" "typeset"] (variable_name) @name) @definition.variable
((declaration_command
  "readonly"
  (variable_assignment name: (variable_name) @name value: (_)? @value)) @definition.constant
  (#set! bind global))
((declaration_command
  "export" @modifiers
  (variable_assignment name: (variable_name) @name value: (_)? @value)) @definition.variable
  (#set! bind global))

((variable_assignment name: (variable_name) @name value: (_)? @value) @definition.variable (#set! bind global))
((variable_assignment name: (subscript name: (variable_name) @name)) @definition.variable (#set! bind global))
((for_statement variable: (variable_name) @name) @definition.variable (#set! bind global))
((command
  name: (command_name (word) @_read)
  argument: (word) @name @definition.variable)
  (#any-of? @_read "read" "mapfile" "readarray") (#match? @name "^[A-Za-z_][A-Za-z0-9_]*$") (#set! bind global))
((command
  name: (command_name (word) @_alias)
  argument: (concatenation . (word) @name)) @definition.function
  (#eq? @_alias "alias") (#match? @name "^[a-zA-Z_][a-zA-Z0-9_.-]*$"))
