((import_spec name: (dot) path: (_) @module) @import (#set! wildcard "true"))
((import_spec name: (blank_identifier) path: (_) @module) @import (#set! bind "none"))
(import_spec name: (package_identifier) @alias path: (_) @module) @import
((import_spec path: (_) @module) @import (#set! bind "last"))
(package_clause (package_identifier) @package)
(comment) @comment
