from headwater.rpc.generated import result_pb2 as _result_pb2
from headwater.rpc.generated import scope_pb2 as _scope_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class StructuralSearchRequest(_message.Message):
    __slots__ = ("scope", "limit", "words", "query_json", "flowgraph_json", "semgrep_yaml", "exact")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    WORDS_FIELD_NUMBER: _ClassVar[int]
    QUERY_JSON_FIELD_NUMBER: _ClassVar[int]
    FLOWGRAPH_JSON_FIELD_NUMBER: _ClassVar[int]
    SEMGREP_YAML_FIELD_NUMBER: _ClassVar[int]
    EXACT_FIELD_NUMBER: _ClassVar[int]
    scope: _scope_pb2.Scope
    limit: int
    words: str
    query_json: str
    flowgraph_json: str
    semgrep_yaml: str
    exact: bool
    def __init__(self, scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., limit: _Optional[int] = ..., words: _Optional[str] = ..., query_json: _Optional[str] = ..., flowgraph_json: _Optional[str] = ..., semgrep_yaml: _Optional[str] = ..., exact: _Optional[bool] = ...) -> None: ...

class StructuralPlan(_message.Message):
    __slots__ = ("query_json", "engine", "rendered", "engine_query", "not_understood", "problems")
    QUERY_JSON_FIELD_NUMBER: _ClassVar[int]
    ENGINE_FIELD_NUMBER: _ClassVar[int]
    RENDERED_FIELD_NUMBER: _ClassVar[int]
    ENGINE_QUERY_FIELD_NUMBER: _ClassVar[int]
    NOT_UNDERSTOOD_FIELD_NUMBER: _ClassVar[int]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    query_json: str
    engine: str
    rendered: str
    engine_query: str
    not_understood: _containers.RepeatedScalarFieldContainer[str]
    problems: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, query_json: _Optional[str] = ..., engine: _Optional[str] = ..., rendered: _Optional[str] = ..., engine_query: _Optional[str] = ..., not_understood: _Optional[_Iterable[str]] = ..., problems: _Optional[_Iterable[str]] = ...) -> None: ...

class StructuralSearchResponse(_message.Message):
    __slots__ = ("summary", "plan", "results")
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    PLAN_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    summary: _result_pb2.Summary
    plan: StructuralPlan
    results: _containers.RepeatedCompositeFieldContainer[_result_pb2.Result]
    def __init__(self, summary: _Optional[_Union[_result_pb2.Summary, _Mapping]] = ..., plan: _Optional[_Union[StructuralPlan, _Mapping]] = ..., results: _Optional[_Iterable[_Union[_result_pb2.Result, _Mapping]]] = ...) -> None: ...
