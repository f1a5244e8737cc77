"""Model roll-out: what does the model server do for each model, while one takes over from another?"""

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
        "The model server by model, and both lanes.",
        (requests, both),
    )
