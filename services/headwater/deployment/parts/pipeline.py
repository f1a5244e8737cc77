"""What documents and vectors are made with: the same for every service of an installation."""

from collections.abc import Mapping
from typing import Annotated

import msgspec

from headwater.clients.static_model import WEIGHTS, Card
from headwater.domain.version import PipelineVersion
from headwater.settings import load_settings

Meta = msgspec.Meta


class PipelineSettings(msgspec.Struct, frozen=True, kw_only=True):
    """HEADWATER_PIPELINE_…; a service that is configured for another version than the stores refuses to start."""

    model: Annotated[str, Meta(description="id of the embedding model; empty: the CPU model of this release")] = ""
    dimensions: Annotated[int, Meta(description="dimensions of its vectors; 0: the CPU model's", ge=0)] = 0
    index: Annotated[
        int, Meta(description="number of the index that this service works for, see 'headwater rollout status'", ge=1)
    ] = 1


def pipeline_version(environ: Mapping[str, str]) -> PipelineVersion:
    """Raises SettingsError."""
    settings = load_settings(PipelineSettings, "pipeline", environ)
    card = msgspec.json.decode((WEIGHTS / "card.json").read_bytes(), type=Card)
    return PipelineVersion(settings.model or card.model, settings.dimensions or card.dimensions)


def pipeline_index(environ: Mapping[str, str]) -> int:
    """The edition's number. Raises SettingsError."""
    return load_settings(PipelineSettings, "pipeline", environ).index
