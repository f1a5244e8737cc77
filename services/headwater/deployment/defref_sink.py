"""defref-sink as a process."""

from collections.abc import Mapping
from contextlib import closing

from headwater.defref_sink.stage import DefRefSink
from headwater.deployment.parts.catalog import CatalogSettings
from headwater.deployment.parts.editions import open_catalog
from headwater.deployment.parts.pipeline import PipelineSettings, pipeline_index, pipeline_version
from headwater.domain.treatment import Treatment
from headwater.settings import load_settings
from headwater.streaming.service_runner import StageSettings, run_stage

SETTINGS = {
    "defref-sink": StageSettings,
    "catalog": CatalogSettings,
    "pipeline": PipelineSettings,
    "indexing": Treatment,
}


def run(environ: Mapping[str, str]) -> int:
    """Until SIGTERM; gives the exit status. Raises SettingsError, CatalogUnavailableError, VersionMismatchError."""
    settings = load_settings(StageSettings, "defref-sink", environ)
    with closing(open_catalog(environ, pipeline_version(environ))) as catalog:
        return run_stage(DefRefSink(catalog), settings, pipeline_index(environ))
