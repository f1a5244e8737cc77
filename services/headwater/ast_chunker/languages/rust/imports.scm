; Use trees: the module of a nested item is the paths above it, joined.

(use_declaration
  (visibility_modifier)? @reexported
  argument: (identifier) @module) @import

(use_declaration
  (visibility_modifier)? @reexported
  argument: (scoped_identifier path: (_) @module name: (identifier) @name)) @import

(use_declaration
  (visibility_modifier)? @reexported
  argument: (use_as_clause
    path: (scoped_identifier path: (_) @module name: (identifier) @name)
    alias: (identifier) @alias)) @import

(use_declaration
  (visibility_modifier)? @reexported
  argument: (use_as_clause path: [(identifier) (crate) (self) (super)] @module alias: (identifier) @alias)) @import

((use_declaration (visibility_modifier)? @reexported argument: (use_wildcard (_) @module)) @import (#set! wildcard true))

; `self` and `*` are known by their module's token, so they come before the named ones
((use_declaration (visibility_modifier)? @reexported argument: (scoped_use_list path: (_) @module
  list: (use_list (self) @import))) (#set! join "::") (#set! bind last))
((use_declaration (visibility_modifier)? @reexported argument: (scoped_use_list path: (_) @module
  list: (use_list (use_wildcard (_) @module) @import))) (#set! join "::") (#set! wildcard true))
((use_declaration (visibility_modifier)? @reexported argument: (scoped_use_list path: (_) @module
  list: (use_list (scoped_use_list path: (_) @module
    list: (use_list (self) @import))))) (#set! join "::") (#set! bind last))
((use_declaration (visibility_modifier)? @reexported argument: (scoped_use_list path: (_) @module
  list: (use_list (scoped_use_list path: (_) @module
    list: (use_list (use_wildcard (_) @module) @import))))) (#set! join "::") (#set! wildcard true))
((use_declaration (visibility_modifier)? @reexported argument: (scoped_use_list path: (_) @module
  list: (use_list (identifier) @name @import))) (#set! join "::"))
((use_declaration (visibility_modifier)? @reexported argument: (scoped_use_list path: (_) @module
  list: (use_list (scoped_identifier path: (_) @module name: (identifier) @name) @import))) (#set! join "::"))
((use_declaration (visibility_modifier)? @reexported argument: (scoped_use_list path: (_) @module
  list: (use_list (use_as_clause path: (identifier) @name alias: (identifier) @alias) @import))) (#set! join "::"))
((use_declaration (visibility_modifier)? @reexported argument: (scoped_use_list path: (_) @module
  list: (use_list (use_as_clause path: (self) alias: (identifier) @alias) @import))) (#set! join "::"))
((use_declaration (visibility_modifier)? @reexported argument: (scoped_use_list path: (_) @module
  list: (use_list (use_as_clause
    path: (scoped_identifier path: (_) @module name: (identifier) @name)
    alias: (identifier) @alias) @import))) (#set! join "::"))
((use_declaration (visibility_modifier)? @reexported argument: (scoped_use_list path: (_) @module
  list: (use_list (scoped_use_list path: (_) @module
    list: (use_list (identifier) @name @import))))) (#set! join "::"))
((use_declaration (visibility_modifier)? @reexported argument: (scoped_use_list path: (_) @module
  list: (use_list (scoped_use_list path: (_) @module
    list: (use_list (scoped_identifier path: (_) @module name: (identifier) @name) @import))))) (#set! join "::"))
((use_declaration (visibility_modifier)? @reexported argument: (scoped_use_list path: (_) @module
  list: (use_list (scoped_use_list path: (_) @module
    list: (use_list (use_as_clause path: (identifier) @name alias: (identifier) @alias) @import)))))
  (#set! join "::"))
((use_declaration (visibility_modifier)? @reexported argument: (scoped_use_list path: (_) @module
  list: (use_list (scoped_use_list path: (_) @module
    list: (use_list (scoped_use_list path: (_) @module
      list: (use_list (identifier) @name @import))))))) (#set! join "::"))

(extern_crate_declaration name: (identifier) @module alias: (identifier) @alias) @import
(extern_crate_declaration name: (identifier) @module !alias) @import

(use_declaration (identifier) @reference.import)
(use_declaration (scoped_identifier (identifier) @reference.import))
(use_declaration (scoped_identifier (scoped_identifier (identifier) @reference.import)))
(use_declaration (scoped_identifier (scoped_identifier (scoped_identifier (identifier) @reference.import))))
(use_list (identifier) @reference.import)
(use_list (scoped_identifier (identifier) @reference.import))
(use_list (scoped_identifier (scoped_identifier (identifier) @reference.import)))
(use_as_clause (identifier) @reference.import)
(use_as_clause (scoped_identifier (identifier) @reference.import))
(use_as_clause (scoped_identifier (scoped_identifier (identifier) @reference.import)))
(use_wildcard (identifier) @reference.import)
(use_wildcard (scoped_identifier (identifier) @reference.import))
(use_wildcard (scoped_identifier (scoped_identifier (identifier) @reference.import)))
(scoped_use_list path: (identifier) @reference.import)
(scoped_use_list path: (scoped_identifier (identifier) @reference.import))
(scoped_use_list path: (scoped_identifier (scoped_identifier (identifier) @reference.import)))
(extern_crate_declaration (identifier) @reference.import)
