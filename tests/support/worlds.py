"""Two indexes that differ only in what the caller may not read, and every reply of both as comparable bytes."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import grpc
from google.protobuf.message import Message
from grpc_status import rpc_status

from headwater.clients.static_model import StaticModel
from headwater.domain.grants import Grants
from headwater.query.engine import Engine, Parts
from headwater.query.retrieval import VectorSide
from headwater.query.server import QueryServer, ServerSettings
from headwater.rpc.generated import query_service_pb2 as pb
from headwater.rpc.generated.query_service_pb2_grpc import QueryServiceStub
from headwater.rpc.generated.scope_pb2 import Page
from headwater.stores.mmap_vectors import MmapVectorStore
from headwater.structural.answering import StructuralAnswering
from headwater.structural.flowgraph.cache import MemoryGraphCache
from headwater.structural.translate.retrieve import shipped_pairs
from support.small_index import SmallIndex

MODEL = StaticModel()
Files = Mapping[str, str]
Ask = Callable[[QueryServiceStub], list[Message]]

# Commit and tree ids, and the times of publication, name the whole repository: git itself gives them to its readers.
_NAMES_THE_TREE = ("commit", "tree", "opened_commit", "pushed_at", "published_at")


class _Numbered(grpc.UnaryUnaryClientInterceptor, grpc.UnaryStreamClientInterceptor):
    """Says who calls."""

    def __init__(self, number: int) -> None:
        self._number = number

    def intercept_unary_unary(self, continuation, details, request):  # type: ignore[no-untyped-def]
        return continuation(details._replace(metadata=[("caller", str(self._number))]), request)

    intercept_unary_stream = intercept_unary_unary


def _number(context: grpc.ServicerContext) -> int:
    return int(dict(context.invocation_metadata())["caller"])


class World:
    """One index behind a real server on loopback."""

    def __init__(self, folder: Path, repositories: Mapping[str, Files]) -> None:
        folder.mkdir()
        self.index = SmallIndex(folder, MODEL)
        vectors = MmapVectorStore(folder / "vectors", MODEL.version)
        self.index.vectors = vectors  # type: ignore[assignment]
        for repo, files in repositories.items():
            self.index.commit(files, repo)
        self.parts = Parts(
            reader=self.index.catalog,
            vectors=VectorSide(MODEL, vectors),
            structural=StructuralAnswering(MemoryGraphCache(), tuple(shipped_pairs())),
            page_secret=b"the same in both worlds",
        )

    @contextmanager
    def served(self, *callers: Grants) -> Iterator[tuple[QueryServiceStub, ...]]:
        """One server; a client for each caller."""
        engine = Engine(self.parts)
        settings = ServerSettings(address="127.0.0.1:0", grace_s=1)
        with (
            QueryServer(engine, settings, lambda context: callers[_number(context)]) as server,
            grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel,
        ):
            yield tuple(
                QueryServiceStub(grpc.intercept_channel(channel, _Numbered(number))) for number in range(len(callers))
            )
        engine.close()

    def replies(self, grants: Grants, asks: Mapping[str, Ask]) -> dict[str, bytes]:
        """Each answer or error, without what names the whole tree."""
        with self.served(grants) as (stub,):
            return {name: self.reply(stub, ask) for name, ask in asks.items()}

    def reply(self, stub: QueryServiceStub, ask: Ask) -> bytes:
        try:
            messages = ask(stub)
        except grpc.RpcError as error:
            trailing = sorted((key, value) for key, value in error.trailing_metadata() or () if "bin" not in key)
            status = rpc_status.from_call(error)
            details = [d.SerializeToString(deterministic=True) for d in status.details] if status else []
            return self._anonymous(repr((error.code(), error.details(), trailing, details))).encode()
        for message in messages:
            _blank(message)
        return b"\n".join(m.SerializeToString(deterministic=True) for m in messages)

    def _anonymous(self, text: str) -> str:
        return re.sub(r"\b[0-9a-f]{12,40}\b", "an id", text)

    def close(self) -> None:
        self.index.close()


def _blank(message: Message) -> None:
    for field, value in message.ListFields():
        if field.name in _NAMES_THE_TREE:
            message.ClearField(field.name)
        elif field.message_type is not None:
            for part in value if field.is_repeated else (value,):
                _blank(part)


def all_pages(ask: Callable[[Page], Message], limit: int) -> list[Message]:
    """Every page of an answer."""
    pages, token = [], ""
    while True:
        page = ask(Page(limit=limit, page_token=token))
        pages.append(page)
        token = page.summary.next_page_token  # type: ignore[attr-defined]
        if not token:
            return pages


def searches(query: str, **more: object) -> Ask:
    return lambda stub: all_pages(lambda page: stub.Search(pb.SearchRequest(query=query, page=page, **more)), 7)


def greps(pattern: str, **more: object) -> Ask:
    return lambda stub: all_pages(lambda page: stub.Grep(pb.GrepRequest(pattern=pattern, page=page, **more)), 3)
