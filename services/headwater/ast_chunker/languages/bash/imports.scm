((command
  name: (command_name (word) @_source)
  argument: [(word) (string) (raw_string) (concatenation)] @module) @import
  (#any-of? @_source "source" ".") (#set! wildcard true) (#set! bind none))
