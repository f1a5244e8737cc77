"""vector-sink as a process."""

from collections.abc import Mapping
from contextlib import closing

from headwater.deployment.parts.catalog import CatalogSettings
from headwater.deployment.parts.editions import open_catalog
from headwater.deployment.parts.pipeline import PipelineSettings, pipeline_index, pipeline_version
from headwater.deployment.parts.vectors import open_vectors
from headwater.domain.treatment import Treatment
from headwater.settings import load_settings
from headwater.stores.milvus_settings import MilvusSettings
from headwater.streaming.service_runner import StageSettings, run_stage
from headwater.vector_sink.stage import VectorSink

SETTINGS = {
    "vector-sink": StageSettings,
    "catalog": CatalogSettings,
    "milvus": MilvusSettings,
    "pipeline": PipelineSettings,
    "indexing": Treatment,
}


def run(environ: Mapping[str, str]) -> int:
    """Until SIGTERM; gives the exit status. Raises SettingsError, CatalogUnavailableError, VersionMismatchError."""
    settings = load_settings(StageSettings, "vector-sink", environ)
    version = pipeline_version(environ)
    vectors = open_vectors(environ, version)
    with closing(open_catalog(environ, version)) as catalog:
        return run_stage(VectorSink(catalog, vectors, version), settings, pipeline_index(environ))
