"""Every limit on what a repository, a question or a caller may cost: declared once, set by HEADWATER_LIMITS_….

Limits are counted in work (entries, bytes, nodes, processor time, callers), never in wall time: what is indexed and
what is answered is the same on a loaded machine. `python -m headwater.limits` writes docs/limits.md.
"""

import os
import sys
from functools import cache
from typing import Annotated

import msgspec

from headwater.domain.tree import TreeBounds
from headwater.metrics import METRICS
from headwater.settings import describe_settings, load_settings


def _limit(bounds: str, *, unit: str, outcome: str) -> msgspec.Meta:
    """`bounds` says what is limited, `outcome` what is seen once it is reached."""
    return msgspec.Meta(description=bounds, ge=1, extra={"unit": unit, "outcome": outcome})


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """HEADWATER_LIMITS_…; those under "a file" decide what documents hold, so every chunker needs the same ones."""

    # a view
    view_depth: Annotated[
        int, _limit("folders within folders", unit="folders", outcome="the last good commit stays; `refused` says why")
    ] = 512
    view_entries: Annotated[
        int,
        _limit("files and folders of a view", unit="entries", outcome="the last good commit stays; `refused` says why"),
    ] = 1_000_000
    path_bytes: Annotated[
        int, _limit("one path", unit="bytes", outcome="the last good commit stays; `refused` says why")
    ] = 4_096

    # a file
    object_bytes: Annotated[
        int, _limit("one object of a git repository", unit="bytes", outcome="parked, `unreadable`")
    ] = 1 << 30

    # what a caller sends
    question_bytes: Annotated[
        int,
        _limit("a pattern, symbol or question in words", unit="bytes", outcome="INVALID_ARGUMENT, `QUESTION_TOO_LONG`"),
    ] = 16_384
    page_token_bytes: Annotated[
        int, _limit("a page token", unit="bytes", outcome="INVALID_ARGUMENT, `QUESTION_TOO_LONG`")
    ] = 65_536
    name_bytes: Annotated[
        int,
        _limit(
            "any other text of a call: a repository, ref, path, language, commit or session",
            unit="bytes",
            outcome="INVALID_ARGUMENT, `QUESTION_TOO_LONG`",
        ),
    ] = 4_096
    names: Annotated[
        int,
        _limit(
            "the repositories, refs, languages or kinds of a call",
            unit="names",
            outcome="INVALID_ARGUMENT, `QUESTION_TOO_LONG`",
        ),
    ] = 100
    path_patterns: Annotated[
        int, _limit("the path patterns of a call", unit="patterns", outcome="INVALID_ARGUMENT, `QUESTION_TOO_LONG`")
    ] = 1_000
    mcp_message_bytes: Annotated[
        int, _limit("one message of an agent, on standard input", unit="bytes", outcome="a JSON-RPC error")
    ] = 1_048_576
    mcp_calls: Annotated[
        int, _limit("an MCP server's calls that are worked on at once", unit="calls", outcome="further ones queue")
    ] = 64
    policy_bytes: Annotated[
        int, _limit("the policy file", unit="bytes", outcome="refused; while serving, the last good one stays in force")
    ] = 1_048_576
    operation_names: Annotated[
        int, _limit("the paths or ids of an operation", unit="names", outcome="INVALID_ARGUMENT, `QUESTION_TOO_LONG`")
    ] = 5_000

    # callers and connections
    waiting_callers: Annotated[
        int, _limit("calls that wait for a commit", unit="calls", outcome="RESOURCE_EXHAUSTED, `TOO_MANY`")
    ] = 256
    waiting_callers_each: Annotated[
        int, _limit("the same, of one caller", unit="calls", outcome="RESOURCE_EXHAUSTED, `TOO_MANY`")
    ] = 128
    open_streams: Annotated[
        int, _limit("answers that are being streamed", unit="calls", outcome="RESOURCE_EXHAUSTED, `TOO_MANY`")
    ] = 128
    open_streams_each: Annotated[
        int, _limit("the same, of one caller", unit="calls", outcome="RESOURCE_EXHAUSTED, `TOO_MANY`")
    ] = 64
    calls_waiting_elsewhere: Annotated[
        int,
        _limit(
            "calls that wait for a git host or an issuer without holding a turn",
            unit="calls",
            outcome="further ones hold their turn meanwhile",
        ),
    ] = 128
    web_connections: Annotated[
        int,
        _limit(
            "connections to the web page",
            unit="connections",
            outcome="the one that has dawdled longest over its request is closed",
        ),
    ] = 128
    webhook_connections: Annotated[
        int,
        _limit(
            "connections to the endpoint for webhooks",
            unit="connections",
            outcome="the one that has dawdled longest over its request is closed",
        ),
    ] = 128
    health_connections: Annotated[
        int,
        _limit(
            "connections to a service's health port",
            unit="connections",
            outcome="the one that has dawdled longest over its request is closed",
        ),
    ] = 64
    web_request_bytes: Annotated[
        int, _limit("a request's line and headers, on the web page", unit="bytes", outcome="431, `TOO_LONG`")
    ] = 65_536
    operations_at_once: Annotated[
        int, _limit("operators' calls that are worked on at once", unit="calls", outcome="further ones queue")
    ] = 2

    # structural search
    structural_words_bytes: Annotated[
        int, _limit("a structural question in words", unit="bytes", outcome="INVALID_ARGUMENT, `QUESTION_TOO_LONG`")
    ] = 1_000
    structural_text_bytes: Annotated[
        int,
        _limit(
            "a structural query, a Flowgraph rule or Semgrep rules, as text",
            unit="bytes",
            outcome="INVALID_ARGUMENT, `QUESTION_TOO_LONG`",
        ),
    ] = 65_536
    structural_pattern_bytes: Annotated[
        int,
        _limit(
            "one name, type, value or regular expression in them",
            unit="bytes",
            outcome="INVALID_ARGUMENT, `QUESTION_TOO_LONG`",
        ),
    ] = 2_048
    structural_steps: Annotated[
        int,
        _limit(
            "constructs, conditions, steps or operators of one of them",
            unit="steps",
            outcome="INVALID_ARGUMENT, `QUESTION_TOO_COMPLEX`",
        ),
    ] = 256
    structural_depth: Annotated[
        int, _limit("how deep they nest", unit="levels", outcome="INVALID_ARGUMENT, `QUESTION_TOO_COMPLEX`")
    ] = 24
    structural_regex_bytes: Annotated[
        int,
        _limit("one regular expression, compiled", unit="bytes", outcome="INVALID_ARGUMENT, `QUESTION_TOO_COMPLEX`"),
    ] = 1_048_576
    structural_visits: Annotated[
        int,
        _limit(
            "nodes looked at for one structural question, each as often as it is",
            unit="visits",
            outcome="what was found, `complete` false and why; RESOURCE_EXHAUSTED before the query is known",
        ),
    ] = 2_000_000_000
    structural_matches: Annotated[
        int,
        _limit("matches of one structural question", unit="matches", outcome="the first, `complete` false and why"),
    ] = 100_000
    graph_depth: Annotated[
        int,
        _limit(
            "how deep the syntax of one file nests, in its dependence graph",
            unit="levels",
            outcome="structural answers leave the file out, name it, `complete` false",
        ),
    ] = 20_000
    structural_questions: Annotated[
        int, _limit("structural questions that are worked on at once", unit="questions", outcome="the next waits")
    ] = 1
    structural_waiting: Annotated[
        int,
        _limit("structural questions that wait for that", unit="questions", outcome="RESOURCE_EXHAUSTED, `TOO_MANY`"),
    ] = 8
    structural_program_bytes: Annotated[
        int,
        _limit(
            "memory of the semgrep program, and what it answers to one batch of files",
            unit="bytes",
            outcome="UNAVAILABLE, `ENGINE_UNAVAILABLE`",
        ),
    ] = 2_147_483_648
    structural_model_bytes: Annotated[
        int,
        _limit("one answer of the language model", unit="bytes", outcome="the question is read without the model"),
    ] = 262_144

    # repair
    proof_folders: Annotated[
        int, _limit("folders of manifests proven in one round", unit="folders", outcome="the next round goes on")
    ] = 100
    proof_documents: Annotated[
        int, _limit("documents whose rows are proven in one round", unit="documents", outcome="the next round goes on")
    ] = 50
    proof_vectors: Annotated[
        int, _limit("vectors compared with the catalog in one round", unit="rows", outcome="the next round goes on")
    ] = 5_000


