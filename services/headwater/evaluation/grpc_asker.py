"""Asks the service over gRPC, as any client would."""

from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import Self

import grpc

from headwater.evaluation.asker import AskError
from headwater.evaluation.golden import Definition, Span, Token
from headwater.rpc.generated import query_service_pb2 as pb
from headwater.rpc.generated import query_service_pb2_grpc, result_pb2, scope_pb2

_MAX_REPLY = 256 << 20
_TIMEOUT_S = 60.0


class GrpcAsker:
    """One channel to one service; `globs` are the files that natural-language questions of a corpus are asked of."""

    def __init__(self, address: str, globs: Mapping[str, Sequence[str]]) -> None:
        self._channel = grpc.insecure_channel(address, [("grpc.max_receive_message_length", _MAX_REPLY)])
        self._service = query_service_pb2_grpc.QueryServiceStub(self._channel)
        self._globs = globs

    def search(self, corpus: str, query: str, limit: int, whole: bool) -> list[Span]:
        """See `Asker`."""
        globs = () if whole else self._globs.get(corpus, ())
        scope = scope_pb2.Scope(repos=[corpus], path_globs=globs)
        request = pb.SearchRequest(scope=scope, page=scope_pb2.Page(limit=limit), query=query)
        try:
            reply = self._service.Search(request, timeout=_TIMEOUT_S)
        except grpc.RpcError as error:
            return _none_or_raise(error, query)
        return [_span(r) for r in reply.results]

    def context(self, corpus: str, query: str) -> list[Span]:
        """See `Asker`."""
        scope = scope_pb2.Scope(repos=[corpus], path_globs=self._globs.get(corpus, ()))
        try:
            reply = self._service.GetContext(pb.GetContextRequest(scope=scope, query=query), timeout=_TIMEOUT_S)
        except grpc.RpcError as error:
            return _none_or_raise(error, query)
        return [_span(item.result) for item in reply.items]

    def usages(self, corpus: str, definitions: Sequence[Definition]) -> list[Token]:
        """See `Asker`."""
        return [token for definition in definitions for token in self._usages_of(corpus, definition)]

    def _usages_of(self, corpus: str, definition: Definition) -> list[Token]:
        place = scope_pb2.Place(path=definition.path, line=definition.start_line, col=definition.start_col)
        request = pb.FindUsagesRequest(scope=scope_pb2.Scope(repos=[corpus]), place=place)
        try:
            return list(_tokens(self._service.FindUsages(request, timeout=_TIMEOUT_S)))
        except grpc.RpcError as error:
            return _none_or_raise(error, str(definition))

    def close(self) -> None:
        self._channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _none_or_raise(error: grpc.RpcError, asked: str) -> list:  # type: ignore[type-arg]
    """A symbol that the service doesn't know scores nothing; a service that can't answer voids the run."""
    if error.code() == grpc.StatusCode.NOT_FOUND:
        return []
    raise AskError(f"{asked}: {error.code().name}: {error.details()}") from error


def _span(result: result_pb2.Result) -> Span:
    """Ranges are half-open: one that ends at column 1 doesn't touch its last line."""
    at = result.range
    past = at.end_col == 1 and at.end_line > at.start_line
    return Span(result.path, at.start_line, at.end_line - past)


def _tokens(replies: Iterable[pb.FindUsagesResponse]) -> Iterable[Token]:
    for reply in replies:
        for result in reply.results:
            yield Token(result.path, result.range.start_line, result.range.start_col, result.kind)
