; Every identifier that defines nothing is a use of something.

; Beside an unknown macro the grammar takes keywords for names
((identifier) @reference.none
  (#any-of? @reference.none
    "return" "int" "char" "void" "long" "short" "unsigned" "signed" "float" "double"
    "bool" "const" "static" "struct" "if" "else" "for" "while" "do" "switch"
    "case" "default" "break" "continue" "goto" "sizeof" "class" "template" "typename" "namespace"
    "public" "private" "protected" "virtual" "new" "delete" "throw" "auto" "friend" "explicit"
    "constexpr"))

; A macro's body is one token
((preproc_arg) @reference.read
  (#set! pattern "(?<![\\w\"'])(?!(?:if|else|for|while|do|return|sizeof|int|char|void|long|short|unsigned|signed|float|double|const|static|struct|union|enum|switch|case|default|break|continue|goto|typedef|extern|inline|volatile|register|defined|class|new|delete|this|template|typename|public|private|auto|namespace|using|nullptr|true|false)\\b)([A-Za-z_]\\w*)"))

((goto_statement label: (statement_identifier) @reference.read) (#set! label true))

; Calls
(call_expression
  function: [
    (identifier) @reference.call
    (template_function name: (identifier) @reference.call)
    (qualified_identifier scope: (_) @receiver name: (identifier) @reference.call)
    (qualified_identifier scope: (_) @receiver name: (template_function name: (identifier) @reference.call))
    (qualified_identifier name: (qualified_identifier scope: (_) @receiver name: (identifier) @reference.call))
    (qualified_identifier name: (qualified_identifier
      scope: (_) @receiver name: (template_function name: (identifier) @reference.call)))
    (field_expression argument: (_) @receiver field: (field_identifier) @reference.call)
    (field_expression
      argument: (_) @receiver
      field: (template_method name: (field_identifier) @reference.call))
    (field_expression
      argument: (_) @receiver
      field: (dependent_name (template_method name: (field_identifier) @reference.call)))
  ]
  arguments: (argument_list) @arguments)
(new_expression
  type: [
    (type_identifier) @reference.call
    (template_type name: (type_identifier) @reference.call)
    (qualified_identifier scope: (_) @receiver name: (type_identifier) @reference.call)
  ]
  arguments: (_)? @arguments)

; Writes
(assignment_expression left: (identifier) @reference.write)
(assignment_expression left: (field_expression argument: (_) @receiver field: (field_identifier) @reference.write))
(update_expression argument: (identifier) @reference.write)
(update_expression argument: (field_expression argument: (_) @receiver field: (field_identifier) @reference.write))
(field_initializer (field_identifier) @reference.write)
((field_designator (field_identifier) @reference.write) (#set! unscoped true))

; Types
(qualified_identifier scope: (_) @receiver name: (type_identifier) @reference.type)
(qualified_identifier scope: (_) @receiver name: (template_type name: (type_identifier) @reference.type))
(type_identifier) @reference.type
(destructor_name (identifier) @reference.none)
((namespace_identifier) @reference.type (#match? @reference.type "^[A-Z]"))

; The rest is read
(field_expression argument: (_) @receiver field: (field_identifier) @reference.read)
(qualified_identifier scope: (_) @receiver name: (identifier) @reference.read)
(preproc_ifdef name: (identifier) @reference.read)
(namespace_identifier) @reference.read
(statement_identifier) @reference.read
(field_identifier) @reference.read
(identifier) @reference.read
