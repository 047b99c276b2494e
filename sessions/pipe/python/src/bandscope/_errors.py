"""The one class of errors."""

from __future__ import annotations


class BandscopeError(Exception):
    """An act that the program refused, or a program that cannot be used.

    Attributes
    ----------
    code : str
        The kind of error, for programs. From the program:

        - ``"request"``: an argument is wrong.
        - ``"not pending"``: there is no such pending point.
        - ``"reported"``: the point has its result already.
        - ``"unexpected"``: the values are not expected; they are recorded with ``force=True``.
        - ``"infeasible"``: the point is outside the domain or breaks a constraint.
        - ``"exhausted"``: every combination of the inputs is evaluated, pending or discarded.
        - ``"busy"``: somebody else writes to the session; try again.
        - ``"failed"``: the act failed, or it was cancelled.

        From the package: ``"binary"`` if the program is missing or of another version, ``"ended"`` if it ended.
    text : str
        The problem.
    hint : str
        What would be right; empty where nothing is known.
    """

    __module__ = "bandscope"

    def __init__(self, code: str, text: str, hint: str = "") -> None:
        self.code, self.text, self.hint = code, text, hint
        super().__init__(text + ("; " + hint if hint else ""))

    def __reduce__(self) -> tuple[type, tuple[str, str, str]]:
        return (BandscopeError, (self.code, self.text, self.hint))
