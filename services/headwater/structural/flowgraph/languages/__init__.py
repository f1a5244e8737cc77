"""One table a language: which syntax node is which construct."""

from headwater.structural.flowgraph.languages.ecmascript import JAVASCRIPT, TSX, TYPESCRIPT
from headwater.structural.flowgraph.languages.go import GO
from headwater.structural.flowgraph.languages.java import JAVA
from headwater.structural.flowgraph.languages.python import PYTHON
from headwater.structural.flowgraph.shape import Language

BY_NAME: dict[str, Language] = {language.name: language for language in (JAVA, PYTHON, JAVASCRIPT, TYPESCRIPT, TSX, GO)}
