"""Sessions of the program bandscope in Python: ask for points, tell results, steer, and see what a model believes.

The program does the work; this package starts it once, sends it lines of JSON and keeps it running. It needs only the
standard library. Where numpy and pandas can be imported, results are arrays and data frames.
"""

from ._binary import find_binary
from ._errors import BandscopeError
from ._minimize import Result, minimize
from ._problem import Choice, Integer, Limit, Mixture, Objective, Ordered, Problem, Real
from ._session import Point, Session

__all__ = [
    "BandscopeError",
    "Choice",
    "Integer",
    "Limit",
    "Mixture",
    "Objective",
    "Ordered",
    "Point",
    "Problem",
    "Real",
    "Result",
    "Session",
    "find_binary",
    "minimize",
]
