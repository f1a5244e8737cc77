((call
  method: (identifier) @_require
  arguments: (argument_list . (string (string_content) @module))) @import
  (#any-of? @_require "require" "require_relative" "load") (#set! wildcard true) (#set! bind none))
((call
  method: (identifier) @_require
  arguments: (argument_list . (simple_symbol) @alias . (string (string_content) @module))) @import
  (#eq? @_require "autoload") (#set! strip ":"))
