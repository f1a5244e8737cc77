from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class Scope(_message.Message):
    __slots__ = ("repos", "refs", "path_globs", "languages", "min_commit", "timeout_seconds")
    REPOS_FIELD_NUMBER: _ClassVar[int]
    REFS_FIELD_NUMBER: _ClassVar[int]
    PATH_GLOBS_FIELD_NUMBER: _ClassVar[int]
    LANGUAGES_FIELD_NUMBER: _ClassVar[int]
    MIN_COMMIT_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_SECONDS_FIELD_NUMBER: _ClassVar[int]
    repos: _containers.RepeatedScalarFieldContainer[str]
    refs: _containers.RepeatedScalarFieldContainer[str]
    path_globs: _containers.RepeatedScalarFieldContainer[str]
    languages: _containers.RepeatedScalarFieldContainer[str]
    min_commit: str
    timeout_seconds: float
    def __init__(self, repos: _Optional[_Iterable[str]] = ..., refs: _Optional[_Iterable[str]] = ..., path_globs: _Optional[_Iterable[str]] = ..., languages: _Optional[_Iterable[str]] = ..., min_commit: _Optional[str] = ..., timeout_seconds: _Optional[float] = ...) -> None: ...

class Page(_message.Message):
    __slots__ = ("limit", "page_token")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    limit: int
    page_token: str
    def __init__(self, limit: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class Place(_message.Message):
    __slots__ = ("path", "line", "col")
    PATH_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    COL_FIELD_NUMBER: _ClassVar[int]
    path: str
    line: int
    col: int
    def __init__(self, path: _Optional[str] = ..., line: _Optional[int] = ..., col: _Optional[int] = ...) -> None: ...

class AsOf(_message.Message):
    __slots__ = ("repo", "ref", "commit")
    REPO_FIELD_NUMBER: _ClassVar[int]
    REF_FIELD_NUMBER: _ClassVar[int]
    COMMIT_FIELD_NUMBER: _ClassVar[int]
    repo: str
    ref: str
    commit: str
    def __init__(self, repo: _Optional[str] = ..., ref: _Optional[str] = ..., commit: _Optional[str] = ...) -> None: ...