class LimitRow(msgspec.Struct, frozen=True):
    """One row of docs/limits.md."""

    name: str
    setting: str
    bounds: str
    default: str
    unit: str
    outcome: str


@cache
def limits() -> Limits:
    """What is in force in this process. Raises SettingsError."""
    return load_settings(Limits, "limits", os.environ)


def tree_bounds() -> TreeBounds:
    """What is in force for the trees of views."""
    own = limits()
    return TreeBounds(own.view_depth, own.view_entries, own.path_bytes)


def count_reached(name: str) -> None:
    """A limit was reached; `name` is its field in `Limits`."""
    assert name in Limits.__struct_fields__, name
    METRICS.count("headwater_limits_reached_total", limit=name)


def limit_rows() -> list[LimitRow]:
    """In order of declaration."""
    metas = {field.name: field.type for field in msgspec.inspect.type_info(Limits).fields}  # type: ignore[attr-defined]
    rows = []
    for name, setting in zip(Limits.__struct_fields__, describe_settings(Limits, "limits"), strict=True):
        extra = metas[name].extra
        row = LimitRow(name, setting.variable, setting.description, setting.default, extra["unit"], extra["outcome"])
        rows.append(row)
    return rows


def limits_page() -> str:
    """docs/limits.md."""
    lines = [
        "# Limits",
        "",
        "What one repository, file, question or caller may cost. Each is counted in work and not in time, so the same",
        "input ends the same way on a loaded machine. `headwater_limits_reached_total{limit}` counts how often each",
        "was reached. This page is written by `python -m headwater.limits docs/limits.md`.",
        "",
        "| limit | default | setting | once it is reached |",
        "| --- | --- | --- | --- |",
    ]
    for row in limit_rows():
        amount = f"{int(row.default):,} {row.unit}"
        lines.append(f"| `{row.name}`: {row.bounds} | {amount} | `{row.setting}` | {row.outcome} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as page:
        page.write(limits_page())
