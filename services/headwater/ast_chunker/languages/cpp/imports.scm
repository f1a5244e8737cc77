; An include brings every name of the header; using and namespace aliases bind one.

((preproc_include path: (_) @module) @import (#set! wildcard true))
((using_declaration "namespace" [(identifier) (qualified_identifier)] @module) @import (#set! wildcard true))
((using_declaration (qualified_identifier scope: (_) @module name: (identifier) @name)) @import
  (#not-match? @import "^using\\s+namespace"))
((using_declaration (qualified_identifier
  scope: (_) @module
  name: (qualified_identifier scope: (_) @module name: (identifier) @name))) @import
  (#not-match? @import "^using\\s+namespace") (#set! join "::"))
(namespace_alias_definition name: (namespace_identifier) @alias (_) @module .) @import
(namespace_alias_definition (nested_namespace_specifier (namespace_identifier) @reference.import))
(namespace_alias_definition (namespace_identifier) @reference.import)

(using_declaration (qualified_identifier (_) @reference.import))
(using_declaration (identifier) @reference.import)
