"""values.schema.json: closed objects, whose settings are those of the program's settings classes."""

from typing import Any, get_args, get_origin, get_type_hints

import msgspec

from authoring.services import SINGLE, parts_of, settings_of
from headwater.deployment.services import SERVICES
from headwater.streaming.topic_settings import topic_settings
from headwater.tracing.start import TracingSettings

Schema = dict[str, Any]

NAME = r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$"
ADDRESSES = r"^([^\s,:]+:[0-9]+(,[^\s,:]+:[0-9]+)*)?$"
SIZE = "^[0-9.]+[KMGT]i$"
LONGEST_BATCH_S = 120  # a stage finishes the batch under way within this, see REVOKE_WAIT_S of the runner

# The chart sets these itself, from its own values.
OWN = frozenset(
    {
        *("brokers", "kafka_properties", "instance", "health_host", "health_port", "data"),
        *("address", "host", "port", "url", "tls", "ca", "token", "query"),
        *("mirrors", "repositories", "repositories_file"),
        *("anonymous", "policy", "tls_certificate", "tls_key", "client_ca", "audit_log"),
        *("token_file", "certificate", "key"),
        *("pointers_only", "term_key"),
    }
)


def text(description: str, **more: Any) -> Schema:
    return {"type": "string", "description": description, **more}


def flag(description: str) -> Schema:
    return {"type": "boolean", "description": description}


def whole(description: str, minimum: int = 0, **more: Any) -> Schema:
    return {"type": "integer", "minimum": minimum, "description": description, **more}


def closed(properties: dict[str, Schema], description: str = "", **more: Any) -> Schema:
    """An object that knows every key."""
    made: Schema = {"type": "object", "additionalProperties": False, "properties": properties, **more}
    return {**made, "description": description} if description else made


def free(description: str, values: Schema | None = None) -> Schema:
    return {"type": "object", "additionalProperties": values or True, "description": description}


def many(items: Schema, description: str) -> Schema:
    return {"type": "array", "items": items, "description": description}


OPEN_LIST = {"type": "array", "items": {"type": "object"}}
SECRET = text("name of a Secret that exists in the namespace", pattern=r"^[-a-z0-9.]*$")
KEY = text("key in that Secret", pattern=r"^[-._a-zA-Z0-9]+$")


def settings_schema(declared: type[msgspec.Struct]) -> Schema:
    """One property a field that the chart doesn't set itself and that is no secret."""
    hints = get_type_hints(declared, include_extras=True)
    names = [field.name for field in msgspec.structs.fields(declared)]
    return closed({name: _field(hints[name]) for name in names if name not in OWN and not is_secret(name)})


def is_secret(field: str) -> bool:
    return field.endswith(("_secret", "_token"))


def _field(hint: Any) -> Schema:
    made = msgspec.json.schema(hint)
    plain = get_args(hint)[0] if get_origin(hint) is not None and hasattr(hint, "__metadata__") else hint
    if get_origin(plain) is tuple:
        return {"type": "array", "items": {"type": "string"}, "description": made.get("description", "")}
    return {name: value for name, value in made.items() if name != "title"}


def _secret(keys: dict[str, Schema], description: str) -> Schema:
    return closed({"existingSecret": SECRET, **keys}, description)


def _backends() -> dict[str, Schema]:
    return {
        "kafka": _secret(
            {
                "brokers": text("bootstrap addresses, host:port with commas", pattern=ADDRESSES),
                "tls": flag("for KEDA's scaler: the brokers speak TLS"),
                "sasl": text(
                    "for KEDA's scaler: how it signs in", enum=["none", "plaintext", "scram_sha256", "scram_sha512"]
                ),
            },
            "your Kafka; the Secret's key kafka.properties holds librdkafka properties (TLS, SASL)",
        ),
        "postgresql": _secret(
            {
                "host": text("host or host:port"),
                "database": text("database", minLength=1),
                "user": text("user", minLength=1),
                "passwordKey": KEY,
                "caKey": text("key of the CA certificate; empty: the system's"),
                "sslMode": text("libpq's sslmode", enum=["disable", "prefer", "require", "verify-ca", "verify-full"]),
            },
            "your PostgreSQL 15 or later",
        ),
        "milvus": _secret(
            {
                "address": text("URI, http(s)://host:19530", pattern="^(https?://.+)?$"),
                "tokenKey": text("key of the token; empty: none"),
                "caKey": text("key of the CA certificate; empty: the system's"),
            },
            "your Milvus 2.6 or later",
        ),
        "triton": _secret(
            {
                "address": text("host:port of its gRPC", pattern=ADDRESSES),
                "tls": flag("speak TLS to it"),
                "caKey": text("key of the CA certificate; empty: the system's"),
            },
            "your Triton with the models of models/",
        ),
    }


