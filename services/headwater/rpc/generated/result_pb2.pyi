from headwater.rpc.generated import scope_pb2 as _scope_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class QueryKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    QUERY_KIND_UNSPECIFIED: _ClassVar[QueryKind]
    QUERY_KIND_IDENTIFIER: _ClassVar[QueryKind]
    QUERY_KIND_NATURAL_LANGUAGE: _ClassVar[QueryKind]
    QUERY_KIND_USAGES: _ClassVar[QueryKind]
    QUERY_KIND_PATH: _ClassVar[QueryKind]
    QUERY_KIND_MIXED: _ClassVar[QueryKind]
    QUERY_KIND_LITERAL: _ClassVar[QueryKind]

class Certainty(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CERTAINTY_UNSPECIFIED: _ClassVar[Certainty]
    CERTAINTY_RESOLVED: _ClassVar[Certainty]
    CERTAINTY_BY_NAME: _ClassVar[Certainty]
QUERY_KIND_UNSPECIFIED: QueryKind
QUERY_KIND_IDENTIFIER: QueryKind
QUERY_KIND_NATURAL_LANGUAGE: QueryKind
QUERY_KIND_USAGES: QueryKind
QUERY_KIND_PATH: QueryKind
QUERY_KIND_MIXED: QueryKind
QUERY_KIND_LITERAL: QueryKind
CERTAINTY_UNSPECIFIED: Certainty
CERTAINTY_RESOLVED: Certainty
CERTAINTY_BY_NAME: Certainty

class Range(_message.Message):
    __slots__ = ("start_line", "start_col", "start_byte_col", "end_line", "end_col", "end_byte_col")
    START_LINE_FIELD_NUMBER: _ClassVar[int]
    START_COL_FIELD_NUMBER: _ClassVar[int]
    START_BYTE_COL_FIELD_NUMBER: _ClassVar[int]
    END_LINE_FIELD_NUMBER: _ClassVar[int]
    END_COL_FIELD_NUMBER: _ClassVar[int]
    END_BYTE_COL_FIELD_NUMBER: _ClassVar[int]
    start_line: int
    start_col: int
    start_byte_col: int
    end_line: int
    end_col: int
    end_byte_col: int
    def __init__(self, start_line: _Optional[int] = ..., start_col: _Optional[int] = ..., start_byte_col: _Optional[int] = ..., end_line: _Optional[int] = ..., end_col: _Optional[int] = ..., end_byte_col: _Optional[int] = ...) -> None: ...

class Result(_message.Message):
    __slots__ = ("repo", "ref", "commit", "path", "language", "range", "symbol", "qualified", "kind", "signature", "score", "retrievers", "snippet", "snippet_line", "duplicates", "generated", "certainty", "definition")
    REPO_FIELD_NUMBER: _ClassVar[int]
    REF_FIELD_NUMBER: _ClassVar[int]
    COMMIT_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    RANGE_FIELD_NUMBER: _ClassVar[int]
    SYMBOL_FIELD_NUMBER: _ClassVar[int]
    QUALIFIED_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    RETRIEVERS_FIELD_NUMBER: _ClassVar[int]
    SNIPPET_FIELD_NUMBER: _ClassVar[int]
    SNIPPET_LINE_FIELD_NUMBER: _ClassVar[int]
    DUPLICATES_FIELD_NUMBER: _ClassVar[int]
    GENERATED_FIELD_NUMBER: _ClassVar[int]
    CERTAINTY_FIELD_NUMBER: _ClassVar[int]
    DEFINITION_FIELD_NUMBER: _ClassVar[int]
    repo: str
    ref: str
    commit: str
    path: str
    language: str
    range: Range
    symbol: str
    qualified: str
    kind: str
    signature: str
    score: float
    retrievers: _containers.RepeatedScalarFieldContainer[str]
    snippet: str
    snippet_line: int
    duplicates: int
    generated: bool
    certainty: Certainty
    definition: str
    def __init__(self, repo: _Optional[str] = ..., ref: _Optional[str] = ..., commit: _Optional[str] = ..., path: _Optional[str] = ..., language: _Optional[str] = ..., range: _Optional[_Union[Range, _Mapping]] = ..., symbol: _Optional[str] = ..., qualified: _Optional[str] = ..., kind: _Optional[str] = ..., signature: _Optional[str] = ..., score: _Optional[float] = ..., retrievers: _Optional[_Iterable[str]] = ..., snippet: _Optional[str] = ..., snippet_line: _Optional[int] = ..., duplicates: _Optional[int] = ..., generated: _Optional[bool] = ..., certainty: _Optional[_Union[Certainty, str]] = ..., definition: _Optional[str] = ...) -> None: ...

class Summary(_message.Message):
    __slots__ = ("as_of", "complete", "degraded", "next_page_token", "total")
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    DEGRADED_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    as_of: _containers.RepeatedCompositeFieldContainer[_scope_pb2.AsOf]
    complete: bool
    degraded: _containers.RepeatedScalarFieldContainer[str]
    next_page_token: str
    total: int
    def __init__(self, as_of: _Optional[_Iterable[_Union[_scope_pb2.AsOf, _Mapping]]] = ..., complete: _Optional[bool] = ..., degraded: _Optional[_Iterable[str]] = ..., next_page_token: _Optional[str] = ..., total: _Optional[int] = ...) -> None: ...
