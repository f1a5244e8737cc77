"""embedder as a process."""

from collections.abc import Mapping
from contextlib import closing

from headwater.clients.triton_model import TritonSettings
from headwater.deployment.parts.catalog import CatalogSettings
from headwater.deployment.parts.editions import open_catalog
from headwater.deployment.parts.model import open_model
from headwater.deployment.parts.pipeline import PipelineSettings, pipeline_index, pipeline_version
from headwater.embedder.stage import Embedder
from headwater.settings import load_settings
from headwater.streaming.service_runner import StageSettings, run_stage

SETTINGS = {
    "embedder": StageSettings,
    "catalog": CatalogSettings,
    "triton": TritonSettings,
    "pipeline": PipelineSettings,
}


def run(environ: Mapping[str, str]) -> int:
    """Until SIGTERM; gives the exit status. Raises SettingsError, CatalogUnavailableError, VersionMismatchError."""
    settings = load_settings(StageSettings, "embedder", environ)
    version = pipeline_version(environ)
    with closing(open_model(environ, version)) as model, closing(open_catalog(environ, version)) as catalog:
        return run_stage(Embedder(catalog, model), settings, pipeline_index(environ))
