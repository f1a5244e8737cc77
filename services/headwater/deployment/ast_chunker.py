"""ast-chunker as a process: on Faust unless its settings say otherwise."""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from headwater.ast_chunker.parse_pool import ParsePool
from headwater.ast_chunker.stage import AstChunker
from headwater.deployment.parts.git import GitSettings, git_settings, git_source
from headwater.deployment.parts.pipeline import PipelineSettings, pipeline_index, pipeline_version
from headwater.deployment.parts.treatment import deployed_treatment
from headwater.domain.treatment import Treatment
from headwater.settings import load_settings
from headwater.streaming.service_runner import StageSettings, run_stage

Meta = msgspec.Meta


class ChunkerSettings(StageSettings, frozen=True, kw_only=True):
    """It has no catalog: repositories that it must read itself are named in HEADWATER_GIT_REPOSITORIES.

    Those are the ones with large files; in pointers-only mode all of them.
    """

    runner: Annotated[Literal["kafka", "faust"], Meta(description="faust, or the plain loop")] = "faust"
    parsers: Annotated[int, Meta(description="parser processes; 0: one a core", ge=0)] = 0


SETTINGS = {"ast-chunker": ChunkerSettings, "git": GitSettings, "pipeline": PipelineSettings, "indexing": Treatment}


def run(environ: Mapping[str, str]) -> int:
    """Until SIGTERM; gives the exit status. Raises SettingsError."""
    settings = load_settings(ChunkerSettings, "ast-chunker", environ)
    version, own_git = pipeline_version(environ), git_settings(environ)
    treatment = deployed_treatment(environ)
    blobs = git_source(own_git, own_git.locations().get, max_age_s=float("inf"), blobs=not treatment.pointers_only)
    with ParsePool(version, settings.parsers, rules=treatment.content) as pool:
        return run_stage(AstChunker(version, blobs, pool, treatment), settings, pipeline_index(environ))
