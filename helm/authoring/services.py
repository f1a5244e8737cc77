"""What the chart has to know of each service, read from the topology, the settings and the topics' files."""

from importlib import import_module
from types import ModuleType
from typing import Any

import msgspec

from headwater.deployment.services import SERVICES
from headwater.events import Lane
from headwater.streaming.topic_settings import topic_settings
from headwater.topology import STAGES, TOPICS, StageSpec

HEALTH_PORT = 9090
LISTENERS = {"commit-ingest": {"name": "http", "port": 8080}, "query": {"name": "grpc", "port": 7070}}
SINGLE = ("reconciler",)  # it alone hears every heartbeat and compares every view
POINTERS_ONLY = {"embedder": ["git"]}  # what a service needs in pointers-only mode alone
ONE_GROUP = ("ast-chunker",)  # Faust reads both lanes in one group
_STAGES = {stage.name: stage for stage in STAGES}


class Subscription(msgspec.Struct, frozen=True):
    """One topic as a consumer group reads it."""

    topic: str
    group: str
    partitions: int


def module_of(service: str) -> ModuleType:
    return import_module(f"headwater.deployment.{service.replace('-', '_')}")


def settings_of(service: str) -> dict[str, type[msgspec.Struct]]:
    """Settings classes by the word of their prefix; the service's own goes by its name."""
    declared: dict[str, type[msgspec.Struct]] = module_of(service).SETTINGS
    return declared


def parts_of(service: str) -> list[str]:
    """The groups of shared settings that the service reads."""
    return sorted(name for name in settings_of(service) if name != service)


def subscriptions(service: str) -> list[Subscription]:
    """Every topic that the service consumes, both lanes."""
    stage = _STAGES.get(service)
    if stage is None:
        return []
    partitions = {topic.name: topic.partitions for topic in topic_settings()}
    read = [
        (TOPICS[name].lane(lane), lane)
        for name in stage.consumes
        for lane in Lane
        if lane is Lane.LIVE or TOPICS[name].bulk
    ]
    return [Subscription(topic, _group(stage, lane), partitions[topic]) for topic, lane in read]


def facts() -> dict[str, Any]:
    """By service, what templates range over."""
    return {service: _facts(service) for service in SERVICES}


def _group(stage: StageSpec, lane: Lane) -> str:
    return stage.name if lane is Lane.LIVE or stage.name in ONE_GROUP else f"{stage.name}-bulk"


def _facts(service: str) -> dict[str, Any]:
    fields = {field.name for field in msgspec.structs.fields(settings_of(service)[service])}
    read = subscriptions(service)
    return {
        "kind": "StatefulSet" if "instance" in fields else "Deployment",
        "parts": parts_of(service),
        "pointersOnly": POINTERS_ONLY.get(service, []),
        "stableName": "instance" in fields,
        "dataFolder": "data" in fields and service in ONE_GROUP,
        "single": service in SINGLE,
        "listener": LISTENERS.get(service, {}),
        "consumes": [msgspec.to_builtins(s) for s in read],
        "mostReplicas": max((s.partitions for s in read), default=0),
    }
