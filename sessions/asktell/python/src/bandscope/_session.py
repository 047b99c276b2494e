"""Sessions: a record of a search in a file, with a method for every act."""

from __future__ import annotations

import html
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Optional, Union

from ._errors import BandscopeError
from ._pipe import Pipe, Progress
from ._problem import Problem

Inputs = Mapping[str, Any]
Outcome = Union[float, Mapping[str, float], Sequence[float]]
PointName = Union[int, str]

_pipes: dict[tuple[str, str], Pipe] = {}
_starting = threading.Lock()


def _pipe_for(folder: str, author: str) -> Pipe:
    """Return the program for a folder, which is started once and kept."""
    with _starting:
        pipe = _pipes.get((folder, author))
        if pipe is None or not pipe.running:
            pipe = _pipes[folder, author] = Pipe(folder, author)
        return pipe


class Point(Mapping[str, Any]):
    """A point to evaluate: a mapping from the names of the variables to their values.

    Attributes:
        name: the number of the point in the session, or a text such as "7.2" in a batch.
        details: everything that the program said about it.
    """

    def __init__(self, details: Mapping[str, Any]) -> None:
        self.details = dict(details)
        self.name: PointName = details["point"]
        self._x: dict[str, Any] = dict(details["x"])

    @property
    def why(self) -> str:
        """Why the point was suggested, in a sentence; empty where there is none."""
        return str(self.details.get("why") or self.details.get("reason") or "")

    def __getitem__(self, variable: str) -> Any:
        return self._x[variable]

    def __iter__(self) -> Iterator[str]:
        return iter(self._x)

    def __len__(self) -> int:
        return len(self._x)

    def __repr__(self) -> str:
        return f"Point {self.name}: " + ", ".join(f"{k} = {v}" for k, v in self._x.items())


