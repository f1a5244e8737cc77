"""Every relation read backwards is its opposite, for every pair of nodes: what nested conditions rely on."""

import numpy as np
import pytest
from tests.unit.structural.flow import graph
from tests.unit.structural.samples import SAMPLES

from headwater.structural.flowgraph.relate import related
from headwater.structural.query import OPPOSITE, Relation


@pytest.mark.parametrize("language", ["java", "python", "javascript", "go"])
@pytest.mark.parametrize("relation", [a for a in Relation if list(Relation).index(a) % 2 == 0])
def test_a_relation_and_its_opposite_hold_of_the_same_pairs(relation: Relation, language: str) -> None:
    built = graph(SAMPLES[language], language)
    every = np.eye(len(built), dtype=bool)
    forward = np.stack([related(built, relation, every[node]) for node in range(len(built))])
    backward = np.stack([related(built, OPPOSITE[relation], every[node]) for node in range(len(built))])
    assert np.array_equal(forward, backward.T)
