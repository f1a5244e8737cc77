(function_declaration) @scope.function
(function_definition) @scope.function
(do_statement) @scope
(while_statement) @scope
(repeat_statement) @scope
(for_statement) @scope
(if_statement consequence: (block) @scope)
(elseif_statement) @scope
(else_statement) @scope
