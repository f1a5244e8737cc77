((import_statement "type" (import_clause (named_imports (import_specifier name: (identifier) @name alias: (identifier)? @alias)))
  source: (_) @module) @import (#set! type_only "true"))
((import_statement "type" (import_clause (identifier) @alias) source: (_) @module) @import
  (#set! type_only "true") (#set! name "default"))
((import_statement (import_clause (named_imports (import_specifier "type" name: (identifier) @name
  alias: (identifier)? @alias))) source: (_) @module) @import (#set! type_only "true"))
(import_require_clause (identifier) @alias source: (_) @module) @import
((export_statement "type" (export_clause (export_specifier name: (identifier) @name alias: (identifier)? @alias))
  source: (_) @module) @import (#set! reexported "true") (#set! type_only "true"))
