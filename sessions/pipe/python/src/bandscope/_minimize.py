"""Minimization of a Python function in one call."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

from ._errors import BandscopeError
from ._problem import Choice, Limit, Objective, Problem, Real, Variable
from ._session import Session
from ._tables import values_of

Bounds = Union[Sequence[tuple[float, float]], Mapping[str, Union[tuple[float, float], Sequence[str]]],
               Sequence[Variable], Any]


@dataclass
class Result:
    """What ``minimize`` returns.

    Attributes
    ----------
    x : list, array or dict
        The inputs of the best result, as the function takes them. With several objectives it is a list of the inputs on
        the Pareto front.
    fun : float or list of dict
        The value of the best result. With several objectives it is a list of values by name, in the order of ``x``.
    n : int
        The number of evaluations.
    session : Session
        The session, for the belief of the model.
    stopped : str
        Why the search ended before n evaluations; empty if it did not.
    """

    x: Any
    fun: Any
    n: int
    session: Session
    stopped: str = ""


def minimize(f: Callable[[Any], Any], bounds: Bounds, n: int = 30, *, method: str = "", seed: int = 1,
             noise: Optional[float] = None, objectives: Sequence[Union[str, Objective]] = (),
             limits: Sequence[Limit] = (), constraints: Sequence[str] = (),
             path: Union[str, os.PathLike[str], None] = None, author: str = "", stop: bool = False) -> Result:
    """Minimize a function with n evaluations.

    Parameters
    ----------
    f : callable
        The function. If ``bounds`` are pairs, it takes an array (a list where numpy cannot be imported), otherwise a
        dict. It returns a number, or with several objectives or limits a mapping, or a sequence with the objectives
        and after them the limits. An exception in it is recorded as a failed evaluation, and the search avoids such
        inputs.
    bounds : sequence or mapping
        Pairs (low, high), or names with pairs or lists of choices, or variables: ``Real``, ``Integer``, ``Ordered``
        and ``Choice``.
    n : int, default=30
        The number of evaluations. If the inputs have fewer combinations, all of them are evaluated, once each.
    method : str, default=""
        The name of an optimizer. By default it is the one for such problems.
    seed : int, default=1
        The seed of all random numbers.
    noise : float, default=None
        The standard deviation of the values of the function, if it is known. ``Objective`` has its own.
    objectives : sequence of str or Objective, default=()
        The names of several objectives, or declarations. By default there is one.
    limits : sequence of Limit, default=()
        Quantities that the function returns too, and their bounds.
    constraints : sequence of str, default=()
        Expressions of the variables, such as ``"a + b <= 1"``. Inputs without names are called x1, x2, ….
    path : str or path-like, default=None
        The file of the session, by default in a temporary folder. If it exists, the search goes on.
    author : str, default=""
        The name under which acts are recorded.
    stop : bool, default=False
        Whether the search ends when nothing better is expected. The point of that suggestion stays pending.

    Returns
    -------
    result : Result

    Raises
    ------
    BandscopeError
        If no evaluation succeeded, or the problem is wrong.
    """
    variables, as_list = _variables(bounds)
    goals = [o if isinstance(o, Objective) else Objective(o, noise=noise) for o in objectives or ["y"]]
    problem = Problem("minimize", variables, goals, limits=limits, constraints=constraints, budget=max(n, 1))
    if path is None:
        path = os.path.join(tempfile.mkdtemp(prefix="bandscope-"), "minimize.jsonl")
    try:
        session = Session.create(path, problem, method=method, seed=seed, author=author)
    except BandscopeError:
        if not (os.path.exists(path) or os.path.exists(f"{os.fspath(path)}.jsonl")):
            raise
        session = Session(path, author)
        known, wanted = session.variables + session.outputs, [p.name for p in (*variables, *goals, *limits)]
        if known != wanted:
            raise BandscopeError("request", f"{session.path} is about {', '.join(known)}, not {', '.join(wanted)}",
                                 "give another path")
    order = [v.name for v in variables]

    def inputs(x: Mapping[str, Any]) -> Any:
        return _inputs({name: x[name] for name in order}, as_list)

    names, last, stopped = session.outputs, None, ""
    for _ in range(n - len({str(r["step"]).split(".")[0] for r in session._results()["results"]})):
        try:
            point = session.ask()
        except BandscopeError as err:
            if err.code != "exhausted":
                raise
            stopped = err.text  # every combination is evaluated
            break
        if stop and point.details.get("nothing_better"):
            stopped = point.details["reason"]
            break
        try:
            values = {name: float(v) for name, v in (values_of(f(inputs(point)), lambda: names) or {}).items()}
            if set(values) != set(names):
                raise ValueError(f"the function must return {', '.join(names)}, got {', '.join(values) or 'nothing'}")
        except Exception as err:  # of the function; it is on record
            last = err
            session.tell(point, failed=(err.text if isinstance(err, BandscopeError) else f"{type(err).__name__}: {err}")[:200])
        else:
            session.tell(point, values, force=True)
    found = _result(session, goals, inputs, last)
    found.stopped = stopped
    return found


def _result(session: Session, goals: Sequence[Objective], inputs: Callable[[Mapping[str, Any]], Any],
            last: Optional[Exception]) -> Result:
    """Return the best result, or the front. inputs makes what the function takes, last is its last error."""
    if len(goals) > 1:
        best = session._act("front", by="data")["observed"]
    else:
        best = [session.best("data").get("observed")]
    results = session._results()["results"]
    if not best or best[0] is None:
        why = f"; the last error is {type(last).__name__}: {last}" if last else ""
        raise BandscopeError("failed", f"none of {len(results)} evaluations succeeded within all limits{why}",
                             f"see {session.path}") from last
    xs = [inputs(p["x"]) for p in best]
    values = [{goal.name: float(p["value"][goal.name]) for goal in goals} for p in best]
    if len(goals) > 1:
        return Result(xs, values, len(results), session)
    return Result(xs[0], values[0][goals[0].name], len(results), session)


def _inputs(x: dict[str, Any], as_list: bool) -> Any:
    """Return inputs as the function takes them."""
    if not as_list:
        return dict(x)
    try:
        import numpy
    except ImportError:
        return list(x.values())
    return numpy.asarray(list(x.values()), dtype=float)


def _variables(bounds: Any) -> tuple[list[Variable], bool]:
    """Return the variables of bounds, and whether they were given without names."""
    if isinstance(bounds, Mapping):
        return [_variable(str(name), b) for name, b in bounds.items()], False
    listed: list[Any] = list(bounds)
    if listed and all(isinstance(b, Sequence) or hasattr(b, "tolist") for b in listed):
        return [_variable(f"x{i + 1}", b) for i, b in enumerate(listed)], True
    return listed, False


def _variable(name: str, b: Any) -> Variable:
    values = list(b.tolist() if hasattr(b, "tolist") else b)
    if values and all(isinstance(c, str) for c in values):
        return Choice(name, values)
    if len(values) != 2:
        raise BandscopeError("request", f"the bounds of {name} are a pair of numbers or a list of choices, got {b!r}",
                             "Integer and Ordered declare other variables")
    return Real(name, float(values[0]), float(values[1]))
