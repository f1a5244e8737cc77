((import (qualified_identifier) @module "*") @import (#set! wildcard true))
((import (qualified_identifier) @module "as" (identifier) @alias) @import (#set! split last))
((import (qualified_identifier) @module .) @import (#set! split last))

(import (qualified_identifier (identifier) @reference.import))
