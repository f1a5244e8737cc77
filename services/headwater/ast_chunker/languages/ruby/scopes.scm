(method) @scope.function
(singleton_method) @scope.function
(block) @scope
(do_block) @scope
(lambda) @scope
(class) @scope.class
(module) @scope.class
(singleton_class) @scope.class
