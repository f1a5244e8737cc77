"""merkle-differ as a process."""

from collections.abc import Mapping
from contextlib import closing

from headwater.deployment.parts.catalog import CatalogSettings
from headwater.deployment.parts.editions import open_catalog
from headwater.deployment.parts.git import GitSettings, git_settings, git_source, in_catalog
from headwater.deployment.parts.pipeline import PipelineSettings, pipeline_index, pipeline_version
from headwater.deployment.parts.treatment import deployed_treatment
from headwater.domain.treatment import Treatment
from headwater.merkle_differ.stage import MerkleDiffer
from headwater.settings import load_settings
from headwater.streaming.service_runner import StageSettings, run_stage

SETTINGS = {
    "merkle-differ": StageSettings,
    "catalog": CatalogSettings,
    "git": GitSettings,
    "pipeline": PipelineSettings,
    "indexing": Treatment,
}


def run(environ: Mapping[str, str]) -> int:
    """Until SIGTERM; gives the exit status. Raises SettingsError, CatalogUnavailableError, VersionMismatchError."""
    settings = load_settings(StageSettings, "merkle-differ", environ)
    own_git = git_settings(environ)
    with closing(open_catalog(environ, pipeline_version(environ))) as catalog:
        # every event says that a ref moved, so a mirror is brought up to date for each
        treatment = deployed_treatment(environ)
        git = git_source(own_git, in_catalog(catalog), max_age_s=0.0, blobs=not treatment.pointers_only)
        differ = MerkleDiffer(catalog, git, treatment=treatment, repaired=True)
        return run_stage(differ, settings, pipeline_index(environ))
