"""Tracing with OpenTelemetry: one trace from push to published, one per query; off by default, and then free."""
