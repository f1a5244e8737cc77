"""SQL: tables are structs whose columns are fields; statements scope their aliases."""

from headwater.ast_chunker.languages.language import Language

LANGUAGE = Language(
    name="sql",
    grammar="tree_sitter_sql",
    extensions=(".sql", ".ddl", ".pgsql", ".psql"),
    hoisted=True,
    self_names=(),
)
