"""Bash and its kin: functions, globals, and commands as calls."""

from headwater.ast_chunker.languages.language import Language

LANGUAGE = Language(
    name="bash",
    grammar="tree_sitter_bash",
    extensions=(".sh", ".bash", ".zsh", ".ksh", ".bats"),
    filenames=(".bashrc", ".bash_profile", ".bash_aliases", ".profile", ".zshrc", ".zprofile", "PKGBUILD", "APKBUILD"),
    shebangs=("sh", "bash", "zsh", "ksh", "dash"),
    self_names=(),
)
