"""`make chart-apiserver`: the examples installed into a real API server with restricted pod security.

Every object is applied dry, really, and once more, which must change nothing; a pod of every workload is tried; what
is wrong must be refused. Exit status 1 when the server says otherwise.
"""

import sys
import time
from collections import Counter

from authoring.crds import definitions
from authoring.rendered import EXAMPLES, manifests
from cluster.api import Api, Manifest
from cluster.control_plane import ControlPlane
from cluster.wrong import pod_of, wrong_fields, wrong_pods

WORKLOADS = ("Deployment", "StatefulSet", "Job", "Pod")
RESTRICTED = {f"pod-security.kubernetes.io/{mode}": "restricted" for mode in ("enforce", "warn", "audit")}
ESTABLISHED_S = 30.0


class Verdict:
    """Counts what went as it should, and keeps what did not."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def expect(self, good: bool, what: str) -> bool:
        if not good:
            self.problems.append(what)
        return good


def define(api: Api, verdict: Verdict) -> list[str]:
    """The custom resources' definitions, until the server serves them."""
    names = []
    for origin, crd in definitions():
        reply = api.apply(crd)
        verdict.expect(reply.accepted, f"{origin}: {reply.message}")
        names.append(crd["metadata"]["name"])
    deadline = time.monotonic() + ESTABLISHED_S
    while not all(_established(api, name) for name in names):
        if time.monotonic() > deadline:
            raise SystemExit("the custom resources are not served")
        time.sleep(0.2)
    return names


def _established(api: Api, name: str) -> bool:
    found = api.get(f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{name}")
    conditions = found.get("status", {}).get("conditions", ())
    return any(c["type"] == "Established" and c["status"] == "True" for c in conditions)


def prepare(api: Api, namespace: str) -> None:
    """The namespace, and the account in it that a controller manager would make."""
    labelled = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace, "labels": RESTRICTED}}
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default", "namespace": namespace}}
    for manifest in (labelled, account):
        reply = api.apply(manifest)
        if not reply.accepted:
            raise SystemExit(reply.message)


def install(api: Api, objects: list[Manifest], verdict: Verdict) -> int:
    """Dry, really, and again: the second time nothing may change. Gives how many are there."""
    installed = 0
    for manifest in objects:
        what = f"{manifest['kind']} {manifest['metadata']['name']}"
        dry, real, again = api.apply(manifest, dry=True), api.apply(manifest), api.apply(manifest)
        for step, reply in (("dry run", dry), ("install", real), ("install again", again)):
            if verdict.expect(reply.accepted, f"{what}: {step}: {reply.message}"):
                verdict.expect(not reply.warnings, f"{what}: {step}: {reply.warnings}")
        installed += real.accepted
        if real.accepted and again.accepted:
            versions = [reply.body["metadata"]["resourceVersion"] for reply in (real, again)]
            verdict.expect(versions[0] == versions[1], f"{what}: changes when it is installed again")
    return installed


def try_pods(api: Api, objects: list[Manifest], verdict: Verdict) -> int:
    """A pod of each workload, dry; gives their number."""
    pods = [pod_of(manifest) for manifest in objects if manifest["kind"] in WORKLOADS]
    for pod in pods:
        pod["metadata"]["name"] += "-tried"
        reply = api.apply(pod, dry=True)
        verdict.expect(reply.accepted, f"Pod {pod['metadata']['name']}: {reply.message}")
    return len(pods)


def try_wrong(api: Api, objects: list[Manifest], verdict: Verdict) -> list[str]:
    """What must be refused, and for the right reason; gives what was refused."""
    workload = next(manifest for manifest in objects if manifest["kind"] == "Deployment")
    refused = []
    for wrong in wrong_pods(workload) + wrong_fields(objects):
        reply = api.apply(wrong.manifest, dry=True)
        good = not reply.accepted and wrong.said in reply.message
        if verdict.expect(good, f"{wrong.what}: is not refused for '{wrong.said}': {reply.status} {reply.message}"):
            refused.append(wrong.what)
    return refused


def _by_kind(objects: list[Manifest]) -> str:
    numbers = Counter(manifest["kind"] for manifest in objects)
    return ", ".join(f"{number} {kind}" for kind, number in sorted(numbers.items()))


def main() -> int:
    verdict, say = Verdict(), sys.stdout.write
    with ControlPlane() as plane:
        say(f"{plane.versions()}\n")
        say(f"custom resources: {', '.join(define(plane.api, verdict))}\n")
        for example in EXAMPLES:
            namespace = f"headwater-{example}"
            prepare(plane.api, namespace)
            objects = manifests(example, namespace)
            installed = install(plane.api, objects, verdict)
            say(f"{example}: {installed} of {len(objects)} objects installed: {_by_kind(objects)}\n")
            say(f"{example}: {try_pods(plane.api, objects, verdict)} pods of these workloads admitted (dry run)\n")
            say(f"{example}: refused as they must be: {'; '.join(try_wrong(plane.api, objects, verdict))}\n")
    say("".join(f"PROBLEM {problem}\n" for problem in verdict.problems))
    say("no kubelet and no controllers: no pod was started\n")
    return 1 if verdict.problems else 0


if __name__ == "__main__":
    sys.exit(main())
