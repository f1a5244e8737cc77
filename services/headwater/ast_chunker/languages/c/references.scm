; Every identifier that defines nothing is a use of something.

; Beside an unknown macro the grammar takes keywords for names
((identifier) @reference.none
  (#any-of? @reference.none
    "return" "int" "char" "void" "long" "short" "unsigned" "signed" "float" "double"
    "bool" "const" "static" "struct" "if" "else" "for" "while" "do" "switch"
    "case" "default" "break" "continue" "goto" "sizeof"))

; A macro's body is one token
((preproc_arg) @reference.read
  (#set! pattern "(?<![\\w\"'])(?!(?:if|else|for|while|do|return|sizeof|int|char|void|long|short|unsigned|signed|float|double|const|static|struct|union|enum|switch|case|default|break|continue|goto|typedef|extern|inline|volatile|register)\\b)([A-Za-z_]\\w*)"))

((goto_statement label: (statement_identifier) @reference.read) (#set! label true))

(call_expression function: (identifier) @reference.call arguments: (argument_list) @arguments)
(call_expression
  function: (field_expression argument: (_) @receiver field: (field_identifier) @reference.call)
  arguments: (argument_list) @arguments)
(call_expression
  function: (parenthesized_expression (identifier) @reference.call)
  arguments: (argument_list) @arguments)

(assignment_expression left: (identifier) @reference.write)
(assignment_expression left: (field_expression argument: (_) @receiver field: (field_identifier) @reference.write))
(update_expression argument: (identifier) @reference.write)
(update_expression argument: (field_expression argument: (_) @receiver field: (field_identifier) @reference.write))

(compound_literal_expression
  type: (_) @literal
  value: (initializer_list
    (initializer_pair designator: (field_designator (field_identifier) @reference.write))))
(declaration
  type: (_) @literal
  declarator: (init_declarator
    value: (initializer_list
      (initializer_pair designator: (field_designator (field_identifier) @reference.write)))))
((field_designator (field_identifier) @reference.write) (#set! unscoped true))

((struct_specifier name: (type_identifier) @reference.type) (#set! types true))
((union_specifier name: (type_identifier) @reference.type) (#set! types true))
((enum_specifier name: (type_identifier) @reference.type) (#set! types true))
(type_identifier) @reference.type
(field_expression argument: (_) @receiver field: (field_identifier) @reference.read)
((field_identifier) @reference.read (#set! unscoped true))
(statement_identifier) @reference.read
(preproc_ifdef name: (identifier) @reference.read)
(preproc_defined (identifier) @reference.read)
(identifier) @reference.read
