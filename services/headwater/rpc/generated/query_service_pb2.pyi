from headwater.rpc.generated import result_pb2 as _result_pb2
from headwater.rpc.generated import scope_pb2 as _scope_pb2
from headwater.rpc.generated import structural_pb2 as _structural_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Outcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OUTCOME_UNSPECIFIED: _ClassVar[Outcome]
    OUTCOME_ACCEPTED: _ClassVar[Outcome]
    OUTCOME_REJECTED: _ClassVar[Outcome]
    OUTCOME_RETRIED: _ClassVar[Outcome]
OUTCOME_UNSPECIFIED: Outcome
OUTCOME_ACCEPTED: Outcome
OUTCOME_REJECTED: Outcome
OUTCOME_RETRIED: Outcome

class SearchRequest(_message.Message):
    __slots__ = ("scope", "page", "query", "mode")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    PAGE_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    scope: _scope_pb2.Scope
    page: _scope_pb2.Page
    query: str
    mode: _result_pb2.QueryKind
    def __init__(self, scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., page: _Optional[_Union[_scope_pb2.Page, _Mapping]] = ..., query: _Optional[str] = ..., mode: _Optional[_Union[_result_pb2.QueryKind, str]] = ...) -> None: ...

class SearchResponse(_message.Message):
    __slots__ = ("summary", "results", "kind", "query_truncated")
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    QUERY_TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    summary: _result_pb2.Summary
    results: _containers.RepeatedCompositeFieldContainer[_result_pb2.Result]
    kind: _result_pb2.QueryKind
    query_truncated: bool
    def __init__(self, summary: _Optional[_Union[_result_pb2.Summary, _Mapping]] = ..., results: _Optional[_Iterable[_Union[_result_pb2.Result, _Mapping]]] = ..., kind: _Optional[_Union[_result_pb2.QueryKind, str]] = ..., query_truncated: _Optional[bool] = ...) -> None: ...

class FindDefinitionsRequest(_message.Message):
    __slots__ = ("scope", "page", "symbol", "place")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    PAGE_FIELD_NUMBER: _ClassVar[int]
    SYMBOL_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    scope: _scope_pb2.Scope
    page: _scope_pb2.Page
    symbol: str
    place: _scope_pb2.Place
    def __init__(self, scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., page: _Optional[_Union[_scope_pb2.Page, _Mapping]] = ..., symbol: _Optional[str] = ..., place: _Optional[_Union[_scope_pb2.Place, _Mapping]] = ...) -> None: ...

class FindDefinitionsResponse(_message.Message):
    __slots__ = ("summary", "results")
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    summary: _result_pb2.Summary
    results: _containers.RepeatedCompositeFieldContainer[_result_pb2.Result]
    def __init__(self, summary: _Optional[_Union[_result_pb2.Summary, _Mapping]] = ..., results: _Optional[_Iterable[_Union[_result_pb2.Result, _Mapping]]] = ...) -> None: ...

class FindUsagesRequest(_message.Message):
    __slots__ = ("scope", "symbol", "place", "kinds")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    SYMBOL_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    scope: _scope_pb2.Scope
    symbol: str
    place: _scope_pb2.Place
    kinds: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., symbol: _Optional[str] = ..., place: _Optional[_Union[_scope_pb2.Place, _Mapping]] = ..., kinds: _Optional[_Iterable[str]] = ...) -> None: ...

class FindUsagesResponse(_message.Message):
    __slots__ = ("summary", "results")
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    summary: _result_pb2.Summary
    results: _containers.RepeatedCompositeFieldContainer[_result_pb2.Result]
    def __init__(self, summary: _Optional[_Union[_result_pb2.Summary, _Mapping]] = ..., results: _Optional[_Iterable[_Union[_result_pb2.Result, _Mapping]]] = ...) -> None: ...

class GrepRequest(_message.Message):
    __slots__ = ("scope", "page", "pattern", "regex", "ignore_case", "multiline")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    PAGE_FIELD_NUMBER: _ClassVar[int]
    PATTERN_FIELD_NUMBER: _ClassVar[int]
    REGEX_FIELD_NUMBER: _ClassVar[int]
    IGNORE_CASE_FIELD_NUMBER: _ClassVar[int]
    MULTILINE_FIELD_NUMBER: _ClassVar[int]
    scope: _scope_pb2.Scope
    page: _scope_pb2.Page
    pattern: str
    regex: bool
    ignore_case: bool
    multiline: bool
    def __init__(self, scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., page: _Optional[_Union[_scope_pb2.Page, _Mapping]] = ..., pattern: _Optional[str] = ..., regex: _Optional[bool] = ..., ignore_case: _Optional[bool] = ..., multiline: _Optional[bool] = ...) -> None: ...

