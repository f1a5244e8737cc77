; The module of a selector is the path before the braces: its identifiers, joined.

((import_declaration
  . (identifier) @module . ("." . (identifier) @module)* . "." . (namespace_wildcard)) @import
  (#set! wildcard true))
((import_declaration
  . (identifier) @module . ("." . (identifier) @module)* . "."
  . (namespace_selectors (namespace_wildcard) @import))
  (#set! wildcard true))
(import_declaration
  . (identifier) @module . ("." . (identifier) @module)* . "."
  . (namespace_selectors (identifier) @name @import))
(import_declaration
  . (identifier) @module . ("." . (identifier) @module)* . "."
  . (namespace_selectors (_ name: (identifier) @name alias: (identifier) @alias) @import))
(import_declaration
  . (identifier) @module . ("." . (identifier) @module)* . "."
  . (as_renamed_identifier name: (identifier) @name alias: (identifier) @alias)) @import
((import_declaration . (identifier) @module . ("." . (identifier) @module)*) @import
  (#not-match? @import "[{*_]|\\bas\\b|\\bgiven\\b") (#set! split last))
((export_declaration
  . (identifier) @module . ("." . (identifier) @module)* . "." . (namespace_wildcard)) @import
  (#set! wildcard true) (#set! reexported true))

(import_declaration (identifier) @reference.import)
(import_declaration (_ (identifier) @reference.import))
(namespace_selectors (identifier) @reference.import)
(namespace_selectors (_ (identifier) @reference.import))
(export_declaration (identifier) @reference.import)
