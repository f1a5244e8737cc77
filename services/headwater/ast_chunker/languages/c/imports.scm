((preproc_include path: (_) @module) @import (#set! wildcard true))