class Session:
    """A session in a file. Every act is in the file when the method returns.

    Other programs and people can work on the same session at the same time. A session is a context manager; leaving it
    closes nothing that others use.
    """

    def __init__(self, path: Union[str, os.PathLike[str]], author: str = "") -> None:
        """Open the session in a file, which must exist.

        Args:
            author: the name under which acts are recorded; by default that of the system's user.
        """
        whole = Path(path).absolute()
        if not whole.is_file():
            raise BandscopeError("request", f"there is no session {os.fspath(path)!r}",
                                 "Session.create begins one")
        self._set(whole, author)

    def _set(self, whole: Path, author: str) -> None:
        self.path = str(whole)
        self._folder, self._name, self._author = str(whole.parent), whole.name, author

    @classmethod
    def create(cls, path: Union[str, os.PathLike[str]], problem: Union[Problem, str], method: str = "", seed: int = 1,
               budget: Optional[int] = None, parameters: Optional[Mapping[str, Any]] = None,
               author: str = "") -> Session:
        """Begin a session in a new file.

        Args:
            problem: a declaration, or the name of a built-in test function.
            method: the name of an optimizer; by default the one for such problems.
            seed: what determines everything random.
            budget: the planned number of evaluations.
            parameters: those of the method that differ from their defaults.

        Raises:
            BandscopeError: if the file exists, or something is wrong with the declaration.
        """
        s = cls.__new__(cls)
        s._set(Path(path).absolute(), author)
        declared: dict[str, Any] = {"problem": problem.toml()} if isinstance(problem, Problem) else {
            "function": problem}
        s._act("create", method=method or None, seed=seed, budget=budget, parameters=parameters, **declared)
        return s

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the program forget the session; the file has everything."""
        pipe = _pipes.get((self._folder, self._author))
        if pipe is not None and pipe.running:
            try:
                self._act("close")
            except BandscopeError:
                pass

    def _act(self, act: str, progress: Optional[Progress] = None, **arguments: Any) -> dict[str, Any]:
        return _pipe_for(self._folder, self._author).act(act, self._name, arguments, progress)

    # Points and results

    def ask(self, *, progress: Optional[Progress] = None) -> Point:
        """Return a point to evaluate: the oldest pending one, or a new suggestion."""
        return self.ask_many(1, progress=progress)[0]

    def ask_many(self, count: int, *, more: bool = False, same: Sequence[str] = (), apart: float = 0.0,
                 beside: Sequence[Inputs] = (), progress: Optional[Progress] = None) -> list[Point]:
        """Return points to evaluate.

        Args:
            count: how many, with the pending points among them.
            more: all of them are new.
            same: variables that have the same value at all points.
            apart: the smallest distance between points, as a part of the range of some variable.
            beside: points that are evaluated anyway.
        """
        said = self._act("ask", progress, count=count, more=more or None, same=list(same) or None,
                         apart=apart or None, beside=list(beside) or None)
        return [Point(p) for p in said["points"]]

    def tell(self, point: Union[Point, PointName, Inputs], result: Optional[Outcome] = None, *,
             sd: Optional[Outcome] = None, at: Optional[Inputs] = None, failed: str = "", cost: Optional[float] = None,
             note: str = "", force: bool = False) -> dict[str, Any]:
        """Report the result of a point.

        Args:
            point: what ask returned, its name, or the inputs of a point that nobody suggested.
            result: the value of the only objective, or the values by the names of the objectives.
            sd: standard errors, like result.
            at: variables that had other values than suggested.
            failed: why the evaluation failed; then there is no result.
            force: record values outside of the expected range.

        Returns:
            the step, the values, what is missing, and which limits are broken.
        """
        rest: dict[str, Any] = dict(values=self._by_objective(result), sd=self._by_objective(sd), failed=failed or None, cost=cost,
                    note=note or None, force=force or None)
        if isinstance(point, Point):
            point = point.name
        if isinstance(point, Mapping):
            return self._act("add", inputs=point, **rest)
        return self._act("tell", point=point, at=at, **rest)

    def add(self, x: Inputs, result: Optional[Outcome] = None, **more: Any) -> dict[str, Any]:
        """Report a result at inputs that nobody suggested, as tell does."""
        return self.tell(x, result, **more)

    def _by_objective(self, result: Optional[Outcome]) -> Optional[dict[str, float]]:
        """Return values by the names of the measured quantities."""
        if result is None or isinstance(result, Mapping):
            return dict(result) if result is not None else None
        if hasattr(result, "tolist"):
            result = result.tolist()
        listed: list[Any] = list(result) if isinstance(result, Sequence) else [result]
        names = self.outputs
        if len(listed) != len(names):
            raise BandscopeError("request", f"the result has {len(listed)} values, the problem {len(names)} quantities",
                                 f"give a mapping with {', '.join(names)}")
        return dict(zip(names, listed))

    @property
    def outputs(self) -> list[str]:
        """The names of the objectives and, after them, of the limits."""
        return list(self._results()["quantities"])

    def correct(self, step: int, result: Optional[Outcome] = None, *, at: Optional[Inputs] = None, drop: bool = False,
                reason: str = "") -> dict[str, Any]:
        """Replace the result of a step, or withdraw it with drop. The old values stay on record."""
        return self._act("correct", step=step, values=self._by_objective(result), at=at, drop=drop or None,
                         reason=reason or None)

    def discard(self, point: Union[Point, PointName], reason: str = "") -> dict[str, Any]:
        """Discard a pending point; the search avoids its neighbourhood."""
        return self._act("discard", point=point.name if isinstance(point, Point) else point, reason=reason or None)

    # Steering

    def steer(self, prior: Optional[str] = None, *, box: Optional[Mapping[str, tuple[float, float]]] = None,
              prefer: Optional[tuple[int, int]] = None, answer: str = "a", retract: Optional[int] = None
              ) -> dict[str, Any]:
        """Change what a search over several objectives aims at. Give one of the arguments.

        Args:
            prior: the prior over weights as text, such as "dirichlet(18, 6)".
            box: bounds by the names of objectives.
            prefer: two steps, a and b, whose outcomes are compared.
            answer: which of them is preferred: "a", "b", "tie" or "unsure".
            retract: the number of an answer that is withdrawn.
        """
        return self._act("steer", prior=prior, box=box, prefer=prefer, answer=answer if prefer else None,
                         retract=retract)

    def set(self, method: Optional[str] = None, **parameters: Any) -> dict[str, Any]:
        """Change the method or its parameters from here on."""
        return self._act("set", method=method, parameters=parameters or None)

    def narrow(self, variable: str, low: Optional[float] = None, high: Optional[float] = None, *, value: Any = None,
               free: bool = False, reason: str = "") -> dict[str, Any]:
        """Change the bounds of a variable, pin it to a value, or restore its whole domain."""
        bounds = None if low is None and high is None else [low, high]
        return self._act("narrow", variable=variable, bounds=bounds, value=value, free=free or None,
                         reason=reason or None)

    def declare(self, change: str, name: str, **details: Any) -> dict[str, Any]:
        """Change an objective or a limit.

        Args:
            change: "add", "drop", "turn" for the direction, "range", "noise", or "bound" for a limit.
        """
        return self._act("declare", change=change, name=name, **details)

    # Places and notes

    def note(self, text: str, *, step: Optional[int] = None, mark: bool = False) -> dict[str, Any]:
        """Write a note on a step; by default on the last one."""
        return self._act("note", text=text, step=step, mark=mark or None)

    def fork(self, name: str, method: Optional[str] = None) -> dict[str, Any]:
        """Begin a branch here."""
        return self._act("fork", name=name, method=method)

    def goto(self, step: Optional[int] = None, branch: Optional[str] = None) -> dict[str, Any]:
        """Go to a step, by default the last one, of a branch, by default the present one."""
        return self._act("goto", place=step, branch=branch)

    def back(self) -> dict[str, Any]:
        """Go one step back."""
        return self._act("back")

    # What is known

    def status(self) -> dict[str, Any]:
        """Return the problem, the method, pending points, the best result and what is left to hope for."""
        return self._act("status")

    def predict(self, inputs: Any, quantiles: Sequence[float] = ()) -> dict[str, Any]:
        """Return what the model predicts at inputs: mean, sd and quantiles by objective, as arrays where numpy can be
        imported.

        Args:
            inputs: a list of mappings, a data frame, or rows with the values of the variables in their order.
        """
        said = self._act("predict", inputs=self._inputs(inputs), quantiles=list(quantiles) or None)["predictions"]
        found: dict[str, Any] = {}
        for kind in ("mean", "sd", "log10_sd", "quantiles"):
            found[kind] = {name: _array([p["objectives"][name][kind] for p in said])
                           for name, first in said[0]["objectives"].items() if kind in first}
        found["feasible"] = _array([p["feasible"] for p in said]) if "feasible" in said[0] else None
        return {kind: values for kind, values in found.items() if values is not None and not values == {}}

    def sample(self, inputs: Any, count: int = 1, seed: int = 1) -> dict[str, Any]:
        """Return joint draws of the model at inputs."""
        return self._act("sample", inputs=self._inputs(inputs), count=count, seed=seed)

    def _inputs(self, inputs: Any) -> list[dict[str, Any]]:
        if hasattr(inputs, "to_dict"):  # a data frame
            return list(inputs.to_dict("records"))
        if hasattr(inputs, "tolist"):
            inputs = inputs.tolist()
        if isinstance(inputs, Mapping):
            inputs = [inputs]
        rows = list(inputs)
        if all(isinstance(row, Mapping) for row in rows):
            return [dict(row) for row in rows]
        names = self.variables
        rows = [list(row) if isinstance(row, Sequence) and not isinstance(row, str) else [row] for row in rows]
        wrong = next((row for row in rows if len(row) != len(names)), None)
        if wrong is not None:
            raise BandscopeError("request", f"a row has {len(wrong)} values, the problem {len(names)} variables",
                                 f"their order is {', '.join(names)}")
        return [dict(zip(names, row)) for row in rows]

    @property
    def variables(self) -> list[str]:
        """The names of the variables."""
        return list(self._results()["variables"])

    def why(self, step: Optional[int] = None, *, progress: Optional[Progress] = None) -> dict[str, Any]:
        """Return why the next point, or that of a step, was suggested."""
        return self._act("why", progress, step=step)

    def check(self, *, progress: Optional[Progress] = None) -> dict[str, Any]:
        """Return whether the model can be believed, and why."""
        return self._act("check", progress)

    def best(self) -> dict[str, Any]:
        """Return the best result, and the point with the best prediction."""
        return self._act("best")

    def front(self) -> Any:
        """Return the results that no other one dominates: a data frame where pandas can be imported."""
        said = self._act("front")
        return _frame([{**dict(p["x"]), **dict(p["value"]), "step": p.get("step")} for p in said["observed"]])

    def history(self, start: Optional[int] = None, end: Optional[int] = None) -> list[dict[str, Any]]:
        """Return the acts with their authors and times."""
        span: dict[str, Any] = {"from": start, "to": end}
        return list(self._act("history", **span)["events"])

    def dataframe(self) -> Any:
        """Return all results: a data frame where pandas can be imported, otherwise a list of dicts. The columns are the
        step, the variables, the measured quantities, and why an evaluation failed."""
        return _frame([{"step": r["step"], **dict(r["inputs"]), **dict(r.get("values") or {}), "failed": r.get("failed")}
                       for r in self._results()["results"]])

    def _results(self) -> dict[str, Any]:
        return self._act("results")

    def picture(self, *, width: Optional[int] = None, height: Optional[int] = None) -> str:
        """Return a picture of the belief as SVG, in pixels."""
        return str(self._act("picture", format="svg", width=width, height=height)["picture"])

    def _repr_html_(self) -> str:
        try:
            return self.picture()
        except BandscopeError as err:
            return f"<p>{html.escape(str(err))}</p>"

    def __repr__(self) -> str:
        return f"Session({self.path!r})"


def _array(values: list[Any]) -> Any:
    """Return numbers as an array, where numpy can be imported."""
    try:
        import numpy
    except ImportError:
        return values
    return numpy.asarray(values, dtype=float)


def _frame(rows: list[dict[str, Any]]) -> Any:
    try:
        import pandas  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        return rows
    return pandas.DataFrame(rows)
