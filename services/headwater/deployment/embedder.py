"""embedder as a process."""

from collections.abc import Mapping
from contextlib import closing

from headwater.clients.triton_model import TritonSettings
from headwater.deployment.parts.catalog import CatalogSettings
from headwater.deployment.parts.editions import open_catalog
from headwater.deployment.parts.git import GitSettings, git_settings, git_source, in_catalog
from headwater.deployment.parts.model import open_model
from headwater.deployment.parts.pipeline import PipelineSettings, pipeline_index, pipeline_version
from headwater.deployment.parts.treatment import deployed_treatment
from headwater.domain.treatment import Treatment
from headwater.embedder.stage import Embedder
from headwater.settings import load_settings
from headwater.streaming.service_runner import StageSettings, run_stage

SETTINGS = {
    "embedder": StageSettings,
    "catalog": CatalogSettings,
    "triton": TritonSettings,
    "git": GitSettings,
    "pipeline": PipelineSettings,
    "indexing": Treatment,
}


def run(environ: Mapping[str, str]) -> int:
    """Until SIGTERM; gives the exit status. Raises SettingsError, CatalogUnavailableError, VersionMismatchError."""
    settings = load_settings(StageSettings, "embedder", environ)
    version = pipeline_version(environ)
    with closing(open_model(environ, version)) as model, closing(open_catalog(environ, version)) as catalog:
        kept = not deployed_treatment(environ).pointers_only
        git = git_source(git_settings(environ), in_catalog(catalog), max_age_s=float("inf"), blobs=kept)
        return run_stage(Embedder(catalog, model, git), settings, pipeline_index(environ))
