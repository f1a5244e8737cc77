; Commands are calls; a word after trap, export -f and the like names a function, too.

((command name: (command_name (word) @_trap) . argument: (word) @reference.call) (#eq? @_trap "trap"))
(command name: (command_name (word) @reference.call))
(declaration_command (variable_name) @reference.read)
(unset_command (variable_name) @reference.write)
(postfix_expression (variable_name) @reference.write)
(c_style_for_statement (_ [(word) (variable_name)] @reference.read (#match? @reference.read "^[A-Za-z_]")))
((variable_name) @reference.read (#match? @reference.read "^[A-Za-z_]"))
