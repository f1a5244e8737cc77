"""The embedding model on Triton."""

import logging
from collections.abc import Mapping

import msgspec

from headwater.clients.embedding_model import ModelUnavailableError
from headwater.clients.triton_model import TritonModel, TritonSettings
from headwater.domain.edition import Edition
from headwater.domain.version import PipelineVersion
from headwater.settings import SettingsError, load_settings

log = logging.getLogger("headwater")


SOURCE = ("chunk_model", "query_model")  # in an edition's source: what the server calls its models


def open_model(environ: Mapping[str, str], version: PipelineVersion) -> TritonModel:
    """A server that is away is no reason not to start; one that serves another model is. Raises SettingsError."""
    model = TritonModel(load_settings(TritonSettings, "triton", environ), version)
    try:
        model.check()
    except ModelUnavailableError as error:
        log.warning("starting without the model: %s", error)
    except ValueError as error:
        raise SettingsError(f"HEADWATER_PIPELINE_DIMENSIONS: {error}") from error
    return model


def model_of(environ: Mapping[str, str], edition: Edition) -> TritonModel:
    """Any edition's, under the names that its rollout was started with. Raises SettingsError."""
    settings = load_settings(TritonSettings, "triton", environ)
    names = {name: edition.source[name] for name in SOURCE if name in edition.source}
    return TritonModel(msgspec.structs.replace(settings, **names), edition.version)
