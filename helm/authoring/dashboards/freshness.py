"""Freshness: is a commit searchable within 60 seconds of its push, and is what is searchable true?"""

from grafana_foundation_sdk.builders.dashboard import Dashboard

from authoring.dashboards.panels import Row, Series, build, lines, number, quantile, rate, spread

SEARCHABLE = "headwater_commit_to_searchable_seconds"
LIVE = '{lane="live"}'
WITHIN = (
    f'sum(rate({SEARCHABLE}_bucket{{lane="live", le=~"60(\\\\.0)?"}}[1h])) / sum(rate({SEARCHABLE}_count{LIVE}[1h]))'
)


def freshness() -> Dashboard:
    service_level = Row(
        "Service level",
        (
            number("Late in the last hour", "percentunit", f"1 - ({WITHIN})", 0.01, "goal: at most 1 % after 60 s"),
            number("Oldest head not published", "s", "max(headwater_head_lag_seconds)", 60),
            number("Oldest heartbeat, live", "s", f"max(headwater_stage_heartbeat_age_seconds{LIVE})", 60),
            number("Files that differ from git", "none", "sum(headwater_divergent_files)", 1),
        ),
    )
    searchable = Row(
        "From push to searchable",
        (
            lines(
                "p50, p95 and p99 by lane and index",
                "s",
                *(
                    Series(quantile(q, SEARCHABLE, "lane, index"), f"p{q * 100:.0f} {{{{lane}}}} {{{{index}}}}")
                    for q in (0.5, 0.95, 0.99)
                ),
            ),
            spread("Live commits", SEARCHABLE, LIVE),
            lines(
                "Generations published", "cps", Series(rate("headwater_reconciler_published_total", "lane"), "{{lane}}")
            ),
            lines(
                "Age of a push when a stage is done, p95",
                "s",
                Series(quantile(0.95, "headwater_stage_event_age_seconds", "stage"), "{{stage}}"),
            ),
        ),
    )
    waiting = Row(
        "What waits",
        (
            lines("Head lag by view", "s", Series("topk(10, headwater_head_lag_seconds)", "{{view}}")),
            lines(
                "Heartbeat age by stage",
                "s",
                Series("max by (stage, lane) (headwater_stage_heartbeat_age_seconds)", "{{stage}} {{lane}}"),
                about="the age of the oldest event that waits in front of the stage",
            ),
        ),
    )
    proof = Row(
        "Proof",
        (
            lines("Divergent files by view", "none", Series("topk(10, headwater_divergent_files)", "{{view}}")),
            lines("Merkle proofs", "cps", Series(rate("headwater_reconciler_proofs_total", "outcome"), "{{outcome}}")),
            lines(
                "Repairs and failed canaries",
                "cps",
                Series("sum(rate(headwater_reconciler_repairs_total[$__rate_interval]))", "repairs"),
                Series("sum(rate(headwater_reconciler_canary_failures_total[$__rate_interval]))", "canary failures"),
            ),
            lines("Canary, p95", "s", Series(quantile(0.95, "headwater_reconciler_canary_seconds"), "p95")),
        ),
    )
    about = "From push to published: the 60 s objective, what waits, and the proof that the index is git's tree."
    return build("headwater-freshness", "Headwater / Freshness", about, (service_level, searchable, waiting, proof))
