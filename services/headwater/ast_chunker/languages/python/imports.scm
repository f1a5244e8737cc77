; imports: one match per binding
((import_statement name: (dotted_name) @module) @import (#set! bind "first"))
((import_statement name: (aliased_import name: (dotted_name) @module alias: (identifier) @alias)) @import)
((import_from_statement module_name: (_) @module name: (dotted_name . (identifier) @name .)) @import)
((import_from_statement module_name: (_) @module name: (aliased_import name: (dotted_name . (identifier) @name .)
  alias: (identifier) @alias)) @import)
((import_from_statement module_name: (_) @module (wildcard_import)) @import (#set! wildcard "true"))
(future_import_statement name: (dotted_name . (identifier) @name .)) @import
(comment) @comment
