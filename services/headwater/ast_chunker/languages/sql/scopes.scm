(create_table) @scope.class
(create_function) @scope.function
(create_procedure) @scope.function
(statement) @scope
(subquery) @scope
