"""Lua: tables are its modules and classes."""

from headwater.ast_chunker.languages.language import Language

LANGUAGE = Language(
    name="lua",
    grammar="tree_sitter_lua",
    extensions=(".lua", ".rockspec", ".luau"),
    shebangs=("lua", "luajit"),
    hoisted=False,
    self_names=("self",),
)
