"""Asks a query service over gRPC, with the same questions, answers and errors as an engine in this process."""

from collections.abc import Callable
from types import TracebackType
from typing import Any, Self, TypeVar

import grpc
from google.rpc import status_pb2
from grpc_status import rpc_status

from headwater.domain.answer import Answer, ContextAnswer, FreshnessAnswer, StructuralReport
from headwater.domain.grants import ALLOW_ALL, Grants
from headwater.domain.query_error import CancelledError
from headwater.domain.question import (
    ContextQuestion,
    DefinitionsQuestion,
    FreshnessQuestion,
    GrepQuestion,
    Question,
    SearchQuestion,
    StructuralQuestion,
    UsagesQuestion,
)
from headwater.domain.question_check import check_question
from headwater.limits import limits
from headwater.rpc import requests
from headwater.rpc.generated.query_service_pb2_grpc import QueryServiceStub
from headwater.runtime.cancellation import current_cancellation
from headwater.tracing.names import Kind
from headwater.tracing.spans import TRACE_PARENT, span

DEFAULT_TIMEOUT_S = 30.0
GRACE_S = 2.0  # beyond the question's own deadline, so that the service can still say how far it was
MAX_REPLY_BYTES = 64 << 20
AnyQuestion = TypeVar("AnyQuestion", bound=Question)
Metadata = tuple[tuple[str, str], ...]


class RemoteAsker:
    """An Asker on one channel, closed with it. `metadata` goes with every call: ("authorization", "Bearer …")."""

    def __init__(
        self, address: str, metadata: Metadata = (), credentials: grpc.ChannelCredentials | None = None
    ) -> None:
        options = [("grpc.max_receive_message_length", MAX_REPLY_BYTES)]
        self._channel = (
            grpc.insecure_channel(address, options)
            if credentials is None
            else grpc.secure_channel(address, credentials, options)
        )
        self._stub, self._metadata = QueryServiceStub(self._channel), metadata

    def search(self, question: SearchQuestion, _grants: Grants = ALLOW_ALL) -> Answer:
        reply = self._ask(self._stub.Search.future, requests.search_request(_checked(question)), question)
        return requests.search_answer(reply)

    def definitions(self, question: DefinitionsQuestion, _grants: Grants = ALLOW_ALL) -> Answer:
        reply = self._ask(self._stub.FindDefinitions.future, requests.definitions_request(_checked(question)), question)
        return requests.results_answer(reply)

    def usages(self, question: UsagesQuestion, _grants: Grants = ALLOW_ALL) -> Answer:
        """All of them: the service streams."""
        request = requests.usages_request(_checked(question))
        parts = self._ask(self._stub.FindUsages, request, question, list)
        return requests.usages_answer(parts)

    def grep(self, question: GrepQuestion, _grants: Grants = ALLOW_ALL) -> Answer:
        return requests.results_answer(
            self._ask(self._stub.Grep.future, requests.grep_request(_checked(question)), question)
        )

    def context(self, question: ContextQuestion, _grants: Grants = ALLOW_ALL) -> ContextAnswer:
        reply = self._ask(self._stub.GetContext.future, requests.context_request(_checked(question)), question)
        return requests.context_answer(reply)

    def structural(self, question: StructuralQuestion, _grants: Grants = ALLOW_ALL) -> StructuralReport:
        request = requests.structural_request(_checked(question))
        parts = self._ask(self._stub.StructuralSearch, request, question, list)
        return requests.structural_report(parts)

    def freshness(self, question: FreshnessQuestion, _grants: Grants = ALLOW_ALL) -> FreshnessAnswer:
        reply = self._ask(self._stub.GetFreshness.future, requests.freshness_request(_checked(question)), question)
        return requests.freshness_answer(reply)

    def views(self, question: FreshnessQuestion, _grants: Grants = ALLOW_ALL) -> FreshnessAnswer:
        reply = self._ask(self._stub.ListViews.future, requests.views_request(_checked(question)), question)
        return requests.views_answer(reply)

    def close(self) -> None:
        self._channel.close()

    def _ask(
        self,
        call: Callable[..., Any],
        request: object,
        question: Question,
        end: Callable[[Any], Any] = lambda started: started.result(),
    ) -> Any:
        """What `end` makes of the call that was started; taken back once the caller is gone."""
        timeout = question.timeout_s + GRACE_S if question.timeout_s else DEFAULT_TIMEOUT_S
        with span(type(request).__name__, Kind.CLIENT) as made:
            metadata = (*self._metadata, (TRACE_PARENT, made.onward)) if made.onward else self._metadata
            try:
                started = call(request, timeout=timeout, metadata=metadata)
                with current_cancellation().told(started.cancel):
                    return end(started)
            except grpc.FutureCancelledError as error:
                raise CancelledError("CANCELLED", "the call was cancelled: ask again") from error
            except grpc.RpcError as error:
                raise requests.error_of(_status(error)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _checked(question: AnyQuestion) -> AnyQuestion:
    """What the service would refuse, and what can't be sent at all. Raises InvalidQuestionError."""
    check_question(question, limits())
    return question


def _status(error: grpc.RpcError) -> status_pb2.Status:
    """What the service said, or what the transport says when the service said nothing."""
    status: status_pb2.Status | None = rpc_status.from_call(error)
    return status or status_pb2.Status(code=error.code().value[0], message=error.details() or "")
