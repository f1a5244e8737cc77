"""Puts structural search together from its settings: the graph cache, the exact engine and the language model."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec

from headwater.runtime.installed import stack_dir
from headwater.settings import SettingsError, absolute_path, load_settings
from headwater.structural.answering import StructuralAnswering
from headwater.structural.flowgraph.cache import FolderGraphCache, MemoryGraphCache
from headwater.structural.semgrep.program import SemgrepProgram, find_program
from headwater.structural.translate.chat import Chat, HttpChat, RecordingChat, ReplayChat
from headwater.structural.translate.model import ChatModel
from headwater.structural.translate.retrieve import shipped_pairs


class StructuralSettings(msgspec.Struct, frozen=True, kw_only=True):
    """HEADWATER_STRUCTURAL_*."""

    model_url: Annotated[
        str, msgspec.Meta(description="base address of an OpenAI-compatible endpoint; empty: no language model")
    ] = ""
    model: Annotated[str, msgspec.Meta(description="the model's name at that endpoint")] = "default"
    model_key: Annotated[str, msgspec.Meta(description="bearer key for that endpoint")] = ""
    record: Annotated[str, msgspec.Meta(description="file that keeps the conversations with the model")] = ""
    replay: Annotated[str, msgspec.Meta(description="file of recorded conversations to answer from")] = ""
    semgrep: Annotated[
        str, msgspec.Meta(description="environment that semgrep is installed in; empty: that of the installation")
    ] = ""
    graphs: Annotated[str, msgspec.Meta(description="folder that keeps flow graphs by blob; empty: the default")] = ""
    ahead: Annotated[bool, msgspec.Meta(description="build flow graphs before a question asks for them")] = True


MEMORY = Path("/dev/shm")


def structural_answering(
    environ: Mapping[str, str], graphs: Path | None = None, pointers_only: bool = False
) -> StructuralAnswering:
    """Graphs are kept in the folder of the settings, else in `graphs`, else in memory; with `pointers_only` not at all,
    and the exact engine gets its files in memory or is not there.

    Raises SettingsError, OSError for an unreadable recording.
    """
    settings = load_settings(StructuralSettings, "structural", environ)
    chat = chat_of(settings)
    folder = absolute_path(settings.graphs, "HEADWATER_STRUCTURAL_GRAPHS") if settings.graphs else graphs
    return StructuralAnswering(
        FolderGraphCache(folder) if folder is not None and not pointers_only else MemoryGraphCache(),
        tuple(shipped_pairs()),
        model=ChatModel(chat) if chat is not None else None,
        semgrep=_exact(settings, environ, pointers_only),
        ahead=settings.ahead,
        kept=not pointers_only,
    )


def _exact(settings: StructuralSettings, environ: Mapping[str, str], pointers_only: bool) -> SemgrepProgram | None:
    named = settings.semgrep
    environment = absolute_path(named, "HEADWATER_STRUCTURAL_SEMGREP") if named else stack_dir(environ) / "semgrep"
    program = find_program(environment)
    if program is None or (pointers_only and not MEMORY.is_dir()):
        return None
    return SemgrepProgram(program, MEMORY if pointers_only else None)


def chat_of(settings: StructuralSettings) -> Chat | None:
    """The recording, the endpoint, or the endpoint recorded; None without a model. Raises OSError, SettingsError."""
    if settings.replay:
        return ReplayChat(Path(settings.replay))
    if not settings.model_url:
        return None
    try:
        chat = HttpChat(settings.model_url, settings.model, settings.model_key)
    except ValueError as error:
        raise SettingsError(f"HEADWATER_STRUCTURAL_MODEL_URL: {error}") from error
    return RecordingChat(chat, Path(settings.record)) if settings.record else chat