def _sources() -> dict[str, Schema]:
    return {
        "git": _secret(
            {
                "repositories": free("location (a URL) by name", {"type": "string", "minLength": 1}),
                "config": flag("the Secret has a key gitconfig, git's global configuration (credential helpers)"),
            },
            "what is indexed; the Secret is mounted at /etc/headwater/git",
        ),
        "access": closed(
            {
                "anonymous": flag("answer callers without identity"),
                "policy": text("the policy file, YAML (docs/access.md)"),
                "tls": _secret({"clientCa": flag("callers must show a certificate of the Secret's client-ca.crt")}, ""),
                "caSecret": text(
                    "Secret whose ca.crt is trusted for the issuer, the git host's API, the query service"
                ),
                "audit": closed(
                    {
                        "enabled": flag("keep a file of records a pod"),
                        "existingClaim": text("claim that every replica can write; empty: an emptyDir", pattern=NAME),
                        "size": text("of the emptyDir", pattern=SIZE),
                    },
                    "the audit log",
                ),
            },
            "who may ask; further settings are under settings.access",
        ),
        "canary": _secret(
            {"identity": text("what the Secret holds", enum=["token", "certificate"])},
            "who the reconciler's canary and `helm test` are",
        ),
        "pointersOnly": _secret(
            {"enabled": flag("keep no source text anywhere"), "key": KEY}, "the key that words are hashed with"
        ),
    }


def _settings() -> Schema:
    every: dict[str, type[msgspec.Struct]] = {part: settings_of(s)[part] for s in SERVICES for part in parts_of(s)}
    every["tracing"] = TracingSettings
    given = {part: settings_schema(every[part]) for part in sorted(every)}
    return closed(
        {part: schema for part, schema in given.items() if schema["properties"]},
        "settings that services share, HEADWATER_<PART>_<FIELD>, by field",
    )


def _scaling() -> Schema:
    return closed(
        {
            "enabled": flag("scale by itself"),
            "minReplicas": whole("at least", 1),
            "maxReplicas": whole("at most; never more than partitions", 1),
            "lagThreshold": whole("events of lag for each replica (KEDA)", 1),
            "cpuPercent": whole("processor use to aim at (HPA)", 1, maximum=100),
        },
        "number of replicas",
    )


def _pod() -> dict[str, Schema]:
    return {
        "replicas": whole("without autoscaling"),
        "resources": free("the container's"),
        "autoscaling": _scaling(),
        "terminationGracePeriodSeconds": whole("longer than the longest batch", 15),
        "podAnnotations": free("further annotations", {"type": "string"}),
        "podLabels": free("further labels", {"type": "string"}),
        "nodeSelector": free("of the pods", {"type": "string"}),
        "tolerations": many({"type": "object"}, "of the pods"),
        "affinity": free("of the pods"),
        "priorityClassName": text("of the pods"),
        "extraEnv": many({"type": "object", "required": ["name"]}, "further environment variables"),
        "mirrors": closed(
            {
                "kind": text("emptyDir, or a volume claim for each pod", enum=["emptyDir", "claim"]),
                "size": text("of the mirrors of all repositories", pattern=SIZE),
                "storageClassName": text("of the claim; empty: the default"),
            },
            "where mirrors of git repositories are kept",
        ),
    }


def _service(name: str) -> Schema:
    declared = settings_of(name)[name]
    secrets = [field.name for field in msgspec.structs.fields(declared) if is_secret(field.name)]
    own: dict[str, Schema] = {
        **_pod(),
        "enabled": flag("run it"),
        "settings": settings_schema(declared),
        "secretSettings": closed(
            {field: closed({"secret": SECRET, "key": KEY}, required=["secret", "key"]) for field in secrets},
            "settings taken from a Secret, by field",
        ),
    }
    if name in SINGLE:
        own["replicas"] = {"const": 1, "description": "there is one"}
        own["autoscaling"] = closed({"enabled": {"const": False}})
    elif name != "query" and name != "commit-ingest":
        own["terminationGracePeriodSeconds"] = whole("longer than the longest batch", LONGEST_BATCH_S + 10)
    return closed(own, f"the {name}")


