"""The few kinds of panels that the dashboards are made of."""

from collections.abc import Sequence

import msgspec
from grafana_foundation_sdk.builders import bargauge, dashboard, heatmap, prometheus, stat, timeseries
from grafana_foundation_sdk.builders.common import VizLegendOptions
from grafana_foundation_sdk.models.common import BigValueColorMode, LegendDisplayMode, LegendPlacement
from grafana_foundation_sdk.models.dashboard import DataSourceRef, Threshold, ThresholdsMode, VariableHide
from grafana_foundation_sdk.models.prometheus import PromQueryFormat

SOURCE = DataSourceRef(type_val="prometheus", uid="${datasource}")
WINDOW = "$__rate_interval"
Builder = timeseries.Panel | stat.Panel | heatmap.Panel | bargauge.Panel


class Series(msgspec.Struct, frozen=True):
    """One expression and how its lines are called."""

    expression: str
    legend: str = ""


class Row(msgspec.Struct, frozen=True):
    """A titled group of panels."""

    title: str
    panels: tuple[Builder, ...]


def lines(title: str, unit: str, *series: Series, about: str = "") -> timeseries.Panel:
    legend = (
        VizLegendOptions()
        .display_mode(LegendDisplayMode.LIST)
        .placement(LegendPlacement.BOTTOM)
        .show_legend(True)
        .calcs([])
    )
    panel = timeseries.Panel().title(title).description(about).unit(unit).datasource(SOURCE).legend(legend).span(12)
    for one in series:
        panel = panel.with_target(_target(one))
    return panel.min(0).height(8)


def number(title: str, unit: str, expression: str, bad_from: float, about: str = "") -> stat.Panel:
    """One value, red from `bad_from`."""
    thresholds = (
        dashboard.ThresholdsConfig()
        .mode(ThresholdsMode.ABSOLUTE)
        .steps([Threshold(value=None, color="green"), Threshold(value=bad_from, color="red")])
    )
    panel = stat.Panel().title(title).description(about).unit(unit).datasource(SOURCE).thresholds(thresholds)
    return panel.color_mode(BigValueColorMode.VALUE).with_target(_target(Series(expression))).span(6).height(5)


def spread(title: str, metric: str, selector: str = "", about: str = "") -> heatmap.Panel:
    """How a histogram's values are spread over time."""
    target = _target(Series(f"sum by (le) (increase({metric}_bucket{selector}[{WINDOW}]))", "{{le}}")).format(
        PromQueryFormat.HEATMAP
    )
    panel = heatmap.Panel().title(title).description(about).datasource(SOURCE)
    return panel.calculate(False).with_target(target).span(12).height(8)


def rate(metric: str, by: str, selector: str = "") -> str:
    """A counter's rate, summed by labels."""
    return f"sum by ({by}) (rate({metric}{selector}[{WINDOW}]))"


def ratio(part: str, whole: str, by: str) -> str:
    """One counter's share of another."""
    return f"{rate(part, by)} / {rate(whole, by)}"


def quantile(q: float, metric: str, by: str = "", selector: str = "") -> str:
    """A histogram's quantile."""
    labels = f"le, {by}" if by else "le"
    return f"histogram_quantile({q}, sum by ({labels}) (rate({metric}_bucket{selector}[{WINDOW}])))"


def build(uid: str, title: str, about: str, rows: Sequence[Row]) -> dashboard.Dashboard:
    """With panels numbered by Grafana's rule, refreshed twice a minute."""
    made = dashboard.Dashboard(title).uid(uid).description(about).tags(["headwater"]).refresh("30s").readonly()
    made = made.time("now-6h", "now").timezone("browser")
    source = dashboard.DatasourceVariable("datasource").label("Prometheus").type("prometheus")
    made = made.with_variable(source.hide(VariableHide.DONT_HIDE))
    for row in rows:
        made = made.with_row(dashboard.Row(row.title))
        for panel in row.panels:
            made = made.with_panel(panel)
    return made


def _target(series: Series) -> prometheus.Dataquery:
    return prometheus.Dataquery().expr(series.expression).legend_format(series.legend)
