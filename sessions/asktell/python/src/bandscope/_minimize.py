"""Minimization of a Python function in one call."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

from ._errors import BandscopeError
from ._problem import Choice, Objective, Problem, Real, Variable
from ._session import Session

Bounds = Union[Sequence[tuple[float, float]], Mapping[str, Union[tuple[float, float], Sequence[str]]],
               Sequence[Variable]]


@dataclass
class Result:
    """What minimize returns.

    Attributes:
        x: the inputs of the best result, as the function takes them.
        fun: its value.
        n: how many evaluations there were.
        session: the session, for what the model believes.
    """

    x: Any
    fun: float
    n: int
    session: Session


def minimize(f: Callable[[Any], float], bounds: Bounds, n: int = 30, *, method: str = "", seed: int = 1,
             path: Union[str, os.PathLike[str], None] = None, author: str = "") -> Result:
    """Minimize a function with n evaluations.

    Args:
        f: takes a list of numbers if bounds is a list of pairs, and a dict otherwise. An exception in it is recorded as
            a failed evaluation, and the search avoids such inputs.
        bounds: pairs (low, high), or names with pairs or lists of choices, or variables.
        method: the name of an optimizer; by default the one for such problems.
        path: where the session is kept; by default in a temporary folder. If the file exists, the search goes on.

    Raises:
        BandscopeError: if no evaluation succeeded, or the program refused the problem.
    """
    variables, as_list = _variables(bounds)
    if path is None:
        path = os.path.join(tempfile.mkdtemp(prefix="bandscope-"), "minimize.jsonl")
    if os.path.exists(path):
        session = Session(path, author)
    else:
        problem = Problem("minimize", variables, [Objective("y")], budget=n)
        session = Session.create(path, problem, method=method, seed=seed, author=author)
    for _ in range(max(n - session.status()["steps"], 0)):
        point = session.ask()
        x: Any = list(point.values()) if as_list else dict(point)
        try:
            y = float(f(x))
        except Exception as err:  # the function's own; it is on record
            session.tell(point, failed=f"{type(err).__name__}: {err}"[:200])
            continue
        if y != y or y in (float("inf"), float("-inf")):
            session.tell(point, failed=f"the value is {y}")
            continue
        session.tell(point, y, force=True)
    best = session.best().get("observed")
    if best is None:
        raise BandscopeError("failed", "no evaluation succeeded", f"see {session.path}")
    at = [best["x"][v.name] for v in variables] if as_list else dict(best["x"])
    return Result(at, float(best["value"]["y"]), session.status()["steps"], session)


def _variables(bounds: Any) -> tuple[list[Variable], bool]:
    """Return the variables of bounds, and whether they were given without names."""
    if isinstance(bounds, Mapping):
        return [Choice(name, b) if all(isinstance(c, str) for c in b) else Real(name, b[0], b[1])
                for name, b in bounds.items()], False
    listed: list[Any] = list(bounds)
    if listed and all(isinstance(b, Sequence) or hasattr(b, "tolist") for b in listed):
        return [Real(f"x{i + 1}", float(b[0]), float(b[1])) for i, b in enumerate(listed)], True
    return listed, False
