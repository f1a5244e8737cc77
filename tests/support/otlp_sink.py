"""An OTLP/HTTP collector on loopback that keeps the spans it is sent."""

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


class OtlpSink:
    """`spans` holds protobuf spans, `services` who sent each, by its id; a context manager that starts and stops it."""

    def __init__(self) -> None:
        self.spans: list[Any] = []
        self.services: dict[bytes, str] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self._take))
        self.endpoint = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "OtlpSink":
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _take(self, request: ExportTraceServiceRequest) -> None:
        for sent in request.resource_spans:
            service = next(a.value.string_value for a in sent.resource.attributes if a.key == "service.name")
            spans = [span for scope in sent.scope_spans for span in scope.spans]
            self.services |= {span.span_id: service for span in spans}
            self.spans.extend(spans)


def _handler(take: Callable[[ExportTraceServiceRequest], None]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            take(ExportTraceServiceRequest.FromString(body))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_args: object) -> None: ...

    return Handler
