from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListRepositoriesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Repository(_message.Message):
    __slots__ = ("name", "paused", "views")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PAUSED_FIELD_NUMBER: _ClassVar[int]
    VIEWS_FIELD_NUMBER: _ClassVar[int]
    name: str
    paused: bool
    views: int
    def __init__(self, name: _Optional[str] = ..., paused: _Optional[bool] = ..., views: _Optional[int] = ...) -> None: ...

class ListRepositoriesResponse(_message.Message):
    __slots__ = ("repositories",)
    REPOSITORIES_FIELD_NUMBER: _ClassVar[int]
    repositories: _containers.RepeatedCompositeFieldContainer[Repository]
    def __init__(self, repositories: _Optional[_Iterable[_Union[Repository, _Mapping]]] = ...) -> None: ...

class PauseRepositoryRequest(_message.Message):
    __slots__ = ("repo",)
    REPO_FIELD_NUMBER: _ClassVar[int]
    repo: str
    def __init__(self, repo: _Optional[str] = ...) -> None: ...

class PauseRepositoryResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ResumeRepositoryRequest(_message.Message):
    __slots__ = ("repo",)
    REPO_FIELD_NUMBER: _ClassVar[int]
    repo: str
    def __init__(self, repo: _Optional[str] = ...) -> None: ...

class ResumeRepositoryResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class RemoveRepositoryRequest(_message.Message):
    __slots__ = ("repo",)
    REPO_FIELD_NUMBER: _ClassVar[int]
    repo: str
    def __init__(self, repo: _Optional[str] = ...) -> None: ...

class RemoveRepositoryResponse(_message.Message):
    __slots__ = ("views",)
    VIEWS_FIELD_NUMBER: _ClassVar[int]
    views: int
    def __init__(self, views: _Optional[int] = ...) -> None: ...

class CollectRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CollectResponse(_message.Message):
    __slots__ = ("removed",)
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    removed: int
    def __init__(self, removed: _Optional[int] = ...) -> None: ...

class VerifyViewsRequest(_message.Message):
    __slots__ = ("repo", "refs")
    REPO_FIELD_NUMBER: _ClassVar[int]
    REFS_FIELD_NUMBER: _ClassVar[int]
    repo: str
    refs: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, repo: _Optional[str] = ..., refs: _Optional[_Iterable[str]] = ...) -> None: ...

class ViewProof(_message.Message):
    __slots__ = ("repo", "ref", "commit", "tree", "root", "holds")
    REPO_FIELD_NUMBER: _ClassVar[int]
    REF_FIELD_NUMBER: _ClassVar[int]
    COMMIT_FIELD_NUMBER: _ClassVar[int]
    TREE_FIELD_NUMBER: _ClassVar[int]
    ROOT_FIELD_NUMBER: _ClassVar[int]
    HOLDS_FIELD_NUMBER: _ClassVar[int]
    repo: str
    ref: str
    commit: str
    tree: str
    root: str
    holds: bool
    def __init__(self, repo: _Optional[str] = ..., ref: _Optional[str] = ..., commit: _Optional[str] = ..., tree: _Optional[str] = ..., root: _Optional[str] = ..., holds: _Optional[bool] = ...) -> None: ...

class VerifyViewsResponse(_message.Message):
    __slots__ = ("proofs",)
    PROOFS_FIELD_NUMBER: _ClassVar[int]
    proofs: _containers.RepeatedCompositeFieldContainer[ViewProof]
    def __init__(self, proofs: _Optional[_Iterable[_Union[ViewProof, _Mapping]]] = ...) -> None: ...

class RepairViewRequest(_message.Message):
    __slots__ = ("repo", "ref", "paths")
    REPO_FIELD_NUMBER: _ClassVar[int]
    REF_FIELD_NUMBER: _ClassVar[int]
    PATHS_FIELD_NUMBER: _ClassVar[int]
    repo: str
    ref: str
    paths: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, repo: _Optional[str] = ..., ref: _Optional[str] = ..., paths: _Optional[_Iterable[str]] = ...) -> None: ...

class RepairViewResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListDeadLettersRequest(_message.Message):
    __slots__ = ("topics",)
    TOPICS_FIELD_NUMBER: _ClassVar[int]
    topics: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, topics: _Optional[_Iterable[str]] = ...) -> None: ...

class DeadLetter(_message.Message):
    __slots__ = ("id", "stage", "reason", "attempts", "at")
    ID_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    stage: str
    reason: str
    attempts: int
    at: float
    def __init__(self, id: _Optional[str] = ..., stage: _Optional[str] = ..., reason: _Optional[str] = ..., attempts: _Optional[int] = ..., at: _Optional[float] = ...) -> None: ...

class ListDeadLettersResponse(_message.Message):
    __slots__ = ("letters",)
    LETTERS_FIELD_NUMBER: _ClassVar[int]
    letters: _containers.RepeatedCompositeFieldContainer[DeadLetter]
    def __init__(self, letters: _Optional[_Iterable[_Union[DeadLetter, _Mapping]]] = ...) -> None: ...

class ReplayDeadLettersRequest(_message.Message):
    __slots__ = ("ids",)
    IDS_FIELD_NUMBER: _ClassVar[int]
    ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, ids: _Optional[_Iterable[str]] = ...) -> None: ...

class ReplayDeadLettersResponse(_message.Message):
    __slots__ = ("ids",)
    IDS_FIELD_NUMBER: _ClassVar[int]
    ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, ids: _Optional[_Iterable[str]] = ...) -> None: ...
