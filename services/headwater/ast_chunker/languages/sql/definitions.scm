; What SQL declares: tables with their columns, views, functions, triggers, indexes, types.

(comment) @comment
(marginalia) @comment

(create_table (object_reference schema: (_)? @receiver name: (identifier) @name)) @definition.struct
(column_definition name: (identifier) @name type: (_)? @type) @definition.field
(create_view (object_reference schema: (_)? @receiver name: (identifier) @name)) @definition.struct
(create_materialized_view (object_reference schema: (_)? @receiver name: (identifier) @name)) @definition.struct
(create_function
  . (object_reference schema: (_)? @receiver name: (identifier) @name)
  (function_arguments) @parameters
  (function_body)? @body) @definition.function
(create_function
  (object_reference schema: (_)? @receiver name: (identifier) @name)
  (function_arguments) @parameters
  (function_body)? @body) @definition.function
(create_procedure
  (object_reference schema: (_)? @receiver name: (identifier) @name)
  (function_arguments) @parameters) @definition.function
(function_argument . (identifier) @name (_)? @type) @definition.parameter
(create_trigger (keyword_trigger) . (object_reference name: (identifier) @name)) @definition.function
(create_index column: (identifier) @name) @definition.constant
(create_type (object_reference schema: (_)? @receiver name: (identifier) @name)) @definition.type
(create_sequence (object_reference schema: (_)? @receiver name: (identifier) @name)) @definition.variable
(create_schema (identifier) @name) @definition.namespace
(create_database (identifier) @name) @definition.namespace
(constraint name: (identifier) @name) @definition.constant
(cte . (identifier) @name) @definition.local
(relation alias: (identifier) @name) @definition.local
(term alias: (identifier) @name) @definition.local
