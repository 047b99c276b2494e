"""Declarations of problems. They mirror the file that the program reads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Optional, Union

from ._pipe import plain


@dataclass(frozen=True)
class Real:
    """A variable with real values.

    Args:
        low, high: its bounds, in its unit.
        unit: for people.
        scale: "log" if ratios matter and not differences.
        step: the distance between suggested values: low, low + step and so on up to high.
    """

    name: str
    low: float
    high: float
    unit: str = ""
    scale: str = ""
    step: Optional[float] = None


@dataclass(frozen=True)
class Integer:
    """A variable with whole values from low to high."""

    name: str
    low: int
    high: int
    unit: str = ""
    scale: str = ""
    kind: str = field(default="integer", init=False)


@dataclass(frozen=True)
class Ordered:
    """A variable with some values, in increasing order."""

    name: str
    values: Sequence[float]
    unit: str = ""
    kind: str = field(default="ordered", init=False)


@dataclass(frozen=True)
class Choice:
    """A variable with named values without an order."""

    name: str
    choices: Sequence[str]
    kind: str = field(default="choice", init=False)


Variable = Union[Real, Integer, Ordered, Choice]


@dataclass(frozen=True)
class Objective:
    """A quantity that is minimized or maximized.

    Args:
        direction: "minimize" or "maximize".
        range: the values that are expected.
        noise: the standard deviation of a measurement, if it is known.
        scale: "log" for quantities over several decades.
    """

    name: str
    direction: str = "minimize"
    range: Optional[tuple[float, float]] = None
    noise: Optional[float] = None
    unit: str = ""
    scale: str = ""


@dataclass(frozen=True)
class Limit:
    """A quantity that is measured and must stay within bounds, but is not optimized."""

    name: str
    at_least: Optional[float] = None
    at_most: Optional[float] = None
    range: Optional[tuple[float, float]] = None
    noise: Optional[float] = None
    unit: str = ""
    scale: str = ""


@dataclass(frozen=True)
class Mixture:
    """Variables with a fixed sum, such as the fractions of a recipe.

    Args:
        components: the names of the variables.
        total: their sum.
    """

    components: Sequence[str]
    total: float = 1


@dataclass(frozen=True)
class Problem:
    """An experiment: what is set and what is measured.

    Args:
        constraints: expressions of the variables, such as "a + b <= 1".
        cost: an expression of the variables.
        mixtures: variables with fixed sums.
    """

    name: str
    variables: Sequence[Variable]
    objectives: Sequence[Objective]
    limits: Sequence[Limit] = ()
    constraints: Sequence[str] = ()
    cost: str = ""
    budget: Optional[int] = None
    about: str = ""
    mixtures: Sequence[Mixture] = ()

    def toml(self) -> str:
        """Return the declaration as the program reads it."""
        lines = _lines(self, ("name", "about", "cost", "constraints", "budget"))
        for title, parts in (("variable", self.variables), ("mixture", self.mixtures), ("objective", self.objectives),
                             ("limit", self.limits)):
            for part in parts:
                lines += ["", f"[[{title}]]", *_lines(part, [f.name for f in fields(part)])]
        return "\n".join(lines) + "\n"


def _lines(of: Any, names: Sequence[str]) -> list[str]:
    """Return the keys of a table that are not empty. Texts, numbers and lists in JSON are such in TOML too."""
    pairs = ((name, plain(getattr(of, name))) for name in names)
    return [f"{name} = {json.dumps(value, allow_nan=False, ensure_ascii=False)}"
            for name, value in pairs if value is not None and value != "" and value != []]