class GrepResponse(_message.Message):
    __slots__ = ("summary", "results")
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    summary: _result_pb2.Summary
    results: _containers.RepeatedCompositeFieldContainer[_result_pb2.Result]
    def __init__(self, summary: _Optional[_Union[_result_pb2.Summary, _Mapping]] = ..., results: _Optional[_Iterable[_Union[_result_pb2.Result, _Mapping]]] = ...) -> None: ...

class GetContextRequest(_message.Message):
    __slots__ = ("scope", "query", "max_tokens")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    MAX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    scope: _scope_pb2.Scope
    query: str
    max_tokens: int
    def __init__(self, scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., query: _Optional[str] = ..., max_tokens: _Optional[int] = ...) -> None: ...

class ContextItem(_message.Message):
    __slots__ = ("result", "tokens", "reason")
    RESULT_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    result: _result_pb2.Result
    tokens: int
    reason: str
    def __init__(self, result: _Optional[_Union[_result_pb2.Result, _Mapping]] = ..., tokens: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class GetContextResponse(_message.Message):
    __slots__ = ("summary", "items", "tokens", "omitted")
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    OMITTED_FIELD_NUMBER: _ClassVar[int]
    summary: _result_pb2.Summary
    items: _containers.RepeatedCompositeFieldContainer[ContextItem]
    tokens: int
    omitted: int
    def __init__(self, summary: _Optional[_Union[_result_pb2.Summary, _Mapping]] = ..., items: _Optional[_Iterable[_Union[ContextItem, _Mapping]]] = ..., tokens: _Optional[int] = ..., omitted: _Optional[int] = ...) -> None: ...

class GetFileStatusRequest(_message.Message):
    __slots__ = ("scope", "page", "path")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    PAGE_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    scope: _scope_pb2.Scope
    page: _scope_pb2.Page
    path: str
    def __init__(self, scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., page: _Optional[_Union[_scope_pb2.Page, _Mapping]] = ..., path: _Optional[str] = ...) -> None: ...

class FileState(_message.Message):
    __slots__ = ("repo", "ref", "commit", "path", "status", "reason", "explanation", "language", "size", "lines", "chunks", "warnings")
    REPO_FIELD_NUMBER: _ClassVar[int]
    REF_FIELD_NUMBER: _ClassVar[int]
    COMMIT_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    EXPLANATION_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    LINES_FIELD_NUMBER: _ClassVar[int]
    CHUNKS_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    repo: str
    ref: str
    commit: str
    path: str
    status: str
    reason: str
    explanation: str
    language: str
    size: int
    lines: int
    chunks: int
    warnings: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, repo: _Optional[str] = ..., ref: _Optional[str] = ..., commit: _Optional[str] = ..., path: _Optional[str] = ..., status: _Optional[str] = ..., reason: _Optional[str] = ..., explanation: _Optional[str] = ..., language: _Optional[str] = ..., size: _Optional[int] = ..., lines: _Optional[int] = ..., chunks: _Optional[int] = ..., warnings: _Optional[_Iterable[str]] = ...) -> None: ...

class GetFileStatusResponse(_message.Message):
    __slots__ = ("summary", "files")
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    summary: _result_pb2.Summary
    files: _containers.RepeatedCompositeFieldContainer[FileState]
    def __init__(self, summary: _Optional[_Union[_result_pb2.Summary, _Mapping]] = ..., files: _Optional[_Iterable[_Union[FileState, _Mapping]]] = ...) -> None: ...

class GetFreshnessRequest(_message.Message):
    __slots__ = ("scope",)
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    scope: _scope_pb2.Scope
    def __init__(self, scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ...) -> None: ...

