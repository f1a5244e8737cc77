((import_declaration "static" (scoped_identifier) @module (asterisk)) @import
  (#set! wildcard "true") (#set! static "true"))
((import_declaration "static" (scoped_identifier) @module) @import (#set! split "last") (#set! static "true"))
((import_declaration (_) @module (asterisk)) @import (#set! wildcard "true"))
((import_declaration (scoped_identifier) @module) @import (#set! split "last"))
(package_declaration (_) @package)
(line_comment) @comment
(block_comment) @comment
