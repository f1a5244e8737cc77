"""Index: how large is it, and does what nothing shows go away?"""

from grafana_foundation_sdk.builders.dashboard import Dashboard

from authoring.dashboards.panels import Row, Series, build, lines, quantile


def index() -> Dashboard:
    catalog = Row(
        "Catalog",
        (
            lines("Size", "bytes", Series("max(headwater_catalog_bytes)", "catalog")),
            lines(
                "Rows that no generation refers to",
                "none",
                Series("max by (table) (headwater_catalog_unreferenced_rows)", "{{table}}"),
                about="falls to nothing at each collection; a line that only rises is a leak",
            ),
        ),
    )
    vectors = Row(
        "Vectors",
        (
            lines(
                "Requests, p95", "s", Series(quantile(0.95, "headwater_vectors_request_seconds", "kind"), "{{kind}}")
            ),
            lines(
                "Rows lost and made again",
                "none",
                Series(
                    "sum by (store, kind) (increase(headwater_reconciler_lost_rows_total[1h]))", "{{store}} {{kind}}"
                ),
            ),
            lines("Writes refused", "none", Series("max(headwater_vectors_writes_paused)", "paused")),
        ),
    )
    return build(
        "headwater-index", "Headwater / Index", "Sizes, unreferenced rows, the vector store.", (catalog, vectors)
    )
