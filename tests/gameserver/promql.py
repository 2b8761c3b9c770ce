"""Evaluate the expressions of our alert rules on scrapes, as Prometheus does.

`promql-parser`, the parser of GreptimeDB, checks the syntax. Only what our rules use is evaluated:
selectors, `increase` between two scrapes, `absent`, `sum`, `max`, `min`, products and comparisons.
`for` is not evaluated, and `increase` needs the series in both scrapes.
"""

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import promql_parser
import yaml
from prometheus_client.parser import text_string_to_metric_families

from gameserver.management.commands.deploy_files import FILES

MONITORING: Final = FILES / "monitoring"
ALERTS: Final[Mapping[str, str]] = {
    rule["alert"]: rule["expr"]
    for group in yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"]
    for rule in group["rules"]
}
"""The expressions of our alert rules, by name."""

Series = dict[tuple[tuple[str, str], ...], float]
"""Values by label, `__name__` among them."""

AGGREGATES: Final[Mapping[str, Callable[[Iterable[float]], float]]] = {
    "sum": sum,
    "max": max,
    "min": min,
}
COMPARISONS: Final = {">": operator.gt, "<": operator.lt, "==": operator.eq}


def parse(text: str) -> Series:
    """Read a scrape."""
    return {
        tuple(sorted({**sample.labels, "__name__": sample.name}.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def fires(expression: str, before: Series, after: Series) -> bool:
    """Whether the expression has a result at the second scrape."""
    return bool(_evaluate(promql_parser.parse(expression), before, after))


def names(expression: str) -> set[str]:
    """The metrics that an expression reads."""
    return set(re.findall(r"\b(?:railbird_\w+|up)\b", expression))


def _evaluate(node: Any, before: Series, after: Series) -> Any:
    match node:
        case promql_parser.NumberLiteral():
            return node.val
        case promql_parser.VectorSelector():
            return {
                labels: value for labels, value in after.items() if _matches(node, dict(labels))
            }
        case promql_parser.Call() if node.func.name == "increase":
            found = _evaluate(node.args[0].vector_selector, before, after)
            return {each: value - before[each] for each, value in found.items() if each in before}
        case promql_parser.Call() if node.func.name == "absent":
            return {} if _evaluate(node.args[0], before, after) else {(): 1.0}
        case promql_parser.AggregateExpr():
            found = _evaluate(node.expr, before, after)
            return {(): AGGREGATES[str(node.op)](found.values())} if found else {}
        case promql_parser.BinaryExpr():
            sides = [_evaluate(side, before, after) for side in (node.lhs, node.rhs)]
            return _binary(str(node.op), *sides)
    raise NotImplementedError(node)


def _matches(node: Any, labels: Mapping[str, str]) -> bool:
    if labels["__name__"] != node.name:
        return False
    for each in node.matchers.matchers:
        value, equal = labels.get(each.name, ""), promql_parser.MatchOp.Equal
        if not (value == each.value if each.op == equal else re.fullmatch(each.value, value)):
            return False
    return True


def _binary(op: str, left: Any, right: Any) -> Any:
    if isinstance(left, float):
        assert op == "*"
        return {labels: left * value for labels, value in right.items()}
    compare = COMPARISONS[op]
    if isinstance(right, float):
        return {labels: value for labels, value in left.items() if compare(value, right)}
    return {
        labels: value
        for labels, value in left.items()
        if labels in right and compare(value, right[labels])
    }
