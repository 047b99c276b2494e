"""Inputs of many kinds, and answers as arrays and data frames."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional

from ._errors import BandscopeError


def rows_of(inputs: Any, names: Callable[[], Sequence[str]]) -> list[dict[str, Any]]:
    """Return inputs as mappings. names returns the variables in their order."""
    if hasattr(inputs, "columns") and hasattr(inputs, "to_dict"):  # a data frame; results are further columns
        known = [name for name in names() if name in inputs.columns]
        return list(inputs[known].to_dict("records"))
    if hasattr(inputs, "to_dict"):  # a series: a row of a data frame
        inputs = {name: value for name, value in inputs.to_dict().items() if name in names()}
    if hasattr(inputs, "tolist"):
        inputs = inputs.tolist()
    if isinstance(inputs, Mapping):
        inputs = [inputs]
    if isinstance(inputs, (str, bytes)) or not hasattr(inputs, "__iter__"):
        raise BandscopeError("request", f"inputs are rows of values, got {inputs!r}",
                             "give a list of mappings, an array with a row for each point, or a data frame")
    rows = [row.tolist() if hasattr(row, "tolist") else row for row in inputs]
    if all(isinstance(row, Mapping) for row in rows):
        return [dict(row) for row in rows]
    order = list(names())
    rows = [list(row) if isinstance(row, Sequence) and not isinstance(row, str) else [row] for row in rows]
    wrong = next((row for row in rows if len(row) != len(order)), None)
    if wrong is not None:
        raise BandscopeError("request", f"a row has {_count(len(wrong), 'value')}, the problem has "
                             f"{_count(len(order), 'variable')}", f"their order is {', '.join(order)}")
    return [dict(zip(order, row)) for row in rows]


def values_of(result: Any, names: Callable[[], Sequence[str]]) -> Optional[dict[str, Any]]:
    """Return a result as a mapping. names returns the measured quantities in their order."""
    if result is None:
        return None
    if hasattr(result, "to_dict"):
        result = result.to_dict()
    if isinstance(result, Mapping):
        return _all_finite(dict(result))
    if hasattr(result, "tolist"):
        result = result.tolist()
    listed = list(result) if isinstance(result, Sequence) and not isinstance(result, str) else [result]
    order = list(names())
    if len(listed) != len(order):
        raise BandscopeError("request", f"the result has {_count(len(listed), 'value')}, the problem has "
                             f"{_count(len(order), 'measured quantity', 'measured quantities')}",
                             f"give a mapping with {', '.join(order)}")
    return _all_finite(dict(zip(order, listed)))


def _all_finite(values: dict[str, Any]) -> dict[str, Any]:
    for name, value in values.items():
        try:
            finite = not isinstance(value, (int, float)) and not hasattr(value, "tolist") or math.isfinite(value)
        except (OverflowError, TypeError):  # an integer beyond all floats; an array
            finite = False
        if not finite:
            raise BandscopeError("request", f"{name} must be a finite number, got {str(value)[:40]}",
                                 'report a failure with its reason, as in failed="it diverged"')
    return values


def _count(n: int, what: str, many: str = "") -> str:
    return f"1 {what}" if n == 1 else f"{n} {many or what + 's'}"


def as_array(values: list[Any]) -> Any:
    """Return numbers as an array, where numpy can be imported. Numbers that are not finite come as texts."""
    try:
        import numpy
    except ImportError:
        return _finite(values)
    return numpy.asarray(values, dtype=float)


def _finite(value: Any) -> Any:
    return [_finite(v) for v in value] if isinstance(value, list) else float(value)


def as_frame(rows: list[dict[str, Any]], columns: Sequence[str]) -> Any:
    """Return rows as a data frame, where pandas can be imported."""
    try:
        import pandas  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        return rows
    return pandas.DataFrame(rows, columns=list(columns))
