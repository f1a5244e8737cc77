"""The Semgrep engine: rules for Semgrep itself and, for serving in process, the same as ast-grep rule objects."""
