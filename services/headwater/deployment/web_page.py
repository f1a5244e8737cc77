"""The web page under the access control and the audit log of the gRPC service."""

from headwater.domain.asking import Asker
from headwater.query.identity.audit import AuditLog, AuditRecord, now, touched
from headwater.query.identity.compose import AccessControl
from headwater.web.caller import Asked, Observe, unobserved
from headwater.web.server import WebServer


def web_page(asker: Asker, address: str, control: AccessControl) -> WebServer:
    """Raises OSError for an address that is taken, or open to others where nothing says who may ask."""
    observe = _audited(control.audit) if control.audit else unobserved
    return WebServer(asker, address, control.authorise, observe, control.web_hosts)


def _audited(log: AuditLog) -> Observe:
    def observe(asked: Asked) -> None:
        as_of, results = touched(asked.answer)
        reason = asked.error.reason if asked.error is not None else ""
        given = asked.parameters
        record = AuditRecord(
            at=now(),
            method=f"web {asked.name}",
            principal=asked.grants.principal,
            peer=asked.peer,
            code="OK" if asked.error is None else type(asked.error).__name__,
            reason=reason,
            seconds=round(asked.seconds, 4),
            as_of=as_of,
            results=results,
            query=(given.get("q") or given.get("symbol") or given.get("path") or "")[:1000],
        )
        log.record(record)

    return observe
