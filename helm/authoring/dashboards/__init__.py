"""The dashboards of the chart, one module each."""

import json
from typing import Any

from grafana_foundation_sdk.cog.encoder import JSONEncoder

from authoring.dashboards.freshness import freshness
from authoring.dashboards.index import index
from authoring.dashboards.pipeline import pipeline
from authoring.dashboards.query import query
from authoring.dashboards.rollout import rollout

NOT_SHOWN: dict[str, str] = {}  # declared metrics that no dashboard shows, each with the reason


def dashboards() -> dict[str, Any]:
    """By file name, as Grafana's JSON. Panels are numbered, for Grafana's links go by number."""
    made = {"freshness": freshness, "pipeline": pipeline, "query": query, "index": index, "rollout": rollout}
    return {name: _numbered(board()) for name, board in made.items()}


def _numbered(board: Any) -> Any:
    content = json.loads(JSONEncoder(sort_keys=True).encode(board.build()))
    for number, panel in enumerate(content["panels"], 1):
        panel["id"] = number
    return content
