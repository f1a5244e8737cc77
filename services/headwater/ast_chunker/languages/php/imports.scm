; `use` binds a class, function or constant; in a group the module is the prefix before the braces.

(namespace_use_declaration
  (namespace_use_clause
    (qualified_name prefix: (namespace_name) @module (name) @name)
    alias: (name)? @alias) @import)
(namespace_use_declaration
  (namespace_use_clause . (name) @module alias: (name)? @alias) @import)
((namespace_use_declaration
  (namespace_name) @module
  body: (namespace_use_group (namespace_use_clause . (name) @name alias: (name)? @alias) @import))
  (#set! join "\\"))
((namespace_use_declaration
  (namespace_name) @module
  body: (namespace_use_group (namespace_use_clause
    (qualified_name prefix: (namespace_name) @module (name) @name)
    alias: (name)? @alias) @import))
  (#set! join "\\"))

(([
  (require_expression (string (string_content) @module))
  (require_once_expression (string (string_content) @module))
  (include_expression (string (string_content) @module))
  (include_once_expression (string (string_content) @module))
  (require_expression (parenthesized_expression (string (string_content) @module)))
  (require_once_expression (parenthesized_expression (string (string_content) @module)))
  (include_expression (parenthesized_expression (string (string_content) @module)))
  (include_once_expression (parenthesized_expression (string (string_content) @module)))
  (require_expression (binary_expression right: (string (string_content) @module)))
  (require_once_expression (binary_expression right: (string (string_content) @module)))
  (include_expression (binary_expression right: (string (string_content) @module)))
  (include_once_expression (binary_expression right: (string (string_content) @module)))
] @import) (#set! wildcard true) (#set! bind none))

(namespace_use_declaration (namespace_name (name) @reference.import))
(namespace_use_clause (name) @reference.import)
(namespace_use_clause (qualified_name (name) @reference.import))
(namespace_use_clause (qualified_name (namespace_name (name) @reference.import)))
