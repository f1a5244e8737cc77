"""Switches tracing on for a process whose settings name an endpoint."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated

import msgspec

from headwater.settings import SettingsError, load_settings
from headwater.tracing.spans import install

Meta = msgspec.Meta


class TracingSettings(msgspec.Struct, frozen=True, kw_only=True):
    """HEADWATER_TRACING_…"""

    endpoint: Annotated[str, Meta(description="OTLP/HTTP collector, http://host:4318; empty: tracing is off")] = ""
    sample: Annotated[float, Meta(description="share of new traces that are kept", ge=0, le=1)] = 1.0


@contextmanager
def tracing(service: str, environ: Mapping[str, str]) -> Iterator[None]:
    """While the process runs. Raises SettingsError, also when tracing is asked for and not installed."""
    settings = load_settings(TracingSettings, "tracing", environ)
    if not settings.endpoint:
        yield
        return
    try:
        from headwater.tracing.otel import OtelTracer
    except ImportError as error:
        message = "HEADWATER_TRACING_ENDPOINT needs the extra 'tracing': install headwater[tracing]"
        raise SettingsError(message) from error
    tracer = OtelTracer(service, settings.endpoint, settings.sample)
    install(tracer)
    try:
        yield
    finally:
        install(None)
        tracer.close()
