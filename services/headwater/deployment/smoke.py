"""`python -m headwater.deployment.smoke`: ask the query service one real question, as `helm test` does."""

import logging
import os
import sys
from collections.abc import Mapping
from typing import Annotated

import msgspec

from headwater.deployment.parts.caller import CallerSettings, connect
from headwater.domain.asking import Asker
from headwater.domain.query_error import QueryError
from headwater.domain.question import FreshnessQuestion, SearchQuestion
from headwater.runtime.redact import mask_logs
from headwater.settings import SettingsError, load_settings

Meta = msgspec.Meta
log = logging.getLogger("headwater")


class SmokeSettings(msgspec.Struct, frozen=True, kw_only=True):
    """HEADWATER_SMOKE_…; who asks is HEADWATER_CALLER_…"""

    address: Annotated[str, Meta(description="host:port of the query service", min_length=1)]
    question: Annotated[str, Meta(description="what to ask", min_length=1)] = "main"
    results: Annotated[bool, Meta(description="fail when a published view gives no result")] = False
    seconds: Annotated[float, Meta(description="longest time for the answer", gt=0)] = 20.0


class SmokeError(Exception):
    """The service answers, but not as it should."""


def ask(asker: Asker, settings: SmokeSettings) -> str:
    """What was answered, in a line. Raises QueryError, SmokeError."""
    views = asker.views(FreshnessQuestion(timeout_s=settings.seconds)).views
    published = [view for view in views if view.commit]
    if not published:
        if settings.results:
            raise SmokeError("no view is published yet")
        return f"answers; none of {len(views)} views is published yet"
    first = published[0]
    question = SearchQuestion(
        query=settings.question, repos=(first.repo,), refs=(first.ref,), timeout_s=settings.seconds
    )
    answer = asker.search(question)
    if not answer.as_of:
        raise SmokeError("the answer names no commit")
    if settings.results and not answer.results:
        raise SmokeError(f"nothing is found for '{settings.question}'")
    degraded = f", degraded: {', '.join(answer.degraded)}" if answer.degraded else ""
    return f"{len(answer.results)} results as of {answer.as_of[0].commit[:10]}{degraded}"


def run(environ: Mapping[str, str]) -> int:
    """Gives the exit status. Raises SettingsError, OSError."""
    settings = load_settings(SmokeSettings, "smoke", environ)
    with connect(settings.address, load_settings(CallerSettings, "caller", environ)) as asker:
        try:
            log.info("%s: %s", settings.address, ask(asker, settings))
        except (QueryError, SmokeError) as error:
            log.error("%s: %s", settings.address, error)
            return 1
    return 0


def main() -> int:
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(message)s")
    mask_logs()
    try:
        return run(os.environ)
    except (SettingsError, OSError) as error:
        log.error("%s", error)
        return 1


if __name__ == "__main__":
    sys.exit(main())
