"""The deployed system under test: pushes, waits until a reader sees them, compares with a fresh index."""

import http.client
import time
from contextlib import closing
from pathlib import Path

import grpc

from headwater.deployment.parts.editions import open_catalog
from headwater.deployment.parts.pipeline import pipeline_version
from headwater.deployment.parts.vectors import ConnectingVectorStore, open_vectors
from headwater.deployment.system import System
from headwater.domain.merkle import recompute_root
from headwater.domain.view import ViewKey
from headwater.embedded.comparison import IndexedTree, differences
from headwater.rpc.generated import query_service_pb2 as pb
from headwater.rpc.generated import query_service_pb2_grpc
from headwater.stack import Running
from support.git_repo import Files, RepoBuilder
from support.rig import REPO, Rig, received

MAIN = "refs/heads/main"
TOKEN = "a-token"
SETTINGS = {
    "HEADWATER_COMMIT_INGEST_HOOK_TOKEN": TOKEN,
    "HEADWATER_COMMIT_INGEST_POLL_S": "3",
    "HEADWATER_RECONCILER_HEARTBEAT_S": "1",
    "HEADWATER_RECONCILER_LOOK_S": "1",
    "HEADWATER_RECONCILER_PROOF_S": "5",
    "HEADWATER_RECONCILER_VECTOR_GRACE_S": "2",
    "HEADWATER_RECONCILER_CANARY_S": "5",
}


def module(number: int, revision: int) -> bytes:
    """A file whose chunk changes with the revision."""
    return f'def act_{number}(x):\n    """Step {number}."""\n    return x + {revision}\n'.encode()


class Deployed:
    """One repository in one system."""

    def __init__(self, system: System, git: RepoBuilder, catalog_disk: Path | None = None) -> None:
        self.system, self.git, self.catalog_disk = system, git, catalog_disk
        self.files: Files = {}
        self._revision = 0
        self._stub = query_service_pb2_grpc.QueryServiceStub(
            grpc.insecure_channel(f"127.0.0.1:{system.ports['query!']}")
        )

    def edit(self, count: int = 40, tell: bool = True) -> str:
        """Commit a change of `count` files, with one more added and one taken away, and call the hook."""
        self._revision += 1
        for number in range(count):
            self.files[f"src/part{number % 5}/act{number}.py"] = module(number, self._revision)
        self.files.pop(f"src/extra{self._revision - 1}.py", None)
        self.files[f"src/extra{self._revision}.py"] = module(1000 + self._revision, self._revision)
        commit = self.git.commit(self.files)
        if tell:
            self.hook(commit)
        return commit

    def hook(self, commit: str) -> int:
        """The status of the answer, 0 for none."""
        connection = http.client.HTTPConnection("127.0.0.1", self.system.ports["webhooks!"], timeout=15)
        headers = {"X-Headwater-Token": TOKEN, "X-Headwater-Repository": REPO}
        try:
            connection.request("POST", "/hook", f"{'0' * 40} {commit} {MAIN}\n", headers)
            return connection.getresponse().status
        except OSError:
            return 0
        finally:
            connection.close()

    def views(self) -> list[pb.ViewFreshness]:
        """[] while the query service can't answer."""
        try:
            return list(self._stub.ListViews(pb.ListViewsRequest(), timeout=5).views)
        except grpc.RpcError:
            return []

    def wait_current(self, commit: str, seconds: float = 90.0, vector: bool = True) -> float:
        """Until a reader sees this commit (with its vectors); gives the seconds that it took."""
        begun = time.monotonic()
        while True:
            states = [v for v in self.views() if v.ref == MAIN]
            if any(v.commit == commit and (v.vector_complete or not vector) for v in states):
                return time.monotonic() - begun
            assert time.monotonic() - begun < seconds, f"{commit} is not searchable: {states}"
            time.sleep(0.05)

    def soak(self, pushes: int) -> None:
        """Changes of 16 and of 7 files by turns, each searchable before the next, with questions in between."""
        for number in range(pushes):
            self.wait_current(self.edit(7 if number % 2 else 16))
            self.search("where is a step taken")
            self.definition_paths("act_3")

    def search(self, query: str) -> pb.SearchResponse:
        """Raises grpc.RpcError."""
        return self._stub.Search(pb.SearchRequest(query=query), timeout=10)

    def wait_whole_answers(self, seconds: float = 60.0) -> None:
        """Until a question in words is answered by every part again."""
        deadline = time.monotonic() + seconds
        while degraded := list(self.search("where is a step taken").summary.degraded):
            assert time.monotonic() < deadline, f"still without {degraded}"
            time.sleep(0.2)

    def definition_paths(self, symbol: str) -> list[str]:
        try:
            return [r.path for r in self._stub.FindDefinitions(pb.FindDefinitionsRequest(symbol=symbol)).results]
        except grpc.RpcError as error:
            if error.code() is grpc.StatusCode.NOT_FOUND:
                return []
            raise

    def file_status(self, path: str) -> pb.FileState:
        return self._stub.GetFileStatus(pb.GetFileStatusRequest(path=path), timeout=10).files[0]

    def running(self, name: str) -> Running:
        return self.system.services.get(name) or self.system.components[name]

    def stop(self, name: str) -> None:
        """Stopped, and kept so."""
        self.system.supervisor.pause(name)
        self.running(name).stop()

    def start(self, name: str) -> None:
        self.system.supervisor.resume(name)

    def vectors(self) -> ConnectingVectorStore:
        return open_vectors(self.system.environ(), pipeline_version(self.system.environ()))

    def hashes(self) -> set[str]:
        """Content hashes of what is published."""
        environ = self.system.environ()
        opened = closing(open_catalog(environ, pipeline_version(environ)))
        with opened as catalog, catalog.pin([ViewKey(REPO, MAIN)]) as scope:
            return set(catalog.chunk_hashes(scope, 100_000) or [])

    def check_equals_fresh(self, folder: Path) -> None:
        """No loss, no ghost: every answer that of an index made anew, and every vector there."""
        view, version = ViewKey(REPO, MAIN), pipeline_version(self.system.environ())
        fresh = Rig(folder, self.git.path)
        with closing(fresh), closing(open_catalog(self.system.environ(), version)) as catalog:
            fresh.run([received(MAIN)])
            state, wanted = catalog.view(view), fresh.catalog.view(view)
            assert state is not None
            assert wanted is not None
            assert (state.commit, state.tree, state.tree_proven) == (wanted.commit, wanted.tree, True)
            assert recompute_root(catalog.tree_reader(view, state.published)) == state.tree
            with catalog.pin([view]) as ours, fresh.catalog.pin([view]) as theirs:
                assert list(differences(IndexedTree(catalog, ours), IndexedTree(fresh.catalog, theirs))) == []
                hashes = fresh.catalog.chunk_hashes(theirs, 100_000) or []
                assert sorted(catalog.chunk_hashes(ours, 100_000) or []) == sorted(hashes)
            assert self.vectors().present(hashes) == set(hashes)