def _egress() -> Schema:
    peers = closed(
        {
            "to": many({"type": "object"}, "peers; empty: any address"),
            "ports": many({"type": "integer", "minimum": 1, "maximum": 65535}, "TCP ports"),
        }
    )
    return closed(
        dict.fromkeys(("dns", "kafka", "postgresql", "milvus", "triton", "git", "identity", "tracing"), peers),
        "where the services connect to, and nowhere else",
    )


def _operations() -> dict[str, Schema]:
    labels = free("labels that your Prometheus or Grafana selects by", {"type": "string"})
    ingress = {name: many({"type": "object"}, "peers; empty: any pod of the cluster") for name in ("query", "webhooks")}
    return {
        "autoscaler": text("keda: by consumer lag; hpa: by processor use; none", enum=["keda", "hpa", "none"]),
        "topics": closed(
            {
                "create": flag("create missing topics before an installation and an upgrade"),
                "replicationFactor": whole("of new topics", 1),
                "partitions": closed(
                    {t.name: whole("partitions", 1) for t in topic_settings()}, "of new topics, where not the default"
                ),
            },
            "Kafka topics",
        ),
        "podDisruptionBudget": closed({"enabled": flag("render them"), "maxUnavailable": whole("at once", 1)}),
        "networkPolicy": closed(
            {
                "enabled": flag("deny what isn't named"),
                "ingress": closed({**ingress, "metrics": many({"type": "object"}, "who may scrape; empty: anyone")}),
                "egress": _egress(),
            }
        ),
        "monitoring": closed(
            {
                "serviceMonitor": closed(
                    {"enabled": flag("render it"), "labels": labels, "interval": text("of scrapes")},
                ),
                "prometheusRule": closed(
                    {
                        "enabled": flag("render it"),
                        "labels": labels,
                        "runbookUrl": text("where docs/runbooks is published", pattern="^(https?://.*[^/])?$"),
                    }
                ),
                "dashboards": closed({"enabled": flag("render ConfigMaps"), "labels": labels}),
            },
            "needs prometheus-operator and Grafana's sidecar",
        ),
        "externalSecrets": closed(
            {
                "enabled": flag("render ExternalSecrets"),
                "store": closed(
                    {
                        "name": text("of the store"),
                        "kind": text("of the store", enum=["SecretStore", "ClusterSecretStore"]),
                    }
                ),
                "refreshInterval": text("how often"),
                "secrets": free("key in the store by name of the Secret", {"type": "string", "minLength": 1}),
            },
            "needs external-secrets",
        ),
        "test": closed(
            {
                "question": text("what `helm test` asks", minLength=1),
                "results": flag("fail when nothing is found"),
            }
        ),
    }


def values_schema() -> Schema:
    image = closed(
        {
            "registry": text("host and folder; empty: the runtime's default"),
            "repository": text("name of the image before /<service>", minLength=1),
            "tag": text("empty: the chart's appVersion"),
            "digests": closed({s: text("sha256:…", pattern="^sha256:[0-9a-f]{64}$") for s in SERVICES}),
            "pullPolicy": text("when to pull", enum=["Always", "IfNotPresent", "Never"]),
            "pullSecrets": many({"type": "string"}, "names of Secrets"),
        },
        "one image a service, all from one recipe",
    )
    names = {n: text("of the resources", pattern=NAME, maxLength=40) for n in ("nameOverride", "fullnameOverride")}
    top = {
        **names,
        "global": {"type": "object"},
        "image": image,
        **_backends(),
        **_sources(),
        "settings": _settings(),
        "defaults": closed(_pod(), "of every service that says nothing else"),
        "services": closed({s: _service(s) for s in SERVICES}, "the services", required=list(SERVICES)),
        **_operations(),
    }
    return {"$schema": "http://json-schema.org/draft-07/schema#", "title": "Headwater", **closed(top)}
