"""Runs a query over one snippet and returns the lines it matches."""

import numpy as np

from headwater.structural.flowgraph.builder import build
from headwater.structural.flowgraph.compile import compile_query
from headwater.structural.flowgraph.evaluate import run
from headwater.structural.flowgraph.graph import Graph, merge
from headwater.structural.flowgraph.languages import BY_NAME
from headwater.structural.flowgraph.pipeline import Pipeline
from headwater.structural.query import Node, query


def graph(code: str, language: str = "java") -> Graph:
    return merge([("a", build(BY_NAME[language], code.encode()))])


def lines(code: str, node: Node, language: str = "java") -> list[int]:
    return pipeline_lines(code, compile_query(query(node)).steps, language)


def pipeline_lines(code: str, pipeline: Pipeline, language: str = "java") -> list[int]:
    built = graph(code, language)
    return sorted({int(line) for line in built.line[np.flatnonzero(run(built, pipeline))]})
