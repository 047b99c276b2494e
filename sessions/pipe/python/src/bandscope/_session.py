"""Sessions: a record of a search in a file, with a method for every act."""

from __future__ import annotations

import html
import json
import os
import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Optional, Union

from ._errors import BandscopeError
from ._pipe import MAX_LINE, Pipe, Progress, plain
from ._problem import Problem
from ._tables import as_array, as_frame, rows_of, values_of

Inputs = Mapping[str, Any]
Outcome = Union[float, Mapping[str, float], Sequence[float]]
PointName = Union[int, str]

_MAX_INPUTS = 10_000  # of a request

_starting = threading.Lock()


def _new_lock() -> None:
    global _starting
    _starting = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_new_lock)


class Point(Mapping[str, Any]):
    """A point to evaluate: a mapping from the names of the variables to their values.

    Attributes
    ----------
    name : int or str
        The number of the point in the session, or a text such as ``"7.2"`` in a batch.
    details : dict
        Everything that the program says about the point.
    """

    def __init__(self, details: Mapping[str, Any]) -> None:
        self.details = dict(details)
        self.name: PointName = details["point"]
        self._x: dict[str, Any] = dict(details["x"])

    @property
    def why(self) -> str:
        """Why the point was suggested, in a sentence; empty if there is none."""
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
    """A session in a file.

    Every act is in the file when the method returns. Other programs and people can work on the same session at the same
    time, and several threads can use one object. The program starts with the first act, and ends when the session is
    closed or is no longer used. A session is a context manager, which closes it.

    Parameters
    ----------
    path : str or path-like
        The file, which must exist. ``Session.create`` begins a new one.
    author : str, default=""
        The name under which acts are recorded. By default it is that of the user of the system.

    Attributes
    ----------
    path : str
        The absolute path of the file.

    Raises
    ------
    BandscopeError
        If there is no such file, and in all methods if the program refuses an act.
    """

    def __init__(self, path: Union[str, os.PathLike[str]], author: str = "") -> None:
        whole = _file(path)
        if not whole.is_file():
            raise BandscopeError("request", f"there is no session {os.fspath(path)!r}", "Session.create begins one")
        self._set(whole, author)

    def _set(self, whole: Path, author: str) -> None:
        self.path = str(whole)
        self._folder, self._name, self._author = str(whole.parent), whole.name, author
        self._pipe: Optional[Pipe] = None
        self._end: Optional[weakref.finalize[[], Session]] = None

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return (Session, (self.path, self._author))

    @classmethod
    def create(cls, path: Union[str, os.PathLike[str]], problem: Union[Problem, str], method: str = "", seed: int = 1,
               budget: Optional[int] = None, parameters: Optional[Mapping[str, Any]] = None, author: str = "", *,
               noise: Optional[float] = None) -> Session:
        """Begin a session in a new file.

        Parameters
        ----------
        path : str or path-like
            The file, which must not exist. The suffix ``.jsonl`` is added to a name without it.
        problem : Problem or str
            A declaration, or the name of a built-in test function.
        method : str, default=""
            The name of an optimizer. By default it is the one for such problems.
        seed : int, default=1
            The seed of all random numbers.
        budget : int, default=None
            The planned number of evaluations.
        parameters : mapping, default=None
            The parameters of the method that differ from their defaults.
        author : str, default=""
            The name under which acts are recorded.
        noise : float, default=None
            The standard deviation of the observations of a test function. Your own problem declares it in
            ``Objective``.

        Returns
        -------
        session : Session

        Raises
        ------
        BandscopeError
            If the file exists, or the declaration is wrong.
        """
        s = cls.__new__(cls)
        s._set(_file(path), author)
        if not os.path.isdir(s._folder):
            raise BandscopeError("request", f"there is no folder {s._folder!r}", "make it first")
        declared: dict[str, Any] = {"problem": problem.toml()} if isinstance(problem, Problem) else {"function": problem}
        try:
            s._act("create", method=method or None, seed=seed, budget=budget, parameters=parameters, noise=noise,
                   **declared)
        except BaseException:
            s.close()
            raise
        return s

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the program. The file has everything, and the next act starts the program again."""
        if self._end is not None:
            self._end()

    def _act(self, act: str, progress: Optional[Progress] = None, **arguments: Any) -> dict[str, Any]:
        with _starting:
            pipe = self._pipe
            if pipe is None or not pipe.running:
                if self._end is not None:
                    self._end.detach()
                pipe = self._pipe = Pipe(self._folder, self._author)
                self._end = weakref.finalize(self, pipe.close)
        return pipe.act(act, self._name, arguments, progress)

    # Points and results

    def ask(self, *, progress: Optional[Progress] = None) -> Point:
        """Return a point to evaluate: the oldest pending one, or a new suggestion.

        Parameters
        ----------
        progress : callable, default=None
            It is called with a dict with ``what``, ``done`` and ``total`` if the suggestion takes longer than a second.
            An exception in it, such as ``KeyboardInterrupt``, cancels the act, and nothing is recorded.

        Returns
        -------
        point : Point
        """
        return self.ask_many(1, progress=progress)[0]

    def ask_many(self, count: int, *, new: bool = False, shared: Sequence[str] = (), min_distance: float = 0.0,
                 fixed: Sequence[Inputs] = (), plate: Optional[Mapping[str, Any]] = None,
                 progress: Optional[Progress] = None) -> list[Point]:
        """Return points to evaluate.

        Parameters
        ----------
        count : int
            The number of points, with the pending ones among them.
        new : bool, default=False
            Whether all of them are new.
        shared : sequence of str, default=()
            Variables that have the same value at all points.
        min_distance : float, default=0
            The smallest distance between the points, as a part of the range of some variable.
        fixed : sequence of mappings, default=()
            Points that are evaluated anyway.
        plate : mapping, default=None
            The plate whose wells the points fill, such as ``{"size": "4x6", "controls": 2}``; other keys are
            ``name``, ``replicates``, ``control``, ``by`` and ``order``. A count of 0 fills it.
        progress : callable, default=None
            As in ``ask``.

        Returns
        -------
        points : list of Point
        """
        given = count if plate is None or count > 0 else None
        said = self._act("ask", progress, count=given, new=new or None, shared=list(shared) or None,
                         min_distance=min_distance or None, fixed=list(fixed) or None,
                         plate=dict(plate) if plate is not None else None)
        return [Point(p) for p in said["points"]]

    def tell(self, point: Union[Point, PointName, Inputs], result: Optional[Outcome] = None, *,
             sd: Optional[Outcome] = None, at: Optional[Inputs] = None, failed: str = "", cost: Optional[float] = None,
             note: str = "", block: str = "", force: bool = False) -> dict[str, Any]:
        """Report the result of a point.

        Parameters
        ----------
        point : Point, int, str or mapping
            A point of ``ask``, its name, or the inputs of a point that nobody suggested.
        result : float, mapping or sequence, default=None
            The value of the only measured quantity, or values by the names of the quantities, or all values in the
            order of ``outputs``. A mapping may have some of them; then the point stays pending for the others.
        sd : float, mapping or sequence, default=None
            The standard errors of the values.
        at : mapping, default=None
            Variables that had other values than suggested.
        failed : str, default=""
            Why the evaluation failed; then there is no result.
        cost : float, default=None
            The measured cost of the evaluation.
        note : str, default=""
            A note on the result.
        block : str, default=""
            The plate, day or batch of the measurement, whose common shift the model estimates.
        force : bool, default=False
            Whether values outside of the expected range are recorded.

        Returns
        -------
        answer : dict
            The step, the values, the missing quantities, and the limits that are broken.
        """
        rest: dict[str, Any] = {"values": values_of(result, self._outputs), "sd": values_of(sd, self._outputs),
                                "failed": failed or None, "cost": cost, "note": note or None, "block": block or None,
                                "force": force or None}
        if isinstance(point, Point):
            point = point.name
        if isinstance(point, Mapping):
            return self._act("add", inputs={**point, **(at or {})}, **rest)
        return self._act("tell", point=point, at=at, **rest)

    def add(self, x: Inputs, result: Optional[Outcome] = None, *, sd: Optional[Outcome] = None, failed: str = "",
            cost: Optional[float] = None, note: str = "", force: bool = False) -> dict[str, Any]:
        """Report a result at inputs that nobody suggested. The arguments are those of ``tell``."""
        return self.tell(dict(x), result, sd=sd, failed=failed, cost=cost, note=note, force=force)

    def correct(self, step: PointName, result: Optional[Outcome] = None, *, at: Optional[Inputs] = None,
                drop: bool = False, reason: str = "") -> dict[str, Any]:
        """Replace the result of a step, or withdraw it with ``drop=True``. The old values stay on record."""
        return self._act("correct", step=step, values=values_of(result, self._outputs), at=at, drop=drop or None,
                         reason=reason or None)

    def discard(self, point: Union[Point, PointName], reason: str = "") -> dict[str, Any]:
        """Discard a pending point. The search avoids its neighbourhood."""
        return self._act("discard", point=point.name if isinstance(point, Point) else point, reason=reason or None)

    # Steering

    def steer(self, prior: Optional[str] = None, *, box: Optional[Mapping[str, tuple[float, float]]] = None,
              prefer: Optional[tuple[PointName, PointName]] = None, answer: str = "a", retract: Optional[int] = None
              ) -> dict[str, Any]:
        """Change what a search over several objectives aims at. Give one of prior, box, prefer and retract.

        Parameters
        ----------
        prior : str, default=None
            The prior over weights, such as ``"dirichlet(18, 6)"``.
        box : mapping, default=None
            Bounds by the names of objectives.
        prefer : pair of int, default=None
            Two steps, a and b, whose outcomes are compared.
        answer : {"a", "b", "tie", "unsure"}, default="a"
            The outcome that is preferred.
        retract : int, default=None
            The number of an answer that is withdrawn.

        Returns
        -------
        answer : dict
            The prior now, and its share of the front.
        """
        return self._act("steer", prior=prior, box=box, prefer=prefer, answer=answer if prefer else None,
                         retract=retract)

    def set(self, method: Optional[str] = None, **parameters: Any) -> dict[str, Any]:
        """Change the method or its parameters from now on, and return what that does to the next point."""
        return self._act("set", method=method, parameters=parameters or None)

    def narrow(self, variable: str, low: Optional[float] = None, high: Optional[float] = None, *, value: Any = None,
               free: bool = False, reason: str = "") -> dict[str, Any]:
        """Change the bounds of a variable, fix it to a value, or restore its whole domain with ``free=True``."""
        bounds = "free" if free else [low, high] if value is None else value
        return self._act("set", narrow={variable: bounds}, reason=reason or None)

    def variable(self, name: str, *, reason: str = "", **details: Any) -> dict[str, Any]:
        """Give a variable of your own experiment more values, or add a variable.

        Parameters
        ----------
        name : str
            The name of the variable.
        reason : str, default=""
            Why, for the record.
        **details
            What is wider: ``low``, ``high``, ``step``, ``choices`` or ``values`` that are added, ``descriptors`` of an
            added choice; ``kind``, ``unit`` and ``scale`` of a new variable, and the value that it had in all
            ``earlier`` points.
        """
        return self._act("set", variable={"name": name, **details}, reason=reason or None)

    def objective(self, name: str, *, method: Optional[str] = None, **details: Any) -> dict[str, Any]:
        """Change an objective or a limit, or add one.

        Parameters
        ----------
        name : str
            The name of the objective or of the measured quantity.
        method : str, default=None
            The method to continue with if the present one cannot handle the change.
        **details
            What changes: ``direction`` of a new objective, ``unit``, ``range``, ``scale``, ``noise``, ``worthwhile``,
            ``at_most``, ``at_least``; or ``change="drop"`` or ``change="reverse"``.
        """
        return self._act("set", objective={"name": name, **details}, method=method)

    # Places and notes

    def note(self, text: str, *, step: Optional[int] = None, mark: bool = False) -> dict[str, Any]:
        """Write a note on a step, by default on the last one. ``mark=True`` marks the step."""
        return self._act("note", text=text, step=step, mark=mark or None)

    def fork(self, name: str, method: Optional[str] = None) -> dict[str, Any]:
        """Begin a branch at the present step."""
        return self._act("fork", name=name, method=method)

    def goto(self, step: Optional[int] = None, branch: Optional[str] = None) -> dict[str, Any]:
        """Go to a step, by default the last one, of a branch, by default the present one."""
        return self._act("goto", step=step, branch=branch)

    def back(self) -> dict[str, Any]:
        """Go one step back."""
        return self._act("back")

    # What is known

    @property
    def variables(self) -> list[str]:
        """The names of the variables."""
        return list(self._results(_NONE)["variables"])

    @property
    def outputs(self) -> list[str]:
        """The names of the measured quantities: the objectives and, after them, the limits."""
        return self._outputs()

    def _outputs(self) -> list[str]:
        return list(self._results(_NONE)["quantities"])

    def _results(self, start: int = 1) -> dict[str, Any]:
        span: dict[str, Any] = {"from": start}
        return self._act("results", **span)

    def status(self) -> dict[str, Any]:
        """Return the problem, the method, pending points, the best result, what is left to hope for, and the authors."""
        return self._act("status")

    def predict(self, X: Any, quantiles: Sequence[float] = ()) -> dict[str, Any]:
        """Return the predictions of the model.

        Parameters
        ----------
        X : mapping, list, array, Series or DataFrame
            A point, or several: mappings, rows with the values of the variables in their order, or a data frame whose
            columns have the names of the variables; other columns are ignored.
        quantiles : sequence of float, default=()
            Probabilities between 0 and 1.

        Returns
        -------
        predictions : dict
            ``mean``, ``sd`` (``log10_sd`` on a log scale) and ``quantiles`` by objective, ``limits`` (the probability
            that a limit is met) by limit, and ``feasible`` (that all are met). Values are arrays where numpy can be
            imported and lists otherwise, with a row for each point.
        """
        rows = rows_of(X, lambda: self.variables)
        parts = 1 + len(json.dumps(plain(rows[:_MAX_INPUTS]))) // (MAX_LINE // 2)
        size = max(_MAX_INPUTS // parts, 1)
        said: list[dict[str, Any]] = []
        for i in range(0, max(len(rows), 1), size):
            said += self._act("predict", inputs=rows[i:i + size], quantiles=list(quantiles) or None)["predictions"]
        found: dict[str, Any] = {}
        for kind in ("mean", "sd", "log10_sd", "quantiles"):
            found[kind] = {name: as_array([p["objectives"][name][kind] for p in said])
                           for name, first in said[0]["objectives"].items() if kind in first}
        found["limits"] = {name: as_array([p["limits"][name] for p in said]) for name in said[0].get("limits", {})}
        found = {kind: values for kind, values in found.items() if values}
        if "feasible" in said[0]:
            found["feasible"] = as_array([p["feasible"] for p in said])
        return found

    def sample(self, X: Any, count: int = 1, seed: int = 1) -> dict[str, Any]:
        """Return joint draws of the model.

        Parameters
        ----------
        X : mapping, list, array, Series or DataFrame
            Points, as in ``predict``.
        count : int, default=1
            The number of draws.
        seed : int, default=1
            The same seed gives the same draws.

        Returns
        -------
        draws : dict
            By objective: an array with a row for each draw and a column for each point.
        """
        said = self._act("predict", inputs=rows_of(X, lambda: self.variables), samples=count, seed=seed)
        return {name: as_array(rows) for name, rows in said["draws"].items()}

    def why(self, step: Optional[PointName] = None, *, progress: Optional[Progress] = None) -> dict[str, Any]:
        """Return why the next point, or that of a step, was suggested: terms, runners-up, influence of results."""
        return self._act("why", progress, step=step)

    def check(self, *, progress: Optional[Progress] = None) -> dict[str, Any]:
        """Return whether the model can be trusted: leave-one-out predictions, coverage, alternatives, a verdict."""
        return self._act("check", progress)

    def best(self, by: str = "both") -> dict[str, Any]:
        """Return the best result (``observed``) and the point with the best prediction (``model``).

        Parameters
        ----------
        by : {"data", "model", "both"}, default="both"
            Without the model no model is fitted.
        """
        return self._act("best", by=by)

    def front(self, by: str = "data") -> Any:
        """Return the results that no other one dominates.

        Parameters
        ----------
        by : {"data", "model"}, default="data"
            The results, or the front that the model predicts.

        Returns
        -------
        front : DataFrame or list of dict
            The variables, the objectives and, of results, the step.
        """
        said = self._act("front", by=by)
        points = said["observed"] if by == "data" else said.get("model", [])
        rows = [{**p["x"], **_numbers(p["value"]), **({"step": p["step"]} if "step" in p else {})} for p in points]
        known = self._results(_NONE)
        order = [*known["variables"], *known["quantities"], "step"]
        return as_frame(rows, [name for name in order if not rows or name in rows[0]])

    def history(self, start: Optional[int] = None, end: Optional[int] = None) -> list[dict[str, Any]]:
        """Return the acts on record with their authors and times, from one number to another."""
        span: dict[str, Any] = {"from": start, "to": end}
        return list(self._act("history", **span)["events"])

    def dataframe(self) -> Any:
        """Return all results of the present branch.

        Returns
        -------
        results : DataFrame or list of dict
            The step, the variables, the measured quantities, and why an evaluation failed.
        """
        said = self._results()
        rows = [{"step": r["step"], **r["inputs"], **_numbers(r.get("values") or {}), "failed": r.get("failed")}
                for r in said["results"]]
        return as_frame(rows, ["step", *said["variables"], *said["quantities"], "failed"])

    def picture(self, *, view: Optional[str] = None, theme: Optional[str] = None, width: Optional[int] = None,
                height: Optional[int] = None) -> str:
        """Return a picture as SVG, with a size in pixels.

        The view is ``"all"``, ``"posterior"``, ``"acquisition"``, ``"front"`` or ``"traces"``, and the theme
        ``"light"`` or ``"dark"``.
        """
        return str(self._act("picture", format="svg", view=view, theme=theme, width=width, height=height)["picture"])

    def _repr_html_(self) -> str:
        try:
            return self.picture()
        except BandscopeError as err:
            return f"<p>{html.escape(str(err))}</p>"

    def __repr__(self) -> str:
        return f"Session({self.path!r})"


_NONE = 10_000_000  # a step after all results


def _file(path: Union[str, os.PathLike[str]]) -> Path:
    """Return the file of a session, whose name ends in .jsonl unless there is such a file without it."""
    whole = Path(path).absolute()
    return whole if whole.suffix == ".jsonl" or whole.exists() else whole.with_name(whole.name + ".jsonl")


def _numbers(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return numbers by name. Those that are not finite come as texts."""
    return {name: float(v) if isinstance(v, str) else v for name, v in values.items()}
