"""Pipeline: what do the stages do, what waits in front of them, what do they set aside?"""

from grafana_foundation_sdk.builders.dashboard import Dashboard

from authoring.dashboards.panels import Row, Series, build, lines, quantile, rate


def pipeline() -> Dashboard:
    flow = Row(
        "Flow",
        (
            lines(
                "Events handled",
                "cps",
                Series(rate("headwater_stage_events_total", "stage, lane"), "{{stage}} {{lane}}"),
            ),
            lines("Messages produced", "cps", Series(rate("headwater_stage_produced_total", "topic"), "{{topic}}")),
            lines(
                "Lag",
                "none",
                Series("sum by (stage, topic) (headwater_stage_lag_events)", "{{stage}} {{topic}}"),
                about="the ast-chunker's runner reports none: see its heartbeat age",
            ),
            lines(
                "Partitions held",
                "none",
                Series("sum by (stage, lane) (headwater_stage_assigned_partitions)", "{{stage}} {{lane}}"),
            ),
        ),
    )
    work = Row(
        "Work",
        (
            lines(
                "Handle a batch, p95",
                "s",
                Series(quantile(0.95, "headwater_stage_handle_seconds", "stage"), "{{stage}}"),
            ),
            lines(
                "Commit a batch, p95",
                "s",
                Series(quantile(0.95, "headwater_stage_commit_seconds", "stage"), "{{stage}}"),
            ),
            lines(
                "Events in a batch, p50",
                "none",
                Series(quantile(0.5, "headwater_stage_batch_events", "stage, lane"), "{{stage}} {{lane}}"),
            ),
            lines(
                "Parse a file, p95",
                "s",
                Series(quantile(0.95, "headwater_ast_chunker_parse_seconds", "language"), "{{language}}"),
            ),
        ),
    )
    trouble = Row(
        "Trouble",
        (
            lines(
                "Dead letters",
                "none",
                Series(
                    "sum by (stage, topic) (increase(headwater_stage_dead_letters_total[$__rate_interval]))",
                    "{{stage}} {{topic}}",
                ),
            ),
            lines(
                "Retries, back-pressure, aborts",
                "cps",
                Series(rate("headwater_stage_retries_total", "stage"), "retries {{stage}}"),
                Series(rate("headwater_stage_back_pressure_total", "stage"), "back-pressure {{stage}}"),
                Series(rate("headwater_stage_aborts_total", "stage"), "aborts {{stage}}"),
            ),
            lines(
                "Partitions that wait for a retry",
                "none",
                Series("sum by (stage) (headwater_stage_paused_partitions)", "{{stage}}"),
            ),
            lines(
                "Breakers",
                "none",
                Series("max by (name) (headwater_breaker_state)", "{{name}}"),
                Series(rate("headwater_breaker_opened_total", "name"), "opened {{name}}"),
                about="0 closed, 1 half open, 2 open",
            ),
        ),
    )
    stages = Row(
        "Single stages",
        (
            lines(
                "Ref updates",
                "cps",
                Series(rate("headwater_commit_ingest_commits_total", "cause, outcome"), "{{cause}} {{outcome}}"),
            ),
            lines(
                "Trees read to find changes",
                "cps",
                Series("sum(rate(headwater_merkle_differ_trees_read_total[$__rate_interval]))", "trees"),
            ),
            lines(
                "Files chunked by lines, and parked",
                "cps",
                Series(rate("headwater_ast_chunker_fallbacks_total", "reason"), "{{reason}}"),
                Series("sum(rate(headwater_ast_chunker_parked_total[$__rate_interval]))", "parked"),
            ),
            lines(
                "Written",
                "cps",
                Series("sum(rate(headwater_vector_sink_rows_total[$__rate_interval]))", "vectors"),
                Series("sum(rate(headwater_defref_sink_documents_total[$__rate_interval]))", "documents"),
            ),
            lines("Resident memory", "bytes", Series("headwater_process_resident_bytes", "{{pod}}{{instance}}")),
            lines("Open handles", "none", Series("headwater_process_open_handles", "{{pod}}{{instance}}")),
        ),
    )
    about = "Throughput, lag, retries, dead letters and breakers of every stage."
    return build("headwater-pipeline", "Headwater / Pipeline", about, (flow, work, trouble, stages))
