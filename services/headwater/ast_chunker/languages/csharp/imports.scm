; A using directive brings a namespace's types, a static class's members, or one alias.

((using_directive "static" [(identifier) (qualified_name)] @module) @import
  (#set! static true) (#set! wildcard true))
(using_directive name: (identifier) @alias (_) @module .) @import
((using_directive !name [(identifier) (qualified_name)] @module) @import (#set! wildcard true))

(using_directive (identifier) @reference.import)
(using_directive (qualified_name (identifier) @reference.import))
(using_directive (qualified_name (qualified_name (identifier) @reference.import)))
(using_directive (qualified_name (qualified_name (qualified_name (identifier) @reference.import))))
(using_directive
  (qualified_name (qualified_name (qualified_name (qualified_name (identifier) @reference.import)))))
