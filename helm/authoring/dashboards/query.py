"""Query: how fast are answers, how whole, how often empty, and who is refused?"""

from grafana_foundation_sdk.builders.dashboard import Dashboard

from authoring.dashboards.panels import Row, Series, build, lines, number, quantile, rate, ratio

SERVER_FAULTS = 'code=~"INTERNAL|UNKNOWN|UNAVAILABLE|DATA_LOSS"'
ALL = "sum(rate(headwater_query_requests_total[$__rate_interval]))"
EMPTY = "sum(rate(headwater_query_empty_total[$__rate_interval]))"
GOOD = 'sum(rate(headwater_query_requests_total{code="OK"}[$__rate_interval]))'


def query() -> Dashboard:
    faults = f"sum(rate(headwater_query_requests_total{{{SERVER_FAULTS}}}[$__rate_interval]))"
    now = Row(
        "Now",
        (
            number("p95, words", "s", quantile(0.95, "headwater_query_seconds", "", '{kind="natural_language"}'), 0.26),
            number("p95, names", "s", quantile(0.95, "headwater_query_seconds", "", '{kind="identifier"}'), 0.02),
            number("Failed", "percentunit", f"{faults} / {ALL}", 0.01),
            number("Empty answers", "percentunit", f"{EMPTY} / {GOOD}", 0.2),
        ),
    )
    answers = Row(
        "Answers",
        (
            lines("p95 by kind", "s", Series(quantile(0.95, "headwater_query_seconds", "kind"), "{{kind}}")),
            lines("p95 by method", "s", Series(quantile(0.95, "headwater_query_seconds", "method"), "{{method}}")),
            lines("p95 of the parts", "s", Series(quantile(0.95, "headwater_query_part_seconds", "part"), "{{part}}")),
            lines(
                "Structural, p95", "s", Series(quantile(0.95, "headwater_structural_seconds", "engine"), "{{engine}}")
            ),
            lines(
                "Requests",
                "reqps",
                Series(rate("headwater_query_requests_total", "method, code"), "{{method}} {{code}}"),
            ),
            lines(
                "Degraded answers", "cps", Series(rate("headwater_query_degraded_total", "part"), "without {{part}}")
            ),
        ),
    )
    found = Row(
        "What is found",
        (
            lines(
                "Results of an answer, mean",
                "none",
                Series(
                    ratio("headwater_query_results_total", "headwater_query_requests_total", "method"),
                    "{{method}}",
                ),
            ),
            lines(
                "Empty answers",
                "percentunit",
                Series(
                    ratio("headwater_query_empty_total", "headwater_query_requests_total", "method"),
                    "{{method}}",
                ),
            ),
            lines("Outcomes reported", "cps", Series(rate("headwater_query_outcomes_total", "outcome"), "{{outcome}}")),
            lines(
                "Caches", "cps", Series(rate("headwater_query_cache_total", "cache, outcome"), "{{cache}} {{outcome}}")
            ),
            lines(
                "Texts asked of the git host",
                "cps",
                Series(rate("headwater_query_hydration_total", "outcome"), "{{outcome}}"),
            ),
        ),
    )
    access = Row(
        "Access",
        (
            lines(
                "Refused policies and lost audit records",
                "cps",
                Series("sum(rate(headwater_query_policy_refused_total[$__rate_interval]))", "policies refused"),
                Series("sum(rate(headwater_query_audit_failures_total[$__rate_interval]))", "audit records lost"),
                Series("sum(rate(headwater_query_outcomes_lost_total[$__rate_interval]))", "outcomes lost"),
            ),
            lines("Limits reached", "cps", Series(rate("headwater_limits_reached_total", "limit"), "{{limit}}")),
        ),
    )
    structural = Row(
        "Structural questions",
        (
            lines(
                "Graphs built ahead",
                "cps",
                Series("sum(rate(headwater_structural_graphs_total[$__rate_interval]))", "graphs"),
            ),
            lines(
                "Language model, requests",
                "reqps",
                Series(rate("headwater_structural_model_requests_total", "outcome"), "{{outcome}}"),
                Series("sum(rate(headwater_structural_model_invalid_total[$__rate_interval]))", "no valid query"),
            ),
            lines(
                "Language model, tokens",
                "cps",
                Series(rate("headwater_structural_model_tokens_total", "kind"), "{{kind}}"),
            ),
            lines("Language model, p95", "s", Series(quantile(0.95, "headwater_structural_model_seconds"), "p95")),
        ),
    )
    return build(
        "headwater-query",
        "Headwater / Query",
        "Latency by kind, degraded, failed and empty answers.",
        (now, answers, found, structural, access),
    )
