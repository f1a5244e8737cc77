"""The services by name: `headwater service NAME` runs one, `--settings` prints what it is configured by."""

import logging
import sys
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType

from headwater.deployment.parts.treatment import deployed_treatment, without_dumps
from headwater.runtime.redact import mask_logs
from headwater.settings import Setting, describe_settings
from headwater.topology import SERVICES
from headwater.tracing.start import TracingSettings, tracing

__all__ = ["SERVICES", "run_service", "service_settings"]


def service_settings(name: str) -> list[Setting]:
    """Every variable that the service reads."""
    declared: dict[str, type] = _module(name).SETTINGS
    every = {**declared, "tracing": TracingSettings}
    return [row for part, struct in every.items() for row in describe_settings(struct, part)]


def run_service(name: str, environ: Mapping[str, str]) -> int:
    """Until SIGTERM; gives the exit status. Raises SettingsError and what ends the service's process."""
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(levelname)s %(message)s")
    mask_logs()
    without_dumps(deployed_treatment(environ))
    with tracing(name, environ):
        status: int = _module(name).run(environ)
    return status


def _module(name: str) -> ModuleType:
    return import_module(f"headwater.deployment.{name.replace('-', '_')}")
