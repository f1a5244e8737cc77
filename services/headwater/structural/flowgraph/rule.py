"""The chained builder, with the paper's names: rule().withControlFilter("FOR_STATEMENT")….check().build()."""

from typing import Self

from headwater.limits import Limits
from headwater.structural.flowgraph.admission import validate
from headwater.structural.flowgraph.pipeline import ANY_ARGUMENT, Argument, ContextKind, Pipeline, Rule, Step


class RuleBuilder:
    """Collects steps; every `with…` method adds one. `build` validates them."""

    def __init__(self) -> None:
        self._name = ""
        self._language = ""
        self._steps: list[Step] = []

    def withName(self, name: str) -> Self:
        self._name = name
        return self

    def withLanguage(self, language: str) -> Self:
        self._language = language
        return self

    def check(self) -> Self:
        """Marks, as in the paper, where the searched pattern begins or ends; changes nothing."""
        return self

    def build(self) -> Rule:
        validate(self.steps, Limits())
        return Rule(self.steps, self._name, self._language)

    @property
    def steps(self) -> Pipeline:
        return tuple(self._steps)

    def withControlFilter(self, kind: str) -> Self:
        return self._add("withControlFilter", kind)

    def withNodeByTypeFilter(self, kind: str) -> Self:
        return self._add("withNodeByTypeFilter", kind)

    def withActionFilter(self, regex: str) -> Self:
        return self._add("withActionFilter", regex)

    def withMethodCallFilter(self, regex: str) -> Self:
        return self._add("withMethodCallFilter", regex)

    def withNumberOfArgumentsFilter(self, count: int, comparison: str = "=") -> Self:
        return self._add("withNumberOfArgumentsFilter", count, comparison)

    def withDataByTypeFilter(self, declared: bool, type_name: str) -> Self:
        return self._add("withDataByTypeFilter", declared, type_name)

    def withDataByNameFilter(self, regex: str) -> Self:
        return self._add("withDataByNameFilter", regex)

    def withDataByValueFilter(self, value: str) -> Self:
        return self._add("withDataByValueFilter", value)

    def withModifierFilter(self, modifier: str) -> Self:
        return self._add("withModifierFilter", modifier)

    def withContextNodesTransform(self, kind: ContextKind) -> Self:
        return self._add("withContextNodesTransform", kind.value)

    def withArgumentTransform(self, which: int | str = ANY_ARGUMENT) -> Self:
        return self._add("withArgumentTransform", which)

    def withArgumentUsersTransform(self, which: int | str = ANY_ARGUMENT) -> Self:
        return self._add("withArgumentUsersTransform", which)

    def withTransform(self, name: str) -> Self:
        """Any of the transforms without arguments, by name."""
        return self._add(name)

    def withAllOf(self, *parts: "RuleBuilder") -> Self:
        return self._combine("withAllOf", parts)

    def withAnyOf(self, *parts: "RuleBuilder") -> Self:
        return self._combine("withAnyOf", parts)

    def withNegationOf(self, *parts: "RuleBuilder") -> Self:
        return self._combine("withNegationOf", parts)

    def _add(self, op: str, *args: Argument) -> Self:
        self._steps.append(Step(op, args))
        return self

    def _combine(self, op: str, parts: tuple["RuleBuilder", ...]) -> Self:
        self._steps.append(Step(op, (), tuple(part.steps for part in parts)))
        return self

    def withDataDependenciesTransform(self) -> Self:
        return self._add("withDataDependenciesTransform")

    def withDataDependentsTransform(self) -> Self:
        return self._add("withDataDependentsTransform")

    def withReceiverTransform(self) -> Self:
        return self._add("withReceiverTransform")

    def withControlDependenciesTransform(self) -> Self:
        return self._add("withControlDependenciesTransform")


def rule() -> RuleBuilder:
    return RuleBuilder()


def any_of(*parts: RuleBuilder) -> RuleBuilder:
    """The nodes from which at least one of the parts leaves something."""
    return rule().withAnyOf(*parts)


def all_of(*parts: RuleBuilder) -> RuleBuilder:
    """The nodes from which every part leaves something."""
    return rule().withAllOf(*parts)


def negation_of(*parts: RuleBuilder) -> RuleBuilder:
    """The nodes from which no part leaves anything."""
    return rule().withNegationOf(*parts)
