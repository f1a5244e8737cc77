; Every identifier that defines nothing is a use of something. Names of columns bind by name only.

(invocation (object_reference schema: (_)? @receiver name: (identifier) @reference.call))
(create_trigger (keyword_execute) (_) (object_reference name: (identifier) @reference.call))
(insert (object_reference name: (identifier) @reference.write))
(update (relation (object_reference name: (identifier) @reference.write)))
(statement (delete) (from (object_reference name: (identifier) @reference.write)))
(insert (list (column (identifier) @reference.write)) (#set! unscoped true))
(assignment left: (field name: (identifier) @reference.write) (#set! unscoped true))

(field (object_reference) @receiver name: (identifier) @reference.read)
(object_reference schema: (_) @receiver name: (identifier) @reference.type)
(relation (object_reference name: (identifier) @reference.type))
(field name: (identifier) @reference.read)
(identifier) @reference.read