class ViewFreshness(_message.Message):
    __slots__ = ("repo", "ref", "commit", "tree", "tree_proven", "generation", "opened_commit", "vector_complete", "pushed_at", "published_at", "default", "head", "divergent_files", "divergent_paths", "refused")
    REPO_FIELD_NUMBER: _ClassVar[int]
    REF_FIELD_NUMBER: _ClassVar[int]
    COMMIT_FIELD_NUMBER: _ClassVar[int]
    TREE_FIELD_NUMBER: _ClassVar[int]
    TREE_PROVEN_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    OPENED_COMMIT_FIELD_NUMBER: _ClassVar[int]
    VECTOR_COMPLETE_FIELD_NUMBER: _ClassVar[int]
    PUSHED_AT_FIELD_NUMBER: _ClassVar[int]
    PUBLISHED_AT_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    DIVERGENT_FILES_FIELD_NUMBER: _ClassVar[int]
    DIVERGENT_PATHS_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    repo: str
    ref: str
    commit: str
    tree: str
    tree_proven: bool
    generation: int
    opened_commit: str
    vector_complete: bool
    pushed_at: float
    published_at: float
    default: bool
    head: str
    divergent_files: int
    divergent_paths: _containers.RepeatedScalarFieldContainer[str]
    refused: str
    def __init__(self, repo: _Optional[str] = ..., ref: _Optional[str] = ..., commit: _Optional[str] = ..., tree: _Optional[str] = ..., tree_proven: _Optional[bool] = ..., generation: _Optional[int] = ..., opened_commit: _Optional[str] = ..., vector_complete: _Optional[bool] = ..., pushed_at: _Optional[float] = ..., published_at: _Optional[float] = ..., default: _Optional[bool] = ..., head: _Optional[str] = ..., divergent_files: _Optional[int] = ..., divergent_paths: _Optional[_Iterable[str]] = ..., refused: _Optional[str] = ...) -> None: ...

class StageFreshness(_message.Message):
    __slots__ = ("stage", "topic", "partition", "heartbeat_age_seconds")
    STAGE_FIELD_NUMBER: _ClassVar[int]
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    PARTITION_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_AGE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    stage: str
    topic: str
    partition: int
    heartbeat_age_seconds: float
    def __init__(self, stage: _Optional[str] = ..., topic: _Optional[str] = ..., partition: _Optional[int] = ..., heartbeat_age_seconds: _Optional[float] = ...) -> None: ...

class GetFreshnessResponse(_message.Message):
    __slots__ = ("views", "satisfied", "stages")
    VIEWS_FIELD_NUMBER: _ClassVar[int]
    SATISFIED_FIELD_NUMBER: _ClassVar[int]
    STAGES_FIELD_NUMBER: _ClassVar[int]
    views: _containers.RepeatedCompositeFieldContainer[ViewFreshness]
    satisfied: bool
    stages: _containers.RepeatedCompositeFieldContainer[StageFreshness]
    def __init__(self, views: _Optional[_Iterable[_Union[ViewFreshness, _Mapping]]] = ..., satisfied: _Optional[bool] = ..., stages: _Optional[_Iterable[_Union[StageFreshness, _Mapping]]] = ...) -> None: ...

class ListViewsRequest(_message.Message):
    __slots__ = ("scope",)
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    scope: _scope_pb2.Scope
    def __init__(self, scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ...) -> None: ...

class ListViewsResponse(_message.Message):
    __slots__ = ("views",)
    VIEWS_FIELD_NUMBER: _ClassVar[int]
    views: _containers.RepeatedCompositeFieldContainer[ViewFreshness]
    def __init__(self, views: _Optional[_Iterable[_Union[ViewFreshness, _Mapping]]] = ...) -> None: ...

class ReportOutcomeRequest(_message.Message):
    __slots__ = ("query", "outcome", "repo", "commit", "path", "line", "rank", "session")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    REPO_FIELD_NUMBER: _ClassVar[int]
    COMMIT_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    query: str
    outcome: Outcome
    repo: str
    commit: str
    path: str
    line: int
    rank: int
    session: str
    def __init__(self, query: _Optional[str] = ..., outcome: _Optional[_Union[Outcome, str]] = ..., repo: _Optional[str] = ..., commit: _Optional[str] = ..., path: _Optional[str] = ..., line: _Optional[int] = ..., rank: _Optional[int] = ..., session: _Optional[str] = ...) -> None: ...

class ReportOutcomeResponse(_message.Message):
    __slots__ = ("recorded",)
    RECORDED_FIELD_NUMBER: _ClassVar[int]
    recorded: bool
    def __init__(self, recorded: _Optional[bool] = ...) -> None: ...
