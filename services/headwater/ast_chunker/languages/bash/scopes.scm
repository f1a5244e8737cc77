(function_definition) @scope.function
