"""The query service as a caller sees it, over gRPC."""

import grpc

from headwater.rpc.generated import query_service_pb2 as pb
from headwater.rpc.generated import query_service_pb2_grpc


class QueryUnavailableError(Exception):
    """The query service didn't answer in time, or refused."""


class QueryClient:
    """Every call has a deadline."""

    def __init__(self, address: str, seconds: float = 5.0) -> None:
        self._channel = grpc.insecure_channel(address)
        self._stub = query_service_pb2_grpc.QueryServiceStub(self._channel)
        self._seconds = seconds

    def definitions(self, repo: str, ref: str, symbol: str) -> list[tuple[str, str]]:
        """(commit, path) of each definition. Raises QueryUnavailableError."""
        request = pb.FindDefinitionsRequest(symbol=symbol)
        request.scope.repos.append(repo)
        request.scope.refs.append(ref)
        try:
            reply = self._stub.FindDefinitions(request, timeout=self._seconds)
        except grpc.RpcError as error:
            if error.code() is grpc.StatusCode.NOT_FOUND:
                return []
            raise QueryUnavailableError(f"{error.code().name.lower()}: {error.details()}") from error
        return [(result.commit, result.path) for result in reply.results]

    def close(self) -> None:
        self._channel.close()
