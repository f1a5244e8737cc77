"""The embedding model on Triton."""

import logging
from collections.abc import Mapping

from headwater.clients.embedding_model import ModelUnavailableError
from headwater.clients.triton_model import TritonModel, TritonSettings
from headwater.domain.version import PipelineVersion
from headwater.settings import SettingsError, load_settings

log = logging.getLogger("headwater")


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
