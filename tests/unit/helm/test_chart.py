"""What the chart renders: by Helm itself, against Kubernetes' own schemas."""

import warnings
from typing import Any

import pytest
from helm_python import HelmError, lint

from headwater.deployment.services import SERVICES, service_settings
from headwater.streaming.kafka_runner import REVOKE_WAIT_S
from support.chart import CHART, LEAST, Manifest, environment, example, least, merged, of_kind, pods, render

EXAMPLES = ("small", "large")
CUSTOM = ("keda.sh/v1alpha1", "monitoring.coreos.com/v1", "external-secrets.io/v1")


@pytest.fixture(scope="module", params=["least", *EXAMPLES])
def manifests(request: pytest.FixtureRequest) -> list[Manifest]:
    return least() if request.param == "least" else render(example(request.param))


@pytest.mark.parametrize("name", EXAMPLES)
def test_lint_has_nothing_to_say(name: str) -> None:
    report = lint(CHART, example(name), strict=True)
    assert report["errors"] == []
    assert [m for m in report["messages"] if m["severity"] > 1] == []


def test_each_manifest_is_valid_kubernetes(manifests: list[Manifest]) -> None:
    """Custom resources: test_custom_resources."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import kubernetes_validate

    for manifest in manifests:
        if manifest["apiVersion"] not in CUSTOM:
            kubernetes_validate.validate(manifest, "1.36.0", strict=True)


def test_names_are_unique_and_labelled(manifests: list[Manifest]) -> None:
    names = [(m["kind"], m["metadata"]["name"]) for m in manifests]
    assert len(set(names)) == len(names)
    assert all(m["metadata"]["labels"]["app.kubernetes.io/instance"] == "demo" for m in manifests)


def test_each_pod_is_restricted(manifests: list[Manifest]) -> None:
    for name, pod in pods(manifests).items():
        container = pod["containers"][0]
        own = container["securityContext"]
        assert pod["securityContext"]["runAsNonRoot"], name
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert own["readOnlyRootFilesystem"]
        assert not own["allowPrivilegeEscalation"]
        assert own["capabilities"] == {"drop": ["ALL"]}
        assert pod["automountServiceAccountToken"] is False
        assert pod["enableServiceLinks"] is False, "variables of services would be refused as unknown settings"
        assert {"cpu", "memory"} <= container["resources"]["requests"].keys()
        assert "memory" in container["resources"]["limits"]
        assert {m["name"] for m in container.get("volumeMounts", ())} <= {
            *(v["name"] for v in pod.get("volumes", ())),
            "mirrors",
        }


def test_every_service_runs_and_is_watched(manifests: list[Manifest]) -> None:
    assert of_kind(manifests, "Deployment", "StatefulSet").keys() == set(SERVICES)
    assert of_kind(manifests, "PodDisruptionBudget").keys() == set(SERVICES)
    assert of_kind(manifests, "NetworkPolicy").keys() == {*SERVICES, "default-deny", "jobs"}
    assert of_kind(manifests, "Service").keys() == set(SERVICES)


def test_every_variable_is_a_setting_and_none_is_given_twice(manifests: list[Manifest]) -> None:
    """The program refuses an unknown variable of its own prefixes and a missing one that it needs."""
    for service in SERVICES:
        given = environment(pods(manifests)[service])
        known = {row.variable: row for row in service_settings(service)}
        assert {name for name in given if name.startswith("HEADWATER_")} <= known.keys()
        assert {name for name, row in known.items() if row.required} <= given.keys()
        container = pods(manifests)[service]["containers"][0]
        assert len(container["env"]) == len(given)


def test_probes_ask_for_different_things(manifests: list[Manifest]) -> None:
    for service in SERVICES:
        container = pods(manifests)[service]["containers"][0]
        assert container["livenessProbe"]["httpGet"]["path"] == "/livez"
        ready = container["readinessProbe"]
        assert ready.get("grpc", {}).get("service") == "readiness" or ready["httpGet"]["path"] == "/readyz"


def test_the_kubelet_speaks_no_tls_so_readiness_falls_back_to_http() -> None:
    plain, secured = pods(least())["query"], pods(least(access={"tls": {"existingSecret": "tls"}}))["query"]
    assert "grpc" in plain["containers"][0]["readinessProbe"]
    assert "grpc" not in secured["containers"][0]["readinessProbe"]


def test_grace_is_longer_than_the_longest_batch(manifests: list[Manifest]) -> None:
    for name, stage in of_kind(manifests, "StatefulSet").items():
        assert stage["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] > REVOKE_WAIT_S, name


def test_stages_have_stable_names(manifests: list[Manifest]) -> None:
    for name, stage in of_kind(manifests, "StatefulSet").items():
        env = stage["spec"]["template"]["spec"]["containers"][0]["env"]
        instance = next(e for e in env if e["name"].endswith("_INSTANCE"))
        assert instance["valueFrom"] == {"fieldRef": {"fieldPath": "metadata.name"}}, name


def test_scaling_by_lag_of_the_groups_that_the_stages_use() -> None:
    scaled = of_kind(least(), "ScaledObject")
    triggers = [t["metadata"] for t in scaled["embedder"]["spec"]["triggers"]]
    assert [(t["consumerGroup"], t["topic"]) for t in triggers] == [
        ("embedder", "chunk-changed"),
        ("embedder-bulk", "chunk-changed-bulk"),
    ]
    assert {t["metadata"]["consumerGroup"] for t in scaled["ast-chunker"]["spec"]["triggers"]} == {"ast-chunker"}
    assert of_kind(least(), "HorizontalPodAutoscaler").keys() == {"query"}
    assert "replicas" not in of_kind(least(), "StatefulSet")["embedder"]["spec"]


def test_a_second_index_has_topics_and_groups_of_its_own_and_no_part_that_both_share() -> None:
    shadow = {"settings": {"pipeline": {"index": 2, "model": "gte", "dimensions": 768}}}
    shared = {"services": {"query": {"enabled": False}, "commit-ingest": {"enabled": False}}}
    made = least(**shadow, **shared)
    triggers = [t["metadata"] for t in of_kind(made, "ScaledObject")["embedder"]["spec"]["triggers"]]
    assert {(t["consumerGroup"], t["topic"]) for t in triggers} == {
        ("embedder-2", "chunk-changed-2"),
        ("embedder-bulk-2", "chunk-changed-bulk-2"),
    }
    environ = {e["name"]: e.get("value") for e in pods(made)["topics"]["containers"][0]["env"]}
    assert environ["HEADWATER_PIPELINE_INDEX"] == "2"
    assert not {"query", "commit-ingest"} & of_kind(made, "Deployment", "StatefulSet").keys()


def test_scaling_without_keda() -> None:
    made = least(autoscaler="hpa")
    assert not of_kind(made, "ScaledObject")
    assert "embedder" in of_kind(made, "HorizontalPodAutoscaler")
    assert "reconciler" not in of_kind(made, "HorizontalPodAutoscaler")
    assert of_kind(least(autoscaler="none"), "StatefulSet")["embedder"]["spec"]["replicas"] == 1


def test_a_service_reaches_only_what_it_uses() -> None:
    policies = of_kind(least(), "NetworkPolicy")
    ports = {
        name: {p["port"] for rule in policy["spec"].get("egress", ()) for p in rule["ports"]}
        for name, policy in policies.items()
    }
    assert policies["default-deny"]["spec"]["policyTypes"] == ["Ingress", "Egress"]
    assert ports["default-deny"] == set()
    assert ports["embedder"] == {53, 9092, 9093, 5432, 8001}
    pointers = of_kind(least(pointersOnly={"enabled": True, "existingSecret": "words"}), "NetworkPolicy")
    assert {443, 22} <= {p["port"] for rule in pointers["embedder"]["spec"]["egress"] for p in rule["ports"]}
    assert ports["ast-chunker"] == {53, 9092, 9093, 443, 22}


def test_addresses_credentials_and_certificates_are_yours() -> None:
    made = render(example("large"))
    query, embedder = environment(pods(made)["query"]), environment(pods(made)["embedder"])
    assert query["HEADWATER_CATALOG_URL"] == "postgresql://headwater@postgresql.data.svc:5432/headwater"
    assert query["PGSSLMODE"] == "verify-full"
    assert query["HEADWATER_MILVUS_TOKEN"] == "", "from a secret"
    assert embedder["HEADWATER_EMBEDDER_KAFKA_PROPERTIES"] == "/etc/headwater/kafka/kafka.properties"
    assert embedder["HEADWATER_TRITON_TLS"] == "true"
    assert of_kind(made, "TriggerAuthentication").keys() == {"kafka"}


def test_the_canary_and_the_test_ask_as_who_they_are_told_to_be() -> None:
    nobody = {"anonymous": False, "tls": {"existingSecret": "tls"}}
    settings = {"access": {"oidc_issuer": "https://id", "oidc_audience": "headwater"}}
    silent = pods(least(access=nobody, settings=settings))
    assert "HEADWATER_RECONCILER_QUERY" not in environment(silent["reconciler"])
    asking = pods(least(access={**nobody, "caSecret": "ca"}, settings=settings, canary={"existingSecret": "canary"}))
    for name in ("reconciler", "test-search"):
        given = environment(asking[name])
        assert given["HEADWATER_CALLER_TLS"] == "true"
        assert given["HEADWATER_CALLER_CA"] == "/etc/headwater/ca/ca.crt"
        assert given["HEADWATER_CALLER_TOKEN_FILE"] == "/etc/headwater/caller/token"
        mounted = {m["name"]: m["mountPath"] for m in asking[name]["containers"][0]["volumeMounts"]}
        assert mounted["caller"] == "/etc/headwater/caller"
    shown = {"tls": {"existingSecret": "tls", "clientCa": True}, "anonymous": False}
    made = pods(least(access=shown, canary={"existingSecret": "canary", "identity": "certificate"}))
    assert environment(made["reconciler"])["HEADWATER_CALLER_CERTIFICATE"] == "/etc/headwater/caller/tls.crt"


def test_the_audit_log_has_a_volume_and_a_file_for_each_pod() -> None:
    assert "HEADWATER_ACCESS_AUDIT_LOG" not in environment(pods(least())["query"])
    for claim, volume in (
        ("", {"emptyDir": {"sizeLimit": "2Gi"}}),
        ("audit", {"persistentVolumeClaim": {"claimName": "audit"}}),
    ):
        query = pods(least(access={"audit": {"enabled": True, "existingClaim": claim}}))["query"]
        assert environment(query)["HEADWATER_ACCESS_AUDIT_LOG"] == "/var/log/headwater/$(POD_NAME).jsonl"
        assert {"name": "audit", **volume} in query["volumes"]
        assert {"name": "audit", "mountPath": "/var/log/headwater"} in query["containers"][0]["volumeMounts"]


def test_pointers_only_is_the_same_for_every_service() -> None:
    made = least(pointersOnly={"enabled": True, "existingSecret": "words"})
    for service in SERVICES:
        given = environment(pods(made)[service])
        assert given["HEADWATER_INDEXING_POINTERS_ONLY"] == "true"
        assert given["HEADWATER_INDEXING_TERM_KEY"] == "", "from a secret"
    assert "mirrors" not in {v["name"] for v in pods(least())["embedder"]["volumes"]}, "it reads no text of its own"


def test_alerts_name_a_page_even_where_none_is_published() -> None:
    on = {"prometheusRule": {"enabled": True}}
    for url, begin in (
        ("", "docs/runbooks/"),
        ("https://wiki.example.com/runbooks", "https://wiki.example.com/runbooks/"),
    ):
        rules = of_kind(least(monitoring=merged(on, {"prometheusRule": {"runbookUrl": url}})), "PrometheusRule")
        (rule,) = rules.values()
        named = [r["annotations"]["runbook_url"] for g in rule["spec"]["groups"] for r in g["rules"] if "alert" in r]
        assert all(name.startswith(begin) and name.endswith(".md") for name in named)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"kafka": {"brokers": ""}}, "kafka.brokers"),
    ({"kafka": {"sasl": "plaintext"}}, "kafka.existingSecret"),
    ({"access": {"anonymous": False}}, "nothing says who may ask"),
    ({"settings": {"access": {"oidc_issuer": "https://id"}}}, "oidc_audience"),
    ({"services": {"merkle-differ": {"autoscaling": {"maxReplicas": 4}}}}, "3 partitions"),
    ({"services": {"embedder": {"autoscaling": {"minReplicas": 7}}}}, "minReplicas is above"),
    ({"services": {"query": {"secretSettings": {"page_secret": None}}}}, "page_secret"),
    ({"canary": {"identity": "certificate"}}, "access.tls.existingSecret"),
    ({"access": {"tls": {"existingSecret": "t", "clientCa": True}}, "canary": {"existingSecret": "c"}}, "certificate"),
    ({"pointersOnly": {"enabled": True}}, "pointersOnly.existingSecret"),
    ({"externalSecrets": {"enabled": True}}, "store.name"),
    ({"services": {"reconciler": {"replicas": 2}}}, "replicas"),
    ({"services": {"embedder": {"terminationGracePeriodSeconds": 60}}}, "terminationGracePeriodSeconds"),
    ({"services": {"embedder": {"settings": {"batchsize": 4}}}}, "batchsize"),
    ({"nonsense": 1}, "nonsense"),
]


@pytest.mark.parametrize(("values", "said"), WRONG, ids=[said for _values, said in WRONG])
def test_values_that_are_wrong_are_refused(values: dict[str, Any], said: str) -> None:
    with pytest.raises(HelmError, match=said):
        render(merged(LEAST, values))


def test_more_partitions_allow_more_replicas() -> None:
    topics = {"partitions": {"commit-received": 12}}
    made = least(topics=topics, services={"merkle-differ": {"autoscaling": {"maxReplicas": 12}}})
    assert of_kind(made, "ScaledObject")["merkle-differ"]["spec"]["maxReplicaCount"] == 12
    assert environment(pods(made)["topics"])["HEADWATER_TOPICS_PARTITIONS"] == "commit-received=12"
