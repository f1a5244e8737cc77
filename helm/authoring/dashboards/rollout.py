"""Model roll-out: how far is the new index, and what does the model server do for each model meanwhile?"""

from grafana_foundation_sdk.builders.dashboard import Dashboard

from authoring.dashboards.panels import Row, Series, build, lines, quantile, rate


def rollout() -> Dashboard:
    requests = Row(
        "Requests by model",
        (
            lines(
                "Requests",
                "reqps",
                Series(rate("headwater_model_request_seconds_count", "model, kind"), "{{model}} {{kind}}"),
            ),
            lines(
                "p95",
                "s",
                Series(quantile(0.95, "headwater_model_request_seconds", "model, kind"), "{{model}} {{kind}}"),
            ),
            lines(
                "Chunks in a request, p50",
                "none",
                Series(quantile(0.5, "headwater_model_batch_chunks", "model"), "{{model}}"),
            ),
            lines("Waiting", "none", Series("sum by (model) (headwater_model_queue_requests)", "{{model}}")),
            lines(
                "Refused before sending",
                "cps",
                Series(rate("headwater_model_rejected_total", "model, reason"), "{{model}} {{reason}}"),
            ),
            lines(
                "Chunks by what was done",
                "cps",
                Series(rate("headwater_embedder_chunks_total", "outcome"), "{{outcome}}"),
            ),
        ),
    )
    editions = Row(
        "Indexes",
        (
            lines(
                "Phase",
                "none",
                Series("max by (index, phase) (headwater_rollout_phase) == 1", "index {{index}} {{phase}}"),
            ),
            lines(
                "Files done, of those of the live index",
                "none",
                Series("max by (index, state) (headwater_rollout_files)", "index {{index}} {{state}}"),
            ),
            lines(
                "Views behind the live index",
                "none",
                Series("max by (index) (headwater_rollout_behind_views)", "index {{index}}"),
                about="cut-over and rollback wait until it is 0",
            ),
            lines("Behind by", "s", Series("max by (index) (headwater_rollout_lag_seconds)", "index {{index}}")),
            lines("Vectors", "none", Series("max by (index) (headwater_rollout_vector_rows)", "index {{index}}")),
            lines("Gate passed", "none", Series("max by (index) (headwater_rollout_gate_passed)", "index {{index}}")),
        ),
    )
    both = Row(
        "Lanes",
        (
            lines(
                "Published, live and bulk",
                "cps",
                Series(rate("headwater_reconciler_published_total", "lane"), "{{lane}}"),
                about="the shadow index is built from the bulk lane; live must not slow down meanwhile",
            ),
            lines(
                "From push to searchable in the vectors, p95",
                "s",
                Series(
                    quantile(0.95, "headwater_commit_to_searchable_seconds", "lane", '{index="vector"}'), "{{lane}}"
                ),
            ),
        ),
    )
    return build(
        "headwater-rollout",
        "Headwater / Model roll-out",
        "Both indexes, the model server by model, and both lanes.",
        (editions, requests, both),
    )
