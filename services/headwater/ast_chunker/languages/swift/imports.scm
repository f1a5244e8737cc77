((import_declaration
  ["class" "struct" "enum" "protocol" "func" "var" "let" "typealias"] (identifier) @module) @import
  (#set! split last))
((import_declaration (identifier) @module) @import (#set! wildcard true))

(import_declaration (identifier (simple_identifier) @reference.import))
