; import
(import_statement (import_clause (named_imports (import_specifier name: (identifier) @name alias: (identifier)? @alias)))
  source: (_) @module) @import
((import_statement (import_clause (identifier) @alias) source: (_) @module) @import (#set! name "default"))
(import_statement (import_clause (namespace_import (identifier) @alias)) source: (_) @module) @import
((import_statement . source: (_) @module) @import (#set! bind "none"))

; export … from
((export_statement (export_clause (export_specifier name: (identifier) @name alias: (identifier)? @alias))
  source: (_) @module) @import (#set! reexported "true"))
((export_statement (namespace_export (identifier) @alias) source: (_) @module) @import (#set! reexported "true"))
((export_statement "*" . source: (_) @module) @import (#set! reexported "true") (#set! wildcard "true"))
((export_statement "*" . "from" . source: (_) @module) @import (#set! reexported "true") (#set! wildcard "true"))

; export of names of this file
((export_statement (export_clause (export_specifier name: (identifier) @name alias: (identifier)? @alias)) !source)
  @import (#set! reexported "true"))
((export_statement "default" value: (identifier) @name) @import (#set! reexported "true") (#set! alias "default"))

; require
((variable_declarator name: (identifier) @alias value: (call_expression function: (identifier) @_require
  arguments: (arguments . (string) @module .))) @import (#eq? @_require "require"))
((variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @name)
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @module .))) @import
  (#eq? @_require "require"))
((variable_declarator name: (object_pattern (pair_pattern key: (property_identifier) @name value: (identifier) @alias))
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @module .))) @import
  (#eq? @_require "require"))
((variable_declarator name: (identifier) @alias value: (member_expression
  object: (call_expression function: (identifier) @_require arguments: (arguments . (string) @module .))
  property: (property_identifier) @name)) @import (#eq? @_require "require"))
(comment) @comment
