"""Objects that must be refused, each one change away from one that the chart renders, so that the check can fail."""

import copy
from collections.abc import Callable
from typing import Any

import msgspec

Manifest = dict[str, Any]
Change = Callable[[Manifest], object]


class Wrong(msgspec.Struct, frozen=True):
    """`said` is part of the server's reason."""

    what: str
    manifest: Manifest
    said: str


def pod_of(workload: Manifest) -> Manifest:
    """A pod as the workload's controller would make it; a Pod is itself."""
    if workload["kind"] == "Pod":
        return copy.deepcopy(workload)
    template = copy.deepcopy(workload["spec"]["template"])
    own = workload["metadata"]
    metadata = {**template["metadata"], "name": own["name"], "namespace": own["namespace"]}
    spec = template["spec"]
    for claim in workload["spec"].get("volumeClaimTemplates", ()):
        name = claim["metadata"]["name"]
        spec["volumes"].append({"name": name, "persistentVolumeClaim": {"claimName": f"{name}-{own['name']}-0"}})
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def wrong_pods(workload: Manifest) -> list[Wrong]:
    """What restricted pod security must refuse."""

    def broken(what: str, change: Change, said: str) -> Wrong:
        pod = pod_of(workload)
        pod["metadata"]["name"] = "must-be-refused"
        change(pod["spec"])
        return Wrong(f"pod, {what}", pod, said)

    return [
        broken("privileged", lambda s: _security(s).update(privileged=True), "privileged"),
        broken("capabilities kept", lambda s: _security(s).pop("capabilities"), "unrestricted capabilities"),
        broken("may become root", lambda s: _security(s).update(runAsNonRoot=False), "runAsNonRoot != true"),
        broken(
            "escalation allowed", lambda s: _security(s).pop("allowPrivilegeEscalation"), "allowPrivilegeEscalation"
        ),
        broken("host network", lambda s: s.update(hostNetwork=True), "host namespaces"),
        broken("folder of the host", lambda s: s["volumes"].append(_HOST_FOLDER), "restricted volume types"),
    ]


def wrong_fields(manifests: list[Manifest]) -> list[Wrong]:
    """What strict validation and the CRDs' schemas must refuse."""
    changes: list[tuple[str, str, Change, str]] = [
        ("Deployment", "an unknown field", lambda s: s.update(replica=2), ".spec.replica: field not"),
        ("NetworkPolicy", "a port beyond 65535", lambda s: s["egress"][0]["ports"][0].update(port=70000), "70000"),
        ("ScaledObject", "an unknown field", lambda s: s.update(maxReplicas=2), ".spec.maxReplicas: field not"),
        ("ScaledObject", "a number as text", lambda s: s.update(minReplicaCount="two"), "minReplicaCount"),
        ("ServiceMonitor", "no selector", lambda s: s.pop("selector"), "selector"),
        ("PrometheusRule", "a rule without expression", lambda s: s["groups"][0]["rules"][0].pop("expr"), "expr"),
        ("ExternalSecret", "an unknown kind of store", lambda s: s["secretStoreRef"].update(kind="Vault"), "Vault"),
    ]
    made = []
    for kind, what, change, said in changes:
        found = next((m for m in manifests if m["kind"] == kind and _fits(m)), None)
        if found is None:
            continue
        manifest = copy.deepcopy(found)
        manifest["metadata"]["name"] = "must-be-refused"
        change(manifest["spec"])
        made.append(Wrong(f"{kind}, {what}", manifest, said))
    return made


_HOST_FOLDER = {"name": "host", "hostPath": {"path": "/etc"}}


def _security(spec: Manifest) -> Manifest:
    own: Manifest = spec["containers"][0]["securityContext"]
    return own


def _fits(manifest: Manifest) -> bool:
    """The policy that denies everything names no port."""
    return manifest["kind"] != "NetworkPolicy" or "egress" in manifest["spec"]
